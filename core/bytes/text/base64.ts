/** Characters of base64 by value, and those that base64url has instead of the last two (RFC 4648). */
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const INVALID = 64;
const EQUALS = 0x3d;

const values = new Uint8Array(256).fill(INVALID);
for (let value = 0; value < 64; value += 1) values[ALPHABET.charCodeAt(value)] = value;
values[0x2d] = 62;
values[0x5f] = 63;

/** Decodes base64 or base64url, with or without padding, from the ASCII in `from..end`. Undefined if it is neither. */
export function bytesOfBase64(bytes: Uint8Array, from: number, end: number): Uint8Array<ArrayBuffer> | undefined {
  let last = end;
  if ((end - from) % 4 === 0) for (let pads = 0; pads < 2 && last > from && bytes[last - 1] === EQUALS; pads += 1) last -= 1;
  const count = last - from;
  if (count % 4 === 1) return undefined;
  const decoded = new Uint8Array((count * 3) >> 2);
  let at = 0;
  let bits = 0;
  let all = 0;
  for (let index = from; index < last; index += 1) {
    const value = values[bytes[index]!]!;
    all |= value;
    bits = (bits << 6) | value;
    if (((index - from) & 3) === 3) {
      decoded[at] = bits >> 16;
      decoded[at + 1] = bits >> 8;
      decoded[at + 2] = bits;
      at += 3;
      bits = 0;
    }
  }
  if ((count & 3) === 2) decoded[at] = bits >> 4;
  else if ((count & 3) === 3) {
    decoded[at] = bits >> 10;
    decoded[at + 1] = bits >> 2;
  }
  return (all & INVALID) === 0 ? decoded : undefined;
}
