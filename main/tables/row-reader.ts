import type { RunList } from '../../core/rows/row-list.ts';
import type { ReadsRow, Segment, TableRow } from '../../core/rows/run.ts';

/**
 * A row as predicates see it: the properties of its record, read from the columns without building the record. It
 * reads the current row only, cannot be changed, and is not the record: `{ ...row }` copies it.
 */
export type RowReader<T> = T extends object ? { readonly [Key in keyof T]: T[Key] } : T;

/**
 * Decides on a row, like the predicates of arrays: from its reader, its index, and the rows that are searched. The result
 * cannot be a promise, which would accept every row.
 */
export type RowPredicate<T, List, Result = unknown> = (
  row: RowReader<T>,
  index: number,
  rows: List,
) => Result extends PromiseLike<unknown> ? never : Result;

/** Tests rows of a list with a predicate. */
export class RowTester<T, List> {
  readonly #source: RunList;
  readonly #predicate: RowPredicate<T, List>;
  readonly #rows: List;
  readonly #shared = new Map<string, TableRow>();
  readonly #opened: ReadsRow[] = [];
  #segment: Segment | undefined;
  #current!: ReadsRow;

  constructor(source: RunList, predicate: RowPredicate<T, List>, rows: List) {
    this.#source = source;
    this.#predicate = predicate;
    this.#rows = rows;
  }

  /** The predicate's result for the row at a position of the source; `index` is its index in the list that is searched. */
  result(position: number, index: number): unknown {
    let segment = this.#segment;
    if (segment === undefined || position < segment.first || position >= segment.end) segment = this.#move(position);
    return this.#predicate(this.#current.row(position - segment.first + segment.offset) as RowReader<T>, index, this.#rows);
  }

  /** Opens the segment of a position. */
  #move(position: number): Segment {
    const index = this.#source.segmentAt(position);
    const segment = this.#source.segments[index]!;
    const { group, table, builder } = segment;
    this.#current = this.#opened[index] ??= group ? builder!.rowsFor(segment, this.#shared) : { row: (at) => table.objects[at]! };
    return (this.#segment = segment);
  }
}
