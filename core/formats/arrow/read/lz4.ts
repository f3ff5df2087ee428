/** Thrown for invalid data. The message says what is wrong. */
export class Lz4Error extends Error {}

const MAGIC = 0x184d2204;
/** Flags of a frame. */
const INDEPENDENT = 0x20;
const BLOCK_CHECKSUM = 0x10;
const CONTENT_SIZE = 0x08;
const CONTENT_CHECKSUM = 0x04;
const DICTIONARY_ID = 0x01;
/** Bytes that a match has at least. */
const MIN_MATCH = 4;

/**
 * Decompresses an LZ4 frame (https://github.com/lz4/lz4/blob/dev/doc/lz4_Frame_format.md) that takes all of `source`
 * and fills `target` exactly. Checksums are not verified.
 *
 *     magic number, flags vvics-cd, block size, content size (c, 8 bytes), dictionary id (d), header checksum
 *     blocks: uint32 size, whose highest bit says that the block is not compressed; content; checksum (b)
 *     four zeros, checksum (c)
 */
export function decompressLz4(source: Uint8Array, target: Uint8Array): void {
  const view = new DataView(source.buffer, source.byteOffset, source.byteLength);
  const { length } = source;
  if (length < 7 || view.getUint32(0, true) !== MAGIC) throw new Lz4Error('not an LZ4 frame');
  const flags = source[4]!;
  if (flags >> 6 !== 1) throw new Lz4Error(`version ${flags >> 6} of LZ4 frames is not known`);
  if (flags & DICTIONARY_ID) throw new Lz4Error('the LZ4 frame needs a dictionary');
  let at = 7 + (flags & CONTENT_SIZE ? 8 : 0);
  let filled = 0;
  for (;;) {
    if (at + 4 > length) throw new Lz4Error('the LZ4 frame is cut');
    const word = view.getUint32(at, true);
    at += 4;
    if (word === 0) break;
    const size = word & 0x7fffffff;
    const end = at + size;
    if (end > length) throw new Lz4Error('a block of the LZ4 frame is cut');
    if (word === size) filled = decompressBlock(source, at, end, target, filled, flags & INDEPENDENT ? filled : 0);
    else {
      if (size > target.length - filled) throw new Lz4Error('the LZ4 frame has more bytes than declared');
      target.set(source.subarray(at, end), filled);
      filled += size;
    }
    at = end + (flags & BLOCK_CHECKSUM ? 4 : 0);
  }
  if (at + (flags & CONTENT_CHECKSUM ? 4 : 0) !== length) throw new Lz4Error('the length of the LZ4 frame is wrong');
  if (filled !== target.length) throw new Lz4Error('the LZ4 frame has fewer bytes than declared');
}

/**
 * Decompresses the block `at..end` of `source` to `target` from `filled` on. Returns the position after it. Matches may
 * lie in `target` from `first` on. A sequence: the lengths of its literals and of its match, 4 bits each, 15 continued
 * by bytes up to one that is not 255; the literals; the match's distance, 16 bits. The last has no match.
 */
function decompressBlock(source: Uint8Array, start: number, end: number, target: Uint8Array, filled: number, first: number): number {
  const most = target.length;
  let at = start;
  let to = filled;
  for (;;) {
    if (at >= end) throw new Lz4Error('an LZ4 block is cut');
    const token = source[at++]!;
    let literals = token >> 4;
    if (literals === 15) {
      for (let byte = 255; byte === 255;) {
        if (at >= end) throw new Lz4Error('an LZ4 block is cut');
        byte = source[at++]!;
        literals += byte;
      }
    }
    if (literals > end - at) throw new Lz4Error('literals of an LZ4 block are cut');
    if (literals > most - to) throw new Lz4Error('the LZ4 frame has more bytes than declared');
    if (literals > 32) {
      target.set(source.subarray(at, at + literals), to);
      at += literals;
      to += literals;
    } else for (const last = at + literals; at < last;) target[to++] = source[at++]!;
    if (at === end) return to;
    if (end - at < 2) throw new Lz4Error('an LZ4 block is cut');
    const distance = source[at]! | (source[at + 1]! << 8);
    at += 2;
    let match = (token & 15) + MIN_MATCH;
    if (match === 15 + MIN_MATCH) {
      for (let byte = 255; byte === 255;) {
        if (at >= end) throw new Lz4Error('an LZ4 block is cut');
        byte = source[at++]!;
        match += byte;
      }
    }
    if (distance === 0 || distance > to - first) throw new Lz4Error('a match of an LZ4 block begins before its data');
    if (match > most - to) throw new Lz4Error('the LZ4 frame has more bytes than declared');
    if (match > 32 && distance >= match) {
      target.copyWithin(to, to - distance, to - distance + match);
      to += match;
    } else for (const last = to + match; to < last; to++) target[to] = target[to - distance]!;
  }
}
