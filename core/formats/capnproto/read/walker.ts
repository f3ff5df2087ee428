import { sendInt64 } from '../../../reading/int64.ts';
import { DEFAULT_LIMITS, type Limits } from '../../../limits.ts';
import { ObjectSink } from '../../../sinks/objects/objects.ts';
import type { Sink } from '../../../reading/sink.ts';
import { FreeList } from '../../../bytes/free-list.ts';
import { CAPABILITY, COMPOSITE, LIST_POINTER, NULL_POINTER, POINTERS, STRUCT_POINTER } from './message.ts';
import { NAMED, type Plan } from './plan.ts';
import { ANY_POINTER, BITS, BOOL, DATA, ENUM, FLOAT64, GROUP, INT64, INTERFACE, LIST, NO_UNION, STRUCT, TEXT, VOID } from '../schema/schema.ts';
import { Values } from './values.ts';

/** Words per open container. */
const WIDTH = 8;
const KIND = 0;
/** Index of the struct; for a list of pointers or scalars, of their type; −1 − that index if structs are untyped. */
const REF = 1;
/** Position of the struct, or of the list's next item. */
const AT = 2;
/** Data bytes of the struct or of each item. */
const DATA_BYTES = 3;
/** Pointers of the struct or of each item; for scalars, bits of each item. */
const POINTER_COUNT = 4;
const SEGMENT = 5;
/** Next field or item. */
const NEXT = 6;
const COUNT = 7;

const RECORD = 0;
const STRUCTS = 1;
/** A list of pointers of one type. */
const ITEMS = 2;
/** Pointers of an untyped struct. */
const UNTYPED = 3;
const SCALARS = 4;

/** Binary kinds of untyped lists: see `BINARY_KINDS`. */
const UNTYPED_KINDS = Uint8Array.of(0, 0, 0, 5, 7, 11);

const stacks = new FreeList(() => new Int32Array(32 * WIDTH));

/**
 * Sends the value of a message. Open containers are kept on an explicit stack. Many pointers may lead to the same
 * object, and pointers may form cycles, so all output counts against the input size.
 */
export class Walker extends Values {
  #stack = stacks.take();
  /** Innermost open container, −WIDTH for none. */
  #top = -WIDTH;
  /** Containers open around the message. */
  outer = 0;
  /** Values left to send before a pause. */
  #left = Infinity;
  readonly #records: number[] = [];

  constructor(plan: Plan, sink: Sink, limits: Limits) {
    super(plan, sink, limits);
    for (const keys of plan.keys) this.#records.push(sink.defineRecord(keys));
  }

  /** Returns the scratch memory. Call after the last message. */
  release(): void {
    stacks.give(this.#stack);
  }

  /** Opens the root struct, which the first word of the first segment points to. */
  open(): void {
    const { message, plan } = this;
    const at = message.starts[0]!;
    if (at + 8 > message.ends[0]!) message.fail('the message has no root', at, 'truncated');
    const kind = message.follow(at, 0);
    if (kind === NULL_POINTER) this.#record(plan.root, at, 0, 0, 0);
    else if (kind === STRUCT_POINTER) this.#record(plan.root, message.at, message.dataBytes, message.pointers, message.segment);
    else message.fail('a message whose root is not a struct', at);
  }

  /** Ends the list of the messages of a sequence. */
  endSequence(): void {
    this.sink.itemRecord?.(this.#records[this.plan.root]!);
    this.sink.endArray(0);
  }

  /** Sends the target of the pointer at `at`, given its type. */
  value(type: number, at: number, segment: number): void {
    this.#pointer(type, at, segment);
    this.run(Infinity);
  }

  /** True while values of the message are left to send. */
  get isOpen(): boolean {
    return this.#top >= 0;
  }

  /** Sends the values of the message, or about as many as `most`. */
  run(most: number): void {
    this.#left = most;
    while (this.#top >= 0 && this.#left > 0) {
      switch (this.#stack[this.#top + KIND]) {
        case STRUCTS:
          this.#structs();
          break;
        case RECORD:
          this.#fields();
          break;
        case SCALARS:
          this.#scalars();
          break;
        default:
          this.#pointers();
      }
    }
  }

  #enter(kind: number, ref: number, at: number, dataBytes: number, pointers: number, segment: number, count: number): void {
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
    stack[top + DATA_BYTES] = dataBytes;
    stack[top + POINTER_COUNT] = pointers;
    stack[top + SEGMENT] = segment;
    stack[top + NEXT] = 0;
    stack[top + COUNT] = count;
  }

  #record(struct: number, at: number, dataBytes: number, pointers: number, segment: number): void {
    this.#enter(RECORD, struct, at, dataBytes, pointers, segment, 0);
    const values = this.plan.count[struct]! + 1;
    this.count(values, at);
    this.#left -= values;
    this.sink.beginRecord(this.#records[struct]!, at, at);
  }

  /** Sends the fields of the innermost struct. Returns false if it opened a container, which must be sent first. */
  #fields(): boolean {
    const { plan, sink } = this;
    const { view, bytes } = this.message;
    const stack = this.#stack;
    const top = this.#top;
    const struct = stack[top + REF]!;
    const data = stack[top + AT]!;
    const dataBytes = stack[top + DATA_BYTES]!;
    const segment = stack[top + SEGMENT]!;
    const pointerBytes = stack[top + POINTER_COUNT]! * 8;
    const first = plan.first[struct]!;
    const count = plan.count[struct]!;
    const union = plan.discriminant[struct]!;
    const member = union < 0 ? NO_UNION : union + 2 <= dataBytes ? view.getUint16(data + union, true) : 0;
    const { op, at: positions, end: ends, low: lows, high: highs } = plan;
    for (let i = stack[top + NEXT]!; i < count; i += 1) {
      const field = first + i;
      if (union >= 0 && plan.member[field] !== NO_UNION && plan.member[field] !== member) continue;
      const type = op[field]!;
      const at = data + positions[field]!;
      const low = lows[field]!;
      const high = highs[field]!;
      const isPresent = ends[field]! <= dataBytes;
      switch (type) {
        case FLOAT64:
          sink.field(i, at, at);
          if (isPresent && (low | high) === 0) sink.float(view.getFloat64(at, true), at, at + 8);
          else this.otherBits(field, type, at, isPresent);
          break;
        case INT64:
          sink.field(i, at, at);
          if (isPresent) sendInt64(sink, plan.int64, (view.getInt32(at, true) ^ low) >>> 0, view.getInt32(at + 4, true) ^ high, at, at + 8);
          else this.otherBits(field, type, at, isPresent);
          break;
        case BOOL:
          sink.field(i, at, at);
          sink.boolean((isPresent ? (bytes[at]! & plan.mask[field]!) !== 0 : false) !== (low !== 0), at, at + 1);
          break;
        case TEXT: {
          const target = data + dataBytes + positions[field]!;
          const kind = positions[field]! >= pointerBytes ? NULL_POINTER : this.message.followText(target, segment);
          if (kind === NULL_POINTER) {
            this.absent(field, i, data);
            break;
          }
          sink.field(i, target, target + 8);
          if (kind === LIST_POINTER) this.text(target, true);
          else this.#pointer(plan.type[field]!, target, segment);
          break;
        }
        case GROUP:
          sink.field(i, data, data);
          this.#stack[top + NEXT] = i + 1;
          this.#record(plan.group[field]!, data, dataBytes, pointerBytes / 8, segment);
          return false;
        case DATA:
        case LIST:
        case STRUCT:
        case INTERFACE:
        case ANY_POINTER: {
          const target = data + dataBytes + positions[field]!;
          if (positions[field]! >= pointerBytes || this.message.follow(target, segment) === NULL_POINTER) {
            this.absent(field, i, data);
            break;
          }
          sink.field(i, target, target + 8);
          this.#stack[top + NEXT] = i + 1;
          this.#pointer(plan.type[field]!, target, segment);
          if (this.#top !== top) return false;
          break;
        }
        default:
          sink.field(i, at, at);
          if (isPresent && low === 0) this.item(type, plan.ref[plan.type[field]!]!, at, 0);
          else this.otherBits(field, type, at, isPresent);
      }
    }
    sink.endRecord(data);
    this.#top = top - WIDTH;
    return true;
  }

  protected override emptyList(type: number, at: number, end: number): void {
    const { plan, sink } = this;
    const item = plan.ref[type]!;
    sink.beginArray(0, at, end);
    if (plan.kind[item] === STRUCT) sink.itemRecord?.(this.#records[plan.ref[item]!]!);
    sink.endArray(end);
  }

  /** Default of a pointer, read once. Undefined inside itself if it is recursive. */
  protected override defaultOf(field: number): unknown {
    const { plan } = this;
    if (plan.values.has(field)) return plan.values.get(field);
    plan.values.set(field, undefined);
    const sink = new ObjectSink();
    const walker = new Walker(plan, sink, DEFAULT_LIMITS);
    const { request } = plan;
    const { message } = walker;
    message.useWindow(request, new DataView(request.buffer, request.byteOffset, request.byteLength), 0);
    message.frame(0, request.length);
    walker.budget.receive(request.length);
    walker.announce();
    walker.value(plan.type[field]!, plan.fields[field]!.at, plan.fields[field]!.segment);
    plan.values.set(field, sink.result);
    return sink.result;
  }

  /** Sends or opens the target of the pointer at `at`. A null pointer has its value as a list item. */
  #pointer(type: number, at: number, segment: number): void {
    const { plan, message, sink } = this;
    const op = plan.kind[type]!;
    const kind = message.follow(at, segment);
    if (op === INTERFACE || kind === CAPABILITY) {
      if (op !== INTERFACE && op !== ANY_POINTER) message.fail('expected another value, found a capability', at);
      sink.null(at, at + 8);
    } else if (op === ANY_POINTER) {
      this.#untyped(kind, type, at);
    } else if (op === STRUCT) {
      if (kind === NULL_POINTER) this.#record(plan.ref[type]!, at, 0, 0, segment);
      else if (kind === STRUCT_POINTER) this.#record(plan.ref[type]!, message.at, message.dataBytes, message.pointers, message.segment);
      else message.fail('expected a struct, found a list', at);
    } else if (kind === STRUCT_POINTER) {
      message.fail('expected a list, found a struct', at);
    } else if (op === LIST) {
      if (kind !== NULL_POINTER) {
        this.#list(plan.ref[type]!, at);
      } else {
        this.emptyList(type, at, at + 8);
      }
    } else if (kind !== NULL_POINTER) {
      this.text(at, op === TEXT);
    } else if (op === TEXT) {
      sink.string(at, at, at);
    } else {
      sink.binary(0, at, at, at);
    }
  }

  /** Sends or opens the list followed from `at`, given the type of its items. */
  #list(type: number, at: number): void {
    const { plan, sink, message } = this;
    const { at: from, count, itemBits, itemSize, dataBytes, pointers, segment } = message;
    const op = plan.kind[type]!;
    const ref = plan.ref[type]!;
    this.count(count + 1, at);
    if (itemBits === 0) this.budget.spendEmpty(count, message.base + at);
    if (op === STRUCT) {
      if (itemSize === 1) message.fail('expected structs, found a list of bits', at);
      this.#enter(STRUCTS, ref, from, dataBytes, pointers, segment, count);
      sink.beginArray(count, at, from);
      if (count === 0) sink.itemRecord?.(this.#records[ref]!);
      return;
    }
    const bits = BITS[op === NAMED ? ENUM : op]!;
    const isPointers = op !== VOID && bits === 0;
    if (isPointers ? pointers === 0 : op === BOOL ? itemSize !== 1 : bits > 0 && (itemSize === 1 || dataBytes * 8 < bits)) {
      message.fail('a list whose items have an unexpected type', at);
    }
    if (isPointers) {
      this.#enter(ITEMS, type, from + dataBytes, dataBytes, pointers, segment, count);
      sink.beginArray(count, at, from);
      if (op !== LIST && op !== ANY_POINTER) this.#pointers();
      return;
    }
    this.#enter(SCALARS, type, from, dataBytes, itemBits, segment, count);
    sink.beginArray(count, at, from);
    this.#scalars();
  }

  /** Sends scalars of the innermost list. */
  #scalars(): void {
    const { plan } = this;
    const top = this.#top;
    const type = this.#stack[top + REF]!;
    const op = plan.kind[type]!;
    const ref = plan.ref[type]!;
    const from = this.#stack[top + AT]!;
    const step = this.#stack[top + POINTER_COUNT]! / 8;
    const count = this.#stack[top + COUNT]!;
    const first = this.#stack[top + NEXT]!;
    const end = Math.min(count, first + Math.max(0, this.#left));
    if (op === BOOL) {
      for (let i = first; i < end; i += 1) this.item(op, ref, from + (i >> 3), 1 << (i & 7));
    } else {
      for (let i = first, next = from + first * step; i < end; i += 1, next += step) this.item(op, ref, next, 0);
    }
    this.#left -= end - first;
    this.#stack[top + NEXT] = end;
    if (end === count) this.#leave(from + Math.ceil(count * step));
  }

  #structs(): void {
    const stack = this.#stack;
    const top = this.#top;
    const struct = stack[top + REF]!;
    const dataBytes = stack[top + DATA_BYTES]!;
    const pointers = stack[top + POINTER_COUNT]!;
    const segment = stack[top + SEGMENT]!;
    const count = stack[top + COUNT]!;
    const step = dataBytes + pointers * 8;
    let at = stack[top + AT]!;
    for (let index = stack[top + NEXT]!; index < count; index += 1) {
      if (struct < 0) this.#untypedStruct(-1 - struct, at, dataBytes, pointers, segment);
      else this.#record(struct, at, dataBytes, pointers, segment);
      at += step;
      if (struct >= 0 && this.#fields() && this.#left > 0) continue;
      this.#stack[top + AT] = at;
      this.#stack[top + NEXT] = index + 1;
      return;
    }
    this.#leave(at);
  }

  /** Sends the items of a list of lists or untyped pointers, or the pointers of an untyped struct. */
  #pointers(): void {
    const top = this.#top;
    const stack = this.#stack;
    const isUntyped = stack[top + KIND] === UNTYPED;
    const type = stack[top + REF]!;
    const segment = stack[top + SEGMENT]!;
    const count = stack[top + COUNT]!;
    const step = isUntyped ? 8 : stack[top + DATA_BYTES]! + stack[top + POINTER_COUNT]! * 8;
    let at = stack[top + AT]!;
    for (let index = stack[top + NEXT]!; index < count; index += 1) {
      if (isUntyped) this.#untyped(this.message.follow(at, segment), type, at);
      else this.#pointer(type, at, segment);
      at += step;
      this.#left -= 1;
      if (this.#top === top && this.#left > 0) continue;
      this.#stack[top + AT] = at;
      this.#stack[top + NEXT] = index + 1;
      return;
    }
    this.#leave(isUntyped ? at : at - stack[top + DATA_BYTES]!);
    if (isUntyped) this.sink.endObject(at);
  }

  /** Ends the innermost list. */
  #leave(at: number): void {
    this.sink.endArray(at);
    this.#top -= WIDTH;
  }

  /** Sends or opens the target of an untyped pointer followed from `at`. */
  #untyped(kind: number, type: number, at: number): void {
    const { message, sink, limits } = this;
    const { at: from, count, itemSize, itemBits, dataBytes, pointers, segment } = message;
    this.count(1, at);
    if (kind === LIST_POINTER && itemBits === 0) this.budget.spendEmpty(count, message.base + at);
    if (kind === NULL_POINTER || kind === CAPABILITY) {
      sink.null(at, at + 8);
    } else if (kind === STRUCT_POINTER) {
      this.#untypedStruct(type, from, dataBytes, pointers, segment);
    } else if (itemSize === COMPOSITE) {
      this.count(count, at);
      this.#enter(STRUCTS, -1 - type, from, dataBytes, pointers, segment, count);
      sink.beginArray(count, at, from);
    } else if (itemSize === POINTERS) {
      this.#enter(ITEMS, type, from, 0, 1, segment, count);
      sink.beginArray(count, at, from);
    } else if (itemSize <= 1) {
      this.count(count, at);
      this.#enter(ITEMS, type, from, 0, 0, segment, count);
      sink.beginArray(count, at, from);
      for (let i = 0; i < count; i += 1) this.item(itemSize === 1 ? BOOL : VOID, 0, from + (i >> 3), 1 << (i & 7));
      this.#leave(from);
    } else {
      const length = (count * itemBits) / 8;
      if (length > limits.binaryLength) this.exceed('binaryLength', at);
      this.budget.spendBytes(length, message.base + at);
      sink.binary(UNTYPED_KINDS[itemSize]!, at, from, from + length);
    }
  }

  #untypedStruct(type: number, at: number, dataBytes: number, pointers: number, segment: number): void {
    const { sink } = this;
    this.count(3 + pointers, at);
    this.budget.spendBytes(dataBytes, this.message.base + at);
    this.#enter(UNTYPED, type, at + dataBytes, dataBytes, pointers, segment, pointers);
    // An untyped struct is an object that contains a list.
    if (this.#top / WIDTH + 1 + this.outer >= this.limits.depth) this.exceed('depth', at);
    sink.beginObject(2, at, at);
    sink.keyText('data', at, at);
    sink.binary(0, at, at, at + dataBytes);
    sink.keyText('pointers', at, at);
    sink.beginArray(pointers, at, at);
  }
}
