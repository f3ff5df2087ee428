import type { RecordId, Sink } from '../../../reading/sink.ts';
import { type Frames, RECORD, SHIFT, WRAPPER } from './frames.ts';
import type { Input } from './input.ts';
import type { Passes } from './passes.ts';
import { PLAIN, type Plan } from './plan.ts';
import type { Scalars } from './scalars.ts';
import { type Scanner, SLOT } from './scanner.ts';
import { BYTES, STRING } from '../schema/schema.ts';

/** Keys of an Any: its type, as in JSON, and its value if that is not a record. */
const ANY_KEYS = ['@type', 'value'] as const;

/** A message in an Any that is not sent as a record: scanned, and still to be opened. */
interface AnyValue {
  type: number;
  at: number;
  from: number;
  end: number;
}

/** Sends the messages of an Any (https://protobuf.dev/programming-guides/proto3/#any). */
export class Any {
  #wrapper: RecordId | undefined;
  readonly #anyRecords: RecordId[] = [];
  readonly #plan: Plan;
  readonly #sink: Sink;
  readonly #input: Input;
  readonly #scanner: Scanner;
  readonly #scalars: Scalars;
  readonly #frames: Frames;

  constructor(passes: Passes) {
    this.#plan = passes.plan;
    this.#sink = passes.sink;
    this.#input = passes.input;
    this.#scanner = passes.scanner;
    this.#scalars = passes.scalars;
    this.#frames = passes.frames;
  }

  /**
   * Sends the Any just scanned as in JSON: the message's record with the type URL as `@type`. A message that is not a
   * record is sent as `value`, and so are the bytes of a type unknown to the schema. Returns a message that still has
   * to be opened.
   */
  open(start: number, from: number, after: number): AnyValue | undefined {
    const plan = this.#plan;
    const sink = this.#sink;
    const { slots, slotTop, stamp } = this.#scanner;
    const address = slots[slotTop] === stamp ? this.#input.payload(slots[slotTop + 1]!, slots[slotTop + 2]!) : undefined;
    const slot = slotTop + SLOT;
    const value = slots[slot] === stamp ? this.#input.payload(slots[slot + 1]!, slots[slot + 2]!) : { at: after, from: after, end: after };
    const name = this.#scanner.text(0);
    const type = plan.messageNamed(name.slice(name.lastIndexOf('/') + 1));
    const isRecord = type >= 0 && plan.kind[type] === PLAIN;
    this.#scalars.count(2, start);
    if (isRecord) sink.beginRecord((this.#anyRecords[type] ??= sink.defineRecord(['@type', ...plan.keys[type]!])), start, from);
    else sink.beginRecord((this.#wrapper ??= sink.defineRecord(ANY_KEYS)), start, from);
    if (address) {
      sink.field(0, address.at, address.at);
      this.#scalars.value(STRING, -1, address.at, address.end);
    }
    this.#scanner.runTop = this.#scanner.runStart;
    if (type < 0) {
      sink.field(1, value.at, value.at);
      if (value.at < value.end) this.#scalars.value(BYTES, -1, value.at, value.end);
      else sink.binary(0, after, after, after);
      sink.endRecord(after);
      return undefined;
    }
    this.#scanner.beginScan(type);
    this.#scanner.scan(type, value.from, value.end, 0);
    if (isRecord) {
      this.#scanner.checkRequired(type, value.end, -1);
      this.#scalars.count(this.#scanner.found, value.from);
      const frame = this.#frames.pushMessage(RECORD, type, value.end);
      this.#frames.stack[frame + SHIFT] = 1;
      return undefined;
    }
    this.#frames.push(WRAPPER, after, after);
    sink.field(1, value.at, value.at);
    return { type, ...value };
  }
}
