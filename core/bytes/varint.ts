import { out } from './output.ts';

const TWO_32 = 0x1_0000_0000;

/** Writes an unsigned integer below 2³² as one to five bytes of seven bits, the lowest first. */
export function writeVarint(value: number, at: number): number {
  const bytes = out;
  let rest = value;
  let next = at;
  while (rest >= 0x80) {
    bytes[next++] = (rest & 0x7f) | 0x80;
    rest >>>= 7;
  }
  bytes[next++] = rest;
  return next;
}

/** Writes 64 bits as one to ten bytes of seven bits, the lowest first. */
export function writeVarint64(low: number, high: number, at: number): number {
  if (high === 0) return writeVarint(low >>> 0, at);
  const bytes = out;
  bytes[at] = low | 0x80;
  bytes[at + 1] = (low >>> 7) | 0x80;
  bytes[at + 2] = (low >>> 14) | 0x80;
  bytes[at + 3] = (low >>> 21) | 0x80;
  const middle = ((low >>> 28) | (high << 4)) >>> 0;
  const top = high >>> 28;
  if (top === 0) return writeVarint(middle, at + 4);
  bytes[at + 4] = middle | 0x80;
  bytes[at + 5] = (middle >>> 7) | 0x80;
  bytes[at + 6] = (middle >>> 14) | 0x80;
  bytes[at + 7] = (middle >>> 21) | 0x80;
  return writeVarint((middle >>> 28) | (top << 4), at + 8);
}

/** Writes an integer of less than 64 bits, zig-zag coded: 0, −1, 1, −2, … */
export function writeZigZag(value: number, at: number): number {
  const small = value | 0;
  if (small === value) {
    const coded = (small << 1) ^ (small >> 31);
    if (coded >= 0x80 || coded < 0) return writeVarint(coded >>> 0, at);
    out[at] = coded;
    return at + 1;
  }
  const sign = value < 0 ? -1 : 0;
  const low = value >>> 0;
  const high = Math.floor(value / TWO_32) | 0;
  return writeVarint64((low << 1) ^ sign, (((high << 1) | (low >>> 31)) ^ sign) >>> 0, at);
}

/** Bytes of an unsigned integer below 2³² as a varint. */
export function varintSize(value: number): number {
  return value < 0x80 ? 1 : value < 0x4000 ? 2 : value < 0x20_0000 ? 3 : value < 0x1000_0000 ? 4 : 5;
}

/** Encodes an unsigned integer below 2³² as a varint. */
export function varintBytes(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  bytes.push(rest);
  return Uint8Array.from(bytes);
}
