import { LimitError } from '../../../errors.ts';
import { sendInt64 } from '../../../reading/int64.ts';
import { Budget } from '../../../budget.ts';
import type { Limits } from '../../../limits.ts';
import type { Sink } from '../../../reading/sink.ts';
import { Message } from './message.ts';
import { NAMED, type Plan } from './plan.ts';
import {
  BITS,
  BOOL,
  DATA,
  ENUM,
  FLOAT32,
  FLOAT64,
  INT16,
  INT32,
  INT64,
  INT8,
  INTERFACE,
  LIST,
  NO_UNION,
  TEXT,
  UINT16,
  UINT32,
  UINT64,
  UINT8,
  VOID,
} from '../schema/schema.ts';

const scratch = new DataView(new ArrayBuffer(8));

/** Sends scalars and texts of a message, and counts them. */
export abstract class Values {
  readonly message: Message;
  readonly budget: Budget;
  protected readonly plan: Plan;
  protected readonly sink: Sink;
  protected readonly limits: Limits;
  #values = 0;

  constructor(plan: Plan, sink: Sink, limits: Limits) {
    this.plan = plan;
    this.sink = sink;
    this.limits = limits;
    this.message = new Message();
    this.budget = new Budget(limits);
  }

  /** Sends a list's scalar at `at`. `ref` belongs to its type. */
  protected item(type: number, ref: number, at: number, mask: number): void {
    const { sink } = this;
    const { view, bytes } = this.message;
    switch (type) {
      case BOOL:
        sink.boolean((bytes[at]! & mask) !== 0, at, at + 1);
        break;
      case INT8:
        sink.integer(view.getInt8(at), at, at + 1);
        break;
      case INT16:
        sink.integer(view.getInt16(at, true), at, at + 2);
        break;
      case INT32:
        sink.integer(view.getInt32(at, true), at, at + 4);
        break;
      case UINT8:
        sink.integer(bytes[at]!, at, at + 1);
        break;
      case UINT16:
      case ENUM:
        sink.integer(view.getUint16(at, true), at, at + 2);
        break;
      case UINT32:
        sink.integer(view.getUint32(at, true), at, at + 4);
        break;
      case FLOAT32:
        sink.float(view.getFloat32(at, true), at, at + 4);
        break;
      case FLOAT64:
        sink.float(view.getFloat64(at, true), at, at + 8);
        break;
      case INT64:
        sendInt64(sink, this.plan.int64, view.getUint32(at, true), view.getInt32(at + 4, true), at, at + 8);
        break;
      case UINT64:
        sendInt64(sink, this.plan.int64, view.getUint32(at, true), view.getUint32(at + 4, true), at, at + 8);
        break;
      case NAMED:
        this.#named(ref, view.getUint16(at, true), at, at + 2);
        break;
      default:
        sink.null(at, at);
    }
  }

  /** Sends a scalar field that has a nonzero default or lies beyond the data section, given its bits. */
  protected bits(type: number, ref: number, low: number, high: number, at: number, end: number): void {
    const { sink } = this;
    switch (type) {
      case VOID:
      case INTERFACE:
        sink.null(at, end);
        break;
      case BOOL:
        sink.boolean((low & 1) !== 0, at, end);
        break;
      case INT8:
        sink.integer((low << 24) >> 24, at, end);
        break;
      case INT16:
        sink.integer((low << 16) >> 16, at, end);
        break;
      case INT32:
        sink.integer(low, at, end);
        break;
      case UINT8:
        sink.integer(low & 0xff, at, end);
        break;
      case UINT16:
      case ENUM:
        sink.integer(low & 0xffff, at, end);
        break;
      case UINT32:
        sink.integer(low >>> 0, at, end);
        break;
      case FLOAT32:
        scratch.setInt32(0, low, true);
        sink.float(scratch.getFloat32(0, true), at, end);
        break;
      case FLOAT64:
        scratch.setInt32(0, low, true);
        scratch.setInt32(4, high, true);
        sink.float(scratch.getFloat64(0, true), at, end);
        break;
      case INT64:
        sendInt64(sink, this.plan.int64, low >>> 0, high, at, end);
        break;
      case UINT64:
        sendInt64(sink, this.plan.int64, low >>> 0, high >>> 0, at, end);
        break;
      case NAMED:
        this.#named(ref, low & 0xffff, at, end);
        break;
    }
  }

  /** The data section stores the difference from the default. A missing field has the default. */
  protected otherBits(field: number, type: number, at: number, isPresent: boolean): void {
    const { plan } = this;
    const { view, bytes } = this.message;
    const size = BITS[type === NAMED ? ENUM : type]! / 8;
    let low = plan.low[field]!;
    let high = plan.high[field]!;
    if (isPresent && size > 0) {
      low ^= size === 1 ? bytes[at]! : size === 2 ? view.getUint16(at, true) : view.getInt32(at, true);
      if (size === 8) high ^= view.getInt32(at + 4, true);
    }
    this.bits(type, plan.ref[plan.type[field]!]!, low, high, at, isPresent ? at + size : at);
  }

  /** Sends the value of a null pointer. A union's member that is set is always sent. */
  protected absent(field: number, index: number, at: number): void {
    const { plan, sink } = this;
    const isSet = plan.member[field] !== NO_UNION;
    if (!plan.sendsDefaults && !isSet) return;
    const type = plan.sendsDefaults ? plan.op[field]! : INTERFACE;
    if (plan.sendsDefaults && plan.fields[field]!.at >= 0) {
      const value = this.defaultOf(field);
      if (value !== undefined) {
        sink.field(index, at, at);
        this.plain(value, at);
        return;
      }
    }
    if (type === TEXT || type === DATA || type === LIST) {
      sink.field(index, at, at);
      if (type === TEXT) {
        sink.string(at, at, at);
      } else if (type === DATA) {
        sink.binary(0, at, at, at);
      } else {
        this.emptyList(plan.type[field]!, at, at);
      }
    } else if (plan.sendsNull || isSet) {
      sink.field(index, at, at);
      sink.null(at, at);
    }
  }

  /** Sends the text or data followed from `at`: a list of bytes, which ends with a zero byte for a text. */
  protected text(at: number, isText: boolean): void {
    const { message, sink, limits } = this;
    const { at: from, count, itemSize } = message;
    if (itemSize !== 2) message.fail(`${isText ? 'text' : 'data'} that is not a list of bytes`, at);
    this.budget.spendBytes(count, message.base + at);
    if (!isText) {
      if (count > limits.binaryLength) this.exceed('binaryLength', at);
      sink.binary(0, from, from, from + count);
      return;
    }
    if (count === 0 || message.bytes[from + count - 1] !== 0) message.fail('a text has no terminating zero', at);
    if (count - 1 > limits.stringLength) this.exceed('stringLength', at);
    sink.string(from, from, from + count - 1);
  }

  /** Sends a list without items, given the type of the list. */
  protected abstract emptyList(type: number, at: number, end: number): void;

  /** Default of a pointer. */
  protected abstract defaultOf(field: number): unknown;

  #named(ref: number, value: number, at: number, end: number): void {
    const constant = this.plan.nameOf(ref, value);
    if (constant < 0) {
      this.sink.integer(value, at, end);
      return;
    }
    if (this.plan.constants.send(this.sink, constant)) this.announce();
  }

  /** Sends a plain value: the default of a pointer. */
  protected plain(value: unknown, at: number): void {
    const { sink } = this;
    this.count(1, at);
    if (value === null) sink.null(at, at);
    else if (typeof value === 'boolean') sink.boolean(value, at, at);
    else if (typeof value === 'bigint') sink.bigint(value, at, at);
    else if (typeof value === 'string') sink.text(value, at, at);
    else if (typeof value === 'number') {
      if (Number.isSafeInteger(value) && !Object.is(value, -0)) sink.integer(value, at, at);
      else sink.float(value, at, at);
    } else if (Array.isArray(value)) {
      sink.beginArray(value.length, at, at);
      for (const item of value) this.plain(item, at);
      sink.endArray(at);
    } else if (value instanceof Uint8Array) {
      sink.window(value, new DataView(value.buffer, value.byteOffset, value.length), -1);
      sink.binary(0, 0, 0, value.length);
      this.announce();
    } else {
      const entries = Object.entries(value as object);
      sink.beginObject(entries.length, at, at);
      for (const [key, item] of entries) {
        sink.keyText(key, at, at);
        this.plain(item, at);
      }
      sink.endObject(at);
    }
  }

  protected announce(): void {
    const { bytes, view, base } = this.message;
    this.sink.window(bytes, view, base);
  }

  /** Counts values; called before anything is allocated for them. */
  protected count(values: number, at: number): void {
    this.#values += values;
    if (this.#values > this.limits.values) this.exceed('values', at);
    this.budget.spend(values, this.message.base + at);
  }

  protected exceed(limit: keyof Limits, position: number): never {
    throw new LimitError(limit, `${limit} limit exceeded (${this.limits[limit]})`, { offset: this.message.base + position });
  }
}
