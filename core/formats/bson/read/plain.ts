import type { Limits } from '../../../limits.ts';
import { BINARY_KINDS, type Sink } from '../../../reading/sink.ts';
import { textFor } from '../../../bytes/text/text-for.ts';
import type { BsonOptions } from '../options.ts';
import { formatDecimal128 } from '../decimal128.ts';
import { ExtendedValues } from './extended.ts';
import { toHex, toUuid } from './text.ts';
import { UUID, VECTOR } from '../types.ts';
import { sendInt64 } from '../../../reading/int64.ts';
import type { RegExpParts } from './values.ts';

const POINTER = ['$ref', '$id'];
const BYTES = BINARY_KINDS.indexOf('Uint8Array');
const INT8S = BINARY_KINDS.indexOf('Int8Array');
const FLOAT32S = BINARY_KINDS.indexOf('Float32Array');

/** Sends JavaScript's own types, and objects of Extended JSON for other types. */
export class PlainValues extends ExtendedValues {
  override readonly direct = true;
  readonly #int64: BsonOptions['int64'];
  readonly #s: string;

  constructor(sink: Sink, limits: Limits, options: BsonOptions) {
    super(sink, limits, true);
    this.#int64 = options.int64;
    this.#s = options.regExpS === 'dotAll' ? 's' : 'g';
  }

  override int64(at: number, start: number, next: number): void {
    sendInt64(this.sink, this.#int64 ?? 'auto', this.view.getUint32(at, true), this.view.getInt32(at + 4, true), start, next);
  }

  override undefined(start: number, next: number): void {
    this.sink.undefined(start, next);
  }

  override objectId(at: number, start: number, next: number): void {
    this.sink.text(toHex(this.bytes, at, 12), start, next);
  }

  override decimal128(at: number, start: number, next: number): void {
    this.sink.text(formatDecimal128(this.view, at), start, next);
  }

  override symbol(start: number, from: number, end: number): void {
    this.sink.string(start, from, end);
  }

  override binary(subtype: number, start: number, from: number, end: number): void {
    const { sink } = this;
    if (subtype === UUID && end - from === 16) {
      sink.text(toUuid(this.bytes, from), start, end);
      return;
    }
    // A vector: type of its elements, padding, elements (BSON binary vector specification).
    if (subtype === VECTOR && end - from >= 2 && this.bytes[from + 1] === 0) {
      const type = this.bytes[from]!;
      if (type === 0x03) {
        sink.binary(INT8S, start, from + 2, end);
        return;
      }
      if (type === 0x27 && (end - from) % 4 === 2) {
        sink.binary(FLOAT32S, start, from + 2, end);
        return;
      }
    }
    sink.binary(BYTES, start, from, end);
  }

  override regExp({ pattern, patternEnd, options, optionsEnd }: RegExpParts, start: number, next: number): void {
    const { sink } = this;
    sink.beginTagged('RegExp', start, pattern);
    sink.beginArray(2, pattern, pattern);
    sink.string(pattern, pattern, patternEnd);
    sink.text(regExpFlags(textFor(sink, this.bytes, options, optionsEnd, this.base), this.#s), options, optionsEnd);
    sink.endArray(next);
    sink.endTagged(next);
  }

  override pointer(start: number, from: number, end: number, id: number): void {
    const { sink } = this;
    this.beginRecord(POINTER, start, start);
    sink.field(0, start, start);
    sink.string(start, from, end);
    sink.field(1, id, id);
    this.objectId(id, id, id + 12);
    sink.endRecord(id + 12);
  }
}

/** JavaScript's flags for BSON's options i, m and s. JavaScript has no equivalent of the others. */
export function regExpFlags(options: string, s: string): string {
  return options.replaceAll(/[^ims]/g, '').replace('s', s);
}
