import { DecodeError } from '../errors.ts';
import { MAX_PART_BYTES, VERSION } from './block.ts';

/**
 * The serialised form of a block: all parts in one ArrayBuffer, for a cache or a response.
 *
 *     file  = FILE_MAGIC, VERSION, number of parts, reserved    4 words of 32 bits
 *             offset and length of each part                    2 float64 per part
 *             the parts, each at a multiple of 8 bytes
 */
const FILE_MAGIC = 0x42534e55; // `UNSB`
export const HEADER_BYTES = 16;
const ENTRY_BYTES = 16;

/** Position of a part in the file. */
export interface PartRange {
  offset: number;
  length: number;
}

/** Copies the parts of one block, in order, into one buffer. */
export function serialiseBlock(parts: readonly ArrayBuffer[]): ArrayBuffer {
  const start = HEADER_BYTES + parts.length * ENTRY_BYTES;
  const file = new ArrayBuffer(parts.reduce((length, part) => length + align(part.byteLength), start));
  new Int32Array(file, 0, 3).set([FILE_MAGIC, VERSION, parts.length]);
  const index = new Float64Array(file, HEADER_BYTES, parts.length * 2);
  let offset = start;
  for (const [at, part] of parts.entries()) {
    index.set([offset, part.byteLength], at * 2);
    new Uint8Array(file, offset, part.byteLength).set(new Uint8Array(part));
    offset += align(part.byteLength);
  }
  return file;
}

/** True if a buffer begins like a serialised block, of any version. */
export function isBlockFile(file: ArrayBuffer): boolean {
  return file.byteLength >= HEADER_BYTES && new Int32Array(file, 0, 1)[0] === FILE_MAGIC;
}

/**
 * Bytes of the header and index, read from the header alone. Throws a DecodeError unless the buffer is a serialised
 * block of this version.
 */
export function blockHead(file: ArrayBuffer): number {
  if (!isBlockFile(file)) throw malformed();
  const [, version, count] = new Int32Array(file, 0, 3);
  if (version !== VERSION) throw new DecodeError('unsupported', `a serialised block of version ${version}, not ${VERSION}`);
  if (count! < 0) throw malformed();
  return HEADER_BYTES + count! * ENTRY_BYTES;
}

/**
 * Positions of the parts of a serialised block, read from its header and index. `file` needs to hold only those; `size`
 * is the size of the whole block. Throws a DecodeError if the index is malformed.
 */
export function blockParts(file: ArrayBuffer, size = file.byteLength): PartRange[] {
  const head = blockHead(file);
  if (head > file.byteLength) throw incomplete();
  const index = new Float64Array(file, HEADER_BYTES, (head - HEADER_BYTES) / 8);
  let end = head;
  return Array.from({ length: index.length / 2 }, (_, at) => {
    const offset = index[at * 2]!;
    const length = index[at * 2 + 1]!;
    // Each part begins where the one before ends, so no byte is read twice.
    if (offset !== end || !(length >= 0 && length <= MAX_PART_BYTES)) throw malformed();
    end += align(length);
    if (offset + length > size) throw incomplete();
    return { offset, length };
  });
}

/** Rounds a length up to where the next part begins: a multiple of 8 bytes. */
export function align(length: number): number {
  return Math.ceil(length / 8) * 8;
}

/** Error for a serialised block that ends early. */
export function incomplete(): DecodeError {
  return new DecodeError('truncated', 'the serialised block is incomplete');
}

function malformed(): DecodeError {
  return new DecodeError('malformed', 'not a serialised block');
}
