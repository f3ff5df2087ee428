import { STATE_ABSENT, STATE_VALUE, TAG_BITS, TAG_KEY } from '../../block/block.ts';
import { append } from './append.ts';
import { type Frame, FRAME_LIST } from './output/frame.ts';
import type { BlockOutput } from './output/output.ts';
import { RANGE_ROWS } from './ranges.ts';
import type { Table } from './table.ts';
import { Tape } from './output/tape.ts';

// How the objects of a list come into tables, and out of them again.

/** A list is judged by so many of its objects, or by those of so many bytes. */
const SAMPLE = 32;
const SAMPLE_BYTES = 256 * 1024;
/** Objects of which such a part lies in containers stay bytes. */
const LEAST_NESTED = 0.4;

/**
 * Whether a row of a table may begin within a row of `outer`. A table whose rows lie within those of another has a higher
 * level, so that all rows that a row refers to can be written before it.
 */
export function admits(out: BlockOutput, table: Table, outer: Table | undefined): boolean {
  if (table.open || out.references || table === out.raw || out.raw?.begun) return false;
  if (outer === undefined) return true;
  if (table.level <= outer.level) {
    if (!table.leaf) return false;
    table.level = outer.level + 1;
  }
  outer.leaf = false;
  return true;
}

/** Counts rows that were written to a table, as the next items of a list. They may end at a multiple of RANGE_ROWS, not go past it. */
export function appendRows(out: BlockOutput, list: Frame, table: Table, count = 1): void {
  const { tape, run } = list;
  const row = table.first + table.count;
  const { words } = tape;
  if (run >= 0 && run + 3 === tape.length && words[run]! >>> TAG_BITS === table.id && row === words[run + 1]! + words[run + 2]!) {
    words[run + 2]! += count;
  } else {
    list.run = tape.length;
    tape.rows(table.id, row, count);
  }
  list.table = table;
  table.count += count;
  out.count(table.columns.length * count);
  if (table.count % RANGE_ROWS === 0) table.settle();
  if (!table.makeRoom()) out.flush(0);
}

/** How many of a list's last items, one behind the other, are rows of a table; fewer where a part has gone out since. */
export function rowsOf({ tape, run }: Frame, { id }: Table): number {
  const { words } = tape;
  return run >= 0 && run + 3 === tape.length && words[run]! >>> TAG_BITS === id ? words[run + 2]! : 0;
}

/**
 * An object was written on the tape as an item of a list, and ends at a position of the window. If the list's objects are
 * kept as bytes, so is it, unless it has no `separator` or refers to others. If its shape has a table it moves there; if
 * the item before had the same shape, a table is made for both.
 */
export function endItem(out: BlockOutput, list: Frame, item: Frame, outer: Table | undefined, end: number, separator: number | undefined): void {
  const { raw, strings } = out;
  if (!list.raw || !raw!.begun) {
    endOnTape(out, list, item, outer);
  } else if (separator === undefined || out.references) {
    raw!.cancel();
    endOnTape(out, list, item, outer);
  } else {
    raw!.finish(end);
    list.tape.length = item.start;
    if (item.text >= strings.first) strings.truncate(item.text - strings.first);
    appendRows(out, list, raw!);
  }
}

/** An object of `length` bytes has ended in `list`: it may tell whether the next ones had better stay bytes. */
export function sample(out: BlockOutput, list: Frame, object: Frame, outer: Table | undefined, length: number, separator: number | undefined): void {
  if (list.kind !== FRAME_LIST) list.inner += length;
  else if (looksNested(list, object, length)) {
    if (separator === undefined || outer !== undefined || out.raw?.begun || out.references) return;
    list.table = out.rawTable(separator);
    list.raw = true;
  }
}

function endOnTape(out: BlockOutput, list: Frame, item: Frame, outer: Table | undefined): void {
  const { shape, start } = item;
  const { tape } = list;
  const { strings } = out;
  out.count(shape.length + item.extra);
  if (item.extra === 0 && shape.length > 0 && item.text >= strings.first) {
    const follows = list.lastShape === shape && list.lastEnd === start && list.lastText >= strings.first;
    const table = shape.table ?? (follows && !out.raw?.begun ? out.createTable(shape) : undefined);
    if (table !== undefined && admits(out, table, outer)) {
      const both = follows && table.count + 2 <= table.capacity;
      let row = table.count;
      let plain = true;
      if (both) plain = append(table, row++, tape, list.lastStart, strings, out.shapeLength);
      plain = append(table, row, tape, start, strings, out.shapeLength) && plain;
      // Of a row that was begun between the two, a column that became VARIANT may have put its strings there.
      const adjoin = both && list.lastTextEnd === item.text;
      if (plain) strings.truncate((adjoin ? list.lastText : item.text) - strings.first);
      tape.length = both ? list.lastStart : start;
      list.lastShape = undefined;
      if (both) appendRows(out, list, table);
      appendRows(out, list, table);
      return;
    }
  }
  list.lastShape = item.extra === 0 ? shape : undefined;
  list.lastStart = start;
  list.lastEnd = tape.length;
  list.lastText = item.text;
  list.lastTextEnd = strings.first + strings.count;
}

/** Adds a key to an object on a tape. `trusted` keys are WTF-8 already. */
export function addKey(out: BlockOutput, object: Frame, source: DataView, from: number, end: number, trusted: boolean): void {
  const { shapes, strings } = out;
  if (object.extra === 0) {
    const shape = shapes.step(object.shape, source, from, end, trusted);
    if (shape !== undefined) {
      object.shape = shape;
      return;
    }
  } else if (!trusted) shapes.check(from, end);
  object.extra++;
  strings.append(source, from, end);
  object.tape.pushTwo(TAG_KEY, strings.last);
}

/** A record has ended on a tape, and its fields had not come in the order of its keys: puts them in it. */
export function reorder(out: BlockOutput, record: Frame): void {
  const { tape, fields, extra } = record;
  const keys = record.record!.keys;
  const first = record.start + 2;
  const values: { field: number; from: number; end: number }[] = [];
  let at = 0;
  const copy = new Tape();
  copy.copy(tape, first, tape.length);
  for (const [index, field] of fields.entries()) {
    // A key that the shape does not tell lies before its value.
    const from = index < fields.length - extra ? at : at + 2;
    at = copy.skip(from, out.shapeLength);
    values.push({ field, from, end: at });
  }
  tape.length = first;
  record.shape = out.shapes.root;
  record.extra = 0;
  record.disordered = false;
  for (const { field, from, end } of values.toSorted((a, b) => a.field - b.field)) {
    const { view, length } = keys[field]!;
    addKey(out, record, view, 0, length, true);
    tape.copy(copy, from, end);
  }
}

/** Moves the row being written, of which the columns before `set` have a value, to an object that has begun on a tape. */
export function unwind(out: BlockOutput, object: Frame, tape: Tape, { columns, count: row }: Table, set: number): void {
  for (let index = 0; index < set; index++) {
    const column = columns[index]!;
    if (column.states[row] !== STATE_ABSENT) {
      addKey(out, object, column.key.view, 0, column.key.length, true);
      column.spill(row, tape, out.shapeLength);
    }
    column.states[row] = STATE_VALUE;
  }
}

/**
 * An object of `length` bytes has ended as an item of a list, and gone into its table or stayed on the tape. True where, by
 * the list's first ones, most of what the others are would lie on a tape, so that they had better stay bytes.
 */
function looksNested(list: Frame, object: Frame, length: number): boolean {
  if (list.sampled === SAMPLE) return false;
  const { tape, run } = list;
  list.sampled++;
  list.sampledBytes += length;
  list.nestedBytes += run >= 0 && run + 3 === tape.length ? object.inner : length;
  if (list.sampled < SAMPLE && (list.sampledBytes <= SAMPLE_BYTES || list.sampled < 2)) return false;
  list.sampled = SAMPLE;
  return list.nestedBytes >= list.sampledBytes * LEAST_NESTED;
}
