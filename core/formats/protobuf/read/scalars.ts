import { Budget } from '../../../budget.ts';
import type { Limits } from '../../../limits.ts';
import type { Sink } from '../../../reading/sink.ts';
import { sendInt64 } from '../../../reading/int64.ts';
import { validateUtf8 } from '../../../bytes/text/text.ts';
import type { Input } from './input.ts';
import { ENUM_NAME, NULL_VALUE, type Plan, RAW_STRING } from './plan.ts';
import {
  BOOL,
  BYTES,
  type DefaultValue,
  DOUBLE,
  ENUM,
  FIXED32,
  FIXED64,
  FLOAT,
  I32,
  I64,
  INT32,
  INT64,
  SFIXED32,
  SFIXED64,
  SINT32,
  SINT64,
  STRING,
  UINT32,
  UINT64,
  VARINT,
  WIRE,
} from '../schema/schema.ts';

const lenient = new TextDecoder('utf-8', { ignoreBOM: true });

/** Sends scalars to the sink. */
export class Scalars {
  readonly #plan: Plan;
  readonly #input: Input;
  readonly #sink: Sink;
  readonly #limits: Limits;
  /** Values sent so far, and their limit. */
  sent = 1;
  readonly most: number;
  readonly budget: Budget;

  constructor(plan: Plan, input: Input, sink: Sink, limits: Limits) {
    this.#plan = plan;
    this.#input = input;
    this.#sink = sink;
    this.#limits = limits;
    this.most = limits.values;
    this.budget = new Budget(limits);
  }

  /** Sends the scalar at `at`, which ends before `end`. Returns the position after it. */
  value(type: number, field: number, at: number, end: number): number {
    const sink = this.#sink;
    const { bytes, view } = this.#input;
    switch (type) {
      case STRING: {
        const from = this.#input.length(at, end);
        const next = this.#input.next;
        if (next - from > this.#limits.stringLength) this.#input.exceed('stringLength', at);
        sink.string(at, from, next);
        return next;
      }
      case DOUBLE:
        if (end - at < 8) this.#input.cut(at);
        sink.float(view.getFloat64(at, true), at, at + 8);
        return at + 8;
      case INT32:
      case ENUM: {
        const byte = bytes[at]!;
        if (byte < 0x80 && at < end) {
          sink.integer(byte, at, at + 1);
          return at + 1;
        }
        const value = this.#input.int32(at, end);
        sink.integer(value, at, this.#input.next);
        return this.#input.next;
      }
      case BOOL: {
        this.#input.varint64(at, end);
        sink.boolean((this.#input.low | this.#input.high) !== 0, at, this.#input.next);
        return this.#input.next;
      }
      case UINT32: {
        const value = this.#input.int32(at, end);
        sink.integer(value >>> 0, at, this.#input.next);
        return this.#input.next;
      }
      case SINT32: {
        const value = this.#input.int32(at, end);
        sink.integer((value >>> 1) ^ -(value & 1), at, this.#input.next);
        return this.#input.next;
      }
      case INT64:
      case UINT64: {
        if (this.#plan.sendsNumbers) {
          const value = this.#input.small(at, end);
          if (value >= 0) {
            sink.integer(value, at, this.#input.next);
            return this.#input.next;
          }
        }
        this.#input.varint64(at, end);
        this.#send64(type === INT64, at);
        return this.#input.next;
      }
      case SINT64:
        this.#input.varint64(at, end);
        this.#input.unzigzag();
        this.#send64(true, at);
        return this.#input.next;
      case FLOAT:
        if (end - at < 4) this.#input.cut(at);
        sink.float(view.getFloat32(at, true), at, at + 4);
        return at + 4;
      case FIXED32:
        if (end - at < 4) this.#input.cut(at);
        sink.integer(view.getUint32(at, true), at, at + 4);
        return at + 4;
      case SFIXED32:
        if (end - at < 4) this.#input.cut(at);
        sink.integer(view.getInt32(at, true), at, at + 4);
        return at + 4;
      case FIXED64:
      case SFIXED64:
        if (end - at < 8) this.#input.cut(at);
        this.#input.low = view.getInt32(at, true);
        this.#input.high = view.getInt32(at + 4, true);
        this.#input.next = at + 8;
        this.#send64(type === SFIXED64, at);
        return this.#input.next;
      case BYTES: {
        const from = this.#input.length(at, end);
        const next = this.#input.next;
        if (next - from > this.#limits.binaryLength) this.#input.exceed('binaryLength', at);
        sink.binary(0, at, from, next);
        return next;
      }
      case ENUM_NAME: {
        const value = this.#input.int32(at, end);
        const { next } = this.#input;
        this.enumName(field, value, at, next);
        return next;
      }
      case NULL_VALUE:
        this.#input.varint64(at, end);
        sink.null(at, this.#input.next);
        return this.#input.next;
      case RAW_STRING:
        return this.#rawString(at, end);
      default:
        throw new RangeError(`unknown field type ${type}`);
    }
  }

  /** Sends a string, with replacement characters for invalid UTF-8. */
  #rawString(at: number, end: number): number {
    const sink = this.#sink;
    const from = this.#input.length(at, end);
    const { next } = this.#input;
    if (next - from > this.#limits.stringLength) this.#input.exceed('stringLength', at);
    if (this.isUtf8(from, next)) sink.string(at, from, next);
    else this.lenient(at, from, next);
    return next;
  }

  /** True if the sink takes `from..end` as a string. */
  isUtf8(from: number, end: number): boolean {
    const { bytes } = this.#input;
    if (this.#sink.repairedText !== undefined) return true;
    for (let at = from; at < end; at += 1) if (bytes[at]! >= 0x80) return validateUtf8(bytes, at, end) < 0;
    return true;
  }

  /** Sends `from..end`, which is invalid UTF-8, as text; its length is at `start`. */
  lenient(start: number, from: number, end: number): void {
    this.#sink.text(lenient.decode(this.#input.bytes.subarray(from, end)), start, end);
  }

  /** True if the scalar at `at` is zero or empty. */
  isZero(type: number, at: number, end: number): boolean {
    switch (WIRE[type === ENUM_NAME || type === NULL_VALUE ? ENUM : type === RAW_STRING ? STRING : type]) {
      case 0:
        if (type === INT32 || type === UINT32 || type === SINT32 || type === ENUM || type === ENUM_NAME) {
          return this.#input.int32(at, end) === 0;
        }
        this.#input.varint64(at, end);
        return (this.#input.low | this.#input.high) === 0;
      case 2:
        return this.#input.length(at, end) === end;
      default:
        for (let p = at; p < end; p += 1) if (this.#input.bytes[p] !== 0) return false;
        return true;
    }
  }

  /** Sends the key of a map decoded as an object. */
  key(type: number, at: number, end: number): void {
    const sink = this.#sink;
    if (type === STRING || type === RAW_STRING) {
      const from = this.#input.length(at, end);
      if (this.#input.next - from > this.#limits.stringLength) this.#input.exceed('stringLength', at);
      if (type === STRING || this.isUtf8(from, this.#input.next)) sink.key(at, from, this.#input.next);
      else sink.keyText(lenient.decode(this.#input.bytes.subarray(from, this.#input.next)), at, this.#input.next);
    } else {
      const text = this.#keyText(type, at, end);
      sink.keyText(text, at, this.#input.next);
    }
  }

  #keyText(type: number, at: number, end: number): string {
    if (WIRE[type] === VARINT) {
      this.#input.varint64(at, end);
      if (type === BOOL) return String((this.#input.low | this.#input.high) !== 0);
      if (type === SINT64) this.#input.unzigzag();
      else if (type === SINT32) this.#input.low = (this.#input.low >>> 1) ^ -(this.#input.low & 1);
    } else {
      this.#input.low = this.#input.view.getInt32(at, true);
      this.#input.high = WIRE[type] === I64 ? this.#input.view.getInt32(at + 4, true) : 0;
      this.#input.next = end;
    }
    if (type === UINT32 || type === FIXED32) return String(this.#input.low >>> 0);
    if (WIRE[type] === I32 || type === INT32 || type === SINT32) return String(this.#input.low);
    const signed = type !== UINT64 && type !== FIXED64;
    return ((BigInt(signed ? this.#input.high : this.#input.high >>> 0) << 32n) | BigInt(this.#input.low >>> 0)).toString();
  }

  /** Sends the numbers of a packed list and returns how many were sent. Numbers unknown to a closed enum are left out. */
  packed(type: number, field: number, from: number, end: number, closed: boolean): number {
    const sink = this.#sink;
    const { view } = this.#input;
    let at = from;
    const size = this.#plan.sizes[field]!;
    if (size > 0 && (end - from) % size > 0) this.#input.fail('packed list that ends inside a number', end);
    if (type === DOUBLE) {
      for (; at < end; at += 8) sink.float(view.getFloat64(at, true), at, at + 8);
      return (end - from) / 8;
    }
    if (type === FLOAT) {
      for (; at < end; at += 4) sink.float(view.getFloat32(at, true), at, at + 4);
      return (end - from) / 4;
    }
    let count = 0;
    while (at < end) {
      if (closed && !this.#plan.isNamed(field, this.#input.int32(at, end))) {
        at = this.#input.next;
        continue;
      }
      at = this.value(type, field, at, end);
      count += 1;
    }
    return count;
  }

  /** Sends a scalar's default at a position. */
  defaultValue(type: number, field: number, at: number): void {
    const sink = this.#sink;
    const value: DefaultValue | undefined = this.#plan.fields[field]!.default;
    // Sinks other than that of objects copy it each time.
    if (typeof value === 'string' || value instanceof Uint8Array) this.budget.spendBytes(value.length, this.#input.offsetOf(at));
    switch (type) {
      case STRING:
      case RAW_STRING:
        sink.text((value as string | undefined) ?? '', at, at);
        break;
      case BYTES:
        this.#defaultBytes(value as Uint8Array | undefined, at);
        break;
      case BOOL:
        sink.boolean(value === true, at, at);
        break;
      case DOUBLE:
      case FLOAT:
        sink.float((value as number | undefined) ?? 0, at, at);
        break;
      case ENUM:
        sink.integer((value as number | undefined) ?? 0, at, at);
        break;
      case ENUM_NAME:
        this.enumName(field, (value as number | undefined) ?? 0, at, at);
        break;
      case NULL_VALUE:
        sink.null(at, at);
        break;
      case INT64:
      case UINT64:
      case SINT64:
      case FIXED64:
      case SFIXED64: {
        const exact = BigInt.asUintN(64, BigInt((value as bigint | undefined) ?? 0));
        this.#input.low = Number(exact & 0xffffffffn) | 0;
        this.#input.high = Number(exact >> 32n) | 0;
        this.#input.next = at;
        this.#send64(type !== UINT64 && type !== FIXED64, at);
        break;
      }
      default:
        sink.integer((value as number | undefined) ?? 0, at, at);
    }
  }

  /** Sends the name of an enum's number, or the number if it has no name. */
  enumName(field: number, value: number, start: number, end: number): void {
    const constant = this.#plan.enums[this.#plan.ref[field]!]!.get(value);
    if (constant === undefined) this.#sink.integer(value, start, end);
    else this.constant(constant);
  }

  /** Sends a string from outside the input. */
  constant(index: number): void {
    if (this.#plan.constants.send(this.#sink, index)) this.#input.announce();
  }

  /** Counts values; called before anything is allocated for them. */
  count(values: number, at: number): void {
    this.sent += values;
    if (this.sent > this.most) this.#input.exceed('values', at);
  }

  #defaultBytes(value: Uint8Array | undefined, at: number): void {
    if (!value) {
      this.#sink.binary(0, at, at, at);
      return;
    }
    this.#sink.window(value, new DataView(value.buffer, value.byteOffset, value.length), -1);
    this.#sink.binary(0, 0, 0, value.length);
    this.#input.announce();
  }

  /** Sends the 64-bit number read last, from `start` to its end. */
  #send64(signed: boolean, start: number): void {
    const { low, high, next } = this.#input;
    sendInt64(this.#sink, this.#plan.int64, low >>> 0, signed ? high : high >>> 0, start, next);
  }
}
