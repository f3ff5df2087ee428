const codes: number[] = [];

/** Decodes a short range of well-formed UTF-8 faster than the TextDecoder. */
export function mediumText(bytes: Uint8Array, from: number, end: number): string {
  let make = String.fromCharCode;
  let count = 0;
  let code = 0;
  for (let at = from; at < end; at += 1) {
    const byte = bytes[at]!;
    if (byte >> 6 === 2) {
      // A continuation byte, 10xxxxxx.
      code = (code << 6) | (byte & 0x3f);
    } else {
      count += 1;
      code = byte < 0x80 ? byte : byte & 0x1f;
      if (byte >= 0xf0) make = String.fromCodePoint;
    }
    // The lead byte of a four-byte sequence contributes one bit too many.
    codes[count - 1] = code & 0x1f_ff_ff;
  }
  return make.apply(null, codes.slice(0, count));
}
