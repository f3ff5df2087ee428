import { out, view } from '../../../bytes/output.ts';

/** Major types (RFC 8949 section 3.1), as the bits of a head. */
export const UNSIGNED = 0x00;
export const NEGATIVE = 0x20;
export const BYTES = 0x40;
export const TEXT = 0x60;
export const ARRAY = 0x80;
export const MAP = 0xa0;
export const TAG = 0xc0;

const TWO_32 = 2 ** 32;

/**
 * Writes a head: a major type and its argument, a safe integer, in the shortest form. Returns the position after it.
 */
export function head(major: number, argument: number, at: number): number {
  if (argument < 24) {
    out[at] = major | argument;
    return at + 1;
  }
  if (argument < 0x100) {
    view.setUint16(at, ((major | 24) << 8) | argument);
    return at + 2;
  }
  if (argument < 0x1_0000) {
    out[at] = major | 25;
    view.setUint16(at + 1, argument);
    return at + 3;
  }
  if (argument < TWO_32) {
    out[at] = major | 26;
    view.setUint32(at + 1, argument);
    return at + 5;
  }
  out[at] = major | 27;
  view.setUint32(at + 1, argument / TWO_32);
  view.setUint32(at + 5, argument % TWO_32);
  return at + 9;
}

/** Bytes that `head` writes for arguments of up to 32 bits. */
export function headSize(argument: number): number {
  return argument < 24 ? 1 : argument < 0x100 ? 2 : argument < 0x1_0000 ? 3 : 5;
}

/** The bytes that `head` writes for arguments of up to 32 bits. */
export function headBytes(major: number, argument: number): number[] {
  const size = headSize(argument);
  if (size === 1) return [major | argument];
  const bytes = [argument >>> 24, (argument >>> 16) & 0xff, (argument >>> 8) & 0xff, argument & 0xff];
  return [major | (23 + Math.log2((size - 1) * 2)), ...bytes.slice(5 - size)];
}
