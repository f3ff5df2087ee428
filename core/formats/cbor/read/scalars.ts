import { readLongString, tooLong } from '../../../reading/long-strings.ts';
import { numberRun, NUMBERS } from '../../../reading/sink-methods.ts';
import type { Sink } from '../../../reading/sink.ts';
import { readNumberRun } from './number-run.ts';
import { readFloat16, readFloat32 } from '../../../bytes/numbers.ts';
import type { Int64Mode } from '../../../reading/int64.ts';
import { readInt64 } from '../numbers.ts';
import { ARRAY, OBJECT, RECORD, type Stack } from './stack.ts';

/** State of `readScalars`. */
export interface ScalarState {
  readonly sink: Sink;
  readonly stack: Stack;
  readonly int64: Int64Mode;
  readonly decimal: boolean;
  /** Length limit of strings, in bytes. */
  readonly longest: number;
  /** The token of the longest text string with its length in the first byte: 0x77 unless a limit is below 23. */
  readonly lastShort: number;
  /** Offset of the window in the input. */
  base: number;
  /** How many bytes the token at the returned position needs, if it is cut. */
  needed: number;
}

/**
 * Reads the common parts of a payload: runs of scalars, each with its key or field, in the innermost container. Returns
 * the position of the first token that is something else (a container, a tag, a break, a key that is not a short
 * string), is cut or exceeds a limit. The format's speed depends mostly on this loop, which has no more variables than
 * a processor has registers.
 */
export function readScalars(state: ScalarState, bytes: Uint8Array, view: DataView, from: number, to: number): number {
  const { sink, stack, lastShort } = state;
  // A value whose key has been sent is read like one without a key.
  const resumed = stack.keyed;
  const kind = resumed ? ARRAY : stack.kind;
  let left = resumed ? 1 : stack.left | 0;
  let at = from | 0;

  while (left > 0 && at < to) {
    if (kind === OBJECT) {
      const key = bytes[at]!;
      const end = at + key - 0x5f;
      if (key < 0x60 || key > lastShort || end > to) break;
      sink.key(at, at + 1, end);
      at = end;
      if (at >= to) {
        stack.keyed = true;
        break;
      }
    } else if (kind === RECORD) {
      sink.field(stack.size - left, at, at);
    }
    const token = bytes[at]!;
    let next = at + 1;
    if (token < 0x18) {
      // 000xxxxx unsigned integer
      sink.integer(token, at, next);
    } else if (token >= 0x60 && token <= lastShort) {
      // 011xxxxx text string
      next += token - 0x60;
      if (next > to) {
        stack.keyed = kind !== ARRAY || resumed;
        state.needed = next - at;
        break;
      }
      sink.string(at, at + 1, next);
    } else if (token >= 0x20 && token < 0x38) {
      // 001xxxxx negative integer
      sink.integer(0x1f - token, at, next);
    } else {
      switch (token) {
        case 0x18: // unsigned integer, uint8
          next += 1;
          if (next <= to) sink.integer(bytes[at + 1]!, at, next);
          break;
        case 0x19: // unsigned integer, uint16
          next += 2;
          if (next <= to) sink.integer(view.getUint16(at + 1), at, next);
          break;
        case 0x1a: // unsigned integer, uint32
          next += 4;
          if (next <= to) sink.integer(view.getUint32(at + 1), at, next);
          break;
        case 0x38: // negative integer, −1 − uint8
          next += 1;
          if (next <= to) sink.integer(-1 - bytes[at + 1]!, at, next);
          break;
        case 0x39: // negative integer, −1 − uint16
          next += 2;
          if (next <= to) sink.integer(-1 - view.getUint16(at + 1), at, next);
          break;
        case 0x3a: // negative integer, −1 − uint32
          next += 4;
          if (next <= to) sink.integer(-1 - view.getUint32(at + 1), at, next);
          break;
        case 0x1b: // unsigned integer, uint64
        case 0x3b: // negative integer, −1 − uint64
          next += 8;
          if (next <= to) sendNumber(sink, readInt64(view, at + 1, token === 0x3b, state.int64), at, next);
          break;
        case 0xfb: // float64
          // Runs of numbers are common.
          if (kind === ARRAY && left > 1 && sink.addNumbers !== undefined && stack.kind === ARRAY && at + 9 <= to) {
            const count = readNumberRun(bytes, view, at, to, left, state.decimal);
            sink.addNumbers(NUMBERS, count);
            left = (left - count) | 0;
            at = numberRun.end;
            continue;
          }
          next += 8;
          if (next <= to) sink.float(view.getFloat64(at + 1), at, next);
          break;
        case 0xfa: // float32
          next += 4;
          if (next <= to) sink.float(readFloat32(view, at + 1, state.decimal), at, next);
          break;
        case 0xf9: // float16
          next += 2;
          if (next <= to) sink.float(readFloat16(view.getUint16(at + 1)), at, next);
          break;
        case 0xf4: // false
        case 0xf5: // true
          sink.boolean(token === 0xf5, at, next);
          break;
        case 0xf6: // null
          sink.null(at, next);
          break;
        case 0xf7: // undefined
          sink.undefined(at, next);
          break;
        case 0x78: // text string, uint8 length
          next += 1;
          if (next > to) break;
          next += bytes[at + 1]!;
          if (bytes[at + 1]! > state.longest) tooLong(bytes[at + 1]!, state, at);
          if (next <= to) sink.string(at, at + 2, next);
          break;
        case 0x79: // text string, uint16 length
        case 0x7a: // text string, uint32 length
          next = readLongString(state, view, at, to, token === 0x79) | 0;
          break;
        default:
          next = 0;
      }
      if (next === 0 || next > to) {
        stack.keyed = kind !== ARRAY || resumed;
        state.needed = next === 0 ? 0 : next - at;
        break;
      }
    }
    at = next;
    left -= 1;
  }
  if (!resumed) {
    stack.left = left;
    return at;
  }
  if (left > 0) return at;
  stack.left -= 1;
  stack.keyed = false;
  return readScalars(state, bytes, view, at, to);
}

/** Sends an integer, or the text of one, as the event for its type. */
export function sendNumber(sink: Sink, value: number | bigint | string, start: number, end: number): void {
  if (typeof value === 'bigint') sink.bigint(value, start, end);
  else if (typeof value === 'string') sink.text(value, start, end);
  else if (Number.isSafeInteger(value)) sink.integer(value, start, end);
  else sink.float(value, start, end);
}
