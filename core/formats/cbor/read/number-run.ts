import { numberRun, NUMBERS } from '../../../reading/sink-methods.ts';

/**
 * Reads up to `most` consecutive numbers from `from` into `NUMBERS`. Returns how many, and sets `numberRun`. Stops at
 * 64-bit integers and 16-bit floats, and at 32-bit floats if these are `rounded`.
 */
export function readNumberRun(bytes: Uint8Array, view: DataView, from: number, to: number, most: number, rounded: boolean): number {
  const room = Math.min(most, NUMBERS.length);
  let at = from | 0;
  let count = 0;
  let floats = 0;
  for (; count < room && at < to; count += 1) {
    const token = bytes[at]!;
    let next = at + 1;
    let value: number;
    if (token === 0xfb) {
      next += 8;
      if (next > to) break;
      value = view.getFloat64(at + 1);
      floats = 1;
    } else if (token < 0x18) {
      value = token;
    } else if (token === 0xfa) {
      next += 4;
      if (next > to || rounded) break;
      value = view.getFloat32(at + 1);
      floats = 1;
    } else {
      // 000 or 001, then 11000 to 11010: an integer of 1, 2 or 4 bytes after the token, or a negative one within the
      // token
      const argument = token & 0x1f;
      if (token > 0x3a || argument > 0x1a) break;
      if (argument < 0x18) {
        value = argument;
      } else {
        next += 1 << (argument - 0x18);
        if (next > to) break;
        value = argument === 0x18 ? bytes[at + 1]! : argument === 0x19 ? view.getUint16(at + 1) : view.getUint32(at + 1);
      }
      if (token >= 0x20) value = -1 - value;
    }
    NUMBERS[count] = value;
    at = next;
  }
  numberRun.end = at;
  numberRun.integers = floats === 0;
  return count;
}

/** True if a run may begin with the token. */
export function beginsRun(token: number): boolean {
  return token <= 0x3a || token >= 0xfa;
}
