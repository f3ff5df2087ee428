// Avro (https://avro.apache.org/docs/1.12.0/specification/#binary-encoding): the values of a record's fields, one after
// another, in the order of the writer's schema. Ints and longs are zig-zag coded varints, the lowest bits first.
import { ROW_AS_FLOAT, ROW_BOOLEAN, ROW_DATE, ROW_DOUBLE, ROW_ENUM, ROW_FLOAT, ROW_INSTANT, ROW_INT, ROW_LONG, ROW_NULL, ROW_PASS_FIXED, ROW_PASS_LONG, ROW_PASS_STRING, ROW_STRING, ROW_UNION } from "../../../formats/avro/read/row-operations";
import { KIND_BOOLEAN, KIND_DATE, KIND_DICTIONARY, KIND_FLOAT64, holds, refuse, setDouble, setInteger, setLong, setNull, setString, setSymbol, setWord, stop, why } from "../cells";
import { STATUS_OTHER, STATUS_ROOM, STEP_BYTES } from "../layout";
import { Column, context, Step } from "../memory";
import { readVarint, varint } from "../varint";

export { contextAddress, enterEntries, freeAddress } from "../driver";

/** Largest distance of a Date from 1970, in milliseconds. */
const LAST_DATE: i64 = 8640000000000000;
const DAY: i64 = 86400000;

/** The last long read. */
let long: i64 = 0;

/** Reads a long. Returns the position after it, or 0 if it is longer than 64 bits. */
@inline function readLong(at: usize): usize {
  const next = readVarint(at);
  long = <i64>(varint >> 1) ^ -<i64>(varint & 1);
  return next;
}

/** Sets a row to `long` as milliseconds, rounded down. A millisecond has `units` of its units. */
function setInstant(c: Column, row: i32, units: i32): bool {
  let milliseconds = long / units;
  if (milliseconds * units > long) milliseconds--;
  return setDate(c, row, milliseconds);
}

function setDate(c: Column, row: i32, milliseconds: i64): bool {
  if (!holds(c, KIND_DATE) || milliseconds > LAST_DATE || milliseconds < -LAST_DATE) return false;
  setDouble(c, row, <f64>milliseconds);
  return true;
}

/**
 * Executes a step for a row. Returns the position after its value, or 0, with the reason in `why`, if the reader must
 * read the row.
 */
function read(step: Step, from: usize, to: usize, row: i32): usize {
  const c = changetype<Column>(step.column);
  let at = from;
  let set = false;
  switch (step.operation) {
    case ROW_STRING:
      at = readLong(at);
      if (at == 0 || long < 0 || long > context.longest || <i64>at + long > <i64>to || c.kind < KIND_DICTIONARY) return refuse(STATUS_OTHER);
      return setString(c, row, at, <i32>long);
    case ROW_DOUBLE:
      if (!holds(c, KIND_FLOAT64)) return refuse(STATUS_OTHER);
      store<u64>(c.cells + 8 * row, load<u64>(at));
      return at + 8;
    case ROW_LONG:
      at = readLong(at);
      set = at != 0 && setLong(c, row, long);
      break;
    case ROW_INT:
      at = readLong(at);
      set = at != 0 && <i64><i32>long == long && setInteger(c, row, long);
      break;
    case ROW_INSTANT:
      at = readLong(at);
      set = at != 0 && setInstant(c, row, step.a);
      break;
    case ROW_UNION:
      at = readLong(at);
      if (at == 0 || long < 0 || long >= step.b) return refuse(STATUS_OTHER);
      return read(changetype<Step>(context.steps + STEP_BYTES * (step.a + <i32>long)), at, to, row);
    case ROW_NULL:
      setNull(c, row);
      return at;
    case ROW_ENUM:
      at = readLong(at);
      if (at == 0 || long < 0 || long >= step.b) return refuse(STATUS_OTHER);
      return setSymbol(c, row, step.a + <i32>long, at);
    case ROW_BOOLEAN:
      set = load<u8>(at) <= 1 && holds(c, KIND_BOOLEAN);
      setWord(c, row, load<u8>(at));
      at++;
      break;
    case ROW_FLOAT:
      set = holds(c, KIND_FLOAT64);
      setDouble(c, row, <f64>load<f32>(at));
      at += 4;
      break;
    case ROW_DATE:
      at = readLong(at);
      set = at != 0 && <i64><i32>long == long && setDate(c, row, long * DAY);
      break;
    case ROW_AS_FLOAT:
      at = readLong(at);
      set = at != 0 && holds(c, KIND_FLOAT64);
      setDouble(c, row, step.a ? <f64><f32><f64>long : <f64>long);
      break;
    case ROW_PASS_LONG:
      at = readLong(at);
      set = at != 0;
      break;
    case ROW_PASS_STRING:
      at = readLong(at);
      if (at == 0 || long < 0 || <i64>at + long > <i64>to) return refuse(STATUS_OTHER);
      return at + <usize>long;
    case ROW_PASS_FIXED:
      if (<u32>step.a > <u32>(to - from)) return refuse(STATUS_OTHER);
      return at + step.a;
  }
  return set ? at : refuse(STATUS_OTHER);
}

/** Reads records until there are `room` rows. Returns the number of rows. */
export function avro(from: usize, to: usize, room: i32): i32 {
  const first = changetype<Column>(context.columns);
  const steps = context.steps;
  const last = steps + STEP_BYTES * context.stepCount;
  context.values = 0;
  let at = from;
  for (let row = 0; row < room; row++) {
    const start = at;
    for (let step = steps; step < last; step += STEP_BYTES) {
      at = read(changetype<Step>(step), at, to, row);
      if (at == 0) return stop(row, start, why, changetype<Column>(changetype<Step>(step).column || changetype<usize>(first)), context.values);
      if (at > to) return stop(row, start, STATUS_OTHER, first, context.values);
    }
    context.values += context.width;
  }
  return stop(room, at, STATUS_ROOM, first, context.values);
}
