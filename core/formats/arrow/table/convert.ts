import { ByteList, HIGH_BITS } from '../../../bytes/byte-list.ts';
import {
  KIND_BIGINT64,
  KIND_BOOLEAN,
  KIND_DATE,
  KIND_DICTIONARY,
  KIND_EMPTY,
  KIND_FLOAT64,
  KIND_INT32,
  KIND_TEXT,
  KIND_VARIANT,
  STATE_NULL,
} from '../../../block/block.ts';
import { validateUtf8 } from '../../../bytes/text/text.ts';
import { decimalNumber } from '../../../bytes/decimal.ts';
import { readFloat16 } from '../../../bytes/numbers.ts';
import type { TableColumn } from '../../../format/table-reader.ts';
import type { ArrowOptions } from '../options.ts';
import type { Budget } from '../../../budget.ts';
import { checkedIndexAt, type Column, indexAt, isNull, offsetAt, textRange, VIEW_BYTES } from '../read/column.ts';
import { checkedDate, milliseconds, unscaledAt } from '../read/scalars.ts';
import {
  BOOL,
  DAYS,
  DECIMAL,
  DICTIONARY,
  type Field,
  FLOAT16,
  FLOAT32,
  FLOAT64,
  INSTANT,
  INT16,
  INT32,
  INT64,
  INT8,
  NULL,
  UINT16,
  UINT32,
  UINT64,
  UINT8,
  UTF8,
  UTF8_VIEW,
} from '../read/schema.ts';

const DAY_MS = 86_400_000;
const NO_BYTES = new Uint8Array(0);
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Settings of a conversion: the options, the bytes of the longest text, and the budget for text that is copied. */
export interface ConvertSetting {
  readonly options: ArrowOptions;
  readonly longest: number;
  readonly budget: Budget;
}

/**
 * Converts rows of a column, the first a multiple of 8, and checks them: throws a DecodeError for an offset or an index
 * out of range. Text that is not UTF-8 or too long becomes KIND_VARIANT, so that reading it reports the error. The data of
 * rows that are null has no meaning.
 */
export function convertColumn(whole: Column, from: number, to: number, { options, longest, budget }: ConvertSetting): TableColumn {
  const column = rowsOf(whole, from, to);
  const { int64 = 'auto', decimals } = options;
  const { field, length } = column;
  switch (field.kind) {
    case NULL:
      return made(column, KIND_EMPTY, NO_BYTES, new Uint8Array(length).fill(STATE_NULL));
    case BOOL:
      return made(column, KIND_BOOLEAN, booleans(column));
    case INT8:
      return made(
        column,
        KIND_INT32,
        fill(new Int32Array(length), column, (view, at) => view.getInt8(at)),
      );
    case UINT8:
      return made(
        column,
        KIND_INT32,
        fill(new Int32Array(length), column, (view, at) => view.getUint8(at)),
      );
    case INT16:
      return made(
        column,
        KIND_INT32,
        fill(new Int32Array(length), column, (view, at) => view.getInt16(at, true)),
      );
    case UINT16:
      return made(
        column,
        KIND_INT32,
        fill(new Int32Array(length), column, (view, at) => view.getUint16(at, true)),
      );
    case INT32:
      return made(column, KIND_INT32, viewOf(Int32Array, column));
    case UINT32:
      return made(
        column,
        KIND_FLOAT64,
        fill(new Float64Array(length), column, (view, at) => view.getUint32(at, true)),
      );
    case FLOAT16:
      return made(
        column,
        KIND_FLOAT64,
        fill(new Float64Array(length), column, (view, at) => readFloat16(view.getUint16(at, true))),
      );
    case FLOAT32:
      return made(column, KIND_FLOAT64, Float64Array.from(viewOf(Float32Array, column)));
    case FLOAT64:
      return made(column, KIND_FLOAT64, viewOf(Float64Array, column));
    case DAYS:
      return made(
        column,
        KIND_DATE,
        fill(new Float64Array(length), column, (view, at) => checkedDate(view.getInt32(at, true) * DAY_MS)),
      );
    case INSTANT:
      return made(
        column,
        KIND_DATE,
        fill(new Float64Array(length), column, (view, at) => milliseconds(view, at, field.unit)),
      );
    case INT64:
    case UINT64:
      return longs(column, int64);
    case DECIMAL:
      if (decimals !== 'number') break;
      return made(
        column,
        KIND_FLOAT64,
        fill(new Float64Array(length), column, (view, at) => decimalNumber(unscaledAt(view, at, field.width), field.unit)),
      );
    case UTF8:
    case UTF8_VIEW:
      return (field.kind === UTF8 ? text(column, longest) : gathered(column, longest, budget)) ?? variant(column);
    case DICTIONARY:
      if (column.dictionary && !column.dictionary.texts) break;
      return indices(column);
    default:
  }
  return variant(column);
}

/** Some rows of a column whose values lie one after another. The first is a multiple of 8. */
function rowsOf(column: Column, from: number, to: number): Column {
  const { field, validity, values } = column;
  const { kind, width } = field;
  const bytes = kind === BOOL ? from / 8 : from * (kind === UTF8_VIEW ? VIEW_BYTES : width);
  return { ...column, length: to - from, values: values + bytes, validity: validity < 0 ? validity : validity + from / 8 };
}

function made(column: Column, kind: number, data: TableColumn['data'], states = statesOf(column)): TableColumn {
  return { kind, states, data, dictionary: undefined, bytes: NO_BYTES, ascii: true };
}

function variant(column: Column): TableColumn {
  return made(column, KIND_VARIANT, NO_BYTES);
}

/** A state for each row; undefined if no row is null. */
function statesOf({ validity, length, source }: Column): Uint8Array | undefined {
  if (validity < 0) return undefined;
  const states = new Uint8Array(length);
  for (let row = 0; row < length; row++) {
    const byte = source.bytes[validity + (row >> 3)]!;
    // Most rows have values.
    if (byte === 0xff && (row & 7) === 0) row += 7;
    else if ((byte & (1 << (row & 7))) === 0) states[row] = STATE_NULL;
  }
  return states;
}

type Numbers = Int32Array | Float32Array | Float64Array | BigInt64Array;

/** A view of the values; a copy if they are not aligned. */
function viewOf<Kind extends Numbers>(
  kind: (new (buffer: ArrayBufferLike, at: number, length: number) => Kind) & { BYTES_PER_ELEMENT: number },
  column: Column,
): Kind {
  return wordsAt(kind, column, column.values, column.length);
}

function wordsAt<Words extends Numbers | Uint16Array | Uint32Array>(
  kind: (new (buffer: ArrayBufferLike, at: number, length: number) => Words) & { BYTES_PER_ELEMENT: number },
  { source: { bytes } }: Column,
  at: number,
  length: number,
): Words {
  const start = bytes.byteOffset + at;
  if (start % kind.BYTES_PER_ELEMENT === 0) return new kind(bytes.buffer, start, length);
  return new kind(bytes.slice(at, at + length * kind.BYTES_PER_ELEMENT).buffer, 0, length);
}

function fill<Values extends Int32Array | Float64Array>(
  into: Values,
  { source: { view }, values, field: { width } }: Column,
  read: (view: DataView, at: number) => number,
): Values {
  for (let row = 0, at = values; row < into.length; row++, at += width) into[row] = read(view, at);
  return into;
}

function booleans({ source: { bytes }, values, length }: Column): Uint8Array {
  const bits = new Uint8Array(length);
  for (let row = 0; row < length; row++) bits[row] = (bytes[values + (row >> 3)]! >> (row & 7)) & 1;
  return bits;
}

/** 64-bit integers as numbers or bigints, if all have the same form. */
function longs(column: Column, int64: NonNullable<ArrowOptions['int64']>): TableColumn {
  const { field, length, values, source } = column;
  const { view } = source;
  if (int64 === 'string') return variant(column);
  const isUnsigned = field.kind === UINT64;
  if (int64 === 'bigint') {
    const data = viewOf(BigInt64Array, column);
    // Values of more than 63 bits are negative in this array.
    return isUnsigned && data.some((value) => value < 0n) ? variant(column) : made(column, KIND_BIGINT64, data);
  }
  const data = new Float64Array(length);
  for (let row = 0, at = values; row < length; row++, at += 8) {
    const high = isUnsigned ? view.getUint32(at + 4, true) : view.getInt32(at + 4, true);
    const value = high * 2 ** 32 + view.getUint32(at, true);
    data[row] = value;
    if (int64 === 'auto' && !Number.isSafeInteger(value) && !isNull(column, row)) return variant(column);
  }
  return made(column, KIND_FLOAT64, data);
}

/** Text that is valid as a whole. Undefined if each has to be looked at. */
function text(column: Column, longest: number): TableColumn | undefined {
  const { field, length, source, values, data } = column;
  const { view, bytes } = source;
  const first = checkOffsets(column);
  const all = bytes.subarray(data + first, data + offsetAt(view, values, length, field.width));
  let ends: Uint32Array;
  if (field.width === 4 && first === 0) ends = wordsAt(Uint32Array, column, values + 4, length);
  else {
    ends = new Uint32Array(length);
    for (let row = 0; row < length; row++) ends[row] = offsetAt(view, values, row + 1, field.width) - first;
  }
  if (all.length > longest && ends.some((end, row) => end - (row === 0 ? 0 : ends[row - 1]!) > longest)) return undefined;
  const ascii = isAscii(all);
  if (!ascii && !isText(all, ends)) return undefined;
  return { ...made(column, KIND_TEXT, ends), bytes: all, ascii };
}

/** Checks the offsets of text. Returns the first. */
function checkOffsets(column: Column): number {
  const { field, length, source, values, data, dataEnd } = column;
  const { view } = source;
  const first = offsetAt(view, values, 0, field.width);
  let ascends = first >= 0;
  for (let row = 1, before = first; row <= length; row++) {
    const offset = offsetAt(view, values, row, field.width);
    ascends &&= offset >= before;
    before = offset;
  }
  if (ascends && offsetAt(view, values, length, field.width) <= dataEnd - data) return first;
  for (let row = 0; row < length; row++) textRange(column, row);
  return first;
}

/** True if bytes are UTF-8, and no character is divided. */
function isText(bytes: Uint8Array, ends: Uint32Array): boolean {
  try {
    for (let from = 0; from < bytes.length;) {
      let to = Math.min(from + 65_536, bytes.length);
      while (to < bytes.length && (bytes[to]! & 0xc0) === 0x80 && to > from + 1) to -= 1;
      decoder.decode(bytes.subarray(from, to));
      from = to;
    }
  } catch {
    return false;
  }
  return ends.every((end) => end === bytes.length || (bytes[end]! & 0xc0) !== 0x80);
}

/** True if no byte is above 0x7f. */
function isAscii(bytes: Uint8Array): boolean {
  const head = Math.min(-bytes.byteOffset & 3, bytes.length);
  const words = new Int32Array(bytes.buffer, bytes.byteOffset + head, (bytes.length - head) >> 2);
  let seen = 0;
  for (let at = 0; at < words.length; at++) seen |= words[at]!;
  if ((seen & HIGH_BITS) !== 0) return false;
  for (let at = 0; at < head; at++) seen |= bytes[at]!;
  for (let at = head + words.length * 4; at < bytes.length; at++) seen |= bytes[at]!;
  return (seen & HIGH_BITS) === 0;
}

/** Text of views, one after another. Undefined if some is too long or not UTF-8. */
function gathered(column: Column, longest: number, budget: Budget): TableColumn | undefined {
  const { length, source } = column;
  const list = new ByteList(1024, Math.max(length, 1));
  for (let row = 0; row < length; row++) {
    if (isNull(column, row)) list.append(source.view, 0, 0);
    else {
      const { from, to } = textRange(column, row);
      if (to - from > longest) return undefined;
      // Many views may refer to the same bytes.
      budget.spendBytes(to - from, source.base + from);
      if (!list.append(source.view, from, to) && validateUtf8(source.bytes, from, to) >= 0) return undefined;
    }
  }
  return { ...made(column, KIND_TEXT, list.ends.subarray(0, length)), bytes: list.bytes.subarray(0, list.length), ascii: list.ascii };
}

/** Indices of a dictionary's text. */
function indices(column: Column): TableColumn {
  const { field, length, values, source, dictionary, entries } = column;
  const texts = dictionary?.texts;
  let states = statesOf(column);
  let data: Uint8Array | Uint16Array | Uint32Array;
  if (field.width === 1) data = source.bytes.subarray(values, values + length);
  else if (field.width === 2) data = wordsAt(Uint16Array, column, values, length);
  else if (field.width === 4) data = wordsAt(Uint32Array, column, values, length);
  else data = Uint32Array.from({ length }, (_, row) => toUint32(indexAt(column, row)));
  let highest = 0;
  for (let row = 0; row < length; row++) highest = Math.max(highest, data[row]!);
  // Negative indices are the largest numbers of the array.
  const least = Math.min(entries, isSigned(field.dictionary!.index) ? 2 ** (8 * field.width - 1) : Infinity);
  if (highest >= least) {
    for (let row = 0; row < length; row++) if (!isNull(column, row)) checkedIndexAt(column, row);
    // Indices of nulls may be any number.
    data = data.map((index) => (index < least ? index : 0));
  }
  for (let row = 0; texts?.mayHaveNulls && row < length; row++) {
    if (texts.at(data[row]!) !== null) continue;
    states ??= new Uint8Array(length);
    states[row] = STATE_NULL;
  }
  if (!texts || entries === 0) return made(column, KIND_EMPTY, NO_BYTES, states);
  return { ...made(column, KIND_DICTIONARY, data, states), dictionary };
}

/** The highest number of 32 bits, which is no index, for one that is negative or higher. */
function toUint32(index: number): number {
  return index >= 0 ? Math.min(index, 2 ** 32 - 1) : 2 ** 32 - 1;
}

function isSigned({ kind }: Field): boolean {
  return kind === INT8 || kind === INT16 || kind === INT32 || kind === INT64;
}
