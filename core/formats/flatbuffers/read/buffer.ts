import { DecodeError, type DecodeErrorCode, LimitError } from '../../../errors.ts';
import { Budget } from '../../../budget.ts';
import type { Limits } from '../../../limits.ts';
import type { Sink } from '../../../reading/sink.ts';
import type { Plan } from './plan.ts';

/** A vtable, checked for one kind of object, with the positions of its fields. */
interface Layout {
  object: number;
  vtable: number;
  vtableEnd: number;
  /** Size of a table with this vtable. */
  size: number;
  /** Offset of each field from the table's start, 0 if absent. */
  slots: Int32Array;
}

const LAYOUTS = 256;
const NO_BYTES = new Uint8Array(0);
const NO_VIEW = new DataView(NO_BYTES.buffer);
const NO_SLOTS = new Int32Array(0);

/**
 * One buffer, `origin..end` of the window. Follows offsets and checks that each stays inside. Offsets only point
 * forward (https://flatbuffers.dev/internals), so nothing contains itself, but a shared object is sent each time it
 * is referenced; all output counts against the input size.
 */
export class Buffer {
  protected readonly plan: Plan;
  protected readonly sink: Sink;
  protected readonly limits: Limits;
  protected bytes: Uint8Array = NO_BYTES;
  protected view: DataView = NO_VIEW;
  protected base = 0;
  protected origin = 0;
  protected end = 0;
  readonly budget: Budget;
  readonly #layouts: (Layout | undefined)[] = [];
  #values = 0;

  constructor(plan: Plan, sink: Sink, limits: Limits) {
    this.plan = plan;
    this.sink = sink;
    this.limits = limits;
    this.budget = new Budget(limits);
  }

  /** Reads a window; `base` is the input offset of its first byte. */
  useWindow(bytes: Uint8Array, view: DataView, base: number): void {
    this.bytes = bytes;
    this.view = view;
    this.base = base;
    this.#layouts.length = 0;
  }

  /** Target of the 32-bit offset at `at`, with at least `least` bytes there: everything but a struct begins with four. */
  protected follow(at: number, least = 4): number {
    const offset = this.view.getUint32(at, true);
    const target = at + offset;
    if (offset === 0 || target + least > this.end) this.#astray(offset, at);
    return target;
  }

  /** Target of the 64-bit offset at `at`. */
  protected followFar(at: number, least = 4): number {
    const offset = this.view.getUint32(at, true) + this.view.getUint32(at + 4, true) * 2 ** 32;
    const target = at + offset;
    if (offset === 0 || target + least > this.end) this.#astray(offset, at);
    return target;
  }

  /**
   * Field offsets of the table at `at`. A table begins with the signed distance back to its vtable. A vtable holds
   * its own size, the table's size and the fields' offsets from the table's start, in 16 bits each; 0 marks an absent
   * field.
   */
  protected slots(object: number, at: number): Int32Array {
    const { view, end } = this;
    const vtable = at - view.getInt32(at, true);
    const index = ((vtable >> 1) ^ object) & (LAYOUTS - 1);
    let layout = this.#layouts[index];
    if (layout === undefined || layout.vtable !== vtable || layout.object !== object || vtable < this.origin || layout.vtableEnd > end) {
      layout = this.#check(object, at, vtable, index, layout);
    }
    if (at + layout.size > end) this.fail(`a table of ${layout.size} bytes extends past the buffer`, at);
    return layout.slots;
  }

  #check(object: number, at: number, vtable: number, index: number, layout: Layout | undefined): Layout {
    const { view, end, plan } = this;
    if (vtable < this.origin || vtable + 4 > end) this.fail('a vtable lies outside of the buffer', at);
    const vtableSize = view.getUint16(vtable, true);
    if (vtableSize < 4 || vtableSize % 2 !== 0) this.fail(`invalid vtable size: ${vtableSize} bytes`, vtable);
    if (vtable + vtableSize > end) this.fail('a vtable extends past the buffer', vtable);
    const size = view.getUint16(vtable + 2, true);
    if (size < 4) this.fail(`invalid table size: ${size} bytes`, vtable + 2);
    const first = plan.first[object]!;
    const count = plan.count[object]!;
    const slots = layout !== undefined && layout.slots.length === count ? layout.slots : count > 0 ? new Int32Array(count) : NO_SLOTS;
    this.#layouts[index] = undefined;
    for (let i = 0; i < count; i += 1) {
      const entry = 4 + 2 * plan.id[first + i]!;
      const slot = entry + 2 > vtableSize ? 0 : view.getUint16(vtable + entry, true);
      if (slot > 0 && (slot < 4 || slot + plan.width[first + i]! > size)) {
        this.fail(`the field ${this.#name(object, i)} is not in its table`, vtable + entry);
      }
      if (slot === 0 && plan.required[first + i]! > 0) this.fail(`the field ${this.#name(object, i)} is required`, at);
      slots[i] = slot;
    }
    return (this.#layouts[index] = { object, vtable, vtableEnd: vtable + vtableSize, size, slots });
  }

  /** Sends the string at `at`: 32 bits of length, UTF-8, and a zero byte. */
  protected string(at: number): void {
    const length = this.view.getUint32(at, true);
    const from = at + 4;
    if (length >= this.end - from) this.fail(`a string of ${length} bytes extends past the buffer`, at);
    if (this.bytes[from + length] !== 0) this.fail('a string has no terminating zero', from + length);
    if (length > this.limits.stringLength) this.exceed('stringLength', at);
    this.budget.spendBytes(length, this.base + at);
    this.sink.string(at, from, from + length);
  }

  /** Number of items of `size` bytes in the vector at `at`. Its length has 64 bits if `wide`. */
  protected vectorLength(at: number, size: number, wide: boolean): number {
    const { view, end } = this;
    let length = view.getUint32(at, true);
    let from = at + 4;
    if (wide) {
      from += 4;
      if (from > end) this.fail('a vector extends past the buffer', at);
      length += view.getUint32(at + 4, true) * 2 ** 32;
    }
    if (length * size > end - from) this.fail(`a vector of ${length} items extends past the buffer`, at);
    return length;
  }

  /** Counts values; called before anything is allocated for them. */
  protected count(values: number, at: number): void {
    this.#values += values;
    if (this.#values > this.limits.values) this.exceed('values', at);
    this.budget.spend(values, this.base + at);
  }

  protected announce(): void {
    this.sink.window(this.bytes, this.view, this.base);
  }

  fail(reason: string, position: number, code: DecodeErrorCode = 'malformed'): never {
    throw new DecodeError(code, reason, { offset: this.base + position });
  }

  protected exceed(limit: keyof Limits, position: number): never {
    throw new LimitError(limit, `${limit} limit exceeded (${this.limits[limit]})`, { offset: this.base + position });
  }

  #astray(offset: number, at: number): never {
    return this.fail(offset === 0 ? 'invalid offset 0' : `offset ${offset} leads out of the buffer`, at);
  }

  #name(object: number, index: number): string {
    return `${this.plan.names[object]}.${this.plan.keys[object]![index]}`;
  }
}
