const units = new Uint16Array(255);
const all = Array.from({ length: 256 }, (_, length) => units.subarray(0, length) as unknown as number[]);

/** True if the utfz in `from..end` is ASCII without a zero, and so equals its UTF-8. */
export function isPlainUtfz(bytes: Uint8Array, view: DataView, from: number, end: number): boolean {
  let odd = 0;
  // A byte below 1 or above 127 has, or borrows, the highest bit.
  if (end - from < 4) {
    for (let at = from; at < end; at += 1) {
      const byte = bytes[at]!;
      odd |= byte | (byte - 1);
    }
    return (odd & 0x80) === 0;
  }
  const last = end - 4;
  let at = from;
  for (; at < last - 4; at += 8) {
    const one = view.getInt32(at, true);
    const two = view.getInt32(at + 4, true);
    odd |= one | (one - 0x01010101) | two | (two - 0x01010101);
  }
  if (at < last) {
    const word = view.getInt32(at, true);
    odd |= word | (word - 0x01010101);
  }
  // The last four bytes, some of which may have been checked already.
  const word = view.getInt32(last, true);
  return ((odd | word | (word - 0x01010101)) & 0x80808080) === 0;
}

/**
 * Decodes the utfz in `from..end`, at most 255 bytes; undefined if it is cut. A byte is the low half of a UTF-16 unit
 * with the current high half, initially 0. A zero is followed by a high half: if that equals the current one, the
 * unit's low half is zero; otherwise it becomes the current one.
 */
export function decodeUtfz(bytes: Uint8Array, from: number, end: number): string | undefined {
  let count = 0;
  let high = 0;
  let open = false;
  for (let at = from; at < end; at += 1) {
    const byte = bytes[at]!;
    open = false;
    if (byte !== 0) {
      units[count++] = (high << 8) | byte;
      continue;
    }
    at += 1;
    if (at === end) return undefined;
    if (bytes[at] === high) {
      units[count++] = high << 8;
    } else {
      high = bytes[at]!;
      open = true;
    }
  }
  // A high half at the end is incomplete.
  return open ? undefined : String.fromCharCode.apply(null, all[count]!);
}
