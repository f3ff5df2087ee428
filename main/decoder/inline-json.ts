import type { Limits } from '../../worker/limits.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** What `parseJson` gives for a text that the JSON reader has to look at. */
export const UNSURE = Symbol('unsure');

/**
 * `JSON.parse` of the bytes, where it gives what the JSON reader would; `UNSURE` where the text is invalid, so that the
 * reader says where, or might pass a limit.
 */
export function parseJson(bytes: Uint8Array, { depth, values, stringLength }: Limits): unknown {
  const { length } = bytes;
  if (values < length || stringLength < length) return UNSURE;
  try {
    const text = utf8.decode(bytes);
    const value: unknown = JSON.parse(text);
    // What is deep has as many brackets, open and closed.
    return length >= depth * 2 && brackets(text, depth) > depth && deeper(value, depth) ? UNSURE : value;
  } catch {
    return UNSURE;
  }
}

/** Whether arrays and objects nest more than so many levels deep. */
function deeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  for (const inner of Array.isArray(value) ? value : Object.values(value)) if (deeper(inner, levels - 1)) return true;
  return false;
}

/** How many brackets open in a text, those in strings included; no more are counted than `most` + 1 of each kind. */
function brackets(text: string, most: number): number {
  let count = 0;
  for (const bracket of '[{') {
    for (let at = text.indexOf(bracket); at >= 0 && count <= most; at = text.indexOf(bracket, at + 1)) count += 1;
  }
  return count;
}
