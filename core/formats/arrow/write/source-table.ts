import type { ColumnRows } from '../../../writing/column-rows.ts';
import { type ColumnBuilder, fewInCommon } from './column-builder.ts';
import { RowRuns } from './row-runs.ts';
import { SourceColumn, type ValueWriter } from './source-column.ts';

/** Steps of work, between which the clock is looked at. */
type Steps = Generator<undefined, void, undefined>;

/** The columns of `Rows`: finds their types, and copies them. */
export class SourceTable {
  /** The columns that have a value or null, in the order in which the rows have them first; empty before `infer`. */
  columns: readonly SourceColumn[] = [];
  /** The column that is read or copied, for the path of an error. */
  current: SourceColumn | undefined;
  readonly #length: number;
  readonly #most: number;
  readonly #runs: RowRuns;
  readonly #values: ValueWriter;

  /** `most`: rows that are read together. */
  constructor(rows: ColumnRows, most: number, values: ValueWriter) {
    this.#length = rows.length;
    this.#most = Math.min(most, rows.length);
    this.#runs = new RowRuns(rows, this.#most);
    this.#values = values;
  }

  /** Finds the columns and their types. */
  *infer(): Steps {
    const columns = new Map<string, SourceColumn>();
    const runs = this.#runs;
    const { empty } = this.#values;
    let filled = 0;
    for (const [number, rows] of yield* this.#segments()) {
      const { table, group, first } = runs.segments[number]!;
      filled += rows * table.keys.length;
      for (const [place, key] of table.keys.entries()) {
        let column = columns.get(key);
        if (!column) columns.set(key, (column = new SourceColumn(key, this.#values)));
        this.current = column;
        column.row = first;
        column.addSegment(number, group.columns[place], place);
      }
      yield;
    }
    this.current = undefined;
    empty.found(filled);
    if (!empty.take(Math.max(0, this.#length * columns.size - filled))) throw fewInCommon();
    for (let from = 0; from < this.#length; from += this.#most) {
      runs.fill(from, Math.min(from + this.#most, this.#length));
      for (const column of columns.values()) {
        this.current = column;
        yield* column.infer(runs, from);
        yield;
      }
    }
    this.columns = inOrder([...columns.values()].filter(({ first }) => first >= 0));
    for (const [id, column] of this.columns.entries()) column.decide(id, this.#length);
    this.current = undefined;
  }

  /** Copies the rows `from..to`. */
  *copy(from: number, to: number, builders: readonly ColumnBuilder[]): Steps {
    for (let at = from; at < to; at += this.#most) {
      this.#runs.fill(at, Math.min(at + this.#most, to));
      for (const [index, column] of this.columns.entries()) {
        this.current = column;
        yield* column.copy(this.#runs, at, builders[index]!);
        yield;
      }
    }
    this.current = undefined;
  }

  /** Numbers of the segments that have any of the rows, and how many of them. */
  *#segments(): Generator<undefined, Map<number, number>, undefined> {
    const found = new Map<number, number>();
    for (let from = 0; from < this.#length; from += this.#most) {
      const { segment, rows, count } = this.#runs.fill(from, Math.min(from + this.#most, this.#length));
      for (let run = 0; run < count; run++) found.set(segment[run]!, (found.get(segment[run]!) ?? 0) + rows[run]!);
      yield;
    }
    return found;
  }
}

/** Sorts columns as the keys of records: by the first row that has them, then as the row's object orders its keys. */
function inOrder(columns: SourceColumn[]): SourceColumn[] {
  const sorted = columns.toSorted((one, other) => one.first - other.first || one.place - other.place);
  const rows = new Map<number, SourceColumn[]>();
  for (const column of sorted) rows.set(column.first, [...(rows.get(column.first) ?? []), column]);
  return [...rows.values()].flatMap((row) => Object.values(Object.fromEntries(row.map((column) => [column.key, column]))));
}
