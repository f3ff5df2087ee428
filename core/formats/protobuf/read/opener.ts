import type { Sink } from '../../../reading/sink.ts';
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
  LAST_RUN,
  ORDERED,
  RECORD,
  SLOTS,
  STAMP,
  THIS_RUN,
  TYPE,
} from './frames.ts';
import { Any } from './any.ts';
import type { Input } from './input.ts';
import type { Passes } from './passes.ts';
import { ANY, CLOSED, DEFAULTED, MAP, MESSAGES, PLAIN, type Plan, RAW_STRING, SCALAR, SUBMESSAGE, UNWRAPPED, ZERO } from './plan.ts';
import type { Scalars } from './scalars.ts';
import { RUN, type Scanner, SLOT } from './scanner.ts';
import { BOOL, LEN, STRING } from '../schema/schema.ts';
import { WellKnown } from './well-known.ts';

/** Opens and sends everything but plain scalars: messages, lists, maps and missing fields. */
export class Opener {
  readonly #plan: Plan;
  readonly #sink: Sink;
  readonly #input: Input;
  readonly #scanner: Scanner;
  readonly #scalars: Scalars;
  readonly #frames: Frames;
  readonly #wellKnown: WellKnown;
  readonly #any: Any;
  #payloadStart = 0;

  constructor(passes: Passes) {
    this.#plan = passes.plan;
    this.#sink = passes.sink;
    this.#input = passes.input;
    this.#scanner = passes.scanner;
    this.#scalars = passes.scalars;
    this.#frames = passes.frames;
    this.#wellKnown = new WellKnown(passes);
    this.#any = new Any(passes);
  }

  /** Opens the message in `from..end`; `start` is the position of its length. */
  openPayload(type: number, start: number, from: number, end: number): void {
    if (this.#plan.inOrder[type] === 1 && this.#scanner.isOrdered(type, from, end)) {
      this.beginOrdered(type, start, from, end);
      return;
    }
    this.#scanner.beginScan(type);
    this.#scanner.scan(type, from, end, 0);
    this.open(type, start, from, end);
  }

  /** Opens a message whose fields are in schema order. */
  beginOrdered(type: number, start: number, from: number, end: number): void {
    this.#input.seek(start);
    this.#sink.beginRecord(this.#frames.record(type), start, from);
    const frame = this.#frames.push(ORDERED, type, from);
    this.#frames.stack[frame + AT] = from;
    this.#frames.stack[frame + END] = end;
    this.#frames.stack[frame + INDEX_DUE] = 0;
  }

  /** Sends or opens the message just scanned. `start` is the position of its length, `after` the position after it. */
  open(type: number, start: number, from: number, after: number): void {
    const plan = this.#plan;
    if (plan.required[type]!.length > 0) this.#scanner.checkRequired(type, after, -1);
    const kind = plan.kind[type]!;
    if (kind === PLAIN) {
      this.#scalars.count(this.#scanner.found, from);
      this.#sink.beginRecord(this.#frames.record(type), start, from);
      this.#frames.pushMessage(RECORD, type, after);
    } else if (kind === UNWRAPPED) {
      this.#frames.pushMessage(HOLDER, type, after);
    } else if (kind === ANY) {
      const held = this.#any.open(start, from, after);
      if (held) this.open(held.type, held.at, held.from, held.end);
    } else {
      this.#wellKnown.send(kind, start, after);
      this.#scanner.runTop = this.#scanner.runStart;
    }
  }

  /** Sends the default of a missing field, if the options ask for it. */
  missing(field: number, key: number, after: number): void {
    const flags = this.#plan.flags[field]!;
    if ((flags & DEFAULTED) === 0) return;
    this.#scalars.budget.spend(1, this.#input.offsetOf(after));
    this.#scalars.count(1, after);
    this.#sink.field(key, after, after);
    if ((flags & ZERO) !== 0) this.#sink.integer(0, after, after);
    else this.empty(field, after);
  }

  /** Sends the value that an absent field stands for. */
  empty(field: number, at: number): void {
    const plan = this.#plan;
    const sink = this.#sink;
    switch (plan.shape[field]) {
      case SCALAR:
        this.#scalars.defaultValue(plan.type[field]!, field, at);
        break;
      case SUBMESSAGE:
        sink.null(at, at);
        break;
      case MAP:
        this.beginMap(at);
        this.endMap(at);
        break;
      default:
        sink.beginArray(0, at, at);
        if (plan.shape[field] === MESSAGES) sink.itemRecord?.(this.#frames.record(plan.ref[field]!));
        sink.endArray(at);
    }
  }

  /** Opens the contents of a field's slot: a message, a list of messages or a map. `at` is the position after the tag. */
  enter(field: number, slot: number, at: number): void {
    const plan = this.#plan;
    const { slots } = this.#scanner;
    const shape = plan.shape[field]!;
    if (shape === SUBMESSAGE) {
      this.#submessage(field, slot, at);
      return;
    }
    this.beginList(field, slots[slot + 1]!, slots[slot + 2]!, slots[slot + 3]!, at);
  }

  /**
   * Opens a list of messages or a map, given its first run and the last of the others. `at` is the position after the
   * first tag.
   */
  beginList(field: number, start: number, end: number, last: number, at: number): void {
    const isMap = this.#plan.shape[field] === MAP;
    const frame = this.#frames.push(isMap ? ENTRIES : ITEMS, field, start);
    const { stack } = this.#frames;
    stack[frame + AT] = start;
    stack[frame + END] = end;
    stack[frame + THIS_RUN] = 0;
    stack[frame + LAST_RUN] = last;
    if (isMap) this.beginMap(at);
    else this.#sink.beginArray(-1, at, at);
  }

  /** Opens a message, merging all its occurrences. */
  #submessage(field: number, slot: number, at: number): void {
    const type = this.#plan.ref[field]!;
    const last = this.#scanner.slots[slot + 3]!;
    const begin = this.#scanner.slots[slot + 1]!;
    let end = this.#scanner.slots[slot + 2]!;
    if (last === 0 && this.#plan.wire[field] === LEN) {
      const length = this.#input.varint(at, end);
      if (this.#input.next + length === end) {
        this.openPayload(type, at, this.#input.next, end);
        return;
      }
    }
    this.#scanner.beginScan(type);
    // `scan` may reallocate the slots and the runs, so none of their values are read across the call.
    this.#scanRun(type, begin, end);
    const from = this.#payloadStart;
    for (let run = last; run > 0;) {
      run = this.#scanner.runs[run * RUN + 2]!;
      end = this.#scanner.runs[run * RUN + 1]!;
      this.#scanRun(type, this.#scanner.runs[run * RUN]!, end);
      if (run === last) break;
    }
    this.open(type, at, from, end);
  }

  /** Scans the payloads of a run of messages. */
  #scanRun(type: number, start: number, end: number): void {
    for (let at = start; at < end;) {
      const tag = this.#input.varint(at, end);
      const behind = this.#input.next;
      if ((tag & 7) === LEN) {
        const length = this.#input.varint(behind, end);
        if (at === start) this.#payloadStart = this.#input.next;
        at = this.#scanner.scan(type, this.#input.next, this.#input.next + length, 0);
      } else {
        if (at === start) this.#payloadStart = behind;
        at = this.#scanner.scan(type, behind, end, tag >>> 3);
      }
    }
  }

  /** Sends or opens the next item of a list or entry of a map. */
  listStep(frame: number): void {
    const { stack, depth } = this.#frames;
    const field = stack[frame + TYPE]!;
    let at = stack[frame + AT]!;
    if (at >= stack[frame + END]!) {
      const last = stack[frame + LAST_RUN]!;
      const run = stack[frame + THIS_RUN]!;
      if (run === last) {
        this.#frames.depth -= 1;
        if (stack[frame] === ENTRIES) this.endMap(at);
        else this.#sink.endArray(at);
        return;
      }
      const next = this.#scanner.runs[(run === 0 ? last : run) * RUN + 2]!;
      stack[frame + THIS_RUN] = next;
      stack[frame + END] = this.#scanner.runs[next * RUN + 1]!;
      at = this.#scanner.runs[next * RUN]!;
    }
    this.#input.seek(at);
    const end = stack[frame + END]!;
    const next = stack[frame] === ENTRIES ? this.entry(field, at, end) : this.item(field, at, end);
    // `item` and `entry` may reallocate the stack.
    this.#frames.stack[(depth - 1) * FRAME + AT] = next;
  }

  /** Opens the message of a list's occurrence at `start`. Returns the position after it. */
  item(field: number, start: number, end: number): number {
    const type = this.#plan.ref[field]!;
    this.#scalars.count(1, start);
    const tag = this.#input.varint(start, end);
    const at = this.#input.next;
    if ((tag & 7) === LEN) {
      const length = this.#input.varint(at, end);
      const from = this.#input.next;
      this.openPayload(type, at, from, from + length);
      return from + length;
    }
    this.#scanner.beginScan(type);
    const next = this.#scanner.scan(type, at, end, tag >>> 3);
    this.open(type, at, at, next);
    return next;
  }

  /** Sends a map's entry at `start`, or opens the message that is its value. Returns the position after it. */
  entry(field: number, start: number, end: number): number {
    const plan = this.#plan;
    const type = plan.ref[field]!;
    const value = plan.first[type]! + 1;
    const { from, end: next } = this.#input.payload(start, end);
    this.#scalars.count(1, start);
    this.#scanner.beginScan(type);
    this.#scanner.scan(type, from, next, 0);
    this.#entryKey(plan.first[type]!, from);
    const slot = this.#scanner.slotTop + SLOT;
    const isPresent = this.#scanner.slots[slot] === this.#scanner.stamp;
    const valueStart = this.#scanner.slots[slot + 1]!;
    const valueEnd = this.#scanner.slots[slot + 2]!;
    if (plan.shape[value] === SUBMESSAGE) {
      this.#frames.pushMessage(ENTRY, type, next);
      if (isPresent) {
        this.#input.varint(valueStart, valueEnd);
        this.#submessage(value, slot, this.#input.next);
      } else {
        this.#scanner.beginScan(plan.ref[value]!);
        this.open(plan.ref[value]!, next, next, next);
      }
    } else {
      this.#scanner.runTop = this.#scanner.runStart;
      if (isPresent) {
        this.#input.varint(valueStart, valueEnd);
        this.#scalars.value(plan.type[value]!, value, this.#input.next, valueEnd);
      } else {
        this.#scalars.defaultValue(plan.type[value]!, value, next);
      }
    }
    return next;
  }

  #entryKey(key: number, from: number): void {
    const plan = this.#plan;
    const sink = this.#sink;
    const { slots, slotTop } = this.#scanner;
    const type = plan.type[key]!;
    const end = slots[slotTop + 2]!;
    if (slots[slotTop] === this.#scanner.stamp) {
      this.#input.varint(slots[slotTop + 1]!, end);
      if (plan.mapsAsObjects) this.#scalars.key(type, this.#input.next, end);
      else this.#scalars.value(type, key, this.#input.next, end);
    } else if (!plan.mapsAsObjects) {
      this.#scalars.defaultValue(type, key, from);
    } else {
      sink.keyText(type === STRING || type === RAW_STRING ? '' : type === BOOL ? 'false' : '0', from, from);
    }
  }

  /** Sends the list of scalars in a field's slot. */
  list(field: number, slot: number, at: number): void {
    const sink = this.#sink;
    const { slots, runs } = this.#scanner;
    const last = slots[slot + 3]!;
    let end = slots[slot + 2]!;
    sink.beginArray(-1, at, at);
    this.items(field, slots[slot + 1]!, end);
    for (let run = last; run > 0;) {
      run = runs[run * RUN + 2]!;
      end = runs[run * RUN + 1]!;
      this.items(field, runs[run * RUN]!, end);
      if (run === last) break;
    }
    sink.endArray(end);
  }

  /** True if a run of a numeric list is empty: it consists of packed lists of no bytes. */
  isEmptyPacked(field: number, start: number, end: number): boolean {
    const wire = this.#plan.wire[field]!;
    for (let at = start; at < end; at = this.#input.next) {
      const tag = this.#input.varint(at, end);
      if ((tag & 7) === wire || this.#input.varint(this.#input.next, end) > 0) return false;
    }
    return true;
  }

  /** Sends the scalars of a run, packed or not. */
  items(field: number, start: number, end: number): void {
    const plan = this.#plan;
    const type = plan.type[field]!;
    const wire = plan.wire[field]!;
    const closed = (plan.flags[field]! & CLOSED) !== 0;
    for (let at = start; at < end;) {
      this.#input.seek(at);
      const tag = this.#input.varint(at, end);
      const from = this.#input.next;
      if ((tag & 7) === wire) {
        this.#scalars.count(1, at);
        at = this.#scalars.value(type, field, from, end);
      } else {
        const length = this.#input.varint(from, end);
        const payload = this.#input.next;
        at = payload + length;
        this.#scalars.count(this.#scalars.packed(type, field, payload, at, closed), payload);
      }
    }
  }

  beginMap(at: number): void {
    if (this.#plan.mapsAsObjects) this.#sink.beginObject(-1, at, at);
    else this.#sink.beginMap(-1, at, at);
  }

  endMap(at: number): void {
    if (this.#plan.mapsAsObjects) this.#sink.endObject(at);
    else this.#sink.endMap(at);
  }

  /** Sends the one value that a message holds: the field that is set, or its default. */
  holderStep(frame: number): void {
    const plan = this.#plan;
    const { stack } = this.#frames;
    const { slots } = this.#scanner;
    const type = stack[frame + TYPE]!;
    const count = plan.count[type]!;
    if (stack[frame + CURSOR] === count) {
      this.#frames.popMessage(frame);
      return;
    }
    stack[frame + CURSOR] = count;
    const base = stack[frame + SLOTS]!;
    const stamp = stack[frame + STAMP]!;
    let index = 0;
    while (index < count && slots[base + index * SLOT] !== stamp) index += 1;
    const after = stack[frame + AFTER]!;
    const field = plan.first[type]! + index;
    const slot = base + index * SLOT;
    if (index === count) {
      // Only a Value has several fields; other messages sent as the value they hold have one.
      if (count > 1) this.#sink.null(after, after);
      else this.empty(plan.first[type]!, after);
      return;
    }
    const start = slots[slot + 1]!;
    const end = slots[slot + 2]!;
    this.#input.seek(start);
    this.#input.varint(start, end);
    if (plan.shape[field] === SCALAR) this.#scalars.value(plan.type[field]!, field, this.#input.next, end);
    else this.enter(field, slot, this.#input.next);
  }
}
