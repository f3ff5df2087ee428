import { KIND_BOOLEAN, KIND_DATE, KIND_DICTIONARY, KIND_TEXT, KIND_VARIANT, STATE_NULL, STATE_VALUE } from '../../core/block/block.ts';
import { decodeWtf8 } from '../../core/bytes/text/wtf8.ts';
import type { ColumnData, Group } from '../../core/rows/read-block.ts';
import { columnIndex, type Segment, valueAt } from '../../core/rows/row-list.ts';

/** Reads the value of one column in a row of its segment; undefined if absent. */
export type ReadCell = (row: number) => unknown;

/** Cells read in one go where rows are read in order. */
const CELLS = 256;

/** Bytes of text up to which the text of a column is decoded in one go. */
const TEXT_BYTES = 1024 * 1024;

/** Reads single values of a segment's rows, where possible without building records. Rows count from the group's first. */
export class SegmentCells {
  readonly segment: Segment;
  /** Records built last, and the row of the first. */
  #records: readonly object[] = [];
  #first = 0;

  constructor(segment: Segment) {
    this.segment = segment;
  }

  /** The column of a key or path; undefined if the rows have to be built to read it. */
  columnOf(key: string): ColumnData | 'none' | undefined {
    const index = columnIndex(this.segment, key);
    return index === undefined ? undefined : (this.segment.group!.columns[index] ?? 'none');
  }

  /** A function that reads the values of a key. With `times`, dates of a column are milliseconds since the epoch. */
  reader(key: string, times = false): ReadCell {
    const column = this.columnOf(key);
    if (column === 'none') return () => undefined;
    if (column) return withStates(column, this.#values(column, times));
    return (row) => valueAt(this.record(row), key);
  }

  /** Builds the record of a row, for reading. Rows that are read in order are built together. */
  record(row: number): object {
    const { table, group, builder, end, first, offset } = this.segment;
    if (!group) return table.objects[row]!;
    const at = row - this.#first;
    if (at >= 0 && at < this.#records.length) return this.#records[at]!;
    const inOrder = at === this.#records.length;
    const to = inOrder ? Math.min(row + builder!.chunk(group, row), end - first + offset) : row + 1;
    this.#records = builder!.build(group, row, to);
    this.#first = row;
    return this.#records[0]!;
  }

  /** Reads the values of rows whose state is a value. */
  #values(column: ColumnData, times: boolean): ReadCell {
    const { kind, data, list } = column;
    const { group } = this.segment;
    switch (kind) {
      case KIND_BOOLEAN:
        return (row) => data[row] === 1;
      case KIND_DATE:
        return times ? (row) => data[row] : (row) => new Date(data[row] as number);
      case KIND_DICTIONARY: {
        const strings = list!.values();
        return (row) => strings[data[row] as number];
      }
      case KIND_TEXT:
        return this.#text(column, group!);
      case KIND_VARIANT:
        return this.#inOrder(column, group!);
      default:
        return (row) => data[row];
    }
  }

  #text(column: ColumnData, group: Group): ReadCell {
    const { data: ends, bytes, ascii } = column;
    if (!ascii || bytes.length > TEXT_BYTES) return this.#inOrder(column, group);
    const text = (column.text ??= decodeWtf8(bytes));
    return (row) => text.slice(row === 0 ? 0 : (ends[row - 1] as number), ends[row] as number);
  }

  /** Reads values that are faster to read together. */
  #inOrder(column: ColumnData, group: Group): ReadCell {
    const { builder, end, first, offset } = this.segment;
    const last = end - first + offset;
    let values: ArrayLike<unknown> = [];
    let from = offset;
    return (row) => {
      let at = row - from;
      if (at < 0 || at >= values.length) {
        const to = at === values.length ? Math.min(row + CELLS, last) : row + 1;
        values = builder!.values(group, column, row, to);
        from = row;
        at = 0;
      }
      return values[at];
    };
  }
}

/** Reads the values of a column of which some rows may have none. */
function withStates({ states }: ColumnData, read: ReadCell): ReadCell {
  if (!states) return read;
  return (row) => {
    const state = states[row];
    return state === STATE_VALUE ? read(row) : state === STATE_NULL ? null : undefined;
  };
}
