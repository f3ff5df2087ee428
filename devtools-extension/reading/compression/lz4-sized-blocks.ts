import { addBlock, Output } from './lz4-block.ts';

/** A block of LZ4 in a body, and the bytes that it is said to grow to. */
export interface SizedBlock {
  from: number;
  end: number;
  size: number;
}

/** MessagePack's tokens that blocks lie behind. */
const INT32 = 0xd2;
/** Extension types of MessagePack-CSharp: the sizes of blocks that follow, and one block behind its size. */
const BLOCK_ARRAY = 98;
const BLOCK = 99;
/** A block makes at most so many bytes of each of its own. */
const MAX_GROWTH = 255;

/**
 * Blocks of LZ4 that make up a body. A block does not tell what it is: it is taken for one where the size that it must
 * grow to stands before it.
 *
 *     int32 of MessagePack, block                        what is in an extension of the type 99 (MessagePack-CSharp)
 *     ext 99 (int32, block)                              a whole message
 *     array (ext 98 (int32, …), bin (block), …)          a whole message, in pieces
 *     uint32 size, little-endian, block                  lz4.block of Python, and others
 *
 * https://github.com/MessagePack-CSharp/MessagePack-CSharp#lz4-compression
 */
export function sizedBlocks(bytes: Uint8Array): SizedBlock[] | undefined {
  if (bytes.length < 12) return undefined;
  const cursor = new Cursor(bytes);
  const first = bytes[0]!;
  if (first === INT32) return oneBlock(cursor, bytes.length);
  const extension = cursor.extension();
  if (extension) return extension.type === BLOCK && extension.end === bytes.length ? oneBlock(cursor, bytes.length) : undefined;
  const count = cursor.array();
  if (count !== undefined && count > 1) return blockArray(cursor, count);
  const size = cursor.view.getUint32(0, true);
  // What has not become smaller would not have been compressed.
  return size > bytes.length && size <= (bytes.length - 4) * MAX_GROWTH ? [{ from: 4, end: bytes.length, size }] : undefined;
}

/** Inflates blocks one after the other, up to `most` bytes. Throws where one does not grow to its size. */
export function inflateBlocks(bytes: Uint8Array, blocks: readonly SizedBlock[], most: number): { bytes: Uint8Array; isCut: boolean } {
  const output = new Output(most);
  let isWhole = true;
  for (const { from, end, size } of blocks) {
    const start = output.size;
    isWhole = addBlock(bytes.subarray(from, end), output);
    if (!isWhole) break;
    if (output.size - start !== size) throw new Error('An LZ4 block does not grow to its size');
  }
  return { bytes: output.bytes.slice(0, output.size), isCut: !isWhole };
}

/** Inflates a block that does not tell its size, up to `most` bytes. Throws where it is none. */
export function inflateBlock(bytes: Uint8Array, most: number): { bytes: Uint8Array; isCut: boolean } {
  const output = new Output(most);
  const isWhole = addBlock(bytes, output);
  return { bytes: output.bytes.slice(0, output.size), isCut: !isWhole };
}

function oneBlock(cursor: Cursor, end: number): SizedBlock[] | undefined {
  const size = cursor.int32();
  return size === undefined || size > (end - cursor.at) * MAX_GROWTH ? undefined : [{ from: cursor.at, end, size }];
}

function blockArray(cursor: Cursor, count: number): SizedBlock[] | undefined {
  const sizes = cursor.extension();
  if (!sizes || sizes.type !== BLOCK_ARRAY) return undefined;
  const found: number[] = [];
  while (cursor.at < sizes.end) {
    const size = cursor.integer();
    if (size === undefined) return undefined;
    found.push(size);
  }
  if (cursor.at !== sizes.end || found.length !== count - 1) return undefined;
  const blocks: SizedBlock[] = [];
  for (const size of found) {
    const block = cursor.binary();
    if (!block || size > (block.end - block.from) * MAX_GROWTH) return undefined;
    blocks.push({ ...block, size });
  }
  return cursor.at === cursor.view.byteLength ? blocks : undefined;
}

/** Reads the few tokens of MessagePack that stand around blocks; moves on where they are what was asked for. */
class Cursor {
  at = 0;
  readonly view: DataView;

  constructor(bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** `d2` int32, not below 0. */
  int32(): number | undefined {
    if (this.#token() !== INT32 || this.at + 5 > this.view.byteLength) return undefined;
    const value = this.view.getInt32(this.at + 1);
    this.at += 5;
    return value < 0 ? undefined : value;
  }

  /** A whole number, not below 0, of up to four bytes. */
  integer(): number | undefined {
    const token = this.#token();
    if (token === INT32) return this.int32();
    if (token < 0x80) {
      this.at += 1;
      return token;
    }
    // uint 8, 16 and 32.
    const size = token >= 0xcc && token <= 0xce ? 1 << (token - 0xcc) : 0;
    return size === 0 ? undefined : this.#unsigned(size, 1);
  }

  /** The head of an array; the count of its items. */
  array(): number | undefined {
    const token = this.#token();
    if (token >= 0x90 && token < 0xa0) {
      this.at += 1;
      return token & 15;
    }
    return token === 0xdc || token === 0xdd ? this.#unsigned(token === 0xdc ? 2 : 4, 1) : undefined;
  }

  /** The head of an extension; its type, and where it ends. */
  extension(): { type: number; end: number } | undefined {
    const token = this.#token();
    const isFixed = token >= 0xd4 && token <= 0xd8;
    if (!isFixed && (token < 0xc7 || token > 0xc9)) return undefined;
    if (isFixed) this.at += 1;
    const length = isFixed ? 1 << (token - 0xd4) : this.#unsigned(1 << (token - 0xc7), 1);
    if (length === undefined || this.at + 1 + length > this.view.byteLength) return undefined;
    const type = this.view.getInt8(this.at);
    this.at += 1;
    return { type, end: this.at + length };
  }

  /** A binary; where its bytes are. */
  binary(): { from: number; end: number } | undefined {
    const token = this.#token();
    const length = token >= 0xc4 && token <= 0xc6 ? this.#unsigned(1 << (token - 0xc4), 1) : undefined;
    if (length === undefined || this.at + length > this.view.byteLength) return undefined;
    const from = this.at;
    this.at += length;
    return { from, end: this.at };
  }

  #token(): number {
    return this.at < this.view.byteLength ? this.view.getUint8(this.at) : 0xc1;
  }

  /** An unsigned number of 1, 2 or 4 bytes behind `head` bytes. */
  #unsigned(size: number, head: number): number | undefined {
    const from = this.at + head;
    if (from + size > this.view.byteLength) return undefined;
    this.at = from + size;
    return size === 1 ? this.view.getUint8(from) : size === 2 ? this.view.getUint16(from) : this.view.getUint32(from);
  }
}
