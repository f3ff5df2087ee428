import { MIN_ROWS, readRows } from '../../../reading/rows/request.ts';
import { readLongString, tooLong } from '../../../reading/long-strings.ts';
import { type Int64Mode, sendInt64 } from '../../../reading/int64.ts';
import { numberRun, NUMBERS, type RowRequest } from '../../../reading/sink-methods.ts';
import type { Sink } from '../../../reading/sink.ts';
import { beginsRun, readFloat32, readNumberRun } from './number-run.ts';
import type { RowReader, RowSetting } from './rows.ts';
import { ARRAY, DEFINITION, MAP, OBJECT, RECORD } from './containers.ts';

/** State of `readRun`. */
export interface RunState extends RowSetting {
  readonly sink: Sink;
  /** Set if the sink takes rows. */
  rows: RowReader | undefined;
  /** Set if the sink reads rows itself: maps, and records. */
  mapRows: RowRequest | undefined;
  recordRows: RowRequest | undefined;
  /** Maps become Maps. */
  readonly maps: boolean;
  readonly int64: Int64Mode;
  /** Offset of the window in the input. */
  base: number;
  /** How many bytes the token at the returned position needs, if it is cut. */
  needed: number;
}

/** Added to a kind while the key or field of its next value has been sent. */
const KEYED = 16;

/**
 * Reads the common parts of a payload: scalars, arrays, maps and records. Returns the position of the first token that
 * is something else (an extension, a binary, a key that is not a short string), is cut or exceeds a limit, or of the
 * end of a container of another kind. The format's speed depends mostly on this loop. Few variables change per
 * iteration, so that they stay in registers.
 */
export function readRun(state: RunState, bytes: Uint8Array, view: DataView, from: number, end: number): number {
  const { sink, stack, bundle, rows, mapRows } = state;
  // `| 0` tells the compiler that values read from an object are 32-bit integers.
  const to = end | 0;
  let at = from | 0;
  let left = stack.left | 0;
  let kind = stack.keyed ? stack.kind | KEYED : stack.kind | 0;

  for (;;) {
    if (left === 0) {
      if (kind === OBJECT) sink.endObject(at);
      else if (kind === RECORD) sink.endRecord(at);
      else if (kind === ARRAY) sink.endArray(at);
      else if (kind === MAP) sink.endMap(at);
      else break;
      stack.pop();
      kind = stack.kind | 0;
      left = stack.left | 0;
      continue;
    }
    if (at >= to) break;

    if (kind === OBJECT) {
      const key = bytes[at]!;
      const next = at + key - 0x9f;
      if (key < 0xa0 || key > state.lastFixstr || next > to) break;
      sink.key(at, at + 1, next);
      at = next;
      if (at >= to) {
        kind |= KEYED;
        break;
      }
    } else if (kind === RECORD) {
      sink.field(stack.size - left, at, at);
    } else if (kind > MAP) {
      if (kind === DEFINITION) break;
      kind &= ~KEYED;
    }

    const token = bytes[at]!;
    let next = at + 1;
    if (token < 0x80) {
      // 0xxxxxxx positive fixint, or the id of a record
      if (token >= 0x40 && state.records.bytes[token - 0x40] !== 0) {
        const record = state.records.bytes[token - 0x40]!;
        // The reader handles ids of two bytes.
        if (record < 0) {
          next = 0;
        } else {
          const { recordRows } = state;
          if (recordRows !== undefined && kind === ARRAY && left >= MIN_ROWS && !bundle.active) {
            recordRows.record = state.records.id(record - 1, sink);
            recordRows.head = token;
            const after = readItems(state, recordRows, left, bytes, at, to) | 0;
            if (after > at) {
              left = recordRows.items | 0;
              at = after;
              continue;
            }
          }
          if (rows !== undefined && kind === ARRAY && left >= MIN_ROWS) {
            const after = rows.read(record - 1, left, bytes, view, at, to) | 0;
            if (after > at) {
              left = (left - rows.count) | 0;
              at = after;
              continue;
            }
          }
          openRecord(state, record - 1, kind, left, at);
          kind = RECORD;
          left = stack.left | 0;
          at = next;
          continue;
        }
      } else {
        sink.integer(token, at, next);
      }
    } else if (token < 0xa0) {
      // 1000xxxx fixmap, 1001xxxx fixarray
      if (token < 0x90 && kind === ARRAY && mapRows !== undefined) {
        if (mapRows.skipRecords > 0) mapRows.skipRecords -= 1;
        else if (left >= MIN_ROWS) {
          const after = readItems(state, mapRows, left, bytes, at, to) | 0;
          if (after > at) {
            left = mapRows.items | 0;
            at = after;
            continue;
          }
        }
      }
      if (token > 0x90 && next < to && beginsRun(bytes[next]!) && sendNumbers(state, bytes, view, at, next, to, token & 15)) {
        left -= 1;
        at = numberRun.end;
        continue;
      }
      open(state, token < 0x90 ? OBJECT : ARRAY, token & 15, kind, left, at, next);
      kind = stack.kind | 0;
      left = stack.left | 0;
      at = next;
      continue;
    } else if (token <= state.lastFixstr) {
      // 101xxxxx fixstr
      next += token - 0xa0;
      if (next <= to) sink.string(at, at + 1, next);
    } else if (token >= 0xe0) {
      // 111xxxxx negative fixint
      sink.integer(token - 0x100, at, next);
    } else {
      switch (token) {
        case 0xc0: // nil
          sink.null(at, next);
          break;
        case 0xc2: // false
        case 0xc3: // true
          sink.boolean(token === 0xc3, at, next);
          break;
        case 0xcb: // float 64
          next += 8;
          // Runs of numbers are common.
          if (kind === ARRAY && left > 1 && sink.addNumbers !== undefined && next < to) {
            const count = readNumberRun(bytes, view, at, to, left, state.decimal, state.records.bytes);
            sink.addNumbers(NUMBERS, count);
            left = (left - count) | 0;
            at = numberRun.end;
            continue;
          }
          for (; kind === ARRAY && left > 1 && next < to && bytes[next] === 0xcb; left -= 1) {
            sink.float(view.getFloat64(at + 1), at, next);
            at = next;
            next += 9;
          }
          if (next <= to) sink.float(view.getFloat64(at + 1), at, next);
          break;
        case 0xd9: // str 8: uint8 length, UTF-8
          next += 1;
          if (next > to) break;
          next += bytes[at + 1]!;
          if (bytes[at + 1]! > state.longest) tooLong(bytes[at + 1]!, state, at);
          if (next <= to) sink.string(at, at + 2, next);
          break;
        case 0xcc: // uint 8
          next += 1;
          if (next <= to) sink.integer(bytes[at + 1]!, at, next);
          break;
        case 0xcd: // uint 16
          next += 2;
          if (next <= to) sink.integer(view.getUint16(at + 1), at, next);
          break;
        case 0xce: // uint 32
          next += 4;
          if (next <= to) sink.integer(view.getUint32(at + 1), at, next);
          break;
        case 0xd0: // int 8
          next += 1;
          if (next <= to) sink.integer(view.getInt8(at + 1), at, next);
          break;
        case 0xd1: // int 16
          next += 2;
          if (next <= to) sink.integer(view.getInt16(at + 1), at, next);
          break;
        case 0xd2: // int 32
          next += 4;
          if (next <= to) sink.integer(view.getInt32(at + 1), at, next);
          break;
        case 0xca: // float 32
          next += 4;
          if (next <= to) sink.float(readFloat32(view, at + 1, state.decimal), at, next);
          break;
        case 0xcf: // uint 64
        case 0xd3: // int 64
          next += 8;
          if (next > to) break;
          sendInt64(sink, state.int64, view.getUint32(at + 5), token === 0xd3 ? view.getInt32(at + 1) : view.getUint32(at + 1), at, next);
          break;
        case 0xda: // str 16: uint16 length, UTF-8
        case 0xdb: // str 32: uint32 length, UTF-8
          next = readLongString(state, view, at, to, token === 0xda) | 0;
          break;
        case 0xc1: // never used: msgpackr's bundled strings
          if (next < to && bytes[next]! < 0x80 && bundle.hasAscii(bytes[next]!, at)) {
            next += 1;
            const text = bundle.cut;
            if (text === undefined) sink.string(at, bundle.from, bundle.end);
            else sink.text(text, at, next);
          } else {
            next = readBundled(state, bytes, view, at, to) | 0;
          }
          break;
        case 0xdc: // array 16: uint16 count
        case 0xdd: // array 32: uint32 count
        case 0xde: // map 16: uint16 count
        case 0xdf: {
          // map 32: uint32 count
          const long = (token & 1) === 1;
          next += long ? 4 : 2;
          if (next > to) break;
          if (token === 0xde && kind === ARRAY && left >= MIN_ROWS && mapRows !== undefined) {
            const after = readItems(state, mapRows, left, bytes, at, to) | 0;
            if (after > at) {
              left = mapRows.items | 0;
              at = after;
              continue;
            }
          }
          const count = long ? view.getUint32(at + 1) : view.getUint16(at + 1);
          if (token < 0xde && count > 0 && next < to && beginsRun(bytes[next]!) && sendNumbers(state, bytes, view, at, next, to, count)) {
            left -= 1;
            at = numberRun.end;
            continue;
          }
          open(state, token < 0xde ? ARRAY : OBJECT, count, kind, left, at, next);
          kind = stack.kind | 0;
          left = stack.left | 0;
          at = next;
          continue;
        }
        default:
          // A binary, an extension, or a fixstr longer than the limit.
          next = 0;
      }
    }

    if (next > to || next === 0) {
      if (next > to) state.needed = next - at;
      kind |= KEYED;
      break;
    }
    left -= 1;
    at = next;
  }

  stack.kind = kind & ~KEYED;
  stack.keyed = kind >= KEYED;
  stack.left = left;
  return at;
}

/**
 * Lets the sink read up to `left` rows; sets `request.items` to those left over. Returns the position after the last.
 */
function readItems({ sink, stack, bundle }: RunState, request: RowRequest, left: number, bytes: Uint8Array, at: number, to: number): number {
  if (bundle.active || stack.depth >= stack.mostDepth) return at;
  const values = stack.mostValues - stack.values;
  request.depth = stack.mostDepth - stack.depth;
  const after = readRows(sink, request, bytes, at, to, values, left);
  stack.values += values - request.values;
  return after;
}

/** Opens an array or a map inside the container described by `kind` and `left`. */
function open(state: RunState, opened: number, count: number, kind: number, left: number, at: number, next: number): void {
  const { sink, stack } = state;
  stack.kind = kind;
  stack.left = left - 1;
  if (opened === ARRAY) {
    stack.push(ARRAY, count, state.base + at);
    sink.beginArray(count, at, next);
  } else if (state.maps) {
    stack.push(MAP, count * 2, state.base + at);
    sink.beginMap(count, at, next);
  } else {
    stack.push(OBJECT, count, state.base + at);
    sink.beginObject(count, at, next);
  }
}

/** Sends an array if it is short, complete, and contains only numbers. Its head is `at..from`. */
function sendNumbers(state: RunState, bytes: Uint8Array, view: DataView, at: number, from: number, to: number, count: number): boolean {
  const { sink, stack } = state;
  if (sink.numberArray === undefined || count > NUMBERS.length) return false;
  if (readNumberRun(bytes, view, from, to, count, state.decimal, state.records.bytes) < count) return false;
  stack.check(count, state.base + at);
  sink.numberArray(NUMBERS, count, numberRun.integers);
  return true;
}

/** Opens a record whose id has one byte. */
function openRecord(state: RunState, number: number, kind: number, left: number, at: number): void {
  const { sink, stack, records } = state;
  stack.kind = kind;
  stack.left = left - 1;
  stack.push(RECORD, records.size(number), state.base + at);
  sink.beginRecord(records.id(number, sink), at, at + 1);
}

function readBundled(state: RunState, bytes: Uint8Array, view: DataView, at: number, to: number): number {
  const { bundle, sink } = state;
  const next = bundle.read(bytes, view, at, to, state.base);
  if (next <= to) {
    if (bundle.text === undefined) sink.string(at, bundle.from, bundle.end);
    else sink.text(bundle.text, at, next);
  }
  return next;
}
