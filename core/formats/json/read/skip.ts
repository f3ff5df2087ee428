import { validateUtf8 } from '../../../bytes/text/text.ts';
import {
  ALSE,
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  LETTER_E,
  LETTER_F,
  MINUS,
  NULL,
  OPEN_BRACE,
  OPEN_BRACKET,
  PLUS,
  POINT,
  QUOTE,
  skipWhite,
  SPACE,
  TRUE,
  ZERO,
} from './characters.ts';
import { hexDigit, isShortEscape } from './strings.ts';

/** Nesting depth whose container kinds fit one word. */
const MOST_DEPTH = 31;

/** Limits and result of `skipItem`. */
export interface SkipState {
  /** How many containers may be open. */
  depth: number;
  /** Length limit of strings, in bytes. */
  longest: number;
  /** How many values the limit allows; reduced by those of the item. */
  left: number;
}

/**
 * Checks the object that begins at `from` (grammar, UTF-8, limits) without reading its values. Returns the position
 * after it; 0 if it is invalid, cut, or nested too deeply, so that the reader must read it and report any error.
 */
export function skipItem(state: SkipState, bytes: Uint8Array, view: DataView, from: number, end: number): number {
  const to = end | 0;
  const words = (to - 4) | 0;
  const pairs = (to - 8) | 0;
  const longest = state.longest;
  const deepest = Math.min(state.depth, MOST_DEPTH) | 0;
  let left = state.left | 0;
  let at = (from + 1) | 0;
  let depth = 1;
  // One bit per open container, the innermost lowest: 1 for an object.
  let kinds = 1;
  // A key comes next, or the first key of an object.
  let key = true;
  let first = true;
  if (deepest < 1) return 0;
  left -= 1;
  for (;;) {
    if (at >= to) return 0;
    let byte = bytes[at]!;
    if (byte <= SPACE) {
      at = skipWhite(bytes, view, at, to) | 0;
      if (at === to) return 0;
      byte = bytes[at]!;
    }
    if (byte === QUOTE) {
      const start = (at + 1) | 0;
      let high = 0;
      at = start;
      for (;;) {
        // Eight bytes at a time, then four, as in findSpecial.
        let found = 0;
        let word = 0;
        while (at <= pairs) {
          word = view.getInt32(at, true);
          const next = view.getInt32(at + 4, true);
          found = (((word ^ 0x02020202) - 0x21212121) | ((word ^ 0x5c5c5c5c) - 0x01010101)) & ~word & 0x80808080;
          if (found !== 0) break;
          high |= word;
          at = (at + 4) | 0;
          word = next;
          found = (((word ^ 0x02020202) - 0x21212121) | ((word ^ 0x5c5c5c5c) - 0x01010101)) & ~word & 0x80808080;
          if (found !== 0) break;
          high |= word;
          at = (at + 4) | 0;
        }
        if (found === 0) {
          while (at <= words) {
            word = view.getInt32(at, true);
            found = (((word ^ 0x02020202) - 0x21212121) | ((word ^ 0x5c5c5c5c) - 0x01010101)) & ~word & 0x80808080;
            if (found !== 0) break;
            high |= word;
            at = (at + 4) | 0;
          }
          // A string that ends in the last bytes of the window is left to the reader.
          if (found === 0) return 0;
        }
        const lowest = found & -found;
        high |= word & (lowest - 1);
        at = (at + ((31 - Math.clz32(lowest)) >> 3)) | 0;
        const special = bytes[at]!;
        if (special === QUOTE) break;
        if (special !== BACKSLASH || at + 6 > to) return 0;
        const letter = bytes[at + 1]!;
        if (letter === 0x75) {
          if ((hexDigit(bytes[at + 2]!) | hexDigit(bytes[at + 3]!) | hexDigit(bytes[at + 4]!) | hexDigit(bytes[at + 5]!)) > 15) return 0;
          at = (at + 6) | 0;
        } else {
          if (!isShortEscape(letter)) return 0;
          at = (at + 2) | 0;
        }
      }
      if (at - start > longest) return 0;
      if ((high & 0x80808080) !== 0 && validateUtf8(bytes, start, at) >= 0) return 0;
      at = (at + 1) | 0;
      if (key) {
        if (at >= to) return 0;
        if (bytes[at] !== COLON) {
          at = skipWhite(bytes, view, at, to) | 0;
          if (at === to || bytes[at] !== COLON) return 0;
        }
        at = (at + 1) | 0;
        key = false;
        first = false;
        continue;
      }
      left = (left - 1) | 0;
    } else if (key) {
      if (byte !== CLOSE_BRACE || !first) return 0;
      key = false;
    } else if (byte === MINUS || (byte ^ ZERO) <= 9) {
      left = (left - 1) | 0;
      if (byte === MINUS) {
        at = (at + 1) | 0;
        if (at >= to) return 0;
        byte = bytes[at]!;
        if ((byte ^ ZERO) > 9) return 0;
      }
      at = (at + 1) | 0;
      if (byte !== ZERO) while (at < to && (bytes[at]! ^ ZERO) <= 9) at = (at + 1) | 0;
      if (at >= to) return 0;
      byte = bytes[at]!;
      if (byte === POINT) {
        const start = (at = (at + 1) | 0);
        while (at < to && (bytes[at]! ^ ZERO) <= 9) at = (at + 1) | 0;
        if (at === start || at >= to) return 0;
        byte = bytes[at]!;
      }
      if ((byte | 0x20) === LETTER_E) {
        at = (at + 1) | 0;
        if (at < to && (bytes[at] === PLUS || bytes[at] === MINUS)) at = (at + 1) | 0;
        const start = at;
        while (at < to && (bytes[at]! ^ ZERO) <= 9) at = (at + 1) | 0;
        if (at === start || at >= to) return 0;
      }
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      if (depth === deepest) return 0;
      left = (left - 1) | 0;
      depth = (depth + 1) | 0;
      key = byte === OPEN_BRACE;
      kinds = (kinds << 1) | (key ? 1 : 0);
      first = true;
      at = (at + 1) | 0;
      continue;
    } else if (byte !== CLOSE_BRACKET || !first) {
      left = (left - 1) | 0;
      if (at + 5 > to) return 0;
      const word = view.getInt32(at, true);
      if (word === NULL || word === TRUE) at = (at + 4) | 0;
      else if (byte === LETTER_F && view.getInt32(at + 1, true) === ALSE) at = (at + 5) | 0;
      else return 0;
    }
    // After a value, or before the end of an empty container.
    first = false;
    for (;;) {
      if (at >= to) return 0;
      byte = bytes[at]!;
      if (byte <= SPACE) {
        at = skipWhite(bytes, view, at, to) | 0;
        if (at === to) return 0;
        byte = bytes[at]!;
      }
      at = (at + 1) | 0;
      if (byte === COMMA) {
        key = (kinds & 1) === 1;
        break;
      }
      if (byte !== ((kinds & 1) === 1 ? CLOSE_BRACE : CLOSE_BRACKET)) return 0;
      kinds >>>= 1;
      depth = (depth - 1) | 0;
      if (depth === 0) {
        if (left < 0) return 0;
        state.left = left;
        return at;
      }
    }
  }
}
