// Bebop (https://github.com/betwixt-labs/bebop/wiki/Wire-format): the fields of a struct, one after another, in the
// order of its schema. Numbers are little-endian.
import { ROW_BOOL, ROW_BYTE, ROW_DATE, ROW_FLOAT32, ROW_FLOAT64, ROW_INT16, ROW_INT32, ROW_INT64, ROW_STRING, ROW_UINT16, ROW_UINT32, ROW_UINT64 } from "../../../formats/bebop/read/row-operations";
import { KIND_BOOLEAN, KIND_DATE, KIND_DICTIONARY, KIND_FLOAT64, holds, refuse, setDouble, setInteger, setLong, setString, setWord, stop, why } from "../cells";
import { STATUS_OTHER, STATUS_ROOM, STEP_BYTES } from "../layout";
import { Column, context, Step } from "../memory";

export { contextAddress, enterEntries, freeAddress } from "../driver";

/** 1970 in milliseconds since the year 1. */
const EPOCH: i64 = 62135596800000;
/** The two highest bits of a date are its time zone. */
const TICKS: i64 = 0x3fffffffffffffff;

/** Sets a row to ticks as milliseconds, rounded towards 1970. */
function setDate(c: Column, row: i32, ticks: i64): bool {
  let milliseconds = ticks / 10000 - EPOCH;
  if (milliseconds < 0 && ticks % 10000 > 0) milliseconds++;
  setDouble(c, row, <f64>milliseconds);
  return holds(c, KIND_DATE);
}

function setFloat(c: Column, row: i32, value: f64): bool {
  setDouble(c, row, value);
  return holds(c, KIND_FLOAT64);
}

function setBoolean(c: Column, row: i32, value: bool): bool {
  setWord(c, row, value);
  return holds(c, KIND_BOOLEAN);
}

/**
 * Executes a step for a row. Returns the position after its value, or 0, with the reason in `why`, if the reader must
 * read the row.
 */
function read(step: Step, at: usize, to: usize, row: i32): usize {
  const c = changetype<Column>(step.column);
  switch (step.operation) {
    case ROW_STRING: {
      const length = load<u32>(at);
      if (length > <u32>context.longest || at + 4 + length > to || c.kind < KIND_DICTIONARY) return refuse(STATUS_OTHER);
      return setString(c, row, at + 4, length);
    }
    case ROW_FLOAT64:
      return setFloat(c, row, load<f64>(at)) ? at + 8 : refuse(STATUS_OTHER);
    case ROW_FLOAT32:
      return setFloat(c, row, <f64>load<f32>(at)) ? at + 4 : refuse(STATUS_OTHER);
    case ROW_BYTE:
      return setInteger(c, row, <i64>load<u8>(at)) ? at + 1 : refuse(STATUS_OTHER);
    case ROW_BOOL:
      return setBoolean(c, row, load<u8>(at) != 0) ? at + 1 : refuse(STATUS_OTHER);
    case ROW_INT32:
      return setInteger(c, row, <i64>load<i32>(at)) ? at + 4 : refuse(STATUS_OTHER);
    case ROW_UINT32:
      return setInteger(c, row, <i64>load<u32>(at)) ? at + 4 : refuse(STATUS_OTHER);
    case ROW_INT16:
      return setInteger(c, row, <i64>load<i16>(at)) ? at + 2 : refuse(STATUS_OTHER);
    case ROW_UINT16:
      return setInteger(c, row, <i64>load<u16>(at)) ? at + 2 : refuse(STATUS_OTHER);
    case ROW_INT64:
      return setLong(c, row, load<i64>(at)) ? at + 8 : refuse(STATUS_OTHER);
    case ROW_UINT64:
      return load<i64>(at) >= 0 && setLong(c, row, load<i64>(at)) ? at + 8 : refuse(STATUS_OTHER);
    case ROW_DATE:
      return setDate(c, row, load<i64>(at) & TICKS) ? at + 8 : refuse(STATUS_OTHER);
  }
  return refuse(STATUS_OTHER);
}

/** Reads structs until there are `room` rows. Returns the number of rows. */
export function bebop(from: usize, to: usize, room: i32): i32 {
  const first = changetype<Column>(context.columns);
  const steps = context.steps;
  const last = steps + STEP_BYTES * context.stepCount;
  context.values = 0;
  let at = from;
  for (let row = 0; row < room; row++) {
    const start = at;
    for (let step = steps; step < last; step += STEP_BYTES) {
      at = read(changetype<Step>(step), at, to, row);
      if (at == 0) return stop(row, start, why, changetype<Column>(changetype<Step>(step).column), context.values);
      if (at > to) return stop(row, start, STATUS_OTHER, first, context.values);
    }
    context.values += context.width;
  }
  return stop(room, at, STATUS_ROOM, first, context.values);
}
