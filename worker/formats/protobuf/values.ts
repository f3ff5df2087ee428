import { Budget, type Limits } from '../../limits.ts';
import type { Sink } from '../../events/sink.ts';
import { validateUtf8 } from '../../bytes/text.ts';
import { ENUM_NAME, NULL_VALUE, type Plan, RAW_STRING } from './plan.ts';
import { Scanner } from './scanner.ts';
import {
  BOOL, BYTES, type DefaultValue, DOUBLE, ENUM, FIXED32, FIXED64, FLOAT, I32, I64, INT32, INT64, SFIXED32, SFIXED64, SINT32,
  SINT64, STRING, UINT32, UINT64, VARINT, WIRE,
} from './schema.ts';

const lenient = new TextDecoder('utf-8', { ignoreBOM: true });
const TWO_28 = 0x1000_0000;
const TWO_32 = 0x1_0000_0000;

/** Sends scalars to the sink. */
export class Values extends Scanner {
  /** Values sent, and how many may be. */
  protected sent = 1;
  protected readonly most: number;
  readonly budget: Budget;
  #low = 0;
  #high = 0;

  constructor(plan: Plan, sink: Sink, limits: Limits) {
    super(plan, sink, limits);
    this.most = limits.values;
    this.budget = new Budget(limits);
  }

  /** Sends the scalar at `at`, which ends before `end`, and returns the position after it. */
  value(type: number, field: number, at: number, end: number): number {
    const { sink, bytes, view } = this;
    switch (type) {
      case STRING: {
        const from = this.#length(at, end);
        const next = this.next;
        if (next - from > this.limits.stringLength) this.exceed('stringLength', at);
        sink.string(at, from, next);
        return next;
      }
      case DOUBLE:
        if (end - at < 8) this.#cut(at);
        sink.float(view.getFloat64(at, true), at, at + 8);
        return at + 8;
      case INT32:
      case ENUM: {
        const byte = bytes[at]!;
        if (byte < 0x80 && at < end) {
          sink.integer(byte, at, at + 1);
          return at + 1;
        }
        const value = this.int32(at, end);
        sink.integer(value, at, this.next);
        return this.next;
      }
      case BOOL: {
        this.#varint64(at, end);
        sink.boolean((this.#low | this.#high) !== 0, at, this.next);
        return this.next;
      }
      case UINT32: {
        const value = this.int32(at, end);
        sink.integer(value >>> 0, at, this.next);
        return this.next;
      }
      case SINT32: {
        const value = this.int32(at, end);
        sink.integer((value >>> 1) ^ -(value & 1), at, this.next);
        return this.next;
      }
      case INT64:
      case UINT64: {
        if (this.plan.sendsNumbers) {
          const value = this.#small(at, end);
          if (value >= 0) {
            sink.integer(value, at, this.next);
            return this.next;
          }
        }
        this.#varint64(at, end);
        this.#sendInt64(type === INT64, at);
        return this.next;
      }
      case SINT64:
        this.#varint64(at, end);
        this.#unzigzag();
        this.#sendInt64(true, at);
        return this.next;
      case FLOAT:
        if (end - at < 4) this.#cut(at);
        sink.float(view.getFloat32(at, true), at, at + 4);
        return at + 4;
      case FIXED32:
        if (end - at < 4) this.#cut(at);
        sink.integer(view.getUint32(at, true), at, at + 4);
        return at + 4;
      case SFIXED32:
        if (end - at < 4) this.#cut(at);
        sink.integer(view.getInt32(at, true), at, at + 4);
        return at + 4;
      case FIXED64:
      case SFIXED64:
        if (end - at < 8) this.#cut(at);
        this.#low = view.getInt32(at, true);
        this.#high = view.getInt32(at + 4, true);
        this.next = at + 8;
        this.#sendInt64(type === SFIXED64, at);
        return this.next;
      case BYTES: {
        const from = this.#length(at, end);
        const next = this.next;
        if (next - from > this.limits.binaryLength) this.exceed('binaryLength', at);
        sink.binary(0, at, from, next);
        return next;
      }
      case ENUM_NAME: {
        const value = this.int32(at, end);
        const { next } = this;
        this.enumName(field, value, at, next);
        return next;
      }
      case NULL_VALUE:
        this.#varint64(at, end);
        sink.null(at, this.next);
        return this.next;
      case RAW_STRING:
        return this.#rawString(at, end);
      default:
        throw new RangeError(`no type of a field has the number ${type}`);
    }
  }

  /** Sends a string in which replacement characters stand for what is not UTF-8. */
  #rawString(at: number, end: number): number {
    const { sink } = this;
    const from = this.#length(at, end);
    const { next } = this;
    if (next - from > this.limits.stringLength) this.exceed('stringLength', at);
    if (this.isUtf8(from, next)) sink.string(at, from, next);
    else this.lenient(at, from, next);
    return next;
  }

  protected isUtf8(from: number, end: number): boolean {
    const { bytes } = this;
    for (let at = from; at < end; at += 1) if (bytes[at]! >= 0x80) return validateUtf8(bytes, at, end) < 0;
    return true;
  }

  /** Sends what is not UTF-8 as text, `from..end`; its length is at `start`. */
  protected lenient(start: number, from: number, end: number): void {
    this.sink.text(lenient.decode(this.bytes.subarray(from, end)), start, end);
  }

  /** Whether the scalar at `at` is zero or empty. */
  protected isZero(type: number, at: number, end: number): boolean {
    switch (WIRE[type === ENUM_NAME || type === NULL_VALUE ? ENUM : type === RAW_STRING ? STRING : type]) {
      case 0:
        if (type === INT32 || type === UINT32 || type === SINT32 || type === ENUM || type === ENUM_NAME) {
          return this.int32(at, end) === 0;
        }
        this.#varint64(at, end);
        return (this.#low | this.#high) === 0;
      case 2:
        return this.#length(at, end) === end;
      default:
        for (let p = at; p < end; p += 1) if (this.bytes[p] !== 0) return false;
        return true;
    }
  }

  /** Sends the key of a map that becomes an object. */
  protected key(type: number, at: number, end: number): void {
    const { sink } = this;
    if (type === STRING || type === RAW_STRING) {
      const from = this.#length(at, end);
      if (this.next - from > this.limits.stringLength) this.exceed('stringLength', at);
      if (type === STRING || this.isUtf8(from, this.next)) sink.key(at, from, this.next);
      else sink.keyText(lenient.decode(this.bytes.subarray(from, this.next)), at, this.next);
    } else {
      const text = this.#keyText(type, at, end);
      sink.keyText(text, at, this.next);
    }
  }

  #keyText(type: number, at: number, end: number): string {
    if (WIRE[type] === VARINT) {
      this.#varint64(at, end);
      if (type === BOOL) return String((this.#low | this.#high) !== 0);
      if (type === SINT64) this.#unzigzag();
      else if (type === SINT32) this.#low = (this.#low >>> 1) ^ -(this.#low & 1);
    } else {
      this.#low = this.view.getInt32(at, true);
      this.#high = WIRE[type] === I64 ? this.view.getInt32(at + 4, true) : 0;
      this.next = end;
    }
    if (type === UINT32 || type === FIXED32) return String(this.#low >>> 0);
    if (WIRE[type] === I32 || type === INT32 || type === SINT32) return String(this.#low);
    const signed = type !== UINT64 && type !== FIXED64;
    return ((BigInt(signed ? this.#high : this.#high >>> 0) << 32n) | BigInt(this.#low >>> 0)).toString();
  }

  /** Sends the numbers of a packed list, and returns how many. What a closed enum does not name is left out. */
  protected packed(type: number, field: number, from: number, end: number, closed: boolean): number {
    const { sink, view } = this;
    let at = from;
    const size = this.plan.sizes[field]!;
    if (size > 0 && (end - from) % size > 0) this.fail('a packed list that ends inside a number', end);
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
      if (closed && !this.isNamed(field, this.int32(at, end))) {
        at = this.next;
        continue;
      }
      at = this.value(type, field, at, end);
      count += 1;
    }
    return count;
  }

  /** Sends a scalar's default at a position. */
  protected defaultValue(type: number, field: number, at: number): void {
    const { sink } = this;
    const value: DefaultValue | undefined = this.plan.fields[field]!.default;
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
        this.#low = Number(exact & 0xffffffffn) | 0;
        this.#high = Number(exact >> 32n) | 0;
        this.next = at;
        this.#sendInt64(type !== UINT64 && type !== FIXED64, at);
        break;
      }
      default:
        sink.integer((value as number | undefined) ?? 0, at, at);
    }
  }

  /** Sends the name of an enum's number, or the number where it has none. */
  protected enumName(field: number, value: number, start: number, end: number): void {
    const constant = this.plan.enums[this.plan.ref[field]!]!.get(value);
    if (constant === undefined) this.sink.integer(value, start, end);
    else this.constant(constant);
  }

  /** Sends a string that is no part of the input. */
  protected constant(index: number): void {
    if (this.plan.constants.send(this.sink, index)) this.announce();
  }

  /** Counts values, before anything is made for them. */
  protected count(values: number, at: number): void {
    this.sent += values;
    if (this.sent > this.most) this.exceed('values', at);
  }

  #defaultBytes(value: Uint8Array | undefined, at: number): void {
    if (!value) {
      this.sink.binary(0, at, at, at);
      return;
    }
    this.sink.window(value, new DataView(value.buffer, value.byteOffset, value.length), -1);
    this.sink.binary(0, 0, 0, value.length);
    this.announce();
  }

  /** The position behind the length at `at`; `next` is the end of what is that long. */
  #length(at: number, end: number): number {
    const byte = this.bytes[at]!;
    if (byte < 0x80 && at < end) {
      this.next = at + 1 + byte;
      if (this.next > end) this.#cut(at);
      return at + 1;
    }
    const length = this.varint(at, end);
    const from = this.next;
    this.next = from + length;
    if (this.next > end) this.#cut(at);
    return from;
  }

  #cut(at: number): never {
    return this.fail('a value goes past the end of its message', at);
  }

  /** The varint at `at` where it has at most 7 bytes, of at least 7 that are there; otherwise −1. `next` is its end. */
  #small(at: number, end: number): number {
    if (end - at < 7) return -1;
    const { bytes } = this;
    let byte = bytes[at]!;
    let p = at + 1;
    let low = byte & 0x7f;
    for (let shift = 7; byte >= 0x80 && shift < 28; shift += 7) {
      byte = bytes[p]!;
      p += 1;
      low |= (byte & 0x7f) << shift;
    }
    let high = 0;
    for (let shift = 0; byte >= 0x80 && shift < 21; shift += 7) {
      byte = bytes[p]!;
      p += 1;
      high |= (byte & 0x7f) << shift;
    }
    this.next = p;
    return byte < 0x80 ? high * TWO_28 + low : -1;
  }

  /** Reads a varint of up to 64 bits as two halves; `next` is the position after it. */
  #varint64(at: number, end: number): void {
    const { bytes } = this;
    let p = at;
    // Three parts: bits 0 to 27, 28 to 55 and 56 to 63, each of which fits an integer.
    let part = 0;
    let shift = 0;
    let low = 0;
    let middle = 0;
    for (; p < end; ) {
      const byte = bytes[p]!;
      p += 1;
      part |= (byte & 0x7f) << shift;
      if (byte < 0x80) {
        const count = p - at;
        if (count <= 4) {
          this.#low = part;
          this.#high = 0;
        } else if (count <= 8) {
          this.#low = low | (part << 28);
          this.#high = part >>> 4;
        } else {
          this.#low = low | (middle << 28);
          this.#high = (middle >>> 4) | (part << 24);
        }
        this.next = p;
        return;
      }
      shift += 7;
      if (shift === 28) {
        if (p === at + 4) low = part;
        else middle = part;
        part = shift = 0;
      }
      if (p === at + 10) this.fail('a varint of more than 10 bytes', at);
    }
    this.fail('a value goes past the end of its message', at);
  }

  /** 0, 1, 2, 3 … stand for 0, −1, 1, −2 … */
  #unzigzag(): void {
    const sign = -(this.#low & 1);
    const low = (this.#low >>> 1) | (this.#high << 31);
    this.#high = (this.#high >>> 1) ^ sign;
    this.#low = low ^ sign;
  }

  /** A signed 64-bit varint as the nearest number; `next` is the position after it. */
  protected int64(at: number, end: number): number {
    this.#varint64(at, end);
    return this.#high * TWO_32 + (this.#low >>> 0);
  }

  /** Sends the two halves as the options have it, from `start` to `next`. */
  #sendInt64(signed: boolean, start: number): void {
    const { sink, next } = this;
    const low = this.#low >>> 0;
    const high = signed ? this.#high : this.#high >>> 0;
    const mode = this.plan.int64;
    const near = high * TWO_32 + low;
    if (mode === 'auto' || mode === 'number') {
      if (near >= -Number.MAX_SAFE_INTEGER && near <= Number.MAX_SAFE_INTEGER) {
        sink.integer(near, start, next);
        return;
      }
      if (mode === 'number') {
        sink.float(near, start, next);
        return;
      }
    }
    const exact = (BigInt(high) << 32n) | BigInt(low);
    if (mode === 'string') sink.text(exact.toString(), start, next);
    else sink.bigint(exact, start, next);
  }
}
