import type { Limits } from '../../../limits.ts';
import { Reader } from '../../../reading/reader.ts';
import type { RecordId, Sink } from '../../../reading/sink.ts';
import type { ProtobufOptions } from '../options.ts';
import { isMessage, NO_TEXT, PLAIN_TEXT, textKind } from './guess.ts';
import { Input } from '../read/input.ts';
import { EGROUP, I32, I64, LEN, SGROUP, VARINT } from '../schema/schema.ts';

/** Keys of a field's record. */
const KEYS = ['field', 'wire', 'guess', 'value'] as const;
const GUESS = 2;
const VALUE = 3;
const WIRE_NAMES = ['varint', 'i64', 'len', 'group', 'group', 'i32'] as const;

/**
 * Reads messages without a schema, for inspection. A message is the list of its fields in payload order. The wire
 * type leaves a value's type open, except for groups; `guess` names the assumed type.
 *
 *     varint    uint64, or int64 if negative
 *     i64       double if it is a plausible number, else fixed64
 *     i32       float if it is a plausible number, else fixed32
 *     len       string, message or bytes, the first that fits; text with line breaks that also parses as a
 *               message is taken for a message
 */
export class SchemalessReader extends Reader {
  readonly #sequence: boolean;
  readonly #numbers: Input;
  readonly #record: RecordId;
  /** For each open message or group, its end as an input offset and its field number (0 for a message). */
  readonly #ends: number[] = [];
  readonly #groups: number[] = [];
  #started = false;
  #values = 1;

  constructor(sink: Sink, options: ProtobufOptions, limits: Limits) {
    super(sink, limits);
    this.#sequence = options.sequence ?? false;
    this.#numbers = new Input(sink, limits);
    this.#record = sink.defineRecord(KEYS);
  }

  protected read(bytes: Uint8Array, view: DataView, from: number, to: number): number {
    const numbers = this.#numbers;
    numbers.useWindow(bytes, view, this.base);
    if (!this.#started) {
      this.#started = true;
      this.sink.beginArray(-1, from, from);
      if (!this.#sequence) this.#push(Infinity, 0, from);
    }
    let at = from;
    for (;;) {
      const depth = this.#ends.length;
      if (depth > 0 && this.#groups[depth - 1] === 0 && at >= this.#ends[depth - 1]! - this.base) {
        this.#close(at);
        continue;
      }
      if (at >= to) return at;
      const next = depth > 0 ? this.#field(bytes, view, at, to) : this.#message(bytes, at, to);
      if (next < 0) return at;
      at = next;
    }
  }

  protected finish(): void {
    const isWhole = this.#sequence ? this.#ends.length === 0 : this.#ends.length <= 1;
    if (!isWhole) this.fail('truncated', 'the input ends inside a group', 0);
    if (!this.#started) this.sink.beginArray(-1, 0, 0);
    this.sink.endArray(0);
  }

  /** Reads the next message of a sequence. */
  #message(bytes: Uint8Array, at: number, to: number): number {
    const from = this.#varintEnd(bytes, at, to, 5);
    if (from < 0) return -1;
    const end = from + this.#numbers.varint(at, from);
    if (!this.#isWhole(at, end, to)) return -1;
    if (!isMessage(bytes, from, end)) this.fail('malformed', 'a message that does not consist of fields', from);
    this.#count(1, at);
    this.sink.beginArray(-1, at, from);
    this.#push(this.base + end, 0, at);
    return from;
  }

  /** Reads a field. Returns the position after it or after its head, −1 if it is incomplete. */
  #field(bytes: Uint8Array, view: DataView, at: number, to: number): number {
    const { sink } = this;
    const value = this.#varintEnd(bytes, at, to, 5);
    if (value < 0) return -1;
    const tag = this.#numbers.varint(at, value);
    if (tag < 8) this.fail('malformed', 'invalid field number 0', at);
    if (tag > 0xffffffff) this.fail('malformed', 'a tag has more than 32 bits', at);
    const wire = tag & 7;
    const number = tag >>> 3;
    let next = value;
    let from = value;
    if (wire === VARINT) {
      next = this.#varintEnd(bytes, value, to, 10);
    } else if (wire === LEN) {
      from = this.#varintEnd(bytes, value, to, 5);
      if (from >= 0) next = from + this.#numbers.varint(value, from);
      if (next - from > this.limits.binaryLength) this.exceed('binaryLength', value);
    } else if (wire === I64 || wire === I32) {
      next += wire === I64 ? 8 : 4;
    } else if (wire === EGROUP) {
      if (this.#groups.at(-1) !== number) this.fail('malformed', 'end of a group that is not open', at);
      this.#close(value);
      return value;
    } else if (wire !== SGROUP) {
      this.fail('malformed', `invalid wire type ${wire}`, at);
    }
    if (next < 0 || from < 0 || !this.#isWhole(at, next, to)) return -1;

    this.#count(4, at);
    sink.beginRecord(this.#record, at, at);
    sink.field(0, at, at);
    sink.integer(number, at, value);
    sink.field(1, at, at);
    sink.text(WIRE_NAMES[wire] ?? '', at, value);
    if (wire === LEN) return this.#len(bytes, value, from, next);
    if (wire === SGROUP) {
      sink.field(VALUE, value, value);
      sink.beginArray(-1, value, value);
      this.#push(Infinity, number, at);
      return value;
    }
    this.#scalar(wire, bytes, view, value, next);
    sink.endRecord(next);
    return next;
  }

  #scalar(wire: number, bytes: Uint8Array, view: DataView, at: number, end: number): void {
    if (wire === VARINT) {
      let value = 0n;
      for (let p = end - 1; p >= at; p -= 1) value = (value << 7n) | BigInt(bytes[p]! & 0x7f);
      const isNegative = BigInt.asIntN(64, value) < 0n;
      this.#guess(isNegative ? 'int64' : 'uint64', at);
      this.#integer(isNegative ? BigInt.asIntN(64, value) : value, at, end);
    } else if (wire === I64) {
      const value = view.getFloat64(at, true);
      const isDouble = value === 0 || (Math.abs(value) > 1e-9 && Math.abs(value) < 1e18);
      this.#guess(isDouble ? 'double' : 'fixed64', at);
      if (isDouble) this.sink.float(value, at, end);
      else this.#integer(view.getBigUint64(at, true), at, end);
    } else {
      const value = view.getFloat32(at, true);
      const isFloat = value === 0 || (Math.abs(value) > 1e-6 && Math.abs(value) < 1e12);
      this.#guess(isFloat ? 'float' : 'fixed32', at);
      if (isFloat) this.sink.float(value, at, end);
      else this.sink.integer(view.getUint32(at, true), at, end);
    }
  }

  /** Sends the value of a length-delimited field; the length is in `at..from`. */
  #len(bytes: Uint8Array, at: number, from: number, end: number): number {
    const { sink } = this;
    const text = textKind(bytes, from, end);
    // A message adds a record and a list per field to the depth.
    const fits = (this.#ends.length + 1) * 2 < this.limits.depth;
    if (text !== PLAIN_TEXT && fits && from < end && isMessage(bytes, from, end)) {
      this.#guess('message', at);
      sink.beginArray(-1, at, from);
      this.#push(this.base + end, 0, at);
      return from;
    }
    const isText = text !== NO_TEXT && end - from <= this.limits.stringLength;
    this.#guess(isText ? 'string' : 'bytes', at);
    if (isText) sink.string(at, from, end);
    else sink.binary(0, at, from, end);
    sink.endRecord(end);
    return end;
  }

  #guess(name: string, at: number): void {
    this.sink.field(GUESS, at, at);
    this.sink.text(name, at, at);
    this.sink.field(VALUE, at, at);
  }

  #integer(value: bigint, start: number, end: number): void {
    const near = Number(value);
    if (Number.isSafeInteger(near)) this.sink.integer(near, start, end);
    else this.sink.bigint(value, start, end);
  }

  #push(end: number, group: number, at: number): void {
    if (this.#ends.length * 2 + 1 > this.limits.depth) this.exceed('depth', at);
    this.#ends.push(end);
    this.#groups.push(group);
  }

  /** Ends a message or group, and the field that contains it unless it is a root. */
  #close(at: number): void {
    this.#ends.pop();
    this.#groups.pop();
    this.sink.endArray(at);
    if (this.#ends.length > 0) this.sink.endRecord(at);
  }

  #count(values: number, at: number): void {
    this.#values += values;
    if (this.#values > this.limits.values) this.exceed('values', at);
  }

  #varintEnd(bytes: Uint8Array, at: number, to: number, most: number): number {
    for (let p = at; p < to; p += 1) {
      if (bytes[p]! < 0x80) return p + 1;
      if (p === at + most - 1) this.fail('malformed', most === 5 ? 'a tag or a length has more than 5 bytes' : 'a varint has more than 10 bytes', at);
    }
    return -1;
  }

  #isWhole(at: number, next: number, to: number): boolean {
    if (next <= to) return true;
    this.needed = next - at;
    return false;
  }
}
