import { STATE_ABSENT, STATE_VALUE, TAG_BITS, TAG_KEY } from '../../block/block.ts';
import { append } from './append.ts';
import { type Frame, FRAME_LIST } from './output/frame.ts';
import type { BlockOutput } from './output/output.ts';
import { RANGE_ROWS } from './ranges.ts';
import type { Table } from './table.ts';
import { Tape } from './output/tape.ts';

// Moves objects of a list into tables, and out of them again.

/** A list is sampled by this many objects, or by as many as have this many bytes. */
const SAMPLE = 32;
const SAMPLE_BYTES = 256 * 1024;
/** Share of bytes in nested containers, picked or not, from which a list's objects are kept as raw bytes. */
const MIN_NESTED = 0.4;

/**
 * True if a row of `table` may begin within a row of `outer`. A table whose rows lie within those of another has a
 * higher level, so that a part can contain all rows that a row refers to before that row.
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

/**
 * Counts rows written to a table as the next items of a list. They may end at a multiple of RANGE_ROWS but not cross
 * one.
 */
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

/** Number of a list's last consecutive items that are rows of a table; fewer if a part was emitted since. */
export function rowsOf({ tape, run }: Frame, { id }: Table): number {
  const { words } = tape;
  return run >= 0 && run + 3 === tape.length && words[run]! >>> TAG_BITS === id ? words[run + 2]! : 0;
}

/**
 * Ends an object that was written on the tape as an item of a list; `end` is its end in the window. If the list keeps
 * raw bytes, so does the object, unless there is no `separator` or it refers to others. Otherwise it moves to the table
 * of its shape; if the item before had the same shape, a table is created for both.
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

/**
 * Ends an object of `length` bytes in `list`. The sample may show that the next objects should be kept as raw bytes.
 */
export function sample(out: BlockOutput, list: Frame, object: Frame, outer: Table | undefined, length: number, separator: number | undefined): void {
  if (list.kind !== FRAME_LIST) list.innerBytes += length;
  else if (looksNested(list, object, length)) {
    if (separator === undefined || outer !== undefined || out.raw?.begun || out.references) return;
    list.table = out.lazyTable(separator);
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
      // A column that became VARIANT in a row begun between the two may have stored its strings there.
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

/** Adds a key to an object on a tape. `trusted` keys are known to be WTF-8. */
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

/** Sorts the fields of a record that has ended on a tape into the order of its keys. */
export function reorder(out: BlockOutput, record: Frame): void {
  const { tape, fields, extra } = record;
  const keys = record.record!.keys;
  const first = record.start + 2;
  const values: { field: number; from: number; end: number }[] = [];
  let at = 0;
  const copy = new Tape();
  copy.copy(tape, first, tape.length);
  for (const [index, field] of fields.entries()) {
    // An extra key precedes its value.
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

/** Moves the row being written to an object begun on a tape. The columns before `set` have values. */
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
 * Adds an object of `length` bytes, which has ended in a table or on the tape, to the sample of its list. Returns true
 * if, judging by the first objects, most data of the others would be on a tape, so that raw bytes are the better form.
 */
function looksNested(list: Frame, object: Frame, length: number): boolean {
  if (list.sampled === SAMPLE) return false;
  const { tape, run } = list;
  list.sampled++;
  list.sampledBytes += length;
  const isRow = run >= 0 && run + 3 === tape.length;
  list.nestedBytes += isRow ? object.innerBytes + object.droppedBytes : length;
  if (!isRow || object.innerBytes > 0) list.nestedItems++;
  if (list.sampled < SAMPLE && (list.sampledBytes <= SAMPLE_BYTES || list.sampled < 2)) return false;
  list.sampled = SAMPLE;
  // The first object is on the tape until the second one has ended.
  return list.nestedItems > 1 && list.nestedBytes >= list.sampledBytes * MIN_NESTED;
}
