import type { RecordId } from '../../events/sink.ts';
import { AFTER, Frames, RECORD, SHIFT, SLOTS, STAMP, WRAPPER } from './frames.ts';
import { PLAIN, UNKNOWN_KEYS } from './plan.ts';
import { RUN, SLOT } from './scanner.ts';
import { BYTES, STRING } from './schema.ts';

/** The key of an Any's type, as in JSON, and that of a value which is no record. */
const ANY_KEYS = ['@type', 'value'] as const;

/** Sends what a record has beyond its fields: which of a oneof is there, unknown fields, the type of an Any. */
export abstract class Extras extends Frames {
  #unknownRecord: RecordId | undefined;
  #wrapper: RecordId | undefined;
  readonly #anyRecords: RecordId[] = [];

  /** Sends the message just scanned, or opens it. `start` is where its length lies, `after` the position after it. */
  protected abstract open(type: number, start: number, from: number, after: number): void;

  /** Sends the oneofs and the unknown fields of the record at the top. */
  protected sendExtras(frame: number, type: number): void {
    const { plan, sink, slots, stack } = this;
    const after = stack[frame + AFTER]!;
    const count = plan.count[type]!;
    const oneofs = plan.oneofCount[type]!;
    const base = stack[frame + SLOTS]!;
    const stamp = stack[frame + STAMP]!;
    const shift = stack[frame + SHIFT]!;
    for (let oneof = 0; oneof < oneofs && plan.oneofKeys; oneof += 1) {
      const slot = base + (count + oneof) * SLOT;
      if (slots[slot] !== stamp) continue;
      sink.field(count + oneof + shift, after, after);
      this.constant(plan.fieldNames[plan.first[type]! + slots[slot + 1]!]!);
    }
    const slot = base + (count + oneofs) * SLOT;
    if (plan.keepUnknown && slots[slot] === stamp) {
      sink.field(plan.keys[type]!.length - 1 + shift, after, after);
      this.#unknown(slots[slot + 3]!, after);
    }
  }

  /** Unknown fields: number, wire type and the bytes behind the tag, those of a group with its end tag. */
  #unknown(last: number, after: number): void {
    const { sink, runs } = this;
    this.#unknownRecord ??= sink.defineRecord(UNKNOWN_KEYS);
    sink.beginArray(-1, after, after);
    for (let run = runs[last * RUN + 2]!; ; run = runs[run * RUN + 2]!) {
      const start = runs[run * RUN]!;
      const end = runs[run * RUN + 1]!;
      if (start < this.pieceFrom || start >= this.pieceTo) this.move(start);
      let tag = runs[run * RUN + 3]!;
      let from = start;
      if (tag < 0) {
        tag = this.varint(start, end);
        from = this.next;
      }
      this.count(4, start);
      sink.beginRecord(this.#unknownRecord, start, start);
      sink.field(0, start, start);
      sink.integer(tag >>> 3, start, from);
      sink.field(1, start, start);
      sink.integer(tag & 7, start, from);
      sink.field(2, from, from);
      if (end - from > this.limits.binaryLength) this.exceed('binaryLength', from);
      sink.binary(0, from, from, end);
      sink.endRecord(end);
      if (run === last) break;
    }
    sink.endArray(after);
  }

  /**
   * Sends the Any just scanned as in JSON: the message's record with the type's address as `@type`; a message that is no
   * record as `value`, and so the bytes of a type that the schema does not have.
   */
  protected openAny(start: number, from: number, after: number): void {
    const { plan, sink, slots, slotTop, stamp } = this;
    const address = slots[slotTop] === stamp ? this.payload(slots[slotTop + 1]!, slots[slotTop + 2]!) : undefined;
    const slot = slotTop + SLOT;
    const value = slots[slot] === stamp ? this.payload(slots[slot + 1]!, slots[slot + 2]!) : { at: after, from: after, end: after };
    const name = this.slotText(0);
    const type = plan.messageNamed(name.slice(name.lastIndexOf('/') + 1));
    const isRecord = type >= 0 && plan.kind[type] === PLAIN;
    this.count(2, start);
    if (isRecord) sink.beginRecord((this.#anyRecords[type] ??= sink.defineRecord(['@type', ...plan.keys[type]!])), start, from);
    else sink.beginRecord((this.#wrapper ??= sink.defineRecord(ANY_KEYS)), start, from);
    if (address) {
      sink.field(0, address.at, address.at);
      this.value(STRING, -1, address.at, address.end);
    }
    this.runTop = this.runStart;
    if (type < 0) {
      sink.field(1, value.at, value.at);
      if (value.at < value.end) this.value(BYTES, -1, value.at, value.end);
      else sink.binary(0, after, after, after);
      sink.endRecord(after);
      return;
    }
    this.beginScan(type);
    this.scan(type, value.from, value.end, 0);
    if (isRecord) {
      this.checkRequired(type, value.end, -1);
      this.count(this.found, value.from);
      const frame = this.pushMessage(RECORD, type, value.end);
      this.stack[frame + SHIFT] = 1;
    } else {
      this.push(WRAPPER, after, after);
      sink.field(1, value.at, value.at);
      this.open(type, value.at, value.from, value.end);
    }
  }
}
