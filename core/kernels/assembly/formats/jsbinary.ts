// js-binary (https://github.com/sitegui/js-binary): the fields of an object, one after another, in the order of its
// type. A byte before an optional field tells whether it is present. Numbers are big-endian. An integer takes 1, 2, 4
// or 8 bytes, as its first bits tell.
import { ROW_BOOLEAN, ROW_DATE, ROW_FLOAT, ROW_INT, ROW_STRING, ROW_UINT } from "../../../formats/jsbinary/read/row-operations";
import { KIND_BOOLEAN, KIND_DATE, KIND_DICTIONARY, KIND_FLOAT64, holds, refuse, setDouble, setLong, setString, setUndefined, setWord, stop, why } from "../cells";
import { STATUS_OTHER, STATUS_ROOM, STEP_BYTES } from "../layout";
import { Column, context, Step } from "../memory";

export { contextAddress, enterEntries, freeAddress } from "../driver";

/** Largest distance of a Date from 1970, in milliseconds. */
const LAST_DATE: u64 = 8640000000000000;

/** The last integer read, and its number of bits. */
let bits: u64 = 0;
let width: i32 = 0;

/** Reads an unsigned integer. Returns the position after it. */
@inline function readInteger(at: usize): usize {
  const byte = load<u8>(at);
  if (byte < 0x80) {
    bits = byte;
    width = 7;
    return at + 1;
  }
  return readLonger(at, byte);
}

function readLonger(at: usize, byte: u8): usize {
  if (byte < 0xc0) {
    bits = bswap<u16>(load<u16>(at)) & 0x3fff;
    width = 14;
    return at + 2;
  }
  if (byte < 0xe0) {
    bits = bswap<u32>(load<u32>(at)) & 0x1fffffff;
    width = 29;
    return at + 4;
  }
  bits = bswap<u64>(load<u64>(at)) & 0x1fffffffffffffff;
  width = 61;
  return at + 8;
}

/**
 * Executes a step for a row. Returns the position after its value, or 0, with the reason in `why`, if the reader must
 * read the row.
 */
function read(step: Step, from: usize, to: usize, row: i32): usize {
  const c = changetype<Column>(step.column);
  let at = from;
  if (step.a) {
    const present = load<u8>(at++);
    if (present == 0) {
      setUndefined(c, row);
      return at;
    }
    if (present > 1) return refuse(STATUS_OTHER);
  }
  switch (step.operation) {
    case ROW_STRING:
      at = readInteger(at);
      if (bits > <u64>context.longest || at + <usize>bits > to || c.kind < KIND_DICTIONARY) return refuse(STATUS_OTHER);
      return setString(c, row, at, <i32>bits);
    case ROW_FLOAT:
      if (!holds(c, KIND_FLOAT64)) return refuse(STATUS_OTHER);
      store<u64>(c.cells + 8 * row, bswap<u64>(load<u64>(at)));
      return at + 8;
    case ROW_UINT:
      at = readInteger(at);
      return setLong(c, row, <i64>bits) ? at : refuse(STATUS_OTHER);
    case ROW_INT: {
      at = readInteger(at);
      const sign = <i64>1 << (width - 1);
      return setLong(c, row, (<i64>bits ^ sign) - sign) ? at : refuse(STATUS_OTHER);
    }
    case ROW_DATE:
      at = readInteger(at);
      if (bits > LAST_DATE || !holds(c, KIND_DATE)) return refuse(STATUS_OTHER);
      setDouble(c, row, <f64>bits);
      return at;
    case ROW_BOOLEAN:
      if (load<u8>(at) > 1 || !holds(c, KIND_BOOLEAN)) return refuse(STATUS_OTHER);
      setWord(c, row, load<u8>(at));
      return at + 1;
  }
  return refuse(STATUS_OTHER);
}

/** Reads objects until there are `room` rows. Returns the number of rows. */
export function jsbinary(from: usize, to: usize, room: i32): i32 {
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
