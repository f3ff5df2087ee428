import { DecodeError } from '../../../errors.ts';
import type { ConstantList } from '../../../reading/sink-methods.ts';
import type { ByteList } from '../../../bytes/byte-list.ts';
import { BINARY, DENSE_UNION, type Field, INT16, INT32, INT8, LIST_VIEW, UINT16, UINT32, UINT8, UTF8 } from './schema.ts';

/** Bytes that columns lie in. */
export interface Source {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  /** Offset of the first byte in the input; for decompressed bytes, that of the body they come from. */
  readonly base: number;
}

/** The text of a dictionary as consecutive UTF-8. */
export interface DictionaryText extends ConstantList {
  /** All of them. Decodes those that were added since it was read last. */
  readonly list: ByteList;
  /** False if no value is null. */
  readonly mayHaveNulls: boolean;
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

/**
 * The values of a field in a batch. Its buffers have as many bytes as its values take; offsets, sizes, indices and type
 * ids in them are checked when they are read. Positions are those of its source.
 */
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
  /** Text and bytes: the position after them. */
  readonly dataEnd: number;
  readonly children: readonly Column[];
  readonly dictionary: DictionaryValues | undefined;
  /** Number of the dictionary's values when the batch began. */
  readonly entries: number;
  /** Positions of the buffers of views: pairs of start and end. */
  readonly buffers: readonly number[];
}

/** A range of positions or rows. */
export interface Range {
  from: number;
  to: number;
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
  switch (field.dictionary!.index.kind) {
    case INT8:
      return view.getInt8(values + row);
    case UINT8:
      return view.getUint8(values + row);
    case INT16:
      return view.getInt16(values + row * 2, true);
    case UINT16:
      return view.getUint16(values + row * 2, true);
    case INT32:
      return view.getInt32(values + row * 4, true);
    case UINT32:
      return view.getUint32(values + row * 4, true);
    default:
      return int64At(view, values + row * 8);
  }
}

/** Like `indexAt`. Throws a DecodeError if the dictionary has no such value. */
export function checkedIndexAt(column: Column, row: number): number {
  const index = indexAt(column, row);
  if (index >= 0 && index < column.entries) return index;
  const { field, dictionary, entries, values } = column;
  const { id } = field.dictionary!;
  const reason = dictionary ? `dictionary ${id} has ${entries} values, and not number ${index}` : `dictionary ${id} is missing`;
  return failAt(column, values + row * field.width, `${reason}, to which the field ${field.name} refers`);
}

/** Offset `index` of text, bytes or lists. */
export function offsetAt(view: DataView, at: number, index: number, width: number): number {
  return width === 4 ? view.getInt32(at + index * 4, true) : int64At(view, at + index * 8);
}

const range: Range = { from: 0, to: 0 };

/**
 * Positions of the text or bytes of a row, whose column has offsets or views. The next call changes the result. Throws a
 * DecodeError if they lie outside of their buffer.
 */
export function textRange(column: Column, row: number): Range {
  const { field, source, values, data, dataEnd, buffers } = column;
  const { view } = source;
  if (field.kind === UTF8 || field.kind === BINARY) return offsetRange(column, row, data, dataEnd - data);
  // int32 length; then up to 12 bytes, or the first 4 bytes, int32 buffer, int32 offset
  const at = values + row * VIEW_BYTES;
  const length = view.getInt32(at, true);
  if (length >= 0 && length <= INLINE) range.from = at + 4;
  else {
    const buffer = view.getInt32(at + 8, true);
    const offset = view.getInt32(at + 12, true);
    range.from = buffers[buffer * 2]! + offset;
    if (length < 0 || offset < 0 || !(range.from + length <= buffers[buffer * 2 + 1]!)) {
      failAt(column, at, `a view of the field ${field.name} extends past its buffer`);
    }
  }
  range.to = range.from + length;
  return range;
}

/** Rows of the child that are the items of a list or the entries of a map, likewise. */
export function listRange(column: Column, row: number): Range {
  const { field, source, values, data, children } = column;
  const { length } = children[0]!;
  if (field.kind !== LIST_VIEW) return offsetRange(column, row, 0, length);
  range.from = offsetAt(source.view, values, row, field.width);
  const size = offsetAt(source.view, data, row, field.width);
  range.to = range.from + size;
  if (range.from < 0 || size < 0 || range.to > length) {
    failAt(column, values + row * field.width, `a list of the field ${field.name} leads past its ${length} values`);
  }
  return range;
}

/** The range between two offsets, from a start on. `most` is the largest offset. */
function offsetRange(column: Column, row: number, start: number, most: number): Range {
  const { field, source, values } = column;
  const { name, width } = field;
  const from = offsetAt(source.view, values, row, width);
  const to = offsetAt(source.view, values, row + 1, width);
  if (from < 0) failAt(column, values + row * width, `offset ${from} of the field ${name} is negative`);
  if (to < from) failAt(column, values + (row + 1) * width, `offset ${to} of the field ${name} follows ${from}`);
  if (to > most) failAt(column, values + (row + 1) * width, `offset ${to} of the field ${name} leads past its ${most} values`);
  range.from = start + from;
  range.to = start + to;
  return range;
}

/** The member of a union in a row, and its row there. Throws a DecodeError for an unknown type id, and an offset out of range. */
export function memberAt(column: Column, row: number): { column: Column; row: number } {
  const { field, source, values, data, children } = column;
  const id = source.view.getInt8(values + row);
  const child = field.childOf!.get(id);
  if (child === undefined) return failAt(column, values + row, `the union ${field.name} has no type id ${id}`);
  const member = children[child]!;
  if (field.kind !== DENSE_UNION) return { column: member, row };
  const offset = source.view.getInt32(data + row * 4, true);
  if (offset < 0 || offset >= member.length) failAt(column, data + row * 4, `offset ${offset} of the union ${field.name} leads out of its member`);
  return { column: member, row: offset };
}

/** Throws a DecodeError for a position of a column's source. */
export function failAt({ source }: Pick<Column, 'source'>, at: number, reason: string): never {
  throw new DecodeError('malformed', reason, { offset: source.base + at });
}
