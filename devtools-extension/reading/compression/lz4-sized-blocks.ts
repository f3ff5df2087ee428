import { addBlock, Output } from './lz4-block.ts';

/** An LZ4 block in a body, and its declared decompressed size. */
export interface SizedBlock {
  from: number;
  end: number;
  size: number;
}

/** MessagePack token before a block's size. */
const INT32 = 0xd2;
/** Extension types of MessagePack-CSharp: the sizes of the following blocks; one block with its size. */
const BLOCK_ARRAY = 98;
const BLOCK = 99;
/** Maximum growth of a block. */
const MAX_GROWTH = 255;

/**
 * LZ4 blocks that make up a body. A block has no signature; it is recognized by a plausible decompressed size before it.
 *
 *     MessagePack int32, block                        content of an extension of type 99 (MessagePack-CSharp)
 *     ext 99 (int32, block)                           a whole message
 *     array (ext 98 (int32, …), bin (block), …)       a whole message in pieces
 *     uint32 size, little-endian, block               Python's lz4.block, and others
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
  // Data that did not shrink would not be stored compressed.
  return size > bytes.length && size <= (bytes.length - 4) * MAX_GROWTH ? [{ from: 4, end: bytes.length, size }] : undefined;
}

/** Decompresses consecutive blocks, up to `limit` bytes. Throws if one does not reach its declared size. */
export function inflateBlocks(bytes: Uint8Array, blocks: readonly SizedBlock[], limit: number): { bytes: Uint8Array; isCut: boolean } {
  const output = new Output(limit);
  let isWhole = true;
  for (const { from, end, size } of blocks) {
    const start = output.size;
    isWhole = addBlock(bytes.subarray(from, end), output);
    if (!isWhole) break;
    if (output.size - start !== size) throw new Error('An LZ4 block does not match its declared size');
  }
  return { bytes: output.bytes.slice(0, output.size), isCut: !isWhole };
}

/** Decompresses a block without a declared size, up to `limit` bytes. Throws if it is invalid. */
export function inflateBlock(bytes: Uint8Array, limit: number): { bytes: Uint8Array; isCut: boolean } {
  const output = new Output(limit);
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

/** Reads the MessagePack tokens around blocks; advances only past a token of the expected type. */
class Cursor {
  at = 0;
  readonly view: DataView;

  constructor(bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** `d2` int32, non-negative. */
  int32(): number | undefined {
    if (this.#token() !== INT32 || this.at + 5 > this.view.byteLength) return undefined;
    const value = this.view.getInt32(this.at + 1);
    this.at += 5;
    return value < 0 ? undefined : value;
  }

  /** Non-negative integer of up to four bytes. */
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

  /** Array header; returns the item count. */
  array(): number | undefined {
    const token = this.#token();
    if (token >= 0x90 && token < 0xa0) {
      this.at += 1;
      return token & 15;
    }
    return token === 0xdc || token === 0xdd ? this.#unsigned(token === 0xdc ? 2 : 4, 1) : undefined;
  }

  /** Extension header; returns the type and the end. */
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

  /** Binary; returns its range. */
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

  /** Unsigned number of 1, 2 or 4 bytes after `head` bytes. */
  #unsigned(size: number, head: number): number | undefined {
    const from = this.at + head;
    if (from + size > this.view.byteLength) return undefined;
    this.at = from + size;
    return size === 1 ? this.view.getUint8(from) : size === 2 ? this.view.getUint16(from) : this.view.getUint32(from);
  }
}
