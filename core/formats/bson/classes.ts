import type { Limits } from '../../limits.ts';
import type { Sink } from '../../reading/sink.ts';
import { textFor } from '../../bytes/text/text-for.ts';
import type { BsonOptions } from './options.ts';
import { regExpFlags } from './read/plain.ts';
import { BINARY, CODE, DB_REF, DECIMAL128, DOUBLE, INT32, LONG, MAX_KEY, MIN_KEY, OBJECT_ID, REGEXP, SYMBOL, TIMESTAMP } from './revive.ts';
import { toHex } from './read/text.ts';
import { sendInt64 } from '../../reading/int64.ts';
import { type RegExpParts, readNear, Values } from './read/values.ts';

/** Sends tagged values, from which `revive` makes instances of the bson package's classes. */
export class ClassValues extends Values {
  readonly direct: boolean;
  readonly #int64: BsonOptions['int64'];
  readonly #s: string;

  constructor(sink: Sink, limits: Limits, options: BsonOptions) {
    super(sink, limits);
    this.direct = options.promoteValues ?? true;
    this.#int64 = options.int64;
    this.#s = options.regExpS === 'dotAll' ? 's' : 'g';
  }

  double(at: number, start: number, next: number): void {
    this.sink.beginTagged(DOUBLE, start, at);
    this.sink.float(this.view.getFloat64(at, true), at, next);
    this.sink.endTagged(next);
  }

  int32(at: number, start: number, next: number): void {
    this.sink.beginTagged(INT32, start, at);
    this.sink.integer(this.view.getInt32(at, true), at, next);
    this.sink.endTagged(next);
  }

  int64(at: number, start: number, next: number): void {
    const { view } = this;
    const mode = this.#int64 ?? 'auto';
    if (this.direct && (mode !== 'auto' || Number.isSafeInteger(readNear(view, at)))) {
      sendInt64(this.sink, mode, view.getUint32(at, true), view.getInt32(at + 4, true), start, next);
      return;
    }
    this.sink.beginTagged(LONG, start, at);
    this.sink.bigint(this.view.getBigInt64(at, true), at, next);
    this.sink.endTagged(next);
  }

  date(at: number, start: number, next: number): void {
    this.sink.date(this.milliseconds(at), start, next);
  }

  undefined(start: number, next: number): void {
    this.sink.undefined(start, next);
  }

  objectId(at: number, start: number, next: number): void {
    this.sink.beginTagged(OBJECT_ID, start, at);
    this.sink.text(toHex(this.bytes, at, 12), at, next);
    this.sink.endTagged(next);
  }

  timestamp(at: number, start: number, next: number): void {
    const { sink, view } = this;
    sink.beginTagged(TIMESTAMP, start, at);
    sink.beginArray(2, at, at);
    sink.integer(view.getUint32(at + 4, true), at + 4, at + 8);
    sink.integer(view.getUint32(at, true), at, at + 4);
    sink.endArray(next);
    sink.endTagged(next);
  }

  decimal128(at: number, start: number, next: number): void {
    this.sink.beginTagged(DECIMAL128, start, at);
    this.sink.binary(0, at, at, next);
    this.sink.endTagged(next);
  }

  bound(least: boolean, start: number, next: number): void {
    this.sink.beginTagged(least ? MIN_KEY : MAX_KEY, start, next);
    this.sink.null(next, next);
    this.sink.endTagged(next);
  }

  symbol(start: number, from: number, end: number): void {
    if (!this.direct) this.sink.beginTagged(SYMBOL, start, start);
    this.sink.string(start, from, end);
    if (!this.direct) this.sink.endTagged(end);
  }

  code(start: number, from: number, end: number): void {
    this.beginCode(start, from, end);
    this.endCode(end);
  }

  beginCode(start: number, from: number, end: number): void {
    this.sink.beginTagged(CODE, start, start);
    this.sink.beginArray(-1, start, start);
    this.sink.string(start, from, end);
  }

  endCode(end: number): void {
    this.sink.endArray(end);
    this.sink.endTagged(end);
  }

  binary(subtype: number, start: number, from: number, end: number): void {
    const { sink } = this;
    sink.beginTagged(BINARY, start, from);
    sink.beginArray(2, start, start);
    sink.integer(subtype, start, from);
    sink.binary(0, from, from, end);
    sink.endArray(end);
    sink.endTagged(end);
  }

  regExp({ pattern, patternEnd, options, optionsEnd }: RegExpParts, start: number, next: number): void {
    const { sink } = this;
    const text = textFor(sink, this.bytes, options, optionsEnd, this.base);
    sink.beginTagged(this.direct ? 'RegExp' : REGEXP, start, pattern);
    sink.beginArray(2, pattern, pattern);
    sink.string(pattern, pattern, patternEnd);
    sink.text(this.direct ? regExpFlags(text, this.#s) : text, options, optionsEnd);
    sink.endArray(next);
    sink.endTagged(next);
  }

  pointer(start: number, from: number, end: number, id: number): void {
    const { sink } = this;
    sink.beginTagged(DB_REF, start, start);
    sink.beginArray(2, start, start);
    sink.string(start, from, end);
    this.objectId(id, id, id + 12);
    sink.endArray(id + 12);
    sink.endTagged(id + 12);
  }
}
