import type { Limits } from '../../../limits.ts';
import type { Sink } from '../../../reading/sink.ts';
import { textFor } from '../../../bytes/text/text-for.ts';
import { formatDecimal128 } from '../decimal128.ts';
import { toBase64, toHex } from './text.ts';
import { readMilliseconds, readNear, type RegExpParts, Values } from './values.ts';

const NUMBER_DOUBLE = ['$numberDouble'];
const NUMBER_INT = ['$numberInt'];
const NUMBER_LONG = ['$numberLong'];
const NUMBER_DECIMAL = ['$numberDecimal'];
const DATE = ['$date'];
const UNDEFINED = ['$undefined'];
const OID = ['$oid'];
const TIMESTAMP = ['$timestamp'];
const TIMESTAMP_PARTS = ['t', 'i'];
const MIN_KEY = ['$minKey'];
const MAX_KEY = ['$maxKey'];
const SYMBOL = ['$symbol'];
const CODE = ['$code'];
const CODE_WITH_SCOPE = ['$code', '$scope'];
const BINARY = ['$binary'];
const BINARY_PARTS = ['base64', 'subType'];
const REGEXP = ['$regularExpression'];
const REGEXP_PARTS = ['pattern', 'options'];
const POINTER = ['$dbPointer'];
const POINTER_PARTS = ['$ref', '$id'];
/** The first millisecond of the year 10000. Dates from there on have no ISO form. */
const YEAR_10000 = 253_402_300_800_000;

/**
 * Sends the objects of MongoDB Extended JSON v2
 * (https://github.com/mongodb/specifications/blob/master/source/extended-json/extended-json.md).
 */
export class ExtendedValues extends Values {
  readonly direct: boolean = false;
  readonly #relaxed: boolean;

  constructor(sink: Sink, limits: Limits, relaxed: boolean) {
    super(sink, limits);
    this.#relaxed = relaxed;
  }

  double(at: number, start: number, next: number): void {
    const value = this.view.getFloat64(at, true);
    if (this.#relaxed && Number.isFinite(value)) this.sink.float(value, start, next);
    else this.textRecord(NUMBER_DOUBLE, formatDouble(value), start, next);
  }

  int32(at: number, start: number, next: number): void {
    const value = this.view.getInt32(at, true);
    if (this.#relaxed) this.sink.integer(value, start, next);
    else this.textRecord(NUMBER_INT, String(value), start, next);
  }

  int64(at: number, start: number, next: number): void {
    if (!this.#relaxed) {
      this.textRecord(NUMBER_LONG, this.view.getBigInt64(at, true).toString(), start, next);
      return;
    }
    const near = readNear(this.view, at);
    if (Number.isSafeInteger(near)) this.sink.integer(near, start, next);
    else this.sink.float(near, start, next);
  }

  date(at: number, start: number, next: number): void {
    const { sink, view } = this;
    const milliseconds = readMilliseconds(view, at);
    if (this.#relaxed && milliseconds >= 0 && milliseconds < YEAR_10000) {
      const text = new Date(milliseconds).toISOString();
      // Omits milliseconds if they are zero.
      this.textRecord(DATE, milliseconds % 1000 === 0 ? `${text.slice(0, -5)}Z` : text, start, next);
      return;
    }
    this.beginRecord(DATE, start, start);
    sink.field(0, start, start);
    this.textRecord(NUMBER_LONG, view.getBigInt64(at, true).toString(), start, next);
    sink.endRecord(next);
  }

  undefined(start: number, next: number): void {
    this.beginRecord(UNDEFINED, start, start);
    this.sink.field(0, start, start);
    this.sink.boolean(true, start, next);
    this.sink.endRecord(next);
  }

  objectId(at: number, start: number, next: number): void {
    this.textRecord(OID, toHex(this.bytes, at, 12), start, next);
  }

  timestamp(at: number, start: number, next: number): void {
    const { sink, view } = this;
    this.beginRecord(TIMESTAMP, start, start);
    sink.field(0, start, start);
    this.beginRecord(TIMESTAMP_PARTS, start, start);
    sink.field(0, at + 4, at + 4);
    sink.integer(view.getUint32(at + 4, true), at + 4, at + 8);
    sink.field(1, at, at);
    sink.integer(view.getUint32(at, true), at, at + 4);
    sink.endRecord(next);
    sink.endRecord(next);
  }

  decimal128(at: number, start: number, next: number): void {
    this.textRecord(NUMBER_DECIMAL, formatDecimal128(this.view, at), start, next);
  }

  bound(least: boolean, start: number, next: number): void {
    this.beginRecord(least ? MIN_KEY : MAX_KEY, start, start);
    this.sink.field(0, start, start);
    this.sink.integer(1, start, next);
    this.sink.endRecord(next);
  }

  symbol(start: number, from: number, end: number): void {
    this.#rangeRecord(SYMBOL, start, from, end);
  }

  code(start: number, from: number, end: number): void {
    this.#rangeRecord(CODE, start, from, end);
  }

  beginCode(start: number, from: number, end: number): void {
    this.beginRecord(CODE_WITH_SCOPE, start, start);
    this.sink.field(0, start, start);
    this.sink.string(start, from, end);
    this.sink.field(1, end, end);
  }

  endCode(end: number): void {
    this.sink.endRecord(end);
  }

  binary(subtype: number, start: number, from: number, end: number): void {
    const { sink } = this;
    this.checkText(Math.ceil((end - from) / 3) * 4, start);
    this.beginRecord(BINARY, start, start);
    sink.field(0, start, start);
    this.beginRecord(BINARY_PARTS, start, start);
    sink.field(0, from, from);
    sink.text(toBase64(this.bytes, from, end), from, end);
    sink.field(1, start, start);
    sink.text(subtype.toString(16).padStart(2, '0'), start, from);
    sink.endRecord(end);
    sink.endRecord(end);
  }

  regExp({ pattern, patternEnd, options, optionsEnd }: RegExpParts, start: number, next: number): void {
    const { sink } = this;
    this.beginRecord(REGEXP, start, start);
    sink.field(0, start, start);
    this.beginRecord(REGEXP_PARTS, start, start);
    sink.field(0, pattern, pattern);
    sink.string(pattern, pattern, patternEnd);
    sink.field(1, options, options);
    const text = textFor(sink, this.bytes, options, optionsEnd, this.base);
    sink.text(Array.from(text).toSorted().join(''), options, optionsEnd);
    sink.endRecord(next);
    sink.endRecord(next);
  }

  pointer(start: number, from: number, end: number, id: number): void {
    const { sink } = this;
    this.beginRecord(POINTER, start, start);
    sink.field(0, start, start);
    this.beginRecord(POINTER_PARTS, start, start);
    sink.field(0, start, start);
    sink.string(start, from, end);
    sink.field(1, id, id);
    this.objectId(id, id, id + 12);
    sink.endRecord(id + 12);
    sink.endRecord(id + 12);
  }

  #rangeRecord(keys: readonly string[], start: number, from: number, end: number): void {
    this.beginRecord(keys, start, start);
    this.sink.field(0, start, start);
    this.sink.string(start, from, end);
    this.sink.endRecord(end);
  }
}

/** The text of a double, in a form that differs from an integer's: 1 is `1.0`. */
function formatDouble(value: number): string {
  if (Object.is(value, -0)) return '-0.0';
  return Number.isInteger(value) ? value.toFixed(1) : String(value);
}
