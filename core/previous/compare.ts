/** Number of equal bytes at the start of two ranges, at most `length`. Compares 16 bytes at a time. */
export function commonLength(a: DataView, from: number, b: DataView, at: number, length: number): number {
  let count = 0;
  for (const blocks = length - 16; count <= blocks; count += 16) {
    const left = from + count;
    const right = at + count;
    const difference =
      (a.getInt32(left, true) ^ b.getInt32(right, true)) |
      (a.getInt32(left + 4, true) ^ b.getInt32(right + 4, true)) |
      (a.getInt32(left + 8, true) ^ b.getInt32(right + 8, true)) |
      (a.getInt32(left + 12, true) ^ b.getInt32(right + 12, true));
    if (difference !== 0) break;
  }
  while (count < length && a.getUint8(from + count) === b.getUint8(at + count)) count += 1;
  return count;
}

/** A view of the same bytes. */
export function viewOf({ buffer, byteOffset, length }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, length);
}
