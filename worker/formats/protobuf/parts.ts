import { Extras } from './extras.ts';
import {
  AT, END, ENTRIES, ENTRY, FRAME, HOLDER, INDEX_DUE, ITEMS, LAST_RUN, ORDERED, RECORD, THIS_RUN, TYPE,
} from './frames.ts';
import { ANY, CLOSED, DEFAULTED, MAP, PLAIN, RAW_STRING, SCALAR, SUBMESSAGE, UNWRAPPED, ZERO } from './plan.ts';
import { RUN, SLOT } from './scanner.ts';
import { BOOL, LEN, STRING } from './schema.ts';

/** Sends what is more than a scalar: lists, maps, messages in pieces, and what is not there. */
export class Parts extends Extras {
  #payloadStart = 0;

  /** Opens the message in `from..end`; `start` is where its length lies. */
  protected openPayload(type: number, start: number, from: number, end: number): void {
    if (this.plan.inOrder[type] === 1 && this.isOrdered(type, from, end)) {
      this.beginOrdered(type, start, from, end);
      return;
    }
    this.beginScan(type);
    this.scan(type, from, end, 0);
    this.open(type, start, from, end);
  }

  /** Opens a message whose fields are in order. */
  protected beginOrdered(type: number, start: number, from: number, end: number): void {
    if (this.pieceFrom > start || this.pieceTo <= start) this.move(start);
    this.sink.beginRecord(this.record(type), start, from);
    const frame = this.push(ORDERED, type, from);
    this.stack[frame + AT] = from;
    this.stack[frame + END] = end;
    this.stack[frame + INDEX_DUE] = 0;
  }

  protected open(type: number, start: number, from: number, after: number): void {
    const { plan } = this;
    if (plan.required[type]!.length > 0) this.checkRequired(type, after, -1);
    const kind = plan.kind[type]!;
    if (kind === PLAIN) {
      this.count(this.found, from);
      this.sink.beginRecord(this.record(type), start, from);
      this.pushMessage(RECORD, type, after);
    } else if (kind === UNWRAPPED) {
      this.pushMessage(HOLDER, type, after);
    } else if (kind === ANY) {
      this.openAny(start, from, after);
    } else {
      this.sendWellKnown(kind, start, after);
      this.runTop = this.runStart;
    }
  }

  /** Sends the default of a field that is not there, where it has one that is wanted. */
  protected missing(field: number, key: number, after: number): void {
    const flags = this.plan.flags[field]!;
    if ((flags & DEFAULTED) === 0) return;
    this.budget.spend(1, this.offsetOf(after));
    this.count(1, after);
    this.sink.field(key, after, after);
    if ((flags & ZERO) !== 0) this.sink.integer(0, after, after);
    else this.empty(field, after);
  }

  /** Sends what an absent field stands for. */
  protected empty(field: number, at: number): void {
    const { plan, sink } = this;
    switch (plan.shape[field]) {
      case SCALAR:
        this.defaultValue(plan.type[field]!, field, at);
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
        sink.endArray(at);
    }
  }

  /** Opens what is in a field's slot: a message, a list of messages or a map. `at` is behind the tag. */
  protected enter(field: number, slot: number, at: number): void {
    const { plan, slots } = this;
    const shape = plan.shape[field]!;
    if (shape === SUBMESSAGE) {
      this.#submessage(field, slot, at);
      return;
    }
    this.beginList(field, slots[slot + 1]!, slots[slot + 2]!, slots[slot + 3]!, at);
  }

  /** Opens a list of messages or a map: its first run and the last of the others. `at` is behind the first tag. */
  protected beginList(field: number, start: number, end: number, last: number, at: number): void {
    const isMap = this.plan.shape[field] === MAP;
    const frame = this.push(isMap ? ENTRIES : ITEMS, field, start);
    const { stack } = this;
    stack[frame + AT] = start;
    stack[frame + END] = end;
    stack[frame + THIS_RUN] = 0;
    stack[frame + LAST_RUN] = last;
    if (isMap) this.beginMap(at);
    else this.sink.beginArray(-1, at, at);
  }

  /** Opens a message, of which each occurrence is a piece. */
  #submessage(field: number, slot: number, at: number): void {
    const type = this.plan.ref[field]!;
    const last = this.slots[slot + 3]!;
    const begin = this.slots[slot + 1]!;
    let end = this.slots[slot + 2]!;
    if (last === 0 && this.plan.wire[field] === LEN) {
      const length = this.varint(at, end);
      if (this.next + length === end) {
        this.openPayload(type, at, this.next, end);
        return;
      }
    }
    this.beginScan(type);
    // `scan` may move the slots and the runs; what is needed of them is read before or after it.
    this.#scanRun(type, begin, end);
    const from = this.#payloadStart;
    for (let run = last; run > 0; ) {
      run = this.runs[run * RUN + 2]!;
      end = this.runs[run * RUN + 1]!;
      this.#scanRun(type, this.runs[run * RUN]!, end);
      if (run === last) break;
    }
    this.open(type, at, from, end);
  }

  /** Scans the payloads of a run of messages. */
  #scanRun(type: number, start: number, end: number): void {
    for (let at = start; at < end; ) {
      const tag = this.varint(at, end);
      const behind = this.next;
      if ((tag & 7) === LEN) {
        const length = this.varint(behind, end);
        if (at === start) this.#payloadStart = this.next;
        at = this.scan(type, this.next, this.next + length, 0);
      } else {
        if (at === start) this.#payloadStart = behind;
        at = this.scan(type, behind, end, tag >>> 3);
      }
    }
  }

  /** Sends or opens the next item of a list or entry of a map. */
  protected listStep(frame: number): void {
    const { stack, depth } = this;
    const field = stack[frame + TYPE]!;
    let at = stack[frame + AT]!;
    if (at >= stack[frame + END]!) {
      const last = stack[frame + LAST_RUN]!;
      const run = stack[frame + THIS_RUN]!;
      if (run === last) {
        this.depth -= 1;
        if (stack[frame] === ENTRIES) this.endMap(at);
        else this.sink.endArray(at);
        return;
      }
      const next = this.runs[(run === 0 ? last : run) * RUN + 2]!;
      stack[frame + THIS_RUN] = next;
      stack[frame + END] = this.runs[next * RUN + 1]!;
      at = this.runs[next * RUN]!;
    }
    if (at < this.pieceFrom || at >= this.pieceTo) this.move(at);
    const end = stack[frame + END]!;
    const next = stack[frame] === ENTRIES ? this.entry(field, at, end) : this.item(field, at, end);
    // The stack may be another by now.
    this.stack[(depth - 1) * FRAME + AT] = next;
  }

  /** Opens the message that a list's occurrence at `start` is; returns the position after it. */
  protected item(field: number, start: number, end: number): number {
    const type = this.plan.ref[field]!;
    this.count(1, start);
    const tag = this.varint(start, end);
    const at = this.next;
    if ((tag & 7) === LEN) {
      const length = this.varint(at, end);
      const from = this.next;
      this.openPayload(type, at, from, from + length);
      return from + length;
    }
    this.beginScan(type);
    const next = this.scan(type, at, end, tag >>> 3);
    this.open(type, at, at, next);
    return next;
  }

  /** Sends a map's entry at `start`, or opens the message that its value is; returns the position after it. */
  protected entry(field: number, start: number, end: number): number {
    const { plan } = this;
    const type = plan.ref[field]!;
    const value = plan.first[type]! + 1;
    const { from, end: next } = this.payload(start, end);
    this.count(1, start);
    this.beginScan(type);
    this.scan(type, from, next, 0);
    this.#entryKey(plan.first[type]!, from);
    const slot = this.slotTop + SLOT;
    const isThere = this.slots[slot] === this.stamp;
    const valueStart = this.slots[slot + 1]!;
    const valueEnd = this.slots[slot + 2]!;
    if (plan.shape[value] === SUBMESSAGE) {
      this.pushMessage(ENTRY, type, next);
      if (isThere) {
        this.varint(valueStart, valueEnd);
        this.#submessage(value, slot, this.next);
      } else {
        this.beginScan(plan.ref[value]!);
        this.open(plan.ref[value]!, next, next, next);
      }
    } else {
      this.runTop = this.runStart;
      if (isThere) {
        this.varint(valueStart, valueEnd);
        this.value(plan.type[value]!, value, this.next, valueEnd);
      } else {
        this.defaultValue(plan.type[value]!, value, next);
      }
    }
    return next;
  }

  #entryKey(key: number, from: number): void {
    const { plan, sink, slots, slotTop } = this;
    const type = plan.type[key]!;
    const end = slots[slotTop + 2]!;
    if (slots[slotTop] === this.stamp) {
      this.varint(slots[slotTop + 1]!, end);
      if (plan.mapsAsObjects) this.key(type, this.next, end);
      else this.value(type, key, this.next, end);
    } else if (!plan.mapsAsObjects) {
      this.defaultValue(type, key, from);
    } else {
      sink.keyText(type === STRING || type === RAW_STRING ? '' : type === BOOL ? 'false' : '0', from, from);
    }
  }

  /** Sends the list of scalars in a field's slot. */
  protected list(field: number, slot: number, at: number): void {
    const { sink, slots, runs } = this;
    const last = slots[slot + 3]!;
    let end = slots[slot + 2]!;
    sink.beginArray(-1, at, at);
    this.items(field, slots[slot + 1]!, end);
    for (let run = last; run > 0; ) {
      run = runs[run * RUN + 2]!;
      end = runs[run * RUN + 1]!;
      this.items(field, runs[run * RUN]!, end);
      if (run === last) break;
    }
    sink.endArray(end);
  }

  /** Whether a run of a list of numbers has none: packed lists of no bytes. */
  protected isEmptyPacked(field: number, start: number, end: number): boolean {
    const wire = this.plan.wire[field]!;
    for (let at = start; at < end; at = this.next) {
      const tag = this.varint(at, end);
      if ((tag & 7) === wire || this.varint(this.next, end) > 0) return false;
    }
    return true;
  }

  /** Sends the scalars of a run, which may be packed or not. */
  protected items(field: number, start: number, end: number): void {
    const { plan } = this;
    const type = plan.type[field]!;
    const wire = plan.wire[field]!;
    const closed = (plan.flags[field]! & CLOSED) !== 0;
    for (let at = start; at < end; ) {
      if (at < this.pieceFrom || at >= this.pieceTo) this.move(at);
      const tag = this.varint(at, end);
      const from = this.next;
      if ((tag & 7) === wire) {
        this.count(1, at);
        at = this.value(type, field, from, end);
      } else {
        const length = this.varint(from, end);
        const payload = this.next;
        at = payload + length;
        this.count(this.packed(type, field, payload, at, closed), payload);
      }
    }
  }
}
