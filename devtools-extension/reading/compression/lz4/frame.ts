import { addBlock, Output } from './block.ts';
import { xxHash32 } from './xxhash32.ts';

const MAGIC = 0x184d2204;
/** Frames that are skipped: the last four bits are the application's. */
const SKIPPABLE = 0x184d2a50;
/** Flags of a frame: version 1 in the upper two bits. */
const INDEPENDENT = 0x20;
const BLOCK_CHECKSUM = 0x10;
const CONTENT_SIZE = 0x08;
const CONTENT_CHECKSUM = 0x04;
const DICTIONARY = 0x01;
/** The bit of a block's length that says that the block is not compressed. */
const PLAIN = 0x80000000;
const WINDOW = 64 * 1024;

/** Whether bytes begin as a frame of LZ4. */
export function isLz4Frame(bytes: Uint8Array): boolean {
  return bytes[0] === 0x04 && bytes[1] === 0x22 && bytes[2] === 0x4d && bytes[3] === 0x18;
}

/**
 * Inflates frames of LZ4 that follow one another, up to `most` bytes. Throws where one is damaged, does not match its
 * checksums, or needs a dictionary.
 *
 *     frame   uint32 magic,  flags,  block size,  [uint64 content size],  header checksum,
 *             blocks: uint32 length, bytes, [uint32 checksum],  uint32 0,  [uint32 content checksum]
 *
 * https://github.com/lz4/lz4/blob/dev/doc/lz4_Frame_format.md
 */
export function inflateLz4(bytes: Uint8Array, most: number): { bytes: Uint8Array; isCut: boolean } {
  const output = new Output(most);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  const uint32 = (): number => {
    if (at + 4 > bytes.length) throw new Error('An LZ4 frame is not whole');
    at += 4;
    return view.getUint32(at - 4, true);
  };
  const take = (length: number): Uint8Array => {
    if (at + length > bytes.length) throw new Error('An LZ4 frame is not whole');
    at += length;
    return bytes.subarray(at - length, at);
  };

  /** Returns whether all of the frame fits. */
  const addFrame = (): boolean => {
    const first = at;
    const [flags = 0] = take(2);
    if (flags >>> 6 !== 1) throw new Error(`An LZ4 frame of the unknown version ${flags >>> 6}`);
    if (flags & DICTIONARY) throw new Error('An LZ4 frame that needs a dictionary');
    if (flags & CONTENT_SIZE) take(8);
    const header = bytes.subarray(first, at);
    if (take(1)[0] !== ((xxHash32(header) >>> 8) & 0xff)) throw new Error('The header of an LZ4 frame does not match its checksum');
    const start = output.size;
    for (let length = uint32(); length !== 0; length = uint32()) {
      const block = take(length & ~PLAIN);
      const window = flags & INDEPENDENT ? 0 : Math.min(WINDOW, output.size - start);
      if (!(length & PLAIN ? output.add(block) : addBlock(block, output, window))) return false;
      if (flags & BLOCK_CHECKSUM && uint32() !== xxHash32(block)) throw new Error('A block of an LZ4 frame does not match its checksum');
    }
    if (flags & CONTENT_CHECKSUM && uint32() !== xxHash32(output.bytes.subarray(start, output.size)))
      throw new Error('An LZ4 frame does not match its checksum');
    return true;
  };

  let isWhole = true;
  while (isWhole && at < bytes.length) {
    const magic = uint32();
    if ((magic & 0xfffffff0) >>> 0 === SKIPPABLE) take(uint32());
    else if (magic === MAGIC) isWhole = addFrame();
    else throw new Error('Bytes behind an LZ4 frame are none');
  }
  return { bytes: output.bytes.slice(0, output.size), isCut: !isWhole };
}
