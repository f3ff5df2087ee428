import type { Budget } from '../../../budget.ts';
import { decimalNumber, decimalText } from '../../../bytes/decimal.ts';
import { readFloat16 } from '../../../bytes/numbers.ts';
import { textFor } from '../../../bytes/text/text-for.ts';
import { DecodeError, LimitError } from '../../../errors.ts';
import type { Limits } from '../../../limits.ts';
import { sendInt64 } from '../../../reading/int64.ts';
import type { Sink } from '../../../reading/sink.ts';
import type { ArrowOptions } from '../options.ts';
import { checkedIndexAt, type Column, type DictionaryValues, INLINE, isNull, listRange, memberAt, runOf, type Source, textRange } from './column.ts';
import { checkedDate, milliseconds, unscaledAt } from './scalars.ts';
import {
  BINARY,
  BINARY_VIEW,
  BOOL,
  DAY_TIME,
  DAYS,
  DECIMAL,
  DENSE_UNION,
  DICTIONARY,
  type Field,
  FIXED_BINARY,
  FIXED_LIST,
  FLOAT16,
  FLOAT32,
  FLOAT64,
  INSTANT,
  INT16,
  INT32,
  INT64,
  INT8,
  LIST,
  LIST_VIEW,
  MAP,
  MONTH_DAY_NANO,
  RUN_ENDS,
  SPARSE_UNION,
  STRUCT,
  UINT16,
  UINT32,
  UINT64,
  UINT8,
  UTF8,
  UTF8_VIEW,
} from './schema.ts';

const DAY_MS = 86_400_000;

/** Sends the values of opened columns to a sink, and checks them. */
export class ValueSender {
  readonly #sink: Sink;
  readonly #limits: Limits;
  readonly #budget: Budget;
  readonly #int64: NonNullable<ArrowOptions['int64']>;
  readonly #decimals: ArrowOptions['decimals'];
  readonly #maps: ArrowOptions['maps'];
  /** Handles of the keys of structs, and of the records of intervals. */
  readonly #records = new Map<Field, number>();
  #dayTime = -1;
  #monthDayNano = -1;
  /** The announced window, and the place of values that lie outside. */
  #window: Source | undefined;
  #place = 0;
  /** The range of the value that is sent. */
  #start = 0;
  #end = 0;
  /** True if the sink takes the places of offsets and validity. */
  readonly #tellsBeside: boolean;
  /** Greater than 0 inside of values that may be sent any number of times. */
  #shared = 0;

  constructor(sink: Sink, options: ArrowOptions, limits: Limits, budget: Budget) {
    this.#sink = sink;
    this.#tellsBeside = sink.beside !== undefined;
    sink.checkText ??= (length) => this.#checkLength('stringLength', length);
    this.#limits = limits;
    this.#budget = budget;
    this.#int64 = options.int64 ?? 'auto';
    this.#decimals = options.decimals ?? 'string';
    this.#maps = options.maps ?? 'object';
  }

  /** Sends the rows of a record batch as records. The sink knows the batch's bytes as its window. `place` is a position of it. */
  rows(batch: Column, place: number): void {
    this.#window = batch.source;
    this.#place = place;
    for (let row = 0; row < batch.length; row++) this.#struct(batch, row);
  }

  /** Sends rows of a column as a list. The sink knows the column's bytes as its window. `place` is a position of its record batch. */
  list(column: Column, from: number, to: number, place: number): void {
    this.#window = column.source;
    this.#place = place;
    this.#list(column, from, to);
  }

  /** Sends a value of a column. */
  send(column: Column, row: number): void {
    const { field, source, values } = column;
    const { kind, width } = field;
    const sink = this.#sink;
    const { view } = source;
    const at = values + row * width;
    if (source === this.#window) {
      this.#start = at;
      this.#end = at + width;
    } else this.#start = this.#end = this.#place;
    if (this.#tellsBeside && source === this.#window) this.#beside(column, row);
    if (this.#shared > 0) this.#budget.spendShared(1, this.#offset);
    if (isNull(column, row)) {
      // Values cannot share text or items if all offsets ascend, those of nulls included.
      if (kind === UTF8 || kind === BINARY) textRange(column, row);
      else if (kind === LIST || kind === MAP) listRange(column, row);
      return sink.null(this.#start, this.#end);
    }
    switch (kind) {
      case BOOL: {
        const byte = values + (row >> 3);
        if (source === this.#window) this.#end = (this.#start = byte) + 1;
        return sink.boolean((source.bytes[byte]! & (1 << (row & 7))) !== 0, this.#start, this.#end);
      }
      case INT8:
        return sink.integer(view.getInt8(at), this.#start, this.#end);
      case UINT8:
        return sink.integer(view.getUint8(at), this.#start, this.#end);
      case INT16:
        return sink.integer(view.getInt16(at, true), this.#start, this.#end);
      case UINT16:
        return sink.integer(view.getUint16(at, true), this.#start, this.#end);
      case INT32:
        return sink.integer(view.getInt32(at, true), this.#start, this.#end);
      case UINT32:
        return sink.integer(view.getUint32(at, true), this.#start, this.#end);
      case INT64:
        return sendInt64(sink, this.#int64, view.getUint32(at, true), view.getInt32(at + 4, true), this.#start, this.#end);
      case UINT64:
        return sendInt64(sink, this.#int64, view.getUint32(at, true), view.getUint32(at + 4, true), this.#start, this.#end);
      case FLOAT16:
        return sink.float(readFloat16(view.getUint16(at, true)), this.#start, this.#end);
      case FLOAT32:
        return sink.float(view.getFloat32(at, true), this.#start, this.#end);
      case FLOAT64:
        return sink.float(view.getFloat64(at, true), this.#start, this.#end);
      case DECIMAL: {
        const unscaled = unscaledAt(view, at, width);
        if (this.#decimals === 'number') return sink.float(decimalNumber(unscaled, field.unit), this.#start, this.#end);
        return sink.text(decimalText(unscaled, field.unit, this.#budget, this.#offset), this.#start, this.#end);
      }
      case DAYS:
        return sink.date(checkedDate(view.getInt32(at, true) * DAY_MS), this.#start, this.#end);
      case INSTANT:
        return sink.date(milliseconds(view, at, field.unit), this.#start, this.#end);
      case DAY_TIME:
        return this.#interval((this.#dayTime = this.#define(this.#dayTime, ['days', 'milliseconds'])), view, at, false);
      case MONTH_DAY_NANO:
        return this.#interval((this.#monthDayNano = this.#define(this.#monthDayNano, ['months', 'days', 'nanoseconds'])), view, at, true);
      case FIXED_BINARY:
        return this.#binary(source, at, at + width);
      case BINARY:
      case BINARY_VIEW: {
        const { from, to } = textRange(column, row);
        if (kind === BINARY_VIEW) this.#spendView(to - from);
        return this.#binary(source, from, to);
      }
      case UTF8:
      case UTF8_VIEW: {
        const { from, to } = textRange(column, row);
        if (kind === UTF8_VIEW) this.#spendView(to - from);
        return this.#text(source, from, to);
      }
      case LIST: {
        const { from, to } = listRange(column, row);
        return this.#list(column.children[0]!, from, to);
      }
      case FIXED_LIST:
        return this.#list(column.children[0]!, row * field.unit, (row + 1) * field.unit);
      case LIST_VIEW: {
        const { from, to } = listRange(column, row);
        this.#shared++;
        this.#list(column.children[0]!, from, to);
        this.#shared--;
        return undefined;
      }
      case STRUCT:
        return this.#struct(column, row);
      case MAP: {
        const { from, to } = listRange(column, row);
        return this.#map(column.children[0]!, from, to);
      }
      case SPARSE_UNION:
        return this.send(memberAt(column, row).column, row);
      case DENSE_UNION: {
        const member = memberAt(column, row);
        return this.#again(member.column, member.row);
      }
      case RUN_ENDS:
        return this.#again(column.children[1]!, runOf(column, row));
      case DICTIONARY:
        return this.#entry(column, row);
      default:
        return sink.null(this.#start, this.#end);
    }
  }

  /** Announces the bytes outside a value that it is read by. */
  #beside({ field: { kind, width }, source, validity, values, data }: Column, row: number): void {
    const sink = this.#sink;
    const at = values + row * width;
    if (validity >= 0) sink.beside!('validity', validity + (row >> 3), row & 7);
    switch (kind) {
      case UTF8:
      case BINARY:
      case LIST:
      case MAP:
        return sink.beside!('offsets', at, 2 * width);
      case LIST_VIEW:
        sink.beside!('offsets', at, width);
        return sink.beside!('offsets', data + row * width, width);
      case UTF8_VIEW:
      case BINARY_VIEW:
        return sink.beside!('view', at, source.view.getInt32(at, true) <= INLINE ? 4 : width);
      case DICTIONARY:
        return sink.beside!('index', at, width);
      case DENSE_UNION:
        sink.beside!('offsets', data + row * 4, 4);
        return sink.beside!('type id', values + row, 1);
      case SPARSE_UNION:
        return sink.beside!('type id', values + row, 1);
      default:
        return undefined;
    }
  }

  /** Sends a value that may be sent any number of times. */
  #again(column: Column, row: number): void {
    this.#shared++;
    this.send(column, row);
    this.#shared--;
  }

  #entry(indices: Column, place: number): void {
    const index = checkedIndexAt(indices, place);
    const dictionary: DictionaryValues = indices.dictionary!;
    const { texts } = dictionary;
    const sink = this.#sink;
    if (texts === undefined) {
      const { column, row } = dictionary.find(index);
      return this.#again(column, row);
    }
    const text = texts.at(index);
    if (text === null) return sink.null(this.#start, this.#end);
    // Sinks other than that of objects copy it each time.
    this.#budget.spendBytes(text.length, this.#offset);
    if (sink.constant !== undefined) return sink.constant(texts, index);
    const { view } = texts;
    sink.window(new Uint8Array(view.buffer, view.byteOffset, view.byteLength), view, -1);
    sink.string(texts.start(index), texts.start(index), texts.end(index));
    return this.#announce();
  }

  #struct({ field, children }: Column, row: number): void {
    const sink = this.#sink;
    const { keyed } = field;
    const start = this.#start;
    let record = this.#records.get(field);
    if (record === undefined) this.#records.set(field, (record = sink.defineRecord(field.keys)));
    sink.beginRecord(record, start, start);
    for (let index = 0; index < keyed.length; index++) {
      sink.field(index, start, start);
      this.send(children[keyed[index]!]!, row);
    }
    sink.endRecord(start);
  }

  #list(items: Column, from: number, to: number): void {
    const sink = this.#sink;
    const start = this.#start;
    sink.beginArray(to - from, start, start);
    for (let row = from; row < to; row++) this.send(items, row);
    sink.endArray(start);
  }

  #map({ children }: Column, from: number, to: number): void {
    const sink = this.#sink;
    const [keys, values] = children as [Column, Column];
    const start = this.#start;
    if (this.#maps === 'map' || !isText(keys.field)) {
      sink.beginMap(to - from, start, start);
      for (let row = from; row < to; row++) {
        this.send(keys, row);
        this.send(values, row);
      }
      sink.endMap(start);
    } else {
      sink.beginObject(to - from, start, start);
      for (let row = from; row < to; row++) {
        sink.keyText(this.#keyOf(keys, row), start, start);
        this.send(values, row);
      }
      sink.endObject(start);
    }
  }

  #keyOf(column: Column, row: number): string {
    const { texts } = column.dictionary ?? {};
    let key: string | null = null;
    if (isNull(column, row)) key = null;
    else if (texts) {
      key = texts.at(checkedIndexAt(column, row));
      this.#budget.spendBytes(key?.length ?? 0, this.#offset);
    } else {
      const { from, to } = textRange(column, row);
      this.#checkLength('stringLength', to - from);
      key = textFor(this.#sink, column.source.bytes, from, to, column.source.base);
    }
    if (key === null) throw new DecodeError('malformed', 'a key of a map is null', { offset: this.#offset });
    return key;
  }

  #interval(record: number, view: DataView, at: number, hasMonths: boolean): void {
    const sink = this.#sink;
    const start = this.#start;
    const end = this.#end;
    sink.beginRecord(record, start, start);
    sink.field(0, start, start);
    sink.integer(view.getInt32(at, true), start, end);
    sink.field(1, start, start);
    sink.integer(view.getInt32(at + 4, true), start, end);
    if (hasMonths) {
      sink.field(2, start, start);
      sendInt64(sink, this.#int64, view.getUint32(at + 8, true), view.getInt32(at + 12, true), start, end);
    }
    sink.endRecord(end);
  }

  #text(source: Source, from: number, to: number): void {
    this.#checkLength('stringLength', to - from);
    if (source === this.#window) return this.#sink.string(from, from, to);
    this.#sink.window(source.bytes, source.view, -1);
    this.#sink.string(from, from, to);
    return this.#announce();
  }

  #binary(source: Source, from: number, to: number): void {
    this.#checkLength('binaryLength', to - from);
    if (source === this.#window) return this.#sink.binary(0, from, from, to);
    this.#sink.window(source.bytes, source.view, -1);
    this.#sink.binary(0, from, from, to);
    return this.#announce();
  }

  #announce(): void {
    const { bytes, view, base } = this.#window!;
    this.#sink.window(bytes, view, base);
  }

  #checkLength(limit: 'stringLength' | 'binaryLength', length: number): void {
    if (length > this.#limits[limit]) throw new LimitError(limit, `${limit} limit exceeded (${this.#limits[limit]})`, { offset: this.#offset });
    if (this.#shared > 0) this.#budget.spendBytes(length, this.#offset);
  }

  /** Charges text or bytes to which a view refers, since many views may refer to the same bytes. */
  #spendView(length: number): void {
    if (length > INLINE) this.#budget.spendBytes(length, this.#offset);
  }

  #define(record: number, keys: readonly string[]): number {
    return record < 0 ? this.#sink.defineRecord(keys) : record;
  }

  get #offset(): number {
    return (this.#window?.base ?? 0) + this.#start;
  }
}

function isText({ kind, dictionary }: Field): boolean {
  return kind === UTF8 || kind === UTF8_VIEW || (dictionary !== undefined && isText(dictionary.values));
}
