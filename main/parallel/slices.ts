import { detached } from '../input/sources.ts';

/** Bytes that are copied for a worker at once: under a millisecond. */
const SLICE_BYTES = 1024 * 1024;

/** A payload of a format. */
export interface Source {
  bytes: Uint8Array<ArrayBuffer>;
  format: string;
}

/** Copies of some bytes of a payload, slice by slice. */
export function* slices({ bytes, format }: Source, from: number, to: number): Generator<Uint8Array<ArrayBuffer>, void, undefined> {
  const size = bytes.length;
  for (let at = from; at < to; at += SLICE_BYTES) {
    if (bytes.length !== size) throw detached(format);
    yield bytes.slice(at, Math.min(at + SLICE_BYTES, to));
  }
}
