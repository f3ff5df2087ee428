import { MOST_DEPTH, MOST_ENTRIES, outer, type SkipState } from '../../../reading/skip.ts';
import { isAscii, validateUtf8 } from '../../../bytes/text/text.ts';

/** Bytes after a token from 0xc0 of a number, nil or a boolean; −1 for others. */
const SIZES = [0, -1, 0, 0, -1, -1, -1, -1, -1, -1, 4, 8, 1, 2, 4, 8, 1, 2, 4, 8];

/** Limits and result of `skipItem`. */
export interface SkipSetting extends SkipState {
  /** Length limits of strings and binaries, in bytes. */
  readonly longest: number;
  readonly longestBinary: number;
}

/**
 * Checks the map that begins at `from` (completeness, UTF-8, limits) without reading its values. Returns the position
 * after it; 0 if it is invalid, cut or uncommon, for example with extensions, so that the reader must read it and
 * report any error.
 */
export function skipItem(state: SkipSetting, bytes: Uint8Array, view: DataView, from: number, end: number): number {
  const { longest, longestBinary } = state;
  const deepest = Math.min(state.depth, MOST_DEPTH) | 0;
  const to = end | 0;
  let values = state.left;
  let at = from | 0;
  let depth = 0;
  // State of the innermost container, as in `outer`. The item itself has a container around it.
  let open = 2;
  for (;;) {
    while (open < 2) {
      depth = (depth - 1) | 0;
      if (depth === 0) {
        state.left = values;
        return at;
      }
      open = outer[depth]!;
    }
    if (at >= to) return 0;
    const token = bytes[at]!;
    // In a map, an even number of remaining keys and values means that a key comes next.
    const key = (open & 3) === 1;
    open = (open - 2) | 0;
    let length = 0;
    at = (at + 1) | 0;
    if (token >= 0xa0 && token < 0xc0) length = token - 0xa0;
    else if (token >= 0xd9 && token <= 0xdb) {
      const head = 1 << (token - 0xd9);
      if (at + head > to) return 0;
      length = head === 1 ? bytes[at]! : head === 2 ? view.getUint16(at) : view.getUint32(at);
      at = (at + head) | 0;
    } else {
      if (key) return 0;
      if (token < 0x80 || token >= 0xe0) continue;
      if (token < 0xa0 || (token >= 0xdc && token <= 0xdf)) {
        // A container: fixmap, fixarray, array 16 and 32, map 16 and 32.
        let count = token & 15;
        const map = token < 0xa0 ? token < 0x90 : token >= 0xde;
        if (token >= 0xa0) {
          const head = (token & 1) === 0 ? 2 : 4;
          if (at + head > to) return 0;
          count = head === 2 ? view.getUint16(at) : view.getUint32(at);
          at = (at + head) | 0;
        }
        values -= count;
        if (values < 0 || depth === deepest || count > MOST_ENTRIES) return 0;
        outer[depth] = open;
        depth = (depth + 1) | 0;
        open = map ? (count << 2) | 1 : count << 1;
        continue;
      }
      if (token >= 0xc4 && token <= 0xc6) {
        // bin 8, 16 and 32
        const head = 1 << (token - 0xc4);
        if (at + head > to) return 0;
        const size = head === 1 ? bytes[at]! : head === 2 ? view.getUint16(at) : view.getUint32(at);
        if (size > longestBinary || at + head + size > to) return 0;
        at = (at + head + size) | 0;
        continue;
      }
      if (token === 0xd6 || token === 0xd7) {
        // fixext 4 and 8: only timestamps, uint32 seconds, or uint30 nanoseconds and uint34 seconds
        const size = token === 0xd6 ? 4 : 8;
        if (at + 1 + size > to || bytes[at] !== 0xff || size > longestBinary) return 0;
        if (size === 8 && view.getUint32(at + 1) >>> 2 > 999_999_999) return 0;
        at = (at + 1 + size) | 0;
        continue;
      }
      const size = SIZES[token - 0xc0] ?? -1;
      if (size < 0 || at + size > to) return 0;
      at = (at + size) | 0;
      continue;
    }
    if (length > longest || at + length > to) return 0;
    if (!isAscii(bytes, view, at, at + length) && validateUtf8(bytes, at, at + length) >= 0) return 0;
    at = (at + length) | 0;
  }
}
