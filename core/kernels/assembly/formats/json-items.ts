// JSON (RFC 8259): a comma and `{…}` per item of a list. The content is validated but not read.
import { ROWS_SEQUENCE } from "../../../reading/rows/flags";
import { isUtf8 } from "../bytes";
import { setItem, stopItems } from "../items";
import { skipWhite, specials } from "./json-string";
import { STATUS_OTHER, STATUS_ROOM } from "../layout";
import { context } from "../memory";
import { skipDigits } from "../number";
import { beginWriting, childOf, isWhole, writeByte, writeRange, written } from "../pick";

const QUOTE: u8 = 0x22;
const COMMA: u8 = 0x2c;
const MINUS: u8 = 0x2d;
const ZERO: u8 = 0x30;
const OPEN_BRACKET: u8 = 0x5b;
const CLOSE_BRACKET: u8 = 0x5d;
const BACKSLASH: u8 = 0x5c;
const OPEN_BRACE: u8 = 0x7b;
const CLOSE_BRACE: u8 = 0x7d;
const NULL: u32 = 0x6c6c756e;
const TRUE: u32 = 0x65757274;
const ALSE: u32 = 0x65736c61;

/** Maximum nesting: the kinds of the open containers must fit a word. */
const MAX_DEPTH: i32 = 63;

/** Number of values that may follow. */
let left: i32 = 0;

/**
 * Skips a string, from after its opening quotation mark. The characters before `at` are plain; `high` is not 0 if some of them are
 * not ASCII. Returns the position after it, or 0 if the reader must read it.
 */
function skipString(from: usize, at: usize, high: i32): usize {
  for (;;) {
    const bytes = v128.load(at);
    const found = specials(bytes);
    const above = i8x16.bitmask(bytes);
    if (!found) {
      high |= above;
      at += 16;
      continue;
    }
    high |= above & (found - 1) & ~found;
    at += ctz(found);
    const byte = load<u8>(at);
    if (byte == QUOTE) break;
    if (byte != BACKSLASH) return 0;
    if (load<u8>(at, 1) == 0x75) {
      if (!areHexDigits(at + 2)) return 0;
      at += 6;
    } else {
      if (!isShortEscape(load<u8>(at, 1))) return 0;
      at += 2;
    }
  }
  if (<i32>(at - from) > context.longest || (high && !isUtf8(from, at))) return 0;
  return at + 1;
}

/** True if a letter after a backslash is a short escape. */
function isShortEscape(letter: u8): bool {
  return letter == QUOTE || letter == BACKSLASH || letter == 0x2f || letter == 0x62 || letter == 0x66 || letter == 0x6e || letter == 0x72 || letter == 0x74;
}

/** True if four hexadecimal digits are at a position. */
function areHexDigits(at: usize): bool {
  for (let index = 0; index < 4; index++) {
    const byte = <u32>load<u8>(at + index);
    if (byte - 0x30 > 9 && (byte | 0x20) - 0x61 > 5) return false;
  }
  return true;
}

/** Skips a number. Returns the position after it, or 0 if the number is invalid. */
@inline function skipNumber(from: usize): usize {
  const first = from + <usize>(load<u8>(from) == MINUS);
  // A bit for each byte that is no digit.
  const others = ~i8x16.bitmask(i8x16.lt_u(i8x16.sub(v128.load(first), i8x16.splat(0x30)), i8x16.splat(10)));
  const whole = ctz(others);
  let end = first + whole;
  if (whole < 16 && load<u8>(end) == 0x2e) end = first + ctz(others & (others - 1));
  // The usual numbers: short, without an exponent.
  if (end < first + 16 && (load<u8>(end) | 0x20) != 0x65) {
    return whole == 0 || (whole > 1 && load<u8>(first) == ZERO) || end == first + whole + 1 ? 0 : end;
  }
  return skipLongNumber(first);
}

/** Skips any number, from after its sign. Returns the position after it, or 0 if the number is invalid. */
function skipLongNumber(at: usize): usize {
  const first = load<u8>(at);
  if ((first ^ ZERO) > 9) return 0;
  at = first == ZERO ? at + 1 : skipDigits(at);
  if (load<u8>(at) == 0x2e) {
    const start = at + 1;
    at = skipDigits(start);
    if (at == start) return 0;
  }
  if ((load<u8>(at) | 0x20) == 0x65) {
    const sign = load<u8>(at, 1);
    const start = at + 1 + <usize>(sign == 0x2b || sign == MINUS);
    at = skipDigits(start);
    if (at == start) return 0;
  }
  return at;
}

/** Skips the object or array that begins at `from`. Returns the position after it, or 0 if the reader must read it. */
function skipItem(from: usize, deepest: i32): usize {
  let at = from + 1;
  let depth = 1;
  // A bit per open container, 1 for an object, the innermost in the lowest bit; `opened` is true directly after an
  // opening bracket.
  let kinds: u64 = load<u8>(from) == OPEN_BRACE;
  let opened = true;
  left--;
  while (depth > 0) {
    if (load<u8>(at) <= 0x20) at = skipWhite(at);
    let byte = load<u8>(at);
    // The bracket that closes an empty container is read below.
    let empty = false;
    if (kinds & 1) {
      if (byte == QUOTE) {
        at = skipString(at + 1, at + 1, 0);
        if (at == 0) return 0;
        if (load<u8>(at) != 0x3a) {
          at = skipWhite(at);
          if (load<u8>(at) != 0x3a) return 0;
        }
        byte = load<u8>(++at);
        if (byte <= 0x20) {
          at = skipWhite(at);
          byte = load<u8>(at);
        }
      } else if (byte == CLOSE_BRACE && opened) empty = true;
      else return 0;
    } else if (byte == CLOSE_BRACKET && opened) empty = true;
    if (!empty) {
      left--;
      if (byte == QUOTE) {
        at = skipString(at + 1, at + 1, 0);
        if (at == 0) return 0;
      } else if (byte == OPEN_BRACE || byte == OPEN_BRACKET) {
        if (depth == deepest) return 0;
        depth++;
        kinds = (kinds << 1) | <u64>(byte == OPEN_BRACE);
        opened = true;
        at++;
        continue;
      } else if (byte == MINUS || (byte ^ ZERO) <= 9) {
        at = skipNumber(at);
        if (at == 0) return 0;
      } else if (load<u32>(at) == NULL || load<u32>(at) == TRUE) at += 4;
      else if (byte == 0x66 && load<u32>(at, 1) == ALSE) at += 5;
      else return 0;
    }
    opened = false;
    for (;;) {
      byte = load<u8>(at);
      if (byte <= 0x20) {
        at = skipWhite(at);
        byte = load<u8>(at);
      }
      at++;
      if (byte == COMMA) break;
      if (byte != (kinds & 1 ? CLOSE_BRACE : CLOSE_BRACKET)) return 0;
      kinds >>= 1;
      if (--depth == 0) break;
    }
  }
  return left < 0 ? 0 : at;
}

/** Skips a string, number, true, false or null. Returns the position after it, or 0 for anything else. */
@inline function skipScalar(at: usize, byte: u8): usize {
  if (byte == QUOTE) {
    const bytes = v128.load(at, 1);
    const found = specials(bytes);
    const above = i8x16.bitmask(bytes);
    if (!found) return skipString(at + 1, at + 17, above);
    const length = ctz(found);
    // A short string without escapes, in ASCII.
    if (load<u8>(at + length, 1) == QUOTE && length <= context.longest && !(above & (found - 1) & ~found)) return at + length + 2;
    return skipString(at + 1, at + 1, 0);
  }
  if (byte == MINUS || (byte ^ ZERO) <= 9) return skipNumber(at);
  if (load<u32>(at) == NULL || load<u32>(at) == TRUE) return at + 4;
  return byte == 0x66 && load<u32>(at, 1) == ALSE ? at + 5 : 0;
}

/**
 * Skips any value of a record, and counts the values that it contains. Returns the position after it, or 0 if the reader must read
 * it.
 */
export function skipValue(at: usize): usize {
  const byte = load<u8>(at);
  if (byte != OPEN_BRACE && byte != OPEN_BRACKET) return skipScalar(at, byte);
  const deepest = min(context.depth, MAX_DEPTH);
  if (deepest < 1) return 0;
  // The record has counted the value itself.
  const most = context.most + 1;
  left = most;
  const end = skipItem(at, deepest);
  context.values += most - left - 1;
  context.most = left;
  return end;
}

/** Skips any value of an item. Returns the position after it, or 0 if the reader must read it. */
function skipInner(at: usize, deepest: i32): usize {
  const byte = load<u8>(at);
  if (byte == OPEN_BRACE || byte == OPEN_BRACKET) return deepest < 1 ? 0 : skipItem(at, deepest);
  left--;
  return skipScalar(at, byte);
}

/** End of a key without escapes, from after its opening quotation mark; 0 if the reader must read it. */
@inline function endOfKey(from: usize): usize {
  let at = from;
  let high = 0;
  for (;;) {
    const bytes = v128.load(at);
    const found = specials(bytes);
    if (found) {
      high |= i8x16.bitmask(bytes) & (found - 1) & ~found;
      at += ctz(found);
      break;
    }
    high |= i8x16.bitmask(bytes);
    at += 16;
  }
  if (load<u8>(at) != QUOTE || <i32>(at - from) > context.longest) return 0;
  return high && !isUtf8(from, at) ? 0 : at;
}

@inline function skipSpace(at: usize): usize {
  return load<u8>(at) <= 0x20 ? skipWhite(at) : at;
}

/**
 * Validates the value at a position, and writes what a node keeps of it. Returns the position after it, or 0 if the reader must
 * read it.
 */
function pickValue(from: usize, node: usize, deepest: i32): usize {
  const open = load<u8>(from);
  if (isWhole(node) || (open != OPEN_BRACE && open != OPEN_BRACKET)) {
    const end = skipInner(from, deepest);
    if (end) writeRange(from, end);
    return end;
  }
  if (deepest < 1) return 0;
  left--;
  // Both closing brackets are two after the opening ones.
  const close: u8 = open + 2;
  writeByte(open);
  const first = written;
  let at = skipSpace(from + 1);
  if (load<u8>(at) == close) at++;
  else {
    for (;;) {
      if (open == OPEN_BRACE) {
        const key = at;
        if (load<u8>(key) != QUOTE) return 0;
        const end = endOfKey(key + 1);
        if (end == 0) return 0;
        at = skipSpace(end + 1);
        if (load<u8>(at) != 0x3a) return 0;
        at = skipSpace(at + 1);
        const inner = childOf(node, key + 1, <i32>(end - key) - 1);
        if (inner) {
          if (written > first) writeByte(COMMA);
          writeRange(key, end + 1);
          writeByte(0x3a);
          at = pickValue(at, inner, deepest - 1);
        } else at = skipInner(at, deepest - 1);
      } else {
        if (written > first) writeByte(COMMA);
        at = pickValue(at, node, deepest - 1);
      }
      if (at == 0) return 0;
      at = skipSpace(at);
      const byte = load<u8>(at++);
      if (byte == close) break;
      if (byte != COMMA) return 0;
      at = skipSpace(at);
    }
  }
  writeByte(close);
  return at;
}

/**
 * Validates up to `room` items, from after an item of a list. The window ends with zero bytes. Returns the number of
 * valid ones.
 */
export function jsonItems(from: usize, to: usize, room: i32): i32 {
  const deepest = min(context.depth, MAX_DEPTH);
  const sequence = context.flags & ROWS_SEQUENCE;
  const node = context.pick;
  left = context.most;
  beginWriting();
  let at = from;
  for (let row = 0; row < room; row++) {
    const start = at;
    const before = left;
    at = skipWhite(at);
    if (sequence) {
      while (load<u8>(at) == 0x1e) at = skipWhite(at + 1);
    } else if (load<u8>(at) == COMMA) at = skipWhite(at + 1);
    else return stopItems(row, start, STATUS_OTHER, before);
    const item = at;
    if (load<u8>(at) != OPEN_BRACE || deepest < 1) at = 0;
    else if (node) {
      if (row > 0) writeByte(COMMA);
      const kept = written;
      at = pickValue(at, node, deepest);
      setItem(row, kept, written);
    } else {
      at = skipItem(at, deepest);
      setItem(row, item, at);
    }
    if (at == 0 || left < 0) return stopItems(row, start, STATUS_OTHER, before);
  }
  return stopItems(room, at, STATUS_ROOM, left);
}
