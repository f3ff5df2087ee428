import { type ReadCell, SegmentCells } from './cells.ts';
import type { RunList, Segment } from '../../core/rows/row-list.ts';

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

/** Reads rows of tables with the same keys. One object for all rows, so that engines optimise predicates for it. */
class TableReader {
  /** Passed to predicates. */
  readonly row: object = {};
  /** Cells of the current segment, by key. */
  cells: readonly ReadCell[] = [];
  at = 0;

  constructor(keys: readonly string[]) {
    for (const [index, key] of keys.entries()) {
      // A key that occurs twice is read with its last column, as `SegmentCells.reader` does.
      if (keys.lastIndexOf(key) !== index) continue;
      Object.defineProperty(this.row, key, { get: () => this.cells[index]!(this.at), enumerable: true });
    }
    Object.preventExtensions(this.row);
  }
}

/** A segment that is read with a reader, or as records. */
interface Opened {
  readonly segment: Segment;
  readonly reader: TableReader | undefined;
  readonly cells: readonly ReadCell[];
  readonly records: SegmentCells;
}

/** Tests rows of a list with a predicate. */
export class RowTester<T, List> {
  readonly #source: RunList;
  readonly #predicate: RowPredicate<T, List>;
  readonly #rows: List;
  readonly #readers = new Map<string, TableReader>();
  readonly #opened: Opened[] = [];
  #current: Opened | undefined;

  constructor(source: RunList, predicate: RowPredicate<T, List>, rows: List) {
    this.#source = source;
    this.#predicate = predicate;
    this.#rows = rows;
  }

  /** The predicate's result for the row at a position of the source; `index` is its index in the list that is searched. */
  result(position: number, index: number): unknown {
    let current = this.#current;
    if (current === undefined || position < current.segment.first || position >= current.segment.end) current = this.#move(position);
    const { segment, reader } = current;
    const at = position - segment.first + segment.offset;
    let row: object;
    if (reader === undefined) row = current.records.record(at);
    else {
      reader.at = at;
      ({ row } = reader);
    }
    return this.#predicate(row as RowReader<T>, index, this.#rows);
  }

  /** Opens the segment of a position. */
  #move(position: number): Opened {
    const index = this.#source.segmentAt(position);
    const opened = (this.#opened[index] ??= this.#open(this.#source.segments[index]!));
    if (opened.reader) opened.reader.cells = opened.cells;
    this.#current = opened;
    return opened;
  }

  #open(segment: Segment): Opened {
    const { table, group } = segment;
    const records = new SegmentCells(segment);
    if (!group || group.raw) return { segment, reader: undefined, cells: [], records };
    const name = JSON.stringify(table.keys);
    let reader = this.#readers.get(name);
    if (!reader) this.#readers.set(name, (reader = new TableReader(table.keys)));
    // Most predicates read few of the columns, so each is opened when it is first read.
    const cells: ReadCell[] = table.keys.map((key, at) => (row) => (cells[at] = records.reader(key))(row));
    return { segment, reader, cells, records };
  }
}
