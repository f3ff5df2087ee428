import type { ByteList } from '../../../sinks/columns/output/byte-list.ts';
import type { ConstantList } from '../../../reading/sink-methods.ts';
import { BINARY, type Field, INT16, INT32, UTF8 } from './schema.ts';

/** Bytes that columns lie in. */
export interface Source {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  /** Offset of the first byte in the input; for decompressed bytes, that of the body they come from. */
  readonly base: number;
}

/** The text of a dictionary as consecutive UTF-8. */
export interface DictionaryText extends ConstantList {
  readonly list: ByteList;
  readonly hasNulls: boolean;
  /** The text of a value; null if the value is null. */
  at(index: number): string | null;
}

/** The values of a dictionary. */
export interface DictionaryValues {
  readonly length: number;
  /** The values as text; undefined for other types. */
  readonly texts: DictionaryText | undefined;
  /** The column with a value, and its row there. */
  find(index: number): { column: Column; row: number };
}

/** The values of a field in a batch. All offsets, sizes and indices in its buffers are checked. Positions are those of its source. */
export interface Column {
  readonly field: Field;
  readonly length: number;
  readonly source: Source;
  /** Position of the bits of rows that are not null; −1 if none is null. */
  readonly validity: number;
  /** Position of the values, or of the offsets, views, type ids or indices. */
  readonly values: number;
  /** Position of what these refer to: text and bytes; for list views the sizes, for dense unions the offsets. */
  readonly data: number;
  readonly children: readonly Column[];
  readonly dictionary: DictionaryValues | undefined;
  /** Positions of the buffers of views. */
  readonly buffers: readonly number[];
}

/** Text and bytes of at most this length lie in their view. */
export const INLINE = 12;
/** Bytes of a view. */
export const VIEW_BYTES = 16;

/** True if a row of a column is null by its bits. */
export function isNull({ validity, source }: Column, row: number): boolean {
  return validity >= 0 && (source.bytes[validity + (row >> 3)]! & (1 << (row & 7))) === 0;
}

/** The 64-bit integer at a position, rounded to a number. */
export function int64At(view: DataView, at: number): number {
  return view.getInt32(at + 4, true) * 2 ** 32 + view.getUint32(at, true);
}

/** Index of the run that contains a row of a RUN_ENDS column. */
export function runOf({ children }: Column, row: number): number {
  const ends = children[0]!;
  let low = 0;
  for (let high = ends.length - 1; low < high;) {
    const middle = (low + high) >> 1;
    if (runEnd(ends, middle) > row) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The row after a run, by the column of run ends. */
export function runEnd({ field: { kind }, source: { view }, values }: Column, run: number): number {
  if (kind === INT16) return view.getInt16(values + run * 2, true);
  return kind === INT32 ? view.getInt32(values + run * 4, true) : int64At(view, values + run * 8);
}

/** The index of a dictionary's value in a row. */
export function indexAt({ field, source: { view }, values }: Column, row: number): number {
  const { width } = field;
  if (width === 1) return view.getUint8(values + row);
  if (width === 2) return view.getUint16(values + row * 2, true);
  return width === 4 ? view.getUint32(values + row * 4, true) : int64At(view, values + row * 8);
}

/** Offset `index` of text, bytes or lists. */
export function offsetAt(view: DataView, at: number, index: number, width: number): number {
  return width === 4 ? view.getInt32(at + index * 4, true) : int64At(view, at + index * 8);
}

const range = { from: 0, to: 0 };

/** Positions of the text or bytes of a row, whose column has offsets or views. The next call changes the result. */
export function textRange({ field: { kind, width }, source: { view }, values, data, buffers }: Column, row: number): { from: number; to: number } {
  if (kind === UTF8 || kind === BINARY) {
    range.from = data + offsetAt(view, values, row, width);
    range.to = data + offsetAt(view, values, row + 1, width);
    return range;
  }
  // int32 length; then up to 12 bytes, or the first 4 bytes, int32 buffer, int32 offset
  const at = values + row * VIEW_BYTES;
  const length = view.getInt32(at, true);
  range.from = length <= INLINE ? at + 4 : buffers[view.getInt32(at + 8, true)]! + view.getInt32(at + 12, true);
  range.to = range.from + length;
  return range;
}
