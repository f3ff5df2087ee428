// BSON (https://bsonspec.org/spec.html): documents, one after another or as elements of an array. A document is its
// total size, elements, and a zero; an element is its type, its key up to a zero, and its value. Numbers are
// little-endian.
import { ROWS_SEQUENCE } from "../../../reading/rows/flags";
import { skipHead, skipValue } from "./bson-items";
import { same } from "../bytes";
import { KIND_BOOLEAN, KIND_DATE, KIND_DICTIONARY, KIND_FLOAT64, KIND_SKIP, next, refuse, setAbsent, setDouble, setInteger, setLong, setNull, setString, setUndefined, setWord, stop, why } from "../cells";
import { STATUS_OTHER, STATUS_ROOM } from "../layout";
import { Column, context } from "../memory";

export { bsonItems } from "./bson-items";
export { contextAddress, enterEntries, freeAddress } from "../driver";

const DOUBLE: u8 = 0x01;
const STRING: u8 = 0x02;
const UNDEFINED: u8 = 0x06;
const OBJECT_ID: u8 = 0x07;
const BOOLEAN: u8 = 0x08;
const DATE: u8 = 0x09;
const NULL: u8 = 0x0a;
const INT32: u8 = 0x10;
const INT64: u8 = 0x12;

/** Largest distance of a Date from 1970, in milliseconds. */
const LAST_DATE: i64 = 8640000000000000;

/** Number of hexadecimal digits of an ObjectId. */
const DIGITS: i32 = 24;
const digits: usize = memory.data(40, 16);

@inline function hexDigit(half: u32): u8 {
  return <u8>(half + 0x30 + (half > 9 ? 0x27 : 0));
}

/** Reads an ObjectId: 12 bytes, stored as lower-case hexadecimal digits. */
function readObjectId(c: Column, at: usize, row: i32): usize {
  if (c.kind < KIND_DICTIONARY || context.longest < DIGITS) return refuse(STATUS_OTHER);
  for (let index = 0; index < 12; index++) {
    const byte = <u32>load<u8>(at + index);
    store<u8>(digits + 2 * index, hexDigit(byte >> 4));
    store<u8>(digits + 2 * index, hexDigit(byte & 15), 1);
  }
  return setString(c, row, digits, DIGITS) ? at + 12 : 0;
}

/** Reads a string: its length including the final zero, UTF-8, the zero. */
@inline function readString(c: Column, at: usize, to: usize, row: i32): usize {
  const length = load<i32>(at) - 1;
  if (c.kind < KIND_DICTIONARY || length < 0 || length > context.longest) return refuse(STATUS_OTHER);
  const end = at + 4 + length;
  if (end >= to || load<u8>(end)) return refuse(STATUS_OTHER);
  return setString(c, row, at + 4, length) ? end + 1 : 0;
}

/**
 * Reads a value of a type into a column. Returns the position after it, or 0, with the reason in `why`, if the reader
 * must read it.
 */
@inline function readValue(c: Column, type: u8, at: usize, to: usize, row: i32): usize {
  if (c.kind == KIND_SKIP) return skipValue(type, at, to) || refuse(STATUS_OTHER);
  switch (type) {
    case STRING:
      return readString(c, at, to, row);
    case DOUBLE:
      if (c.kind != KIND_FLOAT64) return refuse(STATUS_OTHER);
      setDouble(c, row, load<f64>(at));
      return at + 8;
    case INT32:
      return setInteger(c, row, <i64>load<i32>(at)) ? at + 4 : refuse(STATUS_OTHER);
    case NULL:
      setNull(c, row);
      return at;
    case BOOLEAN:
      if (c.kind != KIND_BOOLEAN || load<u8>(at) > 1) return refuse(STATUS_OTHER);
      setWord(c, row, load<u8>(at));
      return at + 1;
    case DATE: {
      const milliseconds = load<i64>(at);
      if (c.kind != KIND_DATE || milliseconds > LAST_DATE || milliseconds < -LAST_DATE) return refuse(STATUS_OTHER);
      setDouble(c, row, <f64>milliseconds);
      return at + 8;
    }
    case INT64:
      return setLong(c, row, load<i64>(at)) ? at + 8 : refuse(STATUS_OTHER);
    case OBJECT_ID:
      return readObjectId(c, at, row);
    case UNDEFINED:
      setUndefined(c, row);
      return at;
  }
  return refuse(STATUS_OTHER);
}

/** The first column from `c` on whose key, with its zero, is at a position; `last` if no key matches. */
@inline function findKey(c: Column, last: Column, at: usize): Column {
  for (; changetype<usize>(c) < changetype<usize>(last); c = next(c)) {
    if (same(c.key, at, c.keyLength)) return c;
  }
  return last;
}

/** Reads documents, from the type or the size of one, until there are `room` rows. Returns the number of rows. */
export function bson(from: usize, to: usize, room: i32): i32 {
  const first = changetype<Column>(context.columns);
  const last = changetype<Column>(context.columns + context.width * offsetof<Column>());
  const sequence = context.flags & ROWS_SEQUENCE;
  context.values = 0;
  let at = from;
  for (let row = 0; row < room; row++) {
    const start = at;
    const values = context.values;
    if (!sequence) at = skipHead(at);
    if (at == 0 || load<i32>(at) < 5) return stop(row, start, STATUS_OTHER, first, values);
    const end = at + load<u32>(at);
    if (end > to) return stop(row, start, STATUS_OTHER, first, values);
    at += 4;
    let c = first;
    for (;;) {
      const type = load<u8>(at++);
      if (type == 0) break;
      const found = findKey(c, last, at);
      if (found == last) return stop(row, start, STATUS_OTHER, first, values);
      setAbsent(c, found, row);
      at = readValue(found, type, at + found.keyLength, end, row);
      if (at == 0) return stop(row, start, why, found, values);
      context.values++;
      c = next(found);
    }
    // A document that ends here contained all of its elements.
    if (at != end) return stop(row, start, STATUS_OTHER, first, values);
    setAbsent(c, last, row);
  }
  return stop(room, at, STATUS_ROOM, first, context.values);
}
