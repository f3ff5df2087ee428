import { MOST_DEPTH, MOST_ENTRIES, outer, type SkipState } from '../../../reading/skip.ts';
import { isAscii, validateUtf8 } from '../../../bytes/text/text.ts';
import type { Input } from './input.ts';

/**
 * Checks the map that begins at `from` (completeness, UTF-8, limits) without reading its values. Returns the position
 * after it; 0 if it is invalid, cut or uncommon (tags, indefinite lengths, keys that are not text strings), so that the
 * reader must read it and report any error.
 */
export function skipItem(state: SkipState, { bytes, view, to: end, stringLength, binaryLength }: Input, from: number): number {
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
    const major = token >> 5;
    // In a map, an even number of remaining keys and values means that a key comes next.
    if ((open & 3) === 1 && major !== 3) return 0;
    open = (open - 2) | 0;
    at = (at + 1) | 0;
    // The argument: the low five bits, or 1, 2, 4 or 8 bytes. Arguments of 8 bytes are accepted for numbers only.
    let value = token & 31;
    if (value >= 24) {
      const head = 1 << (value - 24);
      if (value > 27 || at + head > to) return 0;
      if (value === 24) value = bytes[at]!;
      else if (value === 25) value = view.getUint16(at);
      else if (value === 26) value = view.getUint32(at);
      else value = Infinity;
      at = (at + head) | 0;
    }
    if (major < 2) continue;
    if (major === 7) {
      // false, true, null, undefined, or a float of 2, 4 or 8 bytes
      if ((token < 0xf4 || token > 0xf7) && (token < 0xf9 || token > 0xfb)) return 0;
      continue;
    }
    if (major === 6) return 0;
    if (major > 3) {
      const map = major === 5;
      values -= value;
      if (values < 0 || depth === deepest || value > MOST_ENTRIES) return 0;
      outer[depth] = open;
      depth = (depth + 1) | 0;
      open = map ? (value << 2) | 1 : value << 1;
      continue;
    }
    if (value > (major === 3 ? stringLength : binaryLength) || at + value > to) return 0;
    const stop = (at + value) | 0;
    if (major === 3 && !isAscii(bytes, view, at, stop) && validateUtf8(bytes, at, stop) >= 0) return 0;
    at = stop;
  }
}
