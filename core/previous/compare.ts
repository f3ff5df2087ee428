import { nodeCompare } from '../engine/node-compare.ts';

/** Bytes that Node compares in one call. bench/refetch/run.mjs. */
const BLOCK_BYTES = 8 * 1024;

/** Number of equal bytes at the start of two ranges, at most `length`. Compares 32 bytes at a time, or long runs by Node's own function. */
export function commonLength(a: DataView, from: number, b: DataView, at: number, length: number): number {
  let count = 0;
  if (nodeCompare) {
    while (length - count >= BLOCK_BYTES && nodeCompare(blockOf(a, from + count), blockOf(b, at + count)) === 0) count += BLOCK_BYTES;
  }
  for (const blocks = length - 32; count <= blocks; count += 32) {
    const left = from + count;
    const right = at + count;
    const difference =
      (a.getInt32(left, true) ^ b.getInt32(right, true)) |
      (a.getInt32(left + 4, true) ^ b.getInt32(right + 4, true)) |
      (a.getInt32(left + 8, true) ^ b.getInt32(right + 8, true)) |
      (a.getInt32(left + 12, true) ^ b.getInt32(right + 12, true)) |
      (a.getInt32(left + 16, true) ^ b.getInt32(right + 16, true)) |
      (a.getInt32(left + 20, true) ^ b.getInt32(right + 20, true)) |
      (a.getInt32(left + 24, true) ^ b.getInt32(right + 24, true)) |
      (a.getInt32(left + 28, true) ^ b.getInt32(right + 28, true));
    if (difference !== 0) break;
  }
  while (count < length && a.getUint8(from + count) === b.getUint8(at + count)) count += 1;
  return count;
}

function blockOf({ buffer, byteOffset }: DataView, from: number): Uint8Array {
  return new Uint8Array(buffer, byteOffset + from, BLOCK_BYTES);
}

/** The bytes of a payload. While they arrive, all of this changes in each pause. */
export interface HeldBytes {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  /** True while bytes may be missing: the length of `bytes` is then a guess. */
  readonly awaits: boolean;
  /** Number of bytes that have arrived; unused after all have. */
  readonly ready: number;
  /** Number of bytes that the comparison waits for. */
  wanted: number;
}

/** Wraps the bytes of a payload. */
export function holdBytes(bytes: Uint8Array): HeldBytes {
  return { bytes, view: viewOf(bytes), awaits: false, ready: 0, wanted: 0 };
}

/** Pauses until the bytes before `to` have arrived, or all. */
export function* arrived(payload: HeldBytes, to: number): Generator<undefined> {
  while (payload.awaits && payload.ready < to) {
    payload.wanted = to;
    yield;
  }
}

/** A view of the same bytes. */
export function viewOf({ buffer, byteOffset, length }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, length);
}

/**
 * True if a needle of at least two bytes may occur in some bytes (Horspool's search, by pairs of bytes, which are seldom as common
 * as bytes). It is also true if the needle seems to occur at so many places that a search would compare most bytes many times. Yields
 * every `step` positions that are tried or bytes that are compared.
 */
export function* mayOccurIn(bytes: Uint8Array, needle: Uint8Array, step: number): Generator<undefined, boolean> {
  const { length } = needle;
  const skips = new Int32Array(0x10000).fill(length - 1);
  for (let at = 1; at < length - 1; at += 1) skips[(needle[at - 1]! << 8) | needle[at]!] = length - 1 - at;
  const last = (needle[length - 2]! << 8) | needle[length - 1]!;
  let alike = 0;
  let worked = 0;
  for (let at = length - 1; at < bytes.length;) {
    worked += 1;
    if (worked >= step) {
      worked = 0;
      yield;
    }
    const pair = (bytes[at - 1]! << 8) | bytes[at]!;
    if (pair === last) {
      let same = 2;
      while (same < length && bytes[at - same] === needle[length - 1 - same]) same += 1;
      alike += same;
      worked += same;
      if (same === length || alike > bytes.length) return true;
    }
    at += skips[pair]!;
  }
  return false;
}
