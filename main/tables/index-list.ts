import { STATE_ABSENT } from '../../core/block/block.ts';
import type { SegmentCells } from '../../core/rows/run.ts';
import { type ColumnValues, hasKey, keysOf, numberKind, type RowList, type RunList, typedArray, valueAt } from '../../core/rows/row-list.ts';
import { SegmentWalk } from './segment-walk.ts';

/** Rows read between two steps. */
const STEP = 1024;

/** Share of a list's rows from which all rows are built in the order of their columns, which is faster per row. */
const DENSE = 1 / 8;

/** Stands for records that are not built yet. */
const NO_RECORD = {};

/** Rows of a list in another order, or some of them. */
export class IndexList implements RowList {
  source: RunList;
  index: Uint32Array;
  readonly runs: undefined = undefined;

  /** `index`: positions in `source`. Not copied. */
  constructor(source: RunList, index: Uint32Array) {
    this.source = source;
    this.index = index;
  }

  get length(): number {
    return this.index.length;
  }

  record(row: number): object {
    return this.source.record(this.index[row]!);
  }

  records(from: number, to: number): object[] {
    const records: object[] = [];
    this.#append(records, from, to);
    return records;
  }

  *build(): Generator<undefined, object[], undefined> {
    const { source, index } = this;
    const records: object[] = [];
    if (index.length < source.length * DENSE) {
      for (let from = 0; from < index.length; from += STEP) {
        this.#append(records, from, Math.min(from + STEP, index.length));
        yield;
      }
      return records;
    }
    // Indices of the rows in this list plus one, by position; 0 for other rows.
    const places = new Uint32Array(source.length);
    for (let row = 0; row < index.length; row++) {
      places[index[row]!] = row + 1;
      // Makes room in order, so that the array has no holes.
      records.push(NO_RECORD);
      if (row % STEP === 0) yield;
    }
    for (let from = 0; from < source.length; from += STEP) {
      for (const [at, record] of source.records(from, Math.min(from + STEP, source.length)).entries()) {
        const place = places[from + at]!;
        if (place > 0) records[place - 1] = record;
      }
      yield;
    }
    return records;
  }

  slice(from: number, to: number): IndexList {
    return new IndexList(this.source, this.index.subarray(from, to));
  }

  keys(): Set<string> {
    const { source, index } = this;
    if (source.length === 0) return source.keys();
    const keys = new Set<string>();
    const walk = new SegmentWalk(source, keyCollector);
    for (const position of index) walk.at(position)(position - walk.shift, keys);
    return keys;
  }

  *column(key: string, times = false): Generator<undefined, ColumnValues | undefined, undefined> {
    const { source, index } = this;
    if (source.length === 0) return yield* source.column(key, times);
    const values = new Array<unknown>(index.length);
    const walk = new SegmentWalk(source, (cells) => ({ read: cells.reader(key, times), has: presenceOf(cells, key) }));
    let found = false;
    for (let row = 0; row < index.length; row++) {
      const position = index[row]!;
      const { read, has } = walk.at(position);
      const at = position - walk.shift;
      values[row] = read(at);
      found ||= has(at);
      if (row % STEP === 0) yield;
    }
    if (!found) return undefined;
    const type = typedArray(new Set([numberKind(values)]));
    if (!type) return values;
    const typed = new type(values.length) as unknown[];
    for (let row = 0; row < values.length; row++) typed[row] = values[row];
    return typed;
  }

  /** Appends the records of a range. Builds consecutive rows together. */
  #append(records: object[], from: number, to: number): void {
    const { source, index } = this;
    for (let row = from; row < to;) {
      const first = index[row]!;
      let count = 1;
      while (row + count < to && index[row + count] === first + count) count += 1;
      for (const record of source.records(first, first + count)) records.push(record);
      row += count;
    }
  }
}

/** A function that is true for rows of a segment that have a key or path. */
function presenceOf(cells: SegmentCells, key: string): (row: number) => boolean {
  const column = cells.columnOf(key);
  if (column === 'none') return () => false;
  if (!column) {
    return (row) => {
      const record = cells.record(row);
      return hasKey(record, key) || valueAt(record, key) !== undefined;
    };
  }
  const { states } = column;
  return states ? (row) => states[row] !== STATE_ABSENT : () => true;
}

/** A function that adds the keys of a segment's row to a set, if no row before it had them. */
function keyCollector(cells: SegmentCells): (row: number, keys: Set<string>) => void {
  const { group, table } = cells.segment;
  if (!group || group.raw) {
    return (row, keys) => {
      for (const key of keysOf(cells.record(row))) keys.add(key);
    };
  }
  let missing = [...group.columns.keys()];
  return (row, keys) => {
    if (missing.length === 0) return;
    missing = missing.filter((column) => {
      if (group.columns[column]!.states?.[row] === STATE_ABSENT) return true;
      keys.add(table.keys[column]!);
      return false;
    });
  };
}
