import { bytesOfBase64 } from '../../../bytes/text/base64.ts';
import { internKey } from '../../../bytes/text/key-cache.ts';
import { textFor } from '../../../bytes/text/text-for.ts';
import { DecodeError } from '../../../errors.ts';
import type { Limits } from '../../../limits.ts';
import type { Sink } from '../../../reading/sink.ts';
import { ENUM_NAME, LIST, MAP, NULL_VALUE, RAW_STRING, SCALAR, UNLESS_ZERO } from '../../protobuf/read/plan.ts';
import { BOOL, BYTES, DOUBLE, ENUM, FIXED64, FLOAT, type ProtobufSchema, STRING, UINT64 } from '../../protobuf/schema/schema.ts';
import type { ProtoJsonOptions } from '../options.ts';
import { hasLoneSurrogate, integerOf, numberOf, shortIntegerOf } from '../text-forms.ts';
import { isLong, isInRange, typeName, shown } from './field-types.ts';
import { IN_MESSAGE, IN_MAP, HOLDER, OpenMessages } from './open-messages.ts';

/** Kinds of a scalar of JSON. `STRING_RANGE` is in the window, `TEXT` given as a string. */
export const NULL = 0;
export const BOOLEAN = 1;
export const NUMBER = 2;
export const STRING_RANGE = 3;
export const TEXT = 4;
export type Kind = 0 | 1 | 2 | 3 | 4;

/** How errors name them. */
export const FOUND = ['null', 'a boolean', 'a number', 'a string', 'a string'] as const;

/** Sends scalars of JSON as those of fields: integers and floats in strings, base64, names of enums. */
export abstract class FieldValues extends OpenMessages {
  readonly repairedText: Sink['repairedText'];
  protected readonly skipsUnknown: boolean;
  /** Range of the string in the window. */
  protected stringStart = 0;
  protected stringEnd = 0;

  constructor(sink: Sink, options: ProtoJsonOptions, limits: Limits, schema: ProtobufSchema | undefined) {
    super(sink, options, limits, schema);
    this.repairedText = sink.repairedText;
    this.skipsUnknown = options.unknown === 'skip';
  }

  /** Sends a scalar of JSON as a scalar of a field's type. */
  protected single(field: number, kind: Kind, value: null | boolean | number | bigint | string, start: number, end: number): void {
    const type = this.plan.type[field]!;
    switch (type) {
      case STRING:
      case RAW_STRING:
        if (kind === STRING_RANGE) {
          if (this.isLeftOut(field, this.stringStart === this.stringEnd)) return;
          this.send(start);
          this.sink.string(start, this.stringStart, this.stringEnd);
        } else if (kind === TEXT) {
          if (hasLoneSurrogate(value as string)) this.fail('the string has a lone surrogate');
          if (this.isLeftOut(field, value === '')) return;
          this.send(start);
          this.sink.text(value as string, start, end);
        } else this.mismatch(FOUND[kind], field);
        return;
      case BOOL:
        if (kind !== BOOLEAN) this.mismatch(FOUND[kind], field);
        if (this.isLeftOut(field, value === false)) return;
        this.send(start);
        this.sink.boolean(value as boolean, start, end);
        return;
      case BYTES:
        this.#bytes(field, kind, value, start, end);
        return;
      case DOUBLE:
      case FLOAT:
        this.#float(field, type, kind, value, start, end);
        return;
      case ENUM:
      case ENUM_NAME:
      case NULL_VALUE:
        this.#enum(field, type, kind, value, start, end);
        return;
      default: {
        if (kind < NUMBER) this.mismatch(FOUND[kind], field);
        if (typeof value === 'number' && !isLong(type)) {
          if (!Number.isInteger(value) || !isInRange(type, value)) this.fail(`${value} is not ${typeName(type)}`);
          this.int(field, value + 0, start, end);
          return;
        }
        const text = kind === NUMBER ? undefined : kind === TEXT ? (value as string) : this.ownText();
        const near = text === undefined ? value : shortIntegerOf(text);
        if (isLong(type) && Number.isSafeInteger(near) && ((near as number) >= 0 || (type !== UINT64 && type !== FIXED64))) {
          this.long(field, (near as number) + 0, start, end);
          return;
        }
        const exact =
          text !== undefined ? integerOf(text) : Number.isInteger(value) || typeof value === 'bigint' ? BigInt(value as bigint) : undefined;
        if (exact === undefined || !isInRange(type, exact)) this.fail(`${text === undefined ? String(value) : shown(text)} is not ${typeName(type)}`);
        if (isLong(type)) this.long(field, exact, start, end);
        else this.int(field, Number(exact), start, end);
      }
    }
  }

  protected int(field: number, value: number, start: number, end: number): void {
    if (this.isLeftOut(field, value === 0)) return;
    this.send(start);
    this.sink.integer(value, start, end);
  }

  protected long(field: number, value: number | bigint, start: number, end: number): void {
    if (this.isLeftOut(field, Number(value) === 0)) return;
    this.send(start);
    this.sendLong(value, start, end);
  }

  #float(field: number, type: number, kind: Kind, value: null | boolean | number | bigint | string, start: number, end: number): void {
    if (kind < NUMBER) this.mismatch(FOUND[kind], field);
    const text = kind === NUMBER ? undefined : kind === TEXT ? (value as string) : this.ownText();
    const given = text === undefined ? Number(value) : numberOf(text);
    const number = given === undefined || type === DOUBLE ? given : Math.fround(given);
    const isInfinite = number === Infinity || number === -Infinity;
    if (number === undefined || (isInfinite && text !== 'Infinity' && text !== '-Infinity'))
      this.fail(`${text === undefined ? String(value) : shown(text)} is not ${typeName(type)}`);
    if (this.isLeftOut(field, Object.is(number, 0))) return;
    this.send(start);
    this.sink.float(number, start, end);
  }

  #enum(field: number, type: number, kind: Kind, value: null | boolean | number | bigint | string, start: number, end: number): void {
    let number: number | undefined;
    if (kind === NULL) number = 0;
    else if (kind === NUMBER) {
      if (typeof value !== 'number' || (value | 0) !== value + 0) this.fail(`${String(value)} is not a number of an enum`);
      number = value + 0;
      if (this.#isUnnamed(field, number)) this.fail(`${number} is not a value of ${this.#enumName(field)}`);
    } else if (kind === BOOLEAN) this.mismatch(FOUND[kind], field);
    else {
      const name = kind === TEXT ? (value as string) : this.ownText();
      number = this.names.numbersOf(this.plan, field).get(name);
      if (number === undefined) {
        if (this.skipsUnknown) {
          // As if the field, item or entry were not there.
          if (this.top?.kind === IN_MAP) this.top.isDue = false;
          return;
        }
        this.fail(`${shown(name)} is not a value of ${this.#enumName(field)}`);
      }
    }
    if (this.isLeftOut(field, number === 0)) return;
    this.send(start);
    if (type === NULL_VALUE) this.sink.null(start, end);
    else if (type === ENUM_NAME) this.scalars.enumName(field, number, start, end);
    else this.sink.integer(number, start, end);
  }

  /** True if the enum of a field is closed and has no name for a number. */
  #isUnnamed(field: number, number: number): boolean {
    return this.schema.enums[this.plan.ref[field]!]!.closed && !this.plan.isNamed(field, number);
  }

  #enumName(field: number): string {
    return this.schema.enums[this.plan.ref[field]!]!.name;
  }

  #bytes(field: number, kind: Kind, value: null | boolean | number | bigint | string, start: number, end: number): void {
    if (kind < STRING_RANGE) this.mismatch(FOUND[kind], field);
    let decoded: Uint8Array<ArrayBuffer> | undefined;
    if (kind === STRING_RANGE) decoded = bytesOfBase64(this.bytes, this.stringStart, this.stringEnd);
    else {
      const text = new TextEncoder().encode(value as string);
      decoded = bytesOfBase64(text, 0, text.length);
    }
    if (decoded === undefined) this.fail('the string is not base64');
    if (decoded.length > this.limits.binaryLength) this.input.exceed('binaryLength', start);
    if (this.isLeftOut(field, decoded.length === 0)) return;
    this.send(start);
    this.sendBytes(decoded);
    void end;
  }

  protected sendBytes(bytes: Uint8Array<ArrayBuffer>): void {
    this.sink.window(bytes, new DataView(bytes.buffer), -1);
    this.sink.binary(0, 0, 0, bytes.length);
    this.sink.window(this.bytes, this.view, this.base);
  }

  /** Marks a field with a value as present. True if the value is zero and the options ask to leave it out. */
  protected isLeftOut(field: number, isZero: boolean): boolean {
    const top = this.top;
    if (top?.kind !== IN_MESSAGE || top.field !== field || !top.isDue) return false;
    this.take(top);
    return isZero && (this.plan.quick[field]! & UNLESS_ZERO) !== 0;
  }

  protected textIn(from: number, end: number, isKey = false): string {
    try {
      if (isKey) return internKey(this.bytes, from, end, this.base);
      return textFor(this.sink, this.bytes, from, end, this.base);
    } catch (error) {
      throw error instanceof DecodeError ? error.locate({ path: this.path() }) : error;
    }
  }

  /** Text of the string in the window. */
  protected ownText(): string {
    return this.textIn(this.stringStart, this.stringEnd);
  }

  protected mismatch(found: string, field?: number): never {
    const top = this.top;
    const own = field ?? (top === undefined || top.kind === HOLDER ? -1 : top.field);
    const isContainer = own >= 0 && top?.kind === IN_MESSAGE && this.plan.shape[own]! >= LIST;
    const shape = this.plan.shape[own];
    const expected = isContainer
      ? shape === MAP
        ? 'an object'
        : 'an array'
      : own >= 0 && (shape === SCALAR || shape === LIST)
        ? typeName(this.plan.type[own]!)
        : this.plan.names[top === undefined ? this.plan.root : top.kind === HOLDER ? top.type : this.plan.ref[own]!];
    return this.fail(`expected ${expected} but found ${found}`);
  }
}
