import type { RowKey } from '../../sinks/sink.ts';

/** Keys as they are written, to be compared by words of 4 bytes. */
export interface WrittenKeys {
  /** Three words a key: how many bytes it takes, where in `words` it begins, and the mask of its last word. */
  table: Int32Array;
  /** The last word of each overlaps where the length is no multiple of 4. */
  words: Int32Array;
}

/** Keys as short strings; undefined where one is too long for that. */
export function writeKeys(keys: readonly RowKey[]): WrittenKeys | undefined {
  const table = new Int32Array(3 * keys.length);
  const words: number[] = [];
  for (const [index, { length, view }] of keys.entries()) {
    if (length > 31) return undefined;
    const bytes = new Uint8Array(Math.max(4, length + 1));
    const written = new DataView(bytes.buffer);
    bytes[0] = 0xa0 + length;
    for (let at = 0; at < length; at++) bytes[at + 1] = view.getUint8(at);
    table.set([length + 1, words.length, length >= 3 ? -1 : 2 ** (8 * (length + 1)) - 1], index * 3);
    for (let at = 0; at < bytes.length; at += 4) words.push(written.getInt32(Math.min(at, bytes.length - 4), true));
  }
  return { table, words: Int32Array.from(words) };
}
