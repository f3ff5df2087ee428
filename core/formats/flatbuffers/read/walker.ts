import { sendInt64 } from '../../../reading/int64.ts';
import type { Limits } from '../../../limits.ts';
import type { Sink } from '../../../reading/sink.ts';
import { FreeList } from '../../../bytes/free-list.ts';
import { BUFFER, ITEMS, NAMED, NESTED, NOTHING, NULL, type Plan, STRUCT, TABLE, UNION_VALUE } from './plan.ts';
import { ARRAY, DOUBLE, INT, LONG, SIZE, STRING } from '../schema/schema.ts';
import { Values } from './values.ts';

/** Words per open container. */
const WIDTH = 7;
const KIND = 0;
/** Index of its object; for a vector, of the items' object; for one of unions, of the union; for one of other values, of its field. */
const REF = 1;
/** Position of a table, four bytes before a struct, or the next item of a vector. */
const AT = 2;
/** Next field or item. */
const NEXT = 3;
/** Number of items in a vector. */
const COUNT = 4;
/**
 * For a vector of unions, the position of their types. For the root of a nested buffer, the origin and end of the
 * enclosing buffer.
 */
const EXTRA = 5;
const OUTER_END = 6;

const RECORD = 0;
const NESTED_ROOT = 1;
const TABLES = 2;
const STRUCTS = 3;
const UNIONS = 4;
/** Scalars, enums or strings. */
const VALUES = 5;

const stacks = new FreeList(() => new Int32Array(32 * WIDTH));

/** Sends the value of a buffer. Open containers are kept on an explicit stack. */
export class Walker extends Values {
  #stack = stacks.take();
  /** Innermost open container, −WIDTH for none. */
  #top = -WIDTH;
  /** Containers open around the buffer. */
  outer = 0;
  /** Values left to send before a pause. */
  #left = Infinity;
  readonly #records: number[] = [];

  constructor(plan: Plan, sink: Sink, limits: Limits) {
    super(plan, sink, limits);
    for (const keys of plan.keys) this.#records.push(sink.defineRecord(keys));
  }

  /**
   * Opens the root table of the buffer in `origin..end`.
   *
   *     u32 offset of the root table | file identifier, 4 bytes, or none | …
   */
  open(origin: number, end: number): void {
    this.origin = origin;
    this.end = end;
    if (end - origin < 8) this.fail('the buffer is too short', end, 'truncated');
    const { identifier } = this.plan;
    const found = String.fromCharCode(...this.bytes.subarray(origin + 4, origin + 8));
    if (identifier !== '' && identifier !== found) {
      this.fail(`the file identifier is ${JSON.stringify(found)}, not ${JSON.stringify(identifier)}`, origin + 4);
    }
    this.#record(RECORD, this.plan.root, this.follow(origin));
  }

  /** True while values of the buffer are left to send. */
  get isOpen(): boolean {
    return this.#top >= 0;
  }

  /** Sends the values of the buffer, or about as many as `most`. */
  run(most: number): void {
    this.#left = most;
    while (this.#top >= 0 && this.#left > 0) {
      switch (this.#stack[this.#top + KIND]) {
        case TABLES:
          this.#tables();
          break;
        case STRUCTS:
          this.#structs();
          break;
        case UNIONS:
          this.#unions();
          break;
        case VALUES:
          this.#values();
          break;
        default:
          this.#fields();
      }
    }
  }

  /** Ends the list of the buffers of a sequence. */
  endSequence(): void {
    this.sink.itemRecord?.(this.#records[this.plan.root]!);
    this.sink.endArray(0);
  }

  /** Returns the scratch memory. Call after the last buffer. */
  release(): void {
    stacks.give(this.#stack);
  }

  #enter(kind: number, ref: number, at: number, count: number): number {
    const top = (this.#top += WIDTH);
    if (top / WIDTH + this.outer >= this.limits.depth) this.exceed('depth', at);
    if (top === this.#stack.length) {
      const grown = new Int32Array(top * 2);
      grown.set(this.#stack);
      this.#stack = grown;
    }
    const stack = this.#stack;
    stack[top + KIND] = kind;
    stack[top + REF] = ref;
    stack[top + AT] = at;
    stack[top + NEXT] = 0;
    stack[top + COUNT] = count;
    return top;
  }

  /** Opens a table, or a struct that begins four bytes after `at`. */
  #record(kind: number, object: number, at: number): number {
    const top = this.#enter(kind, object, at, 0);
    const values = this.plan.count[object]! + 1;
    this.count(values, at);
    this.#left -= values;
    this.sink.beginRecord(this.#records[object]!, at, at);
    return top;
  }

  /** Sends the fields of the innermost record. Returns false if it opened a container, which must be sent first. */
  #fields(): boolean {
    const { plan, sink, view } = this;
    const top = this.#top;
    const object = this.#stack[top + REF]!;
    const start = this.#stack[top + AT]!;
    const slots = plan.size[object]! > 0 ? plan.slots[object]! : this.slots(object, start);
    const first = plan.first[object]!;
    const count = plan.count[object]!;
    const { op, fallback } = plan;
    for (let i = this.#stack[top + NEXT]!; i < count; i += 1) {
      const slot = slots[i]!;
      const field = first + i;
      if (slot === 0) {
        if (fallback[field] !== NOTHING) this.absent(field, i, start);
        continue;
      }
      const at = start + slot;
      switch (op[field]) {
        case STRING: {
          const target = plan.far[field] === 0 ? this.follow(at) : this.followFar(at);
          sink.field(i, at, at);
          this.string(target);
          break;
        }
        case DOUBLE:
          sink.field(i, at, at);
          sink.float(view.getFloat64(at, true), at, at + 8);
          break;
        case INT:
          sink.field(i, at, at);
          sink.integer(view.getInt32(at, true), at, at + 4);
          break;
        case LONG:
          sink.field(i, at, at);
          sendInt64(sink, plan.int64, view.getUint32(at, true), view.getInt32(at + 4, true), at, at + 8);
          break;
        case NAMED:
          sink.field(i, at, at);
          this.named(plan.base[field]!, plan.ref[field]!, at);
          break;
        case TABLE:
        case STRUCT:
        case ITEMS:
        case ARRAY:
        case NESTED:
        case BUFFER:
        case UNION_VALUE:
          this.#stack[top + NEXT] = i + 1;
          this.#open(field, i, at, slots);
          if (this.#top !== top) return false;
          break;
        default:
          sink.field(i, at, at);
          this.scalar(op[field]!, at);
      }
    }
    sink.endRecord(start);
    if (this.#stack[top + KIND] === NESTED_ROOT) {
      this.origin = this.#stack[top + EXTRA]!;
      this.end = this.#stack[top + OUTER_END]!;
    }
    this.#top = top - WIDTH;
    return true;
  }

  /** Sends or opens a field that is neither a scalar nor a string. */
  #open(field: number, index: number, at: number, slots: Int32Array): void {
    const { plan, sink } = this;
    const op = plan.op[field]!;
    const ref = plan.ref[field]!;
    if (op === STRUCT) {
      sink.field(index, at, at);
      this.#record(RECORD, ref, at - 4);
      return;
    }
    if (op === ARRAY) {
      sink.field(index, at, at);
      this.#items(field, at, plan.length[field]!, at);
      return;
    }
    const item = plan.item[field]!;
    const least = op === UNION_VALUE && item === 0 ? 1 : 4;
    const target = plan.far[field] === 0 ? this.follow(at, least) : this.followFar(at, least);
    if (op === TABLE) {
      sink.field(index, at, at);
      this.#record(RECORD, ref, target);
      return;
    }
    if (op === UNION_VALUE && item === 0) {
      const types = slots[index - 1]!;
      const type = types === 0 ? 0 : this.bytes[at - slots[index]! + types]!;
      if (type === 0) {
        if (plan.fallback[field] === NULL) this.absent(field, index, at);
        return;
      }
      sink.field(index, at, at);
      this.#union(ref, type, target, at - slots[index]! + types);
      return;
    }
    sink.field(index, at, at);
    const wide = plan.wide[field] === 1;
    const from = target + (wide ? 8 : 4);
    if (op === NESTED) {
      const length = this.vectorLength(target, 1, wide);
      this.#nested(ref, from, from + length);
      return;
    }
    if (op === UNION_VALUE) {
      this.#unionItems(ref, target, at - slots[index]!, slots[index - 1]!);
      return;
    }
    const size = SIZE[plan.base[field]!]! || (item === STRUCT ? plan.size[ref]! : 4);
    const length = this.vectorLength(target, size, wide);
    if (op === BUFFER) {
      if (length * size > this.limits.binaryLength) this.exceed('binaryLength', target);
      this.budget.spendBytes(length * size, this.base + target);
      sink.binary(plan.binaryKind[field]!, target, from, from + length * size);
      return;
    }
    this.#items(field, from, length, target);
  }

  /** Sends or opens the items of a vector or array. */
  #items(field: number, from: number, length: number, start: number): void {
    const { plan, sink } = this;
    const item = plan.item[field]!;
    const ref = plan.ref[field]!;
    this.count(length + 1, start);
    if (item === TABLE || item === STRUCT) {
      this.#enter(item === STRUCT ? STRUCTS : TABLES, ref, from, length);
      sink.beginArray(length, start, from);
      if (length === 0) sink.itemRecord?.(this.#records[ref]!);
      return;
    }
    this.#enter(VALUES, field, from, length);
    sink.beginArray(length, start, from);
    this.#values();
  }

  /** Sends scalars, enums or strings of the innermost vector. */
  #values(): void {
    const { plan } = this;
    const top = this.#top;
    const field = this.#stack[top + REF]!;
    const item = plan.item[field]!;
    const base = plan.base[field]!;
    const ref = plan.ref[field]!;
    const size = SIZE[base]! || 4;
    const first = this.#stack[top + NEXT]!;
    const count = this.#stack[top + COUNT]!;
    const next = Math.min(count, first + Math.max(0, this.#left));
    let at = this.#stack[top + AT]!;
    const end = at + (next - first) * size;
    if (item === STRING) {
      for (; at < end; at += 4) this.string(this.follow(at));
    } else if (item === NAMED) {
      for (; at < end; at += size) this.named(base, ref, at);
    } else {
      for (; at < end; at += size) this.scalar(item, at);
    }
    this.#left -= next - first;
    if (next === count) {
      this.#endItems(at);
      return;
    }
    this.#stack[top + AT] = at;
    this.#stack[top + NEXT] = next;
  }

  #tables(): void {
    const top = this.#top;
    const object = this.#stack[top + REF]!;
    const count = this.#stack[top + COUNT]!;
    let at = this.#stack[top + AT]!;
    for (let index = this.#stack[top + NEXT]!; index < count; index += 1) {
      this.#record(RECORD, object, this.follow(at));
      at += 4;
      if (this.#fields() && this.#left > 0) continue;
      this.#stack[top + AT] = at;
      this.#stack[top + NEXT] = index + 1;
      return;
    }
    this.#endItems(at);
  }

  #structs(): void {
    const top = this.#top;
    const object = this.#stack[top + REF]!;
    const count = this.#stack[top + COUNT]!;
    const size = this.plan.size[object]!;
    let at = this.#stack[top + AT]!;
    for (let index = this.#stack[top + NEXT]!; index < count; index += 1) {
      this.#record(RECORD, object, at - 4);
      at += size;
      if (this.#fields() && this.#left > 0) continue;
      this.#stack[top + AT] = at;
      this.#stack[top + NEXT] = index + 1;
      return;
    }
    this.#endItems(at);
  }

  #endItems(at: number): void {
    this.sink.endArray(at);
    this.#top -= WIDTH;
  }

  /** Opens a vector of unions. The preceding field has their types, a vector of the same length. */
  #unionItems(union: number, target: number, table: number, typeSlot: number): void {
    const length = this.vectorLength(target, 4, false);
    if (typeSlot === 0) this.fail('a vector of unions has no types', target);
    const types = this.follow(table + typeSlot);
    if (this.vectorLength(types, 1, false) !== length) this.fail('a vector of unions has a different number of types', target);
    this.count(length + 1, target);
    const top = this.#enter(UNIONS, union, target + 4, length);
    this.#stack[top + EXTRA] = types + 4;
    this.sink.beginArray(length, target, target + 4);
  }

  #unions(): void {
    const top = this.#top;
    const stack = this.#stack;
    const count = stack[top + COUNT]!;
    for (let index = stack[top + NEXT]!; index < count; index += 1) {
      const at = stack[top + AT]! + index * 4;
      const typeAt = stack[top + EXTRA]! + index;
      const type = this.bytes[typeAt]!;
      stack[top + NEXT] = index + 1;
      if (type === 0) {
        this.sink.null(at, at + 4);
        continue;
      }
      this.#union(stack[top + REF]!, type, this.follow(at, 1), typeAt);
      this.#left -= 1;
      if (this.#top !== top || this.#left <= 0) return;
    }
    this.#endItems(stack[top + AT]! + count * 4);
  }

  /** Sends or opens the value of a union, which is always stored by offset: a table, a struct or a string. */
  #union(union: number, type: number, target: number, typeAt: number): void {
    const member = this.plan.unions[union]!.get(type);
    if (member === undefined) this.fail(`unknown union type ${type}`, typeAt);
    const size = member.op === STRUCT ? this.plan.size[member.ref]! : 4;
    if (target + size > this.end) this.fail('a member of a union extends past the buffer', target);
    if (member.op === TABLE) {
      this.#record(RECORD, member.ref, target);
    } else if (member.op === STRUCT) {
      this.#record(RECORD, member.ref, target - 4);
    } else {
      this.string(target);
    }
  }

  /** Opens the root table of the buffer in `from..end`, a vector of bytes. */
  #nested(object: number, from: number, end: number): void {
    const { origin, end: outerEnd } = this;
    if (end - from < 8) this.fail('a nested buffer is too short', from);
    this.origin = from;
    this.end = end;
    const top = this.#record(NESTED_ROOT, object, this.follow(from));
    this.#stack[top + EXTRA] = origin;
    this.#stack[top + OUTER_END] = outerEnd;
  }
}
