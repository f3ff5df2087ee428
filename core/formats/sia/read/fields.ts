import type { Sink } from '../../../reading/sink.ts';
import type { Cache } from './cache.ts';
import { FLOAT64, INT16, INT32, INT8, NULL, REF8, TRUE, UINT16, UINT32, UINT8, UNDEFINED, UTFZ } from '../types.ts';
import { isPlainUtfz } from './utfz.ts';

/** By type: the bytes of a common scalar, 0 for other blocks. */
const SIZES = Uint8Array.of(
  1,
  1,
  2,
  3,
  5,
  0,
  0,
  0,
  2,
  3,
  5,
  0,
  0,
  0,
  0,
  0,
  0,
  9,
  0,
  0,
  0,
  0,
  0,
  0,
  0,
  0,
  0,
  0,
  0,
  0,
  0,
  0,
  0,
  0,
  0,
  0,
  0,
  0,
  0,
  0,
  1,
  1,
);

/**
 * Reads the common parts of a payload: keys of an object that are references of one byte, each with a scalar of a
 * common type. Returns the position of the first key that is something else, has another value, or is cut;
 * `cache.fields` is how many were read. The sink must support `listedKey`. The format's speed depends mostly on this
 * loop.
 */
export function readFields(sink: Sink, cache: Cache, bytes: Uint8Array, view: DataView, from: number, to: number, longest: number): number {
  const { isShort, first } = cache;
  let at = from | 0;
  let count = 0;
  while (at + 3 <= to && bytes[at] === REF8) {
    const start = at + 2;
    const type = bytes[start]!;
    let next = start;
    if (type === UTFZ) {
      // 27 utfz: uint8 length, utfz
      if (start + 2 > to) break;
      next += 2 + bytes[start + 1]!;
      if (next > to || next - start - 2 > longest || !isPlainUtfz(bytes, view, start + 2, next)) break;
    } else {
      const size = type < SIZES.length ? SIZES[type]! : 0;
      next += size;
      if (size === 0 || next > to) break;
    }
    const number = bytes[at + 1]!;
    if (isShort[number] === 0) break;
    sink.listedKey!(cache, first + number);
    switch (type) {
      case UTFZ:
        sink.string(start, start + 2, next);
        break;
      case FLOAT64:
        sink.float(view.getFloat64(start + 1, true), start, next);
        break;
      case NULL:
        sink.null(start, next);
        break;
      case UNDEFINED:
        sink.undefined(start, next);
        break;
      case UINT8:
        sink.integer(bytes[start + 1]!, start, next);
        break;
      case UINT16:
        sink.integer(view.getUint16(start + 1, true), start, next);
        break;
      case UINT32:
        sink.integer(view.getUint32(start + 1, true), start, next);
        break;
      case INT8:
        sink.integer(view.getInt8(start + 1), start, next);
        break;
      case INT16:
        sink.integer(view.getInt16(start + 1, true), start, next);
        break;
      case INT32:
        sink.integer(view.getInt32(start + 1, true), start, next);
        break;
      default: // true and false
        sink.boolean(type === TRUE, start, next);
    }
    count += 1;
    at = next;
  }
  cache.fields = count;
  return at;
}
