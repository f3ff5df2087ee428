// Operations on bytes, 16 at a time. They may read and write up to 15 bytes past a range; memory has room for that.

/** True if two ranges of `length` bytes are equal. */
@inline export function same(a: usize, b: usize, length: i32): bool {
  for (; length > 16; length -= 16, a += 16, b += 16) {
    if (!i8x16.all_true(i8x16.eq(v128.load(a), v128.load(b)))) return false;
  }
  return (~i8x16.bitmask(i8x16.eq(v128.load(a), v128.load(b))) & ((1 << length) - 1)) == 0;
}

@inline export function copy(to: usize, from: usize, length: i32): void {
  for (let at = 0; at < length; at += 16) v128.store(to + at, v128.load(from + at));
}

/** True if any of `length` bytes is above 0x7f. */
@inline export function hasHighBits(from: usize, length: i32): bool {
  for (; length > 16; length -= 16, from += 16) if (i8x16.bitmask(v128.load(from))) return true;
  return (i8x16.bitmask(v128.load(from)) & ((1 << length) - 1)) != 0;
}

/** True if a range is UTF-8 (RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF). */
export function isUtf8(from: usize, end: usize): bool {
  let at = from;
  while (at < end) {
    // The next four bytes, the first in the lowest bits.
    const word = load<u32>(at);
    const byte = word & 0xff;
    if (byte < 0x80) {
      at++;
    } else if (byte < 0xe0) {
      if (byte < 0xc2 || (word & 0xc000) != 0x8000) return false;
      at += 2;
    } else if (byte < 0xf0) {
      // After 0xe0 the second byte is at least 0xa0, after 0xed at most 0x9f.
      const second = word & 0x2000;
      if ((word & 0xc0c000) != 0x808000 || (byte == 0xe0 && !second) || (byte == 0xed && second)) return false;
      at += 3;
    } else {
      const second = (word >> 8) & 0xff;
      if (byte > 0xf4 || (word & 0xc0c0c000) != 0x80808000 || (byte == 0xf0 && second < 0x90) || (byte == 0xf4 && second > 0x8f)) return false;
      at += 4;
    }
  }
  // A cut character extends past the end.
  return at == end;
}
