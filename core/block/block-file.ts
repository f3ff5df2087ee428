import { DecodeError } from '../errors.ts';
import { MOST_PART_BYTES, VERSION } from './block.ts';

/**
 * The serialised form of a block: all parts in one ArrayBuffer, for a cache or a response.
 *
 *     file  = FILE_MAGIC, VERSION, number of parts, reserved    4 words of 32 bits
 *             offset and length of each part                    2 float64 a part
 *             the parts, each at a multiple of 8 bytes
 */
const FILE_MAGIC = 0x42534e55; // `UNSB`
export const HEADER_BYTES = 16;
const ENTRY_BYTES = 16;

/** Where a part lies in the file. */
export interface PartRange {
  offset: number;
  length: number;
}

/** Puts the parts of one block, in their order, into one buffer. The parts are copied. */
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

/** Whether a buffer begins as a serialised block does, whatever its version. */
export function isBlockFile(file: ArrayBuffer): boolean {
  return file.byteLength >= HEADER_BYTES && new Int32Array(file, 0, 1)[0] === FILE_MAGIC;
}

/**
 * How many bytes the header and the index take, by the header alone. Throws a DecodeError where the buffer is no serialised
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
 * Where the parts of a serialised block lie, by its header and index. `size` is that of the whole block. Throws a
 * DecodeError where the buffer is none of this version.
 */
export function blockParts(file: ArrayBuffer, size = file.byteLength): PartRange[] {
  const head = blockHead(file);
  if (head > file.byteLength) throw incomplete();
  const index = new Float64Array(file, HEADER_BYTES, (head - HEADER_BYTES) / 8);
  let end = head;
  return Array.from({ length: index.length / 2 }, (_, at) => {
    const offset = index[at * 2]!;
    const length = index[at * 2 + 1]!;
    // Each begins where the one before ends, so that none is read twice.
    if (offset !== end || !(length >= 0 && length <= MOST_PART_BYTES)) throw malformed();
    end += align(length);
    if (offset + length > size) throw incomplete();
    return { offset, length };
  });
}

/** The length of a part with the bytes up to where the next begins. */
export function align(length: number): number {
  return Math.ceil(length / 8) * 8;
}

/** The error for a serialised block that ends early. */
export function incomplete(): DecodeError {
  return new DecodeError('truncated', 'the serialised block is incomplete');
}

function malformed(): DecodeError {
  return new DecodeError('malformed', 'not a serialised block');
}
