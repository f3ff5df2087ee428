import { type ColumnValues, type RowList, RunList } from '../../core/rows/row-list.ts';

/** Rows of a list that grows at its end, and loses its oldest rows beyond a number. */
export class RowWindow implements RowList {
  /** Number of rows that were dropped. */
  dropped = 0;
  readonly index: undefined = undefined;
  readonly #keep: number;
  /** Replaced by another list when rows are dropped: work in slices goes on with the rows that it began with. */
  #list = new RunList([]);

  constructor(keep: number) {
    this.#keep = keep;
  }

  /** Drops the oldest rows. A table goes with its last row. */
  trim(): void {
    const excess = this.#list.length - this.#keep;
    if (excess <= 0) return;
    this.dropped += excess;
    const { runs } = this.#list;
    let at = 0;
    let left = excess;
    while (left >= runs[at]!.count) left -= runs[at++]!.count;
    const run = runs[at]!;
    this.#list = new RunList([{ ...run, first: run.first + left, count: run.count - left }, ...runs.slice(at + 1)]);
  }

  get source(): RunList {
    return this.#list;
  }

  get length(): number {
    return this.#list.length;
  }

  get runs(): RunList['runs'] {
    return this.#list.runs;
  }

  record(row: number): object {
    return this.#list.record(row);
  }

  records(from: number, to: number): object[] {
    return this.#list.records(from, to);
  }

  build(): Generator<undefined, object[], undefined> {
    return this.#list.build();
  }

  slice(from: number, to: number): RunList {
    return this.#list.slice(from, to);
  }

  keys(): Set<string> {
    return this.#list.keys();
  }

  column(key: string, times?: boolean): Generator<undefined, ColumnValues | undefined, undefined> {
    return this.#list.column(key, times);
  }
}
