// Sia v1: the start of an object, a reference to a key and a value per entry, the end of the object. The first byte of
// a block is its type. Numbers are little-endian.
import { ROWS_DATES } from "../../../reading/rows/flags";
import { DATE32, DATE64, FALSE, FLOAT64, INT16, INT32, INT8, NULL, OBJECT_END, OBJECT_START, STRING8, TRUE, UINT16, UINT32, UINT8, UNDEFINED, UTFZ } from "../../../formats/sia/types";
import { same } from "../bytes";
import { KIND_BOOLEAN, KIND_DATE, KIND_DICTIONARY, KIND_FLOAT64, holds, next, refuse, setAbsent, setDouble, setInteger, setNull, setString, setUndefined, setWord, stop, why } from "../cells";
import { STATUS_OTHER, STATUS_ROOM } from "../layout";
import { Column, context } from "../memory";

export { contextAddress, enterEntries, freeAddress } from "../driver";

/** Largest distance of a Date from 1970, in milliseconds. */
const LAST_DATE: u64 = 8640000000000000;
/** Head of a date written by the sia package: constructor8 1, array8 1, then a number. */
const DATE_HEAD: u32 = 0x012f012c;

/** Maximum size of 255 bytes of utfz as UTF-8, with room for copying 16 bytes at a time. */
const SCRATCH_BYTES: i32 = 800;
const scratch: usize = memory.data(SCRATCH_BYTES, 16);

/** True if all of `length` bytes are from 1 to 127: utfz that is identical in UTF-8. */
@inline function isPlain(from: usize, length: i32): bool {
  for (; length > 16; length -= 16, from += 16) if (!i8x16.all_true(i8x16.gt_s(v128.load(from), i8x16.splat(0)))) return false;
  return (~i8x16.bitmask(i8x16.gt_s(v128.load(from), i8x16.splat(0))) & ((1 << length) - 1)) == 0;
}

/**
 * Writes utfz as UTF-8 to the scratch. A byte is the low half of a UTF-16 unit; the current high half, initially 0,
 * completes it. A zero is followed by a high half: the current one for a unit whose low half is zero, another one to
 * make that current. Returns the number of bytes, or −1 if the text is cut or contains a lone surrogate.
 */
function unpack(from: usize, end: usize): i32 {
  let to = scratch;
  let high: u32 = 0;
  let lead: u32 = 0;
  for (let at = from; at < end; ) {
    let unit: u32 = load<u8>(at++);
    if (unit == 0) {
      if (at == end) return -1;
      const half = <u32>load<u8>(at++);
      if (half != high) {
        if (at == end) return -1;
        high = half;
        continue;
      }
    }
    unit |= high << 8;
    if (lead) {
      if ((unit & 0xfc00) != 0xdc00) return -1;
      const point = 0x10000 + ((lead & 0x3ff) << 10) + (unit & 0x3ff);
      store<u32>(to, 0x808080f0 | (point >> 18) | ((point >> 4) & 0x3f00) | ((point << 10) & 0x3f0000) | ((point & 0x3f) << 24));
      to += 4;
      lead = 0;
    } else if (unit < 0x80) {
      store<u8>(to++, unit);
    } else if (unit < 0x800) {
      store<u16>(to, 0x80c0 | (unit >> 6) | ((unit & 0x3f) << 8));
      to += 2;
    } else if ((unit & 0xf800) == 0xd800) {
      if (unit >= 0xdc00) return -1;
      lead = unit;
    } else {
      store<u32>(to, 0x8080e0 | (unit >> 12) | ((unit << 2) & 0x3f00) | ((unit & 0x3f) << 16));
      to += 3;
    }
  }
  return lead ? -1 : <i32>(to - scratch);
}

/** Reads a utfz string. */
function readUtfz(c: Column, at: usize, to: usize, row: i32): usize {
  const length = <i32>load<u8>(at);
  const end = at + 1 + length;
  if (c.kind < KIND_DICTIONARY || length > context.longest || end > to) return refuse(STATUS_OTHER);
  if (isPlain(at + 1, length)) return setString(c, row, at + 1, length);
  const unpacked = unpack(at + 1, end);
  if (unpacked < 0 || unpacked > context.longest) return refuse(STATUS_OTHER);
  return setString(c, row, scratch, unpacked) ? end : 0;
}

/** Reads a UTF-8 string after its length. */
function readString(c: Column, from: usize, length: i32, to: usize, row: i32): usize {
  if (c.kind < KIND_DICTIONARY || length > context.longest || from + length > to) return refuse(STATUS_OTHER);
  return setString(c, row, from, length);
}

@inline function setFloat(c: Column, row: i32, value: f64, next: usize): usize {
  if (!holds(c, KIND_FLOAT64)) return refuse(STATUS_OTHER);
  setDouble(c, row, value);
  return next;
}

function setMilliseconds(c: Column, row: i32, value: u64, next: usize): usize {
  if (!holds(c, KIND_DATE) || value > LAST_DATE) return refuse(STATUS_OTHER);
  setDouble(c, row, <f64>value);
  return next;
}

/** Reads a date as the sia package writes it. */
function readDate(c: Column, at: usize, row: i32): usize {
  if (!holds(c, KIND_DATE) || !(context.flags & ROWS_DATES) || load<u32>(at) != DATE_HEAD) return refuse(STATUS_OTHER);
  let value: f64 = 0;
  let end = at + 9;
  switch (<i32>load<u8>(at, 4)) {
    case FLOAT64:
      value = load<f64>(at, 5);
      end = at + 13;
      break;
    case UINT32:
      value = <f64>load<u32>(at, 5);
      break;
    case INT32:
      value = <f64>load<i32>(at, 5);
      break;
    case UINT16:
      value = <f64>load<u16>(at, 5);
      end = at + 7;
      break;
    case UINT8:
      value = <f64>load<u8>(at, 5);
      end = at + 6;
      break;
    default:
      return refuse(STATUS_OTHER);
  }
  if (!(abs(value) <= <f64>LAST_DATE)) return refuse(STATUS_OTHER);
  // Dates have no −0.
  setDouble(c, row, trunc(value) + 0);
  return end;
}

/**
 * Reads a value into a column. Returns the position after it, or 0, with the reason in `why`, if the reader must read
 * it.
 */
@inline function readValue(c: Column, at: usize, to: usize, row: i32): usize {
  const type = <i32>load<u8>(at);
  switch (type) {
    case UTFZ:
      return readUtfz(c, at + 1, to, row);
    case FLOAT64:
      return setFloat(c, row, load<f64>(at, 1), at + 9);
    case NULL:
      setNull(c, row);
      return at + 1;
    case UNDEFINED:
      setUndefined(c, row);
      return at + 1;
    case UINT8:
      return setInteger(c, row, <i64>load<u8>(at, 1)) ? at + 2 : refuse(STATUS_OTHER);
    case UINT16:
      return setInteger(c, row, <i64>load<u16>(at, 1)) ? at + 3 : refuse(STATUS_OTHER);
    case UINT32:
      return setInteger(c, row, <i64>load<u32>(at, 1)) ? at + 5 : refuse(STATUS_OTHER);
    case INT8:
      return setInteger(c, row, <i64>load<i8>(at, 1)) ? at + 2 : refuse(STATUS_OTHER);
    case INT16:
      return setInteger(c, row, <i64>load<i16>(at, 1)) ? at + 3 : refuse(STATUS_OTHER);
    case INT32:
      return setInteger(c, row, <i64>load<i32>(at, 1)) ? at + 5 : refuse(STATUS_OTHER);
    case TRUE:
    case FALSE:
      if (!holds(c, KIND_BOOLEAN)) return refuse(STATUS_OTHER);
      setWord(c, row, <i32>(type == TRUE));
      return at + 1;
    case STRING8:
      return readString(c, at + 2, <i32>load<u8>(at, 1), to, row);
    case STRING8 + 1:
      return readString(c, at + 3, <i32>load<u16>(at, 1), to, row);
    case DATE32:
      return setMilliseconds(c, row, <u64>load<u32>(at, 1), at + 5);
    case DATE64:
      return setMilliseconds(c, row, load<u64>(at, 1), at + 9);
  }
  return readDate(c, at, row);
}

/** The first column from `c` on whose key reference is at a position; `last` if no key matches. */
@inline function findKey(c: Column, last: Column, at: usize): Column {
  for (; changetype<usize>(c) < changetype<usize>(last); c = next(c)) {
    if (same(c.key, at, c.keyLength)) return c;
  }
  return last;
}

/** Reads objects, from the start of one, until there are `room` rows. Returns the number of rows. */
export function sia(from: usize, to: usize, room: i32): i32 {
  const first = changetype<Column>(context.columns);
  const last = changetype<Column>(context.columns + context.width * offsetof<Column>());
  context.values = 0;
  let at = from;
  for (let row = 0; row < room; row++) {
    const start = at;
    const values = context.values;
    let c = first;
    if (<i32>load<u8>(at++) != OBJECT_START) return stop(row, start, STATUS_OTHER, first, values);
    while (<i32>load<u8>(at) != OBJECT_END) {
      const found = findKey(c, last, at);
      if (found == last) return stop(row, start, STATUS_OTHER, first, values);
      setAbsent(c, found, row);
      at = readValue(found, at + found.keyLength, to, row);
      if (at == 0) return stop(row, start, why, found, values);
      context.values++;
      c = next(found);
    }
    at++;
    if (at > to) return stop(row, start, STATUS_OTHER, first, values);
    setAbsent(c, last, row);
  }
  return stop(room, at, STATUS_ROOM, first, context.values);
}
