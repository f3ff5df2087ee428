// Stores values in the cells of a column. Kinds and states are those of block.ts.
import { ROWS_BIGINTS, ROWS_INT64 } from "../../reading/rows/flags";
import { copy, hasHighBits, isUtf8 } from "./bytes";
import { follower, indexBefore, intern, isEntry, lengthOf, NO_ROOM } from "./dictionary";
import { STATUS_DICTIONARY, STATUS_OTHER, STATUS_TEXT, SYMBOL_BYTES } from "./layout";
import { Column, context } from "./memory";

export const KIND_EMPTY: i32 = 0;
export const KIND_BOOLEAN: i32 = 1;
export const KIND_INT32: i32 = 2;
export const KIND_FLOAT64: i32 = 3;
export const KIND_BIGINT64: i32 = 4;
export const KIND_DATE: i32 = 5;
export const KIND_DICTIONARY: i32 = 6;
export const KIND_TEXT: i32 = 7;
/** Not of block.ts: the values are validated, and not stored. See `RowLayout`. */
export const KIND_SKIP: i32 = 9;

/** The largest integer up to which doubles represent all integers exactly. */
const MAX_EXACT: i64 = 9007199254740991;

const STATE_NULL: u8 = 1;
const STATE_UNDEFINED: u8 = 2;
const STATE_ABSENT: u8 = 3;

/** Reason for refusing the last value: a STATUS. */
export let why: i32 = STATUS_OTHER;

export function refuse(status: i32): usize {
  why = status;
  return 0;
}

@inline export function next(c: Column): Column {
  return changetype<Column>(changetype<usize>(c) + offsetof<Column>());
}

/** Gives a row a state instead of a value. */
function setState(c: Column, row: i32, state: u8): void {
  if (c.kind == KIND_SKIP) return;
  store<u8>(c.states + row, state);
  c.hasStates = 1;
  if (c.kind == KIND_TEXT) store<u32>(c.cells + 4 * row, c.textBase + c.textLength);
  else if (c.kind == KIND_FLOAT64 || c.kind == KIND_DATE || c.kind == KIND_BIGINT64) store<u64>(c.cells + 8 * row, 0);
  else store<i32>(c.cells + 4 * row, 0);
}

@inline export function setNull(c: Column, row: i32): void {
  setState(c, row, STATE_NULL);
}

@inline export function setUndefined(c: Column, row: i32): void {
  setState(c, row, STATE_UNDEFINED);
}

/** Marks the columns from `c` to `end` as absent in a row. */
export function setAbsent(c: Column, end: Column, row: i32): void {
  for (; changetype<usize>(c) < changetype<usize>(end); c = next(c)) setState(c, row, STATE_ABSENT);
}

@inline export function setWord(c: Column, row: i32, word: i32): void {
  store<i32>(c.cells + 4 * row, word);
}

@inline export function setDouble(c: Column, row: i32, value: f64): void {
  store<f64>(c.cells + 8 * row, value);
}

/**
 * Sets a row of INT32 or FLOAT64 to an integer that a double represents exactly, other than −0. Returns false if the
 * column cannot hold it.
 */
@inline export function setInteger(c: Column, row: i32, value: i64): bool {
  if (c.kind == KIND_INT32) {
    if (<i64><i32>value != value) return false;
    setWord(c, row, <i32>value);
    return true;
  }
  if (c.kind != KIND_FLOAT64) return c.kind == KIND_SKIP;
  setDouble(c, row, <f64>value);
  return true;
}

/** Sets a row to a 64-bit integer, according to the flags. Returns false if the column cannot hold it. */
export function setLong(c: Column, row: i32, value: i64): bool {
  if (c.kind == KIND_SKIP) return true;
  if (c.kind == KIND_BIGINT64) {
    if (!(context.flags & ROWS_BIGINTS)) return false;
    store<i64>(c.cells + 8 * row, value);
    return true;
  }
  if (!(context.flags & ROWS_INT64) || value > MAX_EXACT || value < -MAX_EXACT) return false;
  return setInteger(c, row, value);
}

/** True for a column of a kind, and for one whose values are not stored. */
@inline export function holds(c: Column, kind: i32): bool {
  return c.kind == kind || c.kind == KIND_SKIP;
}

/** Skips `length` bytes. Returns the position after them, or 0 if they are not UTF-8. */
function skipText(from: usize, length: i32): usize {
  return hasHighBits(from, length) && !isUtf8(from, from + length) ? refuse(STATUS_OTHER) : from + length;
}

/**
 * Sets a row of DICTIONARY or TEXT to `length` bytes. Returns the position after them, or 0, with the reason in `why`,
 * if they are not UTF-8 or do not fit.
 */
@inline export function setString(c: Column, row: i32, from: usize, length: i32): usize {
  if (c.kind == KIND_SKIP) return skipText(from, length);
  if (c.kind == KIND_TEXT) {
    if (c.textLength + length + 16 > c.textCapacity) return refuse(STATUS_TEXT);
    if (hasHighBits(from, length)) {
      if (!isUtf8(from, from + length)) return refuse(STATUS_OTHER);
      c.notAscii = 1;
    }
    copy(c.text + c.textLength, from, length);
    c.textLength += length;
    setWord(c, row, c.textBase + c.textLength);
    return from + length;
  }
  const before = indexBefore(c, row);
  if (before >= 0) {
    const guess = follower(c, before);
    if (guess >= 0 && lengthOf(c, guess) == length && isEntry(c, guess, from, length)) {
      c.hit++;
      setWord(c, row, guess);
      return from + length;
    }
  }
  if (!setEntry(c, row, before, from, length)) return 0;
  return from + length;
}

/**
 * Sets a row of DICTIONARY to a string, predicted by `before` from then on unless that is −1. Returns false, with the
 * reason in `why`, if that fails.
 */
export function setEntry(c: Column, row: i32, before: i32, from: usize, length: i32): bool {
  const index = intern(c, from, length);
  if (index < 0) {
    why = index == NO_ROOM ? STATUS_DICTIONARY : STATUS_OTHER;
    return false;
  }
  setWord(c, row, index);
  if (before >= 0) store<i32>(c.followers + 4 * before, index + 1);
  return true;
}

/**
 * Sets a row of DICTIONARY or TEXT to a symbol of the schema. Returns `next`, the position after the encoded symbol, or
 * 0, with the reason in `why`, if the column cannot hold it.
 */
export function setSymbol(c: Column, row: i32, index: i32, next: usize): usize {
  const symbol = context.symbols + SYMBOL_BYTES * index;
  if (c.kind == KIND_DICTIONARY) {
    const known = load<i32>(symbol, 8);
    if (known) {
      setWord(c, row, known - 1);
      return next;
    }
    if (!setEntry(c, row, -1, load<usize>(symbol), load<i32>(symbol, 4))) return 0;
    store<i32>(symbol, load<i32>(c.cells + 4 * row) + 1, 8);
    return next;
  }
  if (c.kind == KIND_SKIP) return next;
  if (c.kind != KIND_TEXT) return refuse(STATUS_OTHER);
  return setString(c, row, load<usize>(symbol), load<i32>(symbol, 4)) ? next : 0;
}

/** Stores the bytes before a value, so that the same bytes are recognised next time by comparing 16 at a time. */
export function learn(c: Column, from: usize, to: usize, most: i32): void {
  const length = <i32>(to - from);
  c.patternLength = 0;
  if (length > most) return;
  copy(c.pattern, from, length);
  c.patternLength = length;
}

/** Ends a run before a row that was not read, and reverts the row's columns. Returns the number of rows. */
export function stop(row: i32, position: usize, status: i32, column: Column, values: i32): i32 {
  let c = changetype<Column>(context.columns);
  for (let index = 0; index < context.width; index++, c = next(c)) {
    store<u8>(c.states + row, 0);
    if (c.kind == KIND_TEXT) c.textLength = row > 0 ? load<u32>(c.cells + 4 * (row - 1)) - c.textBase : 0;
  }
  context.position = position;
  context.status = status;
  context.column = <i32>((changetype<usize>(column) - context.columns) / offsetof<Column>());
  context.values = values;
  return row;
}
