import type { RecordId, Sink } from '../../../reading/sink.ts';
import type { Limits } from '../../../limits.ts';
import { AFTER, type Frames, SHIFT, SLOTS, STAMP } from './frames.ts';
import type { Input } from './input.ts';
import type { Passes } from './passes.ts';
import { type Plan, UNKNOWN_KEYS } from './plan.ts';
import type { Scalars } from './scalars.ts';
import { RUN, type Scanner, SLOT } from './scanner.ts';

/** Sends the keys that follow a record's fields: the member set in each oneof, and unknown fields. */
export class RecordEnd {
  #unknownRecord: RecordId | undefined;
  readonly #plan: Plan;
  readonly #sink: Sink;
  readonly #limits: Limits;
  readonly #input: Input;
  readonly #scanner: Scanner;
  readonly #scalars: Scalars;
  readonly #frames: Frames;

  constructor(passes: Passes) {
    this.#plan = passes.plan;
    this.#sink = passes.sink;
    this.#limits = passes.limits;
    this.#input = passes.input;
    this.#scanner = passes.scanner;
    this.#scalars = passes.scalars;
    this.#frames = passes.frames;
  }

  /** Sends the oneofs and the unknown fields of the record at the top. */
  send(frame: number, type: number): void {
    const plan = this.#plan;
    const sink = this.#sink;
    const { stack } = this.#frames;
    const { slots } = this.#scanner;
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
      this.#scalars.constant(plan.fieldNames[plan.first[type]! + slots[slot + 1]!]!);
    }
    const slot = base + (count + oneofs) * SLOT;
    if (plan.keepUnknown && slots[slot] === stamp) {
      sink.field(plan.keys[type]!.length - 1 + shift, after, after);
      this.#unknown(slots[slot + 3]!, after);
    }
  }

  /** Sends the unknown fields: number, wire type and the bytes after the tag; for a group, including its end tag. */
  #unknown(last: number, after: number): void {
    const sink = this.#sink;
    const { runs } = this.#scanner;
    this.#unknownRecord ??= sink.defineRecord(UNKNOWN_KEYS);
    sink.beginArray(-1, after, after);
    for (let run = runs[last * RUN + 2]!; ; run = runs[run * RUN + 2]!) {
      const start = runs[run * RUN]!;
      const end = runs[run * RUN + 1]!;
      this.#input.seek(start);
      let tag = runs[run * RUN + 3]!;
      let from = start;
      if (tag < 0) {
        tag = this.#input.varint(start, end);
        from = this.#input.next;
      }
      this.#scalars.count(4, start);
      sink.beginRecord(this.#unknownRecord, start, start);
      sink.field(0, start, start);
      sink.integer(tag >>> 3, start, from);
      sink.field(1, start, start);
      sink.integer(tag & 7, start, from);
      sink.field(2, from, from);
      if (end - from > this.#limits.binaryLength) this.#input.exceed('binaryLength', from);
      sink.binary(0, from, from, end);
      sink.endRecord(end);
      if (run === last) break;
    }
    sink.endArray(after);
  }
}
