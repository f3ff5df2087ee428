/** Compressed data are invalid; the message says why. */
export class CodecError extends Error {}

/**
 * Decompresses Snappy's raw format (https://github.com/google/snappy/blob/main/format_description.txt):
 *
 *     varint: bytes of the output
 *     xxxxxx00 literal of 1 + x bytes; from 60 on, x − 59 bytes hold the length less 1 (little-endian)
 *     oooxxx01 copy of 4 + x bytes from o · 256 + the next byte back
 *     xxxxxx10 copy of 1 + x bytes from the next uint16 back
 *     xxxxxx11 copy of 1 + x bytes from the next uint32 back
 *
 * Calls `allow` with the size of the output before allocating it. Throws a CodecError.
 */
export function decompressSnappy(bytes: Uint8Array, allow: (size: number) => void): Uint8Array<ArrayBuffer> {
  const end = bytes.length;
  let at = 0;
  let size = 0;
  for (let scale = 1; ; scale *= 128) {
    if (at >= end || at === 5) throw new CodecError('the Snappy data has no length');
    const byte = bytes[at]!;
    at += 1;
    size += (byte & 0x7f) * scale;
    if (byte < 0x80) break;
  }
  allow(size);
  const output = new Uint8Array(size);
  let to = 0;
  while (at < end) {
    const tag = bytes[at]!;
    at += 1;
    let length: number;
    if ((tag & 3) === 0) {
      length = tag >> 2;
      if (length >= 60) {
        const width = length - 59;
        if (at + width > end) throw new CodecError('incomplete Snappy data');
        length = 0;
        for (let i = 0; i < width; i += 1) length += bytes[at + i]! * 2 ** (8 * i);
        at += width;
      }
      length += 1;
      if (at + length > end || to + length > size) throw new CodecError('a Snappy literal extends beyond the data');
      if (length < 32) for (let i = 0; i < length; i += 1) output[to + i] = bytes[at + i]!;
      else output.set(bytes.subarray(at, at + length), to);
      at += length;
      to += length;
      continue;
    }
    const width = (tag & 3) === 1 ? 1 : (tag & 3) === 2 ? 2 : 4;
    if (at + width > end) throw new CodecError('incomplete Snappy data');
    let back = 0;
    for (let i = 0; i < width; i += 1) back += bytes[at + i]! * 2 ** (8 * i);
    at += width;
    if (width === 1) {
      length = 4 + ((tag >> 2) & 7);
      back += (tag >> 5) * 256;
    } else {
      length = 1 + (tag >> 2);
    }
    if (back === 0 || back > to || to + length > size) throw new CodecError('a Snappy copy refers to bytes beyond the data');
    // Byte by byte, since the source may overlap the destination.
    for (const stop = to + length; to < stop; to += 1) output[to] = output[to - back]!;
  }
  if (to < size) throw new CodecError('incomplete Snappy data');
  return output;
}

let table: Uint32Array | undefined;

/** The CRC-32 (ISO 3309) of bytes. */
export function crc32(bytes: Uint8Array): number {
  table ??= Uint32Array.from({ length: 256 }, (_, byte) => {
    let entry = byte;
    for (let bit = 0; bit < 8; bit += 1) entry = (entry & 1) === 1 ? (entry >>> 1) ^ 0xedb88320 : entry >>> 1;
    return entry;
  });
  let crc = -1;
  for (let at = 0; at < bytes.length; at += 1) crc = (crc >>> 8) ^ table[(crc ^ bytes[at]!) & 0xff]!;
  return ~crc >>> 0;
}
