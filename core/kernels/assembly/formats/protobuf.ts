// Protocol Buffers (https://protobuf.dev/programming-guides/encoding/): messages of a list, each a tag, a length, and
// fields. A field is a tag and a value. Fields come in any order; their last order is expected again.
import { FIELD_BOOL, FIELD_DOUBLE, FIELD_ENUM, FIELD_FIXED32, FIELD_FIXED64, FIELD_FLOAT, FIELD_INT32, FIELD_INT64, FIELD_SFIXED32, FIELD_SFIXED64, FIELD_SINT32, FIELD_SINT64, FIELD_STRING, FIELD_UINT32, FIELD_UINT64, MISSING_ABSENT } from "../../../formats/protobuf/rows/row-operations";
import { KIND_BOOLEAN, KIND_DICTIONARY, KIND_FLOAT64, holds, next, refuse, setAbsent, setDouble, setInteger, setLong, setString, setSymbol, setWord, stop, why } from "../cells";
import { STATUS_OTHER, STATUS_ROOM } from "../layout";
import { Column, context } from "../memory";
import { readVarint, varint } from "../varint";

export { contextAddress, enterEntries, freeAddress } from "../driver";

/** A field, stored as two steps of `layout.ts`. */
@unmanaged class Field {
  operation: i32;
  column: Column;
  missing: i32;
  symbol: i32;
  tag: i32;
  /** The field that followed it last. */
  follower: usize;
  /** The row in which it occurred last, plus 1. */
  row: i32;
  symbols: i32;
}

@inline function after(field: Field): Field {
  return changetype<Field>(changetype<usize>(field) + offsetof<Field>());
}

/**
 * The field with a tag, searched in order of field numbers from the previous field on; 0 if not found. Learns the
 * field as the follower of the previous one if it is out of order.
 */
function find(previous: Field, first: Field, last: Field, tag: i32): usize {
  let field = previous;
  do {
    field = after(field);
    if (field == last) field = first;
    if (field.tag == tag) {
      if (changetype<usize>(field) <= changetype<usize>(previous)) previous.follower = changetype<usize>(field);
      return changetype<usize>(field);
    }
  } while (field != previous);
  return 0;
}

@inline function zigzag(bits: u64): i64 {
  return <i64>(bits >> 1) ^ -<i64>(bits & 1);
}

function setUnsigned(c: Column, row: i32, bits: u64): bool {
  return <i64>bits >= 0 && setLong(c, row, <i64>bits);
}

function setFloat(c: Column, row: i32, value: f64): bool {
  setDouble(c, row, value);
  return holds(c, KIND_FLOAT64);
}

/**
 * Reads the value of a field. Returns the position after it, or 0, with the reason in `why`, if the reader must read
 * the row.
 */
function readValue(field: Field, from: usize, end: usize, row: i32): usize {
  const c = field.column;
  const operation = field.operation;
  let at = from;
  let set = false;
  if (operation < FIELD_FLOAT) {
    at = readVarint(at);
    if (at == 0) return refuse(STATUS_OTHER);
    const bits = varint;
    switch (operation) {
      case FIELD_INT32:
        set = setInteger(c, row, <i64><i32>bits);
        break;
      case FIELD_UINT32:
        set = setInteger(c, row, <i64><u32>bits);
        break;
      case FIELD_SINT32:
        set = setInteger(c, row, <i64><i32>zigzag(<u64><u32>bits));
        break;
      case FIELD_INT64:
        set = setLong(c, row, <i64>bits);
        break;
      case FIELD_UINT64:
        set = setUnsigned(c, row, bits);
        break;
      case FIELD_SINT64:
        set = setLong(c, row, zigzag(bits));
        break;
      case FIELD_BOOL:
        set = holds(c, KIND_BOOLEAN);
        setWord(c, row, bits != 0);
        break;
      case FIELD_ENUM:
        if (<u64><i64><i32>bits >= <u64>field.symbols) return refuse(STATUS_OTHER);
        return setSymbol(c, row, field.symbol + <i32>bits, at);
    }
    return set ? at : refuse(STATUS_OTHER);
  }
  switch (operation) {
    case FIELD_STRING:
      at = readVarint(at);
      if (at == 0 || varint > <u64>context.longest || at + <usize>varint > end || c.kind < KIND_DICTIONARY) return refuse(STATUS_OTHER);
      return setString(c, row, at, <i32>varint);
    case FIELD_DOUBLE:
      return setFloat(c, row, load<f64>(at)) ? at + 8 : refuse(STATUS_OTHER);
    case FIELD_FLOAT:
      return setFloat(c, row, <f64>load<f32>(at)) ? at + 4 : refuse(STATUS_OTHER);
    case FIELD_FIXED32:
      return setInteger(c, row, <i64>load<u32>(at)) ? at + 4 : refuse(STATUS_OTHER);
    case FIELD_SFIXED32:
      return setInteger(c, row, <i64>load<i32>(at)) ? at + 4 : refuse(STATUS_OTHER);
    case FIELD_FIXED64:
      return setUnsigned(c, row, load<u64>(at)) ? at + 8 : refuse(STATUS_OTHER);
    case FIELD_SFIXED64:
      return setLong(c, row, load<i64>(at)) ? at + 8 : refuse(STATUS_OTHER);
  }
  return refuse(STATUS_OTHER);
}

/**
 * Sets a row to the default of a missing field. Returns false, with the reason in `why`, if the column cannot hold it.
 */
function setMissing(field: Field, row: i32): bool {
  const c = field.column;
  const operation = field.operation;
  if (field.missing == MISSING_ABSENT) {
    setAbsent(c, next(c), row);
    return true;
  }
  context.defaults++;
  context.values++;
  let set = false;
  if (operation == FIELD_STRING || operation == FIELD_ENUM) return setSymbol(c, row, field.symbol, 1) != 0;
  if (operation == FIELD_DOUBLE || operation == FIELD_FLOAT) set = setFloat(c, row, 0);
  else if (operation == FIELD_BOOL) {
    set = holds(c, KIND_BOOLEAN);
    setWord(c, row, 0);
  } else if (operation == FIELD_INT64 || operation == FIELD_UINT64 || operation == FIELD_SINT64 || operation >= FIELD_FIXED64) set = setLong(c, row, 0);
  else set = setInteger(c, row, 0);
  why = STATUS_OTHER;
  return set;
}

/**
 * Reads messages, from the tag of one or, if `head` is 0, from its length, until there are `room` rows. Returns the
 * number of rows.
 */
export function protobuf(from: usize, to: usize, room: i32): i32 {
  const none = changetype<Column>(context.columns);
  const first = changetype<Field>(context.steps);
  const count = context.stepCount >> 1;
  const last = changetype<Field>(context.steps + offsetof<Field>() * count);
  for (let field = first; field != last; field = after(field)) field.row = 0;
  const head = <u32>context.head;
  context.values = 0;
  context.defaults = 0;
  let at = from;
  let previous = changetype<Field>(changetype<usize>(last) - offsetof<Field>());
  for (let row = 0; row < room; row++) {
    const start = at;
    const values = context.values;
    const defaults = context.defaults;
    let reason = STATUS_OTHER;
    let column = none;
    let found = 0;
    if (head) {
      if (<u32>load<u8>(at) != head) return stop(row, start, STATUS_OTHER, none, values);
      at++;
    }
    // Longer messages are left to the reader.
    let end = at + 1;
    let length = <usize>load<u8>(at);
    if (length >= 0x80) {
      const high = <usize>load<u8>(at, 1);
      length = (length & 0x7f) | (high << 7);
      end = high < 0x80 ? at + 2 : to + 1;
    }
    at = end;
    end += length;
    if (end <= to) {
      for (reason = STATUS_ROOM; at < end; ) {
        let tag = <i32>load<u8>(at++);
        if (tag >= 0x80) tag = (tag & 0x7f) | (<i32>load<u8>(at++) << 7);
        let field = after(previous);
        if (field == last || field.tag != tag) {
          const follower = previous.follower;
          if (follower && changetype<Field>(follower).tag == tag) field = changetype<Field>(follower);
          else {
            const other = find(previous, first, last, tag);
            if (other == 0) {
              reason = STATUS_OTHER;
              break;
            }
            field = changetype<Field>(other);
          }
        }
        previous = field;
        // A field that is repeated in this row is left to the reader, which knows the one that counts.
        if (field.row == row + 1) {
          reason = STATUS_OTHER;
          break;
        }
        field.row = row + 1;
        at = readValue(field, at, end, row);
        if (at == 0) {
          reason = why;
          column = field.column;
          break;
        }
        found++;
      }
      if (reason == STATUS_ROOM && at != end) reason = STATUS_OTHER;
      context.values += found;
      if (reason == STATUS_ROOM && found < count) {
        for (let field = first; field != last; field = after(field)) {
          if (field.row == row + 1 || setMissing(field, row)) continue;
          reason = why;
          column = field.column;
          break;
        }
      }
    }
    if (reason != STATUS_ROOM) {
      context.defaults = defaults;
      return stop(row, start, reason, column, values);
    }
  }
  return stop(room, at, STATUS_ROOM, none, context.values);
}
