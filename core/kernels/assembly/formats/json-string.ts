import { hasHighBits, isUtf8 } from "../bytes";
import { KIND_TEXT, refuse, setEntry, setWord } from "../cells";
import { follower, indexBefore, isEntry, lengthOf } from "../dictionary";
import { ENTRY_BYTES, STATUS_OTHER, STATUS_TEXT } from "../layout";
import { Column, context } from "../memory";

const QUOTE: u8 = 0x22;
const BACKSLASH: u8 = 0x5c;

/** A short string without its escapes. */
const scratch: usize = memory.data(192, 16);
const SCRATCH_BYTES = 192;

/**
 * Bits of the bytes, out of 16, that end a run of plain characters: quotation marks, backslashes, control characters.
 */
@inline export function specials(bytes: v128): i32 {
  return i8x16.bitmask(
    v128.or(
      v128.or(i8x16.eq(bytes, i8x16.splat(0x22)), i8x16.eq(bytes, i8x16.splat(0x5c))),
      i8x16.lt_u(bytes, i8x16.splat(0x20)),
    ),
  );
}

@inline function findSpecial(at: usize): usize {
  let found = specials(v128.load(at));
  while (!found) found = specials(v128.load((at += 16)));
  return at + ctz(found);
}

@inline function hexDigit(at: usize): u32 {
  const byte = load<u8>(at);
  if ((byte ^ 0x30) <= 9) return byte ^ 0x30;
  const letter: u32 = (byte | 0x20) - 0x61;
  return letter < 6 ? letter + 10 : 0x10000;
}

/** Four hexadecimal digits at a position; above 0xffff if any is invalid. */
@inline function fourDigits(at: usize): u32 {
  const high = hexDigit(at) | hexDigit(at + 1) | hexDigit(at + 2) | hexDigit(at + 3);
  if (high > 15) return 0x10000;
  return (hexDigit(at) << 12) | (hexDigit(at + 1) << 8) | (hexDigit(at + 2) << 4) | hexDigit(at + 3);
}

/** End of the text written by `unescape`. */
let written: usize = 0;

/**
 * Writes a string without its escapes. Returns the position of its closing quotation mark; 0 if it is not UTF-8, or
 * contains an invalid escape or a lone surrogate; 1 if it would not end before `limit`.
 */
function unescape(from: usize, to: usize, limit: usize): usize {
  const start = to;
  let at = from;
  for (;;) {
    if (to + 16 > limit) return 1;
    const bytes = v128.load(at);
    v128.store(to, bytes);
    const found = specials(bytes);
    if (!found) {
      at += 16;
      to += 16;
      continue;
    }
    at += ctz(found);
    to += ctz(found);
    const byte = load<u8>(at);
    if (byte == QUOTE) break;
    if (byte != BACKSLASH) return 0;
    const letter = load<u8>(at, 1);
    at += 2;
    if (letter == 0x75) {
      let code = fourDigits(at);
      at += 4;
      if (code > 0xffff || (code & 0xfc00) == 0xdc00) return 0;
      if ((code & 0xfc00) == 0xd800) {
        if (load<u16>(at) != 0x755c) return 0;
        const second = fourDigits(at + 2);
        if (second > 0xffff || (second & 0xfc00) != 0xdc00) return 0;
        code = 0x10000 + ((code & 0x3ff) << 10) + (second & 0x3ff);
        at += 6;
      }
      to = writeCode(to, code);
      continue;
    }
    let character: u8 = letter;
    if (letter == 0x6e) character = 0x0a;
    else if (letter == 0x74) character = 0x09;
    else if (letter == 0x72) character = 0x0d;
    else if (letter == 0x62) character = 0x08;
    else if (letter == 0x66) character = 0x0c;
    else if (letter != QUOTE && letter != BACKSLASH && letter != 0x2f) return 0;
    store<u8>(to++, character);
  }
  written = to;
  return isUtf8(start, to) ? at : 0;
}

/** Writes a code point as UTF-8. */
function writeCode(to: usize, code: u32): usize {
  if (code < 0x80) {
    store<u8>(to, code);
    return to + 1;
  }
  if (code < 0x800) {
    store<u8>(to, 0xc0 | (code >> 6));
    store<u8>(to, 0x80 | (code & 0x3f), 1);
    return to + 2;
  }
  if (code < 0x10000) {
    store<u8>(to, 0xe0 | (code >> 12));
    store<u8>(to, 0x80 | ((code >> 6) & 0x3f), 1);
    store<u8>(to, 0x80 | (code & 0x3f), 2);
    return to + 3;
  }
  store<u8>(to, 0xf0 | (code >> 18));
  store<u8>(to, 0x80 | ((code >> 12) & 0x3f), 1);
  store<u8>(to, 0x80 | ((code >> 6) & 0x3f), 2);
  store<u8>(to, 0x80 | (code & 0x3f), 3);
  return to + 4;
}

/**
 * Reads a string, from after its opening quotation mark, into a column of kind TEXT. Returns the position after it, or
 * 0.
 */
@inline function readText(c: Column, from: usize, row: i32): usize {
  const start = c.text + c.textLength;
  const limit = c.text + c.textCapacity - 16;
  let to = start;
  let at = from;
  let high = 0;
  for (;;) {
    if (to > limit) return refuse(STATUS_TEXT);
    const bytes = v128.load(at);
    v128.store(to, bytes);
    const found = specials(bytes);
    if (found) {
      const count = ctz(found);
      high |= i8x16.bitmask(bytes) & ((1 << count) - 1);
      at += count;
      to += count;
      break;
    }
    high |= i8x16.bitmask(bytes);
    at += 16;
    to += 16;
  }
  if (load<u8>(at) != QUOTE) {
    if (load<u8>(at) != BACKSLASH) return refuse(STATUS_OTHER);
    at = unescape(from, start, limit);
    if (at <= 1) return refuse(at == 1 ? STATUS_TEXT : STATUS_OTHER);
    to = written;
    if (hasHighBits(start, <i32>(to - start))) c.notAscii = 1;
  } else if (high) {
    if (!isUtf8(from, at)) return refuse(STATUS_OTHER);
    c.notAscii = 1;
  }
  if (at - from > <usize>context.longest) return refuse(STATUS_OTHER);
  c.textLength += <i32>(to - start);
  setWord(c, row, c.textBase + c.textLength);
  return at + 1;
}

/** Like `readText`, for a column of kind DICTIONARY. */
@inline function readEntry(c: Column, from: usize, row: i32): usize {
  const before = indexBefore(c, row);
  if (before >= 0) {
    const guess = follower(c, before);
    if (guess >= 0) {
      const length = lengthOf(c, guess);
      if (load<u8>(from + length) == QUOTE && isEntry(c, guess, from, length)) {
        c.hit++;
        setWord(c, row, guess);
        return from + length + 1;
      }
    }
  }
  const at = findSpecial(from);
  if (load<u8>(at) == QUOTE) {
    const length = <i32>(at - from);
    if (length > context.longest) return refuse(STATUS_OTHER);
    return setEntry(c, row, before, from, length) ? at + 1 : 0;
  }
  if (load<u8>(at) != BACKSLASH) return refuse(STATUS_OTHER);
  const end = unescape(from, scratch, scratch + SCRATCH_BYTES);
  if (end <= 1 || end - from > <usize>context.longest || <i32>(written - scratch) > ENTRY_BYTES) return refuse(STATUS_OTHER);
  // Sets no follower: it would be compared with the escaped text.
  return setEntry(c, row, -1, scratch, <i32>(written - scratch)) ? end + 1 : 0;
}

/**
 * Reads a string, from after its opening quotation mark, into a column. Returns the position after it, or 0, with the
 * reason in `why`.
 */
@inline export function readString(c: Column, from: usize, row: i32): usize {
  return c.kind == KIND_TEXT ? readText(c, from, row) : readEntry(c, from, row);
}

/** Position of the first byte from `at` on that is not JSON white space. */
export function skipWhite(at: usize): usize {
  let byte = load<u8>(at);
  while (byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09) byte = load<u8>(++at);
  return at;
}
