// Bytes, 16 at a time. What these functions read and write may go 15 bytes past the range: memory has room for it.

/** Whether two ranges of `length` bytes are the same. */
@inline export function same(a: usize, b: usize, length: i32): bool {
  for (; length > 16; length -= 16, a += 16, b += 16) {
    if (!i8x16.all_true(i8x16.eq(v128.load(a), v128.load(b)))) return false;
  }
  return (~i8x16.bitmask(i8x16.eq(v128.load(a), v128.load(b))) & ((1 << length) - 1)) == 0;
}

@inline export function copy(to: usize, from: usize, length: i32): void {
  for (let at = 0; at < length; at += 16) v128.store(to + at, v128.load(from + at));
}

/** Whether any of `length` bytes is above 0x7f. */
@inline export function hasHighBits(from: usize, length: i32): bool {
  for (; length > 16; length -= 16, from += 16) if (i8x16.bitmask(v128.load(from))) return true;
  return (i8x16.bitmask(v128.load(from)) & ((1 << length) - 1)) != 0;
}

/** Whether a range is UTF-8 (RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF). */
export function isUtf8(from: usize, end: usize): bool {
  let at = from;
  while (at < end) {
    // The bytes of a character, the first in the lowest.
    const word = load<u32>(at);
    const byte = word & 0xff;
    if (byte < 0x80) {
      at++;
    } else if (byte < 0xe0) {
      if (byte < 0xc2 || (word & 0xc000) != 0x8000) return false;
      at += 2;
    } else if (byte < 0xf0) {
      // 0xa0 is the least second byte behind 0xe0, 0x9f the greatest behind 0xed.
      const second = word & 0x2000;
      if ((word & 0xc0c000) != 0x808000 || (byte == 0xe0 && !second) || (byte == 0xed && second)) return false;
      at += 3;
    } else {
      const second = (word >> 8) & 0xff;
      if (byte > 0xf4 || (word & 0xc0c0c000) != 0x80808000 || (byte == 0xf0 && second < 0x90) || (byte == 0xf4 && second > 0x8f)) return false;
      at += 4;
    }
  }
  // What is cut goes past the end.
  return at == end;
}
