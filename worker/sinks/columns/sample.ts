import type { Frame } from './frame.ts';

/** A list is judged by so many of its objects, or by those of so many bytes. */
const SAMPLE = 32;
const SAMPLE_BYTES = 256 * 1024;
/** Objects of which such a part lies in containers stay bytes. */
const LEAST_NESTED = 0.4;

/**
 * An object of `length` bytes has ended as an item of a list, and gone into its table or stayed on the tape. True where, by
 * the list's first ones, most of what the others are would lie on a tape, so that they had better stay bytes.
 */
export function looksNested(list: Frame, object: Frame, length: number): boolean {
  if (list.sampled === SAMPLE) return false;
  const { tape, run } = list;
  list.sampled++;
  list.sampledBytes += length;
  list.nestedBytes += run >= 0 && run + 3 === tape.length ? object.inner : length;
  if (list.sampled < SAMPLE && (list.sampledBytes <= SAMPLE_BYTES || list.sampled < 2)) return false;
  list.sampled = SAMPLE;
  return list.nestedBytes >= list.sampledBytes * LEAST_NESTED;
}
