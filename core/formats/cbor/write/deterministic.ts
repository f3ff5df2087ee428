import { DecodeError } from '../../../errors.ts';

const ROOT = 0;
const ARRAY = 1;
const MAP = 2;
const TAG = 3;

/** An open container. Positions are those of the first bytes of keys. */
interface Level {
  kind: number;
  left: number;
  /** In a map: the next item is a key. */
  key: boolean;
  keyFrom: number;
  lastFrom: number;
  lastEnd: number;
}

/**
 * Checks that the first `to` bytes are deterministically encoded: shortest arguments, definite lengths, shortest floats
 * (RFC 8949 sections 4.1 and 4.2.1), shortest bignums (3.4.3), and keys in the order of their bytes, or of their length
 * and then their bytes (4.2.3). Throws a DecodeError `malformed`. The check ends at invalid CBOR, which the reader
 * reports.
 */
export function checkDeterministic(bytes: Uint8Array, view: DataView, to: number, lengthFirst: boolean, depth: number): void {
  const open: Level[] = [{ kind: ROOT, left: Infinity, key: false, keyFrom: 0, lastFrom: 0, lastEnd: 0 }];
  let level = open[0]!;
  let at = 0;
  /** The tag before the item. */
  let tag = -1;
  while (at < to) {
    const token = bytes[at]!;
    const information = token & 31;
    const major = token >> 5;
    if (information > 27) {
      if (information === 31) fail(major === 7 ? 'a break must not occur' : 'an indefinite length must not occur', at);
      return;
    }
    const size = information < 24 ? 0 : 1 << (information - 24);
    const next = at + 1 + size;
    if (next > to) return;
    const argument = readArgument(view, at, information);
    if (major === 7) {
      if (size > 1) checkFloat(view, at, size);
    } else if (argument < MIN_ARGUMENT[size]!) {
      fail('the argument is longer than necessary', at);
    }
    if (level.kind === MAP && level.key) level.keyFrom = at;
    at = next;
    if (major === 2 || major === 3) {
      if (argument > to - at) return;
      if (major === 2 && (tag === 2 || tag === 3)) checkBignum(bytes, at, argument);
      at += argument;
    }
    tag = major === 6 ? argument : -1;
    if (major >= 4 && major <= 6 && (argument > 0 || major === 6)) {
      if (open.length > depth) return;
      const left = major === 4 ? argument : major === 5 ? argument * 2 : 1;
      level = { kind: major === 4 ? ARRAY : major === 5 ? MAP : TAG, left, key: true, keyFrom: 0, lastFrom: 0, lastEnd: 0 };
      open.push(level);
      continue;
    }
    // Ends the item, and every container of which it was the last item.
    for (;;) {
      if (level.kind === MAP) {
        if (level.key) checkKey(bytes, level, at, lengthFirst);
        level.key = !level.key;
      }
      level.left -= 1;
      if (level.left > 0) break;
      open.pop();
      level = open.at(-1)!;
    }
  }
}

/** The smallest argument that needs a given number of bytes. */
const MIN_ARGUMENT: Readonly<Record<number, number>> = { 0: 0, 1: 24, 2: 0x100, 4: 0x1_0000, 8: 0x1_0000_0000 };

function readArgument(view: DataView, at: number, information: number): number {
  if (information < 24) return information;
  if (information === 24) return view.getUint8(at + 1);
  if (information === 25) return view.getUint16(at + 1);
  if (information === 26) return view.getUint32(at + 1);
  return view.getUint32(at + 1) * 0x1_0000_0000 + view.getUint32(at + 5);
}

/** Checks that the key that ends at `end` sorts after the one before it. */
function checkKey(bytes: Uint8Array, level: Level, end: number, lengthFirst: boolean): void {
  const { keyFrom, lastFrom, lastEnd } = level;
  const length = end - keyFrom;
  const lastLength = lastEnd - lastFrom;
  let order = lengthFirst ? length - lastLength : 0;
  const common = Math.min(length, lastLength);
  for (let i = 0; order === 0 && i < common; i += 1) order = bytes[keyFrom + i]! - bytes[lastFrom + i]!;
  if (order === 0) order = length - lastLength;
  if (order <= 0) fail(order === 0 ? 'duplicate key' : 'keys are out of order', keyFrom);
  level.lastFrom = keyFrom;
  level.lastEnd = end;
}

function checkBignum(bytes: Uint8Array, from: number, length: number): void {
  if (length <= 8) fail('a bignum that fits an integer', from);
  if (bytes[from] === 0) fail('a bignum has a leading zero', from);
}

const scratch = new DataView(new ArrayBuffer(8));

/** Checks that a float has the shortest of the three forms for its value; a NaN, the shortest for its payload. */
function checkFloat(view: DataView, at: number, size: number): void {
  if (size === 2) return;
  const value = size === 4 ? view.getFloat32(at + 1) : view.getFloat64(at + 1);
  let longer: boolean;
  if (Number.isNaN(value)) {
    longer = size === 4 ? (view.getUint32(at + 1) & 0x1fff) === 0 : (view.getUint32(at + 5) & 0x1fff_ffff) === 0;
  } else {
    longer = size === 8 ? Object.is(Math.fround(value), value) : fitsHalf(value);
  }
  if (longer) fail('the float is longer than necessary', at);
}

/** True if a number that fits a 32-bit float fits a 16-bit one. */
function fitsHalf(value: number): boolean {
  scratch.setFloat32(0, value);
  const bits = scratch.getUint32(0);
  const exponent = (bits >>> 23) & 0xff;
  const fraction = bits & 0x7f_ffff;
  if (exponent === 0 || exponent === 255) return fraction === 0;
  if (exponent > 142 || exponent < 103) return false;
  // Below 2^−14, the fraction of a half-precision float has fewer bits.
  const lost = exponent >= 113 ? 13 : 126 - exponent;
  return (fraction & ((1 << lost) - 1)) === 0;
}

function fail(what: string, offset: number): never {
  throw new DecodeError('malformed', `not deterministic: ${what}`, { offset });
}
