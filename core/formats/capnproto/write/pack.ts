/** Largest count of further words after tag 0x00 or 0xff. */
const MAX_WORDS = 255;

/**
 * Packs words `from..to` (https://capnproto.org/encoding.html#packing): see `unpack`. A run of words that
 * continues past `to` is split, which is valid but less compact.
 */
export function pack(bytes: Uint8Array, from: number, to: number): Uint8Array {
  const result = new Uint8Array(Math.ceil(((to - from) / 8) * 10.1) + 16);
  let out = 0;
  for (let at = from; at < to;) {
    let tag = 0;
    const head = out;
    out += 1;
    for (let bit = 0; bit < 8; bit += 1) {
      const byte = bytes[at + bit]!;
      if (byte === 0) continue;
      tag |= 1 << bit;
      result[out] = byte;
      out += 1;
    }
    result[head] = tag;
    at += 8;
    if (tag === 0) {
      let zeros = 0;
      while (at < to && zeros < MAX_WORDS && zeroBytes(bytes, at) === 8) {
        zeros += 1;
        at += 8;
      }
      result[out] = zeros;
      out += 1;
    } else if (tag === 0xff) {
      let count = 0;
      // Packing a word with at most one zero byte does not shorten it.
      while (at + 8 * count < to && count < MAX_WORDS && zeroBytes(bytes, at + 8 * count) < 2) count += 1;
      result[out] = count;
      result.set(bytes.subarray(at, at + 8 * count), out + 1);
      out += 1 + 8 * count;
      at += 8 * count;
    }
  }
  return result.subarray(0, out);
}

function zeroBytes(bytes: Uint8Array, at: number): number {
  let zeros = 0;
  for (let index = at; index < at + 8; index += 1) if (bytes[index] === 0) zeros += 1;
  return zeros;
}
