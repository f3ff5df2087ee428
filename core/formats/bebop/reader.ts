import { Budget } from '../../budget.ts';
import type { Limits } from '../../limits.ts';
import { Reader } from '../../reading/reader.ts';
import type { Sink } from '../../reading/sink.ts';
import type { BebopOptions } from './options.ts';
import { type Plan, planFor } from './read/plan.ts';
import { RowReading } from './read/rows.ts';
import { Scalars } from './read/scalars.ts';
import { ARRAY, type BebopSchema, BYTES, FLOAT64, MAP, MESSAGE, STRING, STRUCT, UNION } from './schema/schema.ts';
import { END, KIND, NEXT, Stack, TYPE } from './read/stack.ts';

/** The keys of a union. */
const UNION_KEYS = ['discriminator', 'value'];

/** Reads a record, or a sequence of records, in order. Open containers are on a separate stack. */
export class BebopReader extends Reader {
  readonly #plan: Plan;
  readonly #scalars: Scalars;
  readonly #budget: Budget;
  readonly #sequence: boolean;
  readonly #records: number[];
  readonly #union: number;
  /** Set if the sink reads structs itself. */
  readonly #rows: RowReading | undefined;
  readonly #stack: Stack;
  #values = 0;
  #started = false;
  #complete = false;
  /** Where the current root record began. */
  #began = 0;

  constructor(sink: Sink, options: BebopOptions, limits: Limits, schema: BebopSchema | undefined) {
    super(sink, limits);
    this.#plan = planFor(schema, options);
    this.#scalars = new Scalars(this.#plan, sink);
    this.#budget = new Budget(limits);
    this.#sequence = options.sequence ?? false;
    this.#stack = new Stack(limits.depth - (this.#sequence ? 1 : 0));
    this.#records = this.#plan.keys.map((keys) => sink.defineRecord(keys));
    this.#union = sink.defineRecord(UNION_KEYS);
    if (sink.readRows !== undefined) this.#rows = new RowReading(this.#plan, sink, limits, this.#records);
  }

  protected read(bytes: Uint8Array, view: DataView, from: number, to: number): number {
    this.#scalars.useWindow(bytes, view, this.base);
    this.#budget.receive(this.base + to);
    if (this.#sequence && !this.#started) this.sink.beginArray(-1, from, from);
    this.#started = true;
    let at = from;
    for (;;) {
      const top = this.#stack.top;
      if (top < 0) {
        if (at >= to && (this.#complete || this.#sequence)) return at;
        if (this.#complete && !this.#sequence) this.fail('trailing-bytes', 'unexpected bytes after the record', at);
        this.#began = this.base + at;
        const next = this.#value(this.#plan.root, -1, at, at, to, bytes, view);
        if (next < 0) return at;
        at = next;
        continue;
      }
      // If the limit is the end of a message, a value that needs more bytes is malformed.
      const limit = Math.min(to, this.#stack.end - this.base);
      let next: number;
      switch (this.#stack.words[top + KIND]) {
        case STRUCT:
          next = this.#struct(at, limit, bytes, view);
          break;
        case MESSAGE:
          next = this.#message(at, limit, bytes, view);
          break;
        case UNION:
          next = this.#branch(at, limit, bytes, view);
          break;
        case MAP:
          next = this.#map(at, limit, bytes, view);
          break;
        default:
          next = this.#array(at, limit, bytes, view);
      }
      if (next < 0) {
        // The container's complete values were read; the rest waits for more input.
        return -1 - next;
      }
      at = next;
      if (this.#stack.top < 0) this.#rootEnds(at);
    }
  }

  protected finish(): void {
    if (this.#stack.top >= 0 || (!this.#complete && !this.#sequence)) this.fail('truncated', 'the input ends inside a record', 0);
    if (this.#sequence) {
      if (!this.#started) this.sink.beginArray(-1, 0, 0);
      this.#nameItems(this.#plan.root);
      this.sink.endArray(0);
    }
    this.#stack.release();
  }

  #rootEnds(at: number): void {
    this.#complete = true;
    if (this.#sequence && this.base + at === this.#began) this.fail('trailing-bytes', 'the records of a sequence have no bytes', at);
  }

  /**
   * Reads the fields of a struct in order. Returns the position after them, or −1 minus the position from which more
   * bytes are needed.
   */
  #struct(from: number, limit: number, bytes: Uint8Array, view: DataView): number {
    const { sink } = this;
    const plan = this.#plan;
    const top = this.#stack.top;
    const record = plan.ref[this.#stack.words[top + TYPE]!]!;
    const types = plan.fieldTypes[record]!;
    const { kind: kinds, size: sizes } = plan;
    const count = types.length;
    let at = from;
    for (let i = this.#stack.words[top + NEXT]!; i < count; i += 1) {
      const type = types[i]!;
      const kind = kinds[type]!;
      const size = sizes[type]!;
      if (size > 0) {
        if (at + size > limit) return this.#wait(top, i, at, at, size);
        sink.field(i, at, at);
        if (kind === FLOAT64) sink.float(view.getFloat64(at, true), at, at + 8);
        else this.#scalars.send(type, at);
        at += size;
        continue;
      }
      if (kind === STRING) {
        if (at + 4 > limit) return this.#wait(top, i, at, at, 4);
        const end = at + 4 + view.getUint32(at, true);
        if (end > limit) {
          this.#checkLength(kind, at, end - at - 4);
          return this.#wait(top, i, at, at, end - at);
        }
        if (end - at - 4 > this.limits.stringLength) this.exceed('stringLength', at);
        sink.field(i, at, at);
        sink.string(at, at + 4, end);
        at = end;
        continue;
      }
      this.#stack.words[top + NEXT] = i + 1;
      const next = this.#value(type, i, at, at, limit, bytes, view);
      if (next < 0) return this.#wait(top, i, at, at, this.needed);
      at = next;
      if (this.#stack.top !== top) return at;
    }
    this.#stack.pop();
    sink.endRecord(at);
    return at;
  }

  /**
   * Reads the fields of a message: a number and a value each, then a zero. Nothing after an unknown number can be read.
   */
  #message(from: number, limit: number, bytes: Uint8Array, view: DataView): number {
    const plan = this.#plan;
    const top = this.#stack.top;
    const record = plan.ref[this.#stack.words[top + TYPE]!]!;
    const table = plan.fieldAt[record]!;
    const types = plan.fieldTypes[record]!;
    let at = from;
    for (;;) {
      const end = this.#stack.words[top + END]! - this.base;
      if (this.#stack.words[top + NEXT] === -1) {
        if (end > limit) return -1 - limit;
        at = end;
        break;
      }
      if (at >= limit) return this.#wait(top, 0, at, at, 1);
      const index = bytes[at]!;
      if (index === 0) {
        at += 1;
        if (at !== end) this.fail('malformed', 'a message is shorter than its length', at);
        break;
      }
      const field = table[index]!;
      if (field < 0) {
        this.#stack.words[top + NEXT] = -1;
        continue;
      }
      if (this.#stack.hasField(top, index)) this.fail('malformed', `duplicate field ${index}`, at);
      const next = this.#value(types[field]!, field, at, at + 1, limit, bytes, view);
      if (next < 0) return this.#wait(top, 0, at, at + 1, this.needed);
      this.#stack.addField(top, index);
      this.#count(1, at);
      at = next;
      if (this.#stack.top !== top) return at;
    }
    this.#stack.pop();
    this.sink.endRecord(at);
    return at;
  }

  /** Reads the value of a union, then its end. */
  #branch(at: number, limit: number, bytes: Uint8Array, view: DataView): number {
    const top = this.#stack.top;
    const type = this.#stack.words[top + NEXT]!;
    if (type >= 0) {
      this.#stack.words[top + NEXT] = -1;
      const next = this.#value(type, 1, at, at, limit, bytes, view);
      return next < 0 ? this.#wait(top, type, at, at, this.needed) : next;
    }
    if (this.base + at !== this.#stack.words[top + END]) this.fail('malformed', 'a union is shorter than its length', at);
    this.#stack.pop();
    this.sink.endRecord(at);
    return at;
  }

  #array(from: number, limit: number, bytes: Uint8Array, view: DataView): number {
    const plan = this.#plan;
    const top = this.#stack.top;
    const item = plan.ref[this.#stack.words[top + TYPE]!]!;
    const size = plan.size[item]!;
    let left = this.#stack.words[top + NEXT]!;
    let at = from;
    if (size > 0) {
      const count = Math.min(left, Math.floor((limit - at) / size));
      for (const end = at + count * size; at < end; at += size) this.#scalars.send(item, at);
      left -= count;
      if (left > 0) return this.#wait(top, left, at, at, size);
    } else {
      const rows = this.#stack.isFull ? undefined : this.#rows;
      if (rows !== undefined) {
        at = rows.read(item, left, this.limits.values - this.#values, bytes, at, limit);
        left = rows.left;
        this.#values += rows.values;
      }
      while (left > 0) {
        this.#stack.words[top + NEXT] = left - 1;
        const next = this.#value(item, -1, at, at, limit, bytes, view);
        if (next < 0) return this.#wait(top, left, at, at, this.needed);
        at = next;
        left -= 1;
        if (this.#stack.top !== top) return at;
      }
    }
    this.#stack.pop();
    this.sink.endArray(at);
    return at;
  }

  #map(from: number, limit: number, bytes: Uint8Array, view: DataView): number {
    const plan = this.#plan;
    const top = this.#stack.top;
    const type = this.#stack.words[top + TYPE]!;
    let left = this.#stack.words[top + NEXT]!;
    let at = from;
    while (left > 0) {
      this.#stack.words[top + NEXT] = left - 1;
      const isKey = left % 2 === 0;
      const next =
        isKey && plan.mapsAsObjects
          ? this.#key(plan.key[type]!, at, limit, view)
          : this.#value(isKey ? plan.key[type]! : plan.ref[type]!, -1, at, at, limit, bytes, view);
      if (next < 0) return this.#wait(top, left, at, at, this.needed);
      at = next;
      left -= 1;
      if (this.#stack.top !== top) return at;
    }
    this.#stack.pop();
    if (plan.mapsAsObjects) this.sink.endObject(at);
    else this.sink.endMap(at);
    return at;
  }

  /** Sends a key of an object. Returns the position after it, −1 if it is cut. */
  #key(type: number, at: number, limit: number, view: DataView): number {
    const plan = this.#plan;
    const size = plan.size[type]!;
    if (size > 0) {
      if (at + size > limit) return this.#cut(size);
      this.sink.keyText(this.#scalars.keyText(type, at), at, at + size);
      return at + size;
    }
    if (at + 4 > limit) return this.#cut(4);
    const length = view.getUint32(at, true);
    this.#checkLength(STRING, at, length);
    if (at + 4 + length > limit) return this.#cut(4 + length);
    this.sink.key(at, at + 4, at + 4 + length);
    return at + 4 + length;
  }

  /**
   * Sends or opens the value at `at`, after the record's `field`, whose header begins at `start`. Returns the position
   * after it; −1 if it is cut, in which case nothing was sent.
   */
  #value(type: number, field: number, start: number, at: number, limit: number, bytes: Uint8Array, view: DataView): number {
    const { sink } = this;
    const plan = this.#plan;
    const kind = plan.kind[type]!;
    const size = plan.size[type]!;
    if (size > 0) {
      if (at + size > limit) return this.#cut(size);
      if (field >= 0) sink.field(field, start, at);
      this.#scalars.send(type, at);
      return at + size;
    }
    if (kind === STRUCT) {
      if (plan.empty[type] === 1) this.#budget.spendEmpty(1, this.base + at);
      if (field >= 0) sink.field(field, start, at);
      this.#open(STRUCT, type, 0, 0, at);
      this.#count(plan.fieldTypes[plan.ref[type]!]!.length + 1, at);
      sink.beginRecord(this.#records[plan.ref[type]!]!, at, at);
      return at;
    }
    if (at + 4 > limit) return this.#cut(4);
    const length = view.getUint32(at, true);
    const from = at + 4;
    if (kind === STRING || kind === BYTES) {
      this.#checkLength(kind, at, length);
      if (from + length > limit) return this.#cut(4 + length);
      if (field >= 0) sink.field(field, start, at);
      if (kind === STRING) sink.string(at, from, from + length);
      else sink.binary(0, at, from, from + length);
      return from + length;
    }
    if (kind === UNION) {
      if (from + 1 > limit) return this.#cut(5);
      const branch = plan.branches[plan.ref[type]!]!.get(bytes[from]!);
      if (branch === undefined) this.fail('malformed', `unknown union branch ${bytes[from]}`, from);
      if (field >= 0) sink.field(field, start, at);
      this.#open(UNION, type, branch, this.base + from + 1 + length, at);
      this.#count(2, at);
      sink.beginRecord(this.#union, at, from);
      sink.field(0, from, from);
      sink.integer(bytes[from]!, from, from + 1);
      return from + 1;
    }
    if (field >= 0) sink.field(field, start, at);
    if (kind === MESSAGE) {
      this.#open(MESSAGE, type, 0, this.base + from + length, at);
      this.#count(1, at);
      this.#stack.beginMessage();
      sink.beginRecord(this.#records[plan.ref[type]!]!, at, from);
      return from;
    }
    const least = kind === MAP ? 1 : plan.size[plan.ref[type]!]!;
    if (this.base + from + length * least > this.#stack.end) this.fail('malformed', `${length} items extend past their container`, at);
    if (kind === MAP) {
      this.#open(MAP, type, length * 2, 0, at);
      this.#count(length * 2 + 1, at);
      if (plan.mapsAsObjects) sink.beginObject(length, at, from);
      else sink.beginMap(length, at, from);
    } else {
      this.#open(ARRAY, type, length, 0, at);
      this.#count(length + 1, at);
      sink.beginArray(length, at, from);
      if (length === 0) this.#nameItems(plan.ref[type]!);
    }
    return from;
  }

  /** Tells the sink the record of the open array's items, given their type. */
  #nameItems(type: number): void {
    const kind = this.#plan.kind[type];
    if (kind === STRUCT || kind === MESSAGE) this.sink.itemRecord?.(this.#records[this.#plan.ref[type]!]!);
    else if (kind === UNION) this.sink.itemRecord?.(this.#union);
  }

  #open(kind: number, type: number, next: number, end: number, at: number): void {
    if (!this.#stack.push(kind, type, next, end)) this.exceed('depth', at);
    if (this.#stack.end > this.#stack.outerEnd) this.fail('malformed', 'a length extends past its container', at);
  }

  /** Sets how many bytes a cut value needs. */
  #cut(size: number): number {
    this.needed = size;
    return -1;
  }

  /**
   * Stores what comes next in a container whose value at `at` is cut; the header before it is at `start`. A value cut
   * by the end of a message is malformed.
   */
  #wait(top: number, next: number, start: number, at: number, size: number): number {
    if (this.base + at + size > this.#stack.end) this.fail('malformed', 'a value extends past its container', at);
    this.#stack.words[top + NEXT] = next;
    this.needed = at - start + size;
    return -1 - start;
  }

  #checkLength(kind: number, at: number, length: number): void {
    if (kind === STRING && length > this.limits.stringLength) this.exceed('stringLength', at);
    if (kind === BYTES && length > this.limits.binaryLength) this.exceed('binaryLength', at);
  }

  #count(values: number, at: number): void {
    this.#values += values;
    if (this.#values > this.limits.values) this.exceed('values', at);
  }
}
