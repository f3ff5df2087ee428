import type { Sink } from '../../../reading/sink.ts';
import type { Budget } from '../../../budget.ts';
import type { Limits } from '../../../limits.ts';
import {
  AFTER,
  AT,
  CURSOR,
  END,
  ENTRIES,
  ENTRY,
  FRAME,
  type Frames,
  HOLDER,
  INDEX_DUE,
  ITEMS,
  ORDERED,
  RECORD,
  SENT,
  SHIFT,
  SLOTS,
  STAMP,
  TYPE,
} from './frames.ts';
import type { Input } from './input.ts';
import { Opener } from './opener.ts';
import { Passes } from './passes.ts';
import { INDEX, LIST, MAP, OTHER, type Plan, QUICK, RAW_STRING, SUBMESSAGE, UNLESS_ZERO } from './plan.ts';
import { RecordEnd } from './record-end.ts';
import type { Scalars } from './scalars.ts';
import { type Scanner, SLOT } from './scanner.ts';
import { DOUBLE, STRING } from '../schema/schema.ts';

/**
 * The second pass over a message: sends its fields in schema order, each once. Nested messages are read the same way;
 * open containers are on the stack.
 */
export class Walker {
  readonly input: Input;
  readonly budget: Budget;
  readonly #plan: Plan;
  readonly #sink: Sink;
  readonly #limits: Limits;
  readonly #scanner: Scanner;
  readonly #scalars: Scalars;
  readonly #frames: Frames;
  readonly #opener: Opener;
  readonly #recordEnd: RecordEnd;

  constructor(plan: Plan, sink: Sink, limits: Limits) {
    const passes = new Passes(plan, sink, limits);
    this.#plan = passes.plan;
    this.#sink = passes.sink;
    this.#limits = passes.limits;
    this.input = passes.input;
    this.budget = passes.scalars.budget;
    this.#scanner = passes.scanner;
    this.#scalars = passes.scalars;
    this.#frames = passes.frames;
    this.#opener = new Opener(passes);
    this.#recordEnd = new RecordEnd(passes);
  }

  /** Containers open around the message being read. */
  get outer(): number {
    return this.#frames.outer;
  }

  set outer(count: number) {
    this.#frames.outer = count;
  }

  /** Returns the scratch memory. Call after the last message. */
  release(): void {
    this.#scanner.release();
    this.#frames.release();
  }

  /** Values sent inside the root. */
  get values(): number {
    return this.#scalars.sent - 1;
  }

  /** Counts values sent elsewhere. */
  add(values: number): void {
    this.#scalars.sent += values;
  }

  /** Sends the message in `from..end`; `start` is the position of its length. */
  message(type: number, start: number, from: number, end: number): void {
    this.#opener.openPayload(type, start, from, end);
    this.#run();
  }

  /**
   * Sends the root, in `from..end`, in a single pass if its fields are complete, in order and within the limits.
   * Otherwise sends nothing and returns false.
   */
  rootInOnePass(from: number, end: number): boolean {
    const plan = this.#plan;
    const limits = this.#limits;
    const { root } = plan;
    if (plan.inOrder[root] !== 1 || end - from > Math.min(limits.stringLength, limits.binaryLength)) return false;
    if (!this.#scanner.isOrdered(root, from, end)) return false;
    this.#opener.beginOrdered(root, from, from, end);
    this.#run();
    return true;
  }

  /** Sends the fields in `0..end` into an open record, except for one already sent (−1: none), and ends it. */
  rest(type: number, end: number, sent: number): void {
    this.#scanner.beginScan(type);
    this.#scanner.scan(type, 0, end, 0);
    this.#scanner.checkRequired(type, end, sent);
    this.#scalars.count(this.#scanner.found, 0);
    const frame = this.#frames.pushMessage(RECORD, type, end);
    this.#frames.stack[frame + SENT] = sent + 1;
    this.#run();
  }

  /** Checks that the payload of a message consists of complete fields. */
  check(type: number, from: number, end: number): void {
    this.#scanner.beginScan(type);
    this.#scanner.scan(type, from, end, 0);
    this.#scanner.runTop = this.#scanner.runStart;
  }

  /** Begins the record of a message whose fields follow in pieces. */
  beginRecord(type: number, at: number): void {
    if (this.#frames.outer >= this.#limits.depth) this.input.exceed('depth', at);
    this.#sink.beginRecord(this.#frames.record(type), at, at);
    this.#frames.outer += 1;
  }

  /** Ends the list of the messages of a sequence. */
  endSequence(): void {
    this.#sink.itemRecord?.(this.#frames.record(this.#plan.root));
    this.#sink.endArray(0);
  }

  /** Begins a list or map in that record. */
  beginField(field: number, index: number, at: number): void {
    if (this.#frames.outer >= this.#limits.depth) this.input.exceed('depth', at);
    this.#frames.outer += 1;
    this.#sink.field(index, at, at);
    if (this.#plan.shape[field] === MAP) this.#opener.beginMap(at);
    else this.#sink.beginArray(-1, at, at);
  }

  /** Begins a field whose message follows in pieces. */
  sendField(index: number, at: number): void {
    this.#sink.field(index, at, at);
  }

  endField(field: number, end: number): void {
    this.#frames.outer -= 1;
    if (this.#plan.shape[field] === MAP) this.#opener.endMap(end);
    else this.#sink.endArray(end);
  }

  /** Sends one occurrence of an open list or map, `start..end` with its tag. */
  occurrence(field: number, start: number, end: number): void {
    const shape = this.#plan.shape[field]!;
    this.input.seek(start);
    if (shape === LIST) {
      this.#opener.items(field, start, end);
      return;
    }
    if (shape === MAP) this.#opener.entry(field, start, end);
    else this.#opener.item(field, start, end);
    this.#run();
  }

  /**
   * Sends up to `count` consecutive occurrences at `at` of an open list of messages, while each is complete and of at
   * most `most` bytes. Returns the position after them.
   */
  messages(field: number, at: number, to: number, most: number, count = Infinity): number {
    const { bytes } = this.input;
    const type = this.#plan.ref[field]!;
    const tag = bytes[at]!;
    let next = at;
    for (let left = count; left > 0 && next + 2 < to && bytes[next] === tag; left -= 1) {
      let length = bytes[next + 1]!;
      let from = next + 2;
      if (length >= 0x80) {
        const second = bytes[from]!;
        if (second >= 0x80) break;
        length = (length & 0x7f) | (second << 7);
        from += 1;
      }
      if (from + length > to || length > most) break;
      this.#scalars.count(1, next);
      this.#opener.openPayload(type, next + 1, from, from + length);
      this.#run();
      next = from + length;
    }
    return next;
  }

  /** Sends numbers of an open packed list, all of them complete. */
  numbers(field: number, from: number, end: number): void {
    this.#scalars.count(this.#scalars.packed(this.#plan.type[field]!, field, from, end, false), from);
  }

  #run(): void {
    while (this.#frames.depth > 0) {
      const frame = (this.#frames.depth - 1) * FRAME;
      switch (this.#frames.stack[frame]) {
        case RECORD:
          this.#recordStep(frame);
          break;
        case ORDERED:
          this.#orderedStep(frame);
          break;
        case ITEMS:
        case ENTRIES:
          this.#opener.listStep(frame);
          break;
        case HOLDER:
          this.#opener.holderStep(frame);
          break;
        case ENTRY:
          this.#frames.popMessage(frame);
          break;
        default:
          this.#frames.depth -= 1;
          this.#sink.endRecord(this.#frames.stack[frame + TYPE]!);
      }
    }
  }

  /** Sends fields of a record whose fields are in order, until a message is opened or the record ends. */
  #orderedStep(frame: number): void {
    const plan = this.#plan;
    const sink = this.#sink;
    const { stack } = this.#frames;
    const { bytes, view } = this.input;
    const { sendsDefaults } = plan;
    const longest = this.#limits.stringLength;
    const type = stack[frame + TYPE]!;
    const first = plan.first[type]!;
    const table = plan.tables[type]!;
    const end = stack[frame + END]!;
    let at = stack[frame + AT]!;
    let due = stack[frame + INDEX_DUE]!;
    let count = 0;
    while (at < end) {
      const start = at;
      let tag = bytes[at]!;
      at += 1;
      if (tag >= 0x80) {
        tag = (tag & 0x7f) | (bytes[at]! << 7);
        at += 1;
      }
      const entry = tag < table.length ? table[tag]! : plan.entry(type, tag);
      if (entry === 0) {
        at = this.input.skip(tag, at, end, start);
        continue;
      }
      const index = entry >> INDEX;
      if (sendsDefaults) for (; due < index; due += 1) this.#opener.missing(first + due, due, start);
      due = index + 1;
      count += 1;
      const scalar = (entry >> QUICK) & (2 * UNLESS_ZERO - 1);
      if (scalar === STRING || scalar === RAW_STRING) {
        let from = at + 1;
        let length = bytes[at]!;
        if (length >= 0x80) {
          length = this.input.varint(at, end);
          from = this.input.next;
        }
        if (length > longest) this.input.exceed('stringLength', at);
        sink.field(index, start, at);
        if (scalar === STRING || this.#scalars.isUtf8(from, from + length)) sink.string(at, from, from + length);
        else this.#scalars.lenient(at, from, from + length);
        at = from + length;
      } else if (scalar === DOUBLE) {
        sink.field(index, start, at);
        sink.float(view.getFloat64(at, true), at, at + 8);
        at += 8;
      } else if (scalar !== OTHER) {
        const type = scalar & (UNLESS_ZERO - 1);
        if (scalar > UNLESS_ZERO && (bytes[at]! & 0x7f) === 0) {
          const next = this.input.skip(tag, at, end, start);
          if (this.#scalars.isZero(type, at, next)) {
            at = next;
            continue;
          }
        }
        sink.field(index, start, at);
        at = this.#scalars.value(type, first + index, at, end);
      } else {
        stack[frame + INDEX_DUE] = due;
        const next = this.#orderedPart(frame, first + index, tag, start, at, end);
        if (next < 0) {
          this.#scalars.count(count, start);
          return;
        }
        at = next;
      }
    }
    this.#scalars.count(count, end);
    if (sendsDefaults) for (const all = plan.count[type]!; due < all; due += 1) this.#opener.missing(first + due, due, end);
    sink.endRecord(end);
    this.#frames.depth -= 1;
  }

  /**
   * Sends an in-order field that is not a scalar and returns the position after it, or opens it and returns −1. Its
   * tag is in `start..at`.
   */
  #orderedPart(frame: number, field: number, tag: number, start: number, at: number, end: number): number {
    const plan = this.#plan;
    const sink = this.#sink;
    const { stack } = this.#frames;
    const shape = plan.shape[field]!;
    const index = field - plan.first[stack[frame + TYPE]!]!;
    // A list continues while the tags are equal.
    let next = this.input.skip(tag, at, end, start);
    if (shape !== SUBMESSAGE) {
      while (next < end && this.input.varint(next, end) === tag) next = this.input.skip(tag, this.input.next, end, next);
    }
    if (shape === LIST) {
      if (!plan.sendsDefaults && this.#opener.isEmptyPacked(field, start, next)) return next;
      sink.field(index, start, at);
      sink.beginArray(-1, at, at);
      this.#opener.items(field, start, next);
      sink.endArray(next);
      return next;
    }
    sink.field(index, start, at);
    stack[frame + AT] = next;
    if (shape === SUBMESSAGE) {
      this.input.varint(at, end);
      this.#opener.openPayload(plan.ref[field]!, at, this.input.next, next);
    } else {
      this.#opener.beginList(field, start, next, 0, at);
    }
    return -1;
  }

  /** Sends fields of a record until a message is opened or the record ends. */
  #recordStep(frame: number): void {
    const plan = this.#plan;
    const sink = this.#sink;
    const { stack } = this.#frames;
    const { bytes, view } = this.input;
    const { slots } = this.#scanner;
    const { quick, sendsDefaults } = plan;
    const longest = this.#limits.stringLength;
    const type = stack[frame + TYPE]!;
    const base = stack[frame + SLOTS]!;
    const stamp = stack[frame + STAMP]!;
    const shift = stack[frame + SHIFT]!;
    const first = plan.first[type]!;
    const count = plan.count[type]!;
    const sent = stack[frame + SENT]! - 1;
    const after = stack[frame + AFTER]!;
    for (let index = stack[frame + CURSOR]!; index < count; index += 1) {
      const slot = base + index * SLOT;
      if (slots[slot] !== stamp) {
        if (sendsDefaults && index !== sent) this.#opener.missing(first + index, index + shift, after);
        continue;
      }
      const start = slots[slot + 1]!;
      const end = slots[slot + 2]!;
      this.input.seek(start);
      let at = start + 1;
      if (bytes[start]! >= 0x80) while (bytes[at - 1]! >= 0x80) at += 1;
      const scalar = quick[first + index]!;
      if (scalar === STRING || scalar === RAW_STRING) {
        let from = at + 1;
        if (bytes[at]! >= 0x80) while (bytes[from - 1]! >= 0x80) from += 1;
        if (end - from > longest) this.input.exceed('stringLength', at);
        sink.field(index + shift, start, at);
        if (scalar === STRING || this.#scalars.isUtf8(from, end)) sink.string(at, from, end);
        else this.#scalars.lenient(at, from, end);
      } else if (scalar === DOUBLE) {
        sink.field(index + shift, start, at);
        sink.float(view.getFloat64(at, true), at, end);
      } else if (scalar !== OTHER) {
        if (scalar > UNLESS_ZERO && (bytes[at]! & 0x7f) === 0 && this.#scalars.isZero(scalar - UNLESS_ZERO, at, end)) continue;
        sink.field(index + shift, start, at);
        this.#scalars.value(scalar & (UNLESS_ZERO - 1), first + index, at, end);
      } else if (!this.#other(first + index, index, slot, at, frame)) {
        return;
      }
    }
    if (plan.oneofKeys || plan.keepUnknown) this.#recordEnd.send(frame, type);
    sink.endRecord(after);
    this.#frames.popMessage(frame);
  }

  /** Sends a field that is not a scalar, or opens it and returns false. `at` is the position after its tag. */
  #other(field: number, index: number, slot: number, at: number, frame: number): boolean {
    const { stack } = this.#frames;
    this.#sink.field(index + stack[frame + SHIFT]!, this.#scanner.slots[slot + 1]!, at);
    if (this.#plan.shape[field] === LIST) {
      this.#opener.list(field, slot, at);
      return true;
    }
    stack[frame + CURSOR] = index + 1;
    this.#opener.enter(field, slot, at);
    return false;
  }
}
