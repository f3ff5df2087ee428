/** The bits read by `readVarint`. */
export let varint: u64 = 0;

/**
 * Reads an integer of seven bits per byte, the lowest first. Returns the position after it, or 0 if it is longer than
 * 64 bits.
 */
@inline export function readVarint(at: usize): usize {
  const byte = load<u8>(at);
  if (byte < 0x80) {
    varint = byte;
    return at + 1;
  }
  return readLong(at);
}

function readLong(at: usize): usize {
  const word = load<u64>(at);
  const ends = ~word & 0x8080808080808080;
  if (ends) {
    // Selects the bytes up to the first without a high bit, then packs their bits in groups of two, four and eight
    // bytes.
    let bits = word & (ends ^ (ends - 1)) & 0x7f7f7f7f7f7f7f7f;
    bits = ((bits & 0x7f007f007f007f00) >> 1) | (bits & 0x007f007f007f007f);
    bits = ((bits & 0x3fff00003fff0000) >> 2) | (bits & 0x00003fff00003fff);
    varint = ((bits & 0x0fffffff00000000) >> 4) | (bits & 0x000000000fffffff);
    return at + <usize>(ctz<u64>(ends) >> 3) + 1;
  }
  varint = 0;
  for (let shift: u64 = 0; shift < 64; shift += 7) {
    const byte = <u64>load<u8>(at++);
    if (shift == 63 && byte > 1) break;
    varint |= (byte & 0x7f) << shift;
    if (byte < 0x80) return at;
  }
  return 0;
}
