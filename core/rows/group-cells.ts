import { KIND_BOOLEAN, KIND_DATE, KIND_DICTIONARY, KIND_TEXT, KIND_VARIANT, STATE_NULL, STATE_VALUE } from '../block/block.ts';
import { decodeWtf8 } from '../bytes/text/wtf8.ts';
import type { ColumnData, Group } from './read-block.ts';
import { valueAt } from './row-list.ts';
import type { ReadCell, Segment, SegmentCells } from './run.ts';

/** Cells read in one go where rows are read in order. */
const CELLS = 256;

/** Bytes of text up to which the text of a column is decoded in one go. */
const TEXT_BYTES = 1024 * 1024;

/** Reads single values of the rows of a segment with a group. */
export class GroupCells implements SegmentCells {
  readonly segment: Segment;
  /** Records built last, and the row of the first. */
  #records: readonly object[] = [];
  #first = 0;

  constructor(segment: Segment) {
    this.segment = segment;
  }

  columnOf(key: string): ColumnData | 'none' | undefined {
    const group = this.segment.group!;
    const index = this.segment.builder!.columnIndex(group, key);
    return index === undefined ? undefined : (group.columns[index] ?? 'none');
  }

  reader(key: string, times = false, column = this.columnOf(key)): ReadCell {
    if (column === 'none') return () => undefined;
    if (column) return withStates(column, this.#values(column, times));
    return (row) => valueAt(this.record(row), key);
  }

  record(row: number): object {
    const { builder, end, first, offset } = this.segment;
    const group = this.segment.group!;
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
