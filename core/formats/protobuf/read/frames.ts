import type { RecordId, Sink } from '../../../reading/sink.ts';
import { FreeList } from '../../../bytes/free-list.ts';
import type { Limits } from '../../../limits.ts';
import type { Input } from './input.ts';
import type { Plan } from './plan.ts';
import { type Scanner, SLOT } from './scanner.ts';

/** Kinds of frames: a record, a message sent as the value it holds, a list, a map, a map's entry, an Any. */
export const RECORD = 0;
export const HOLDER = 1;
export const ITEMS = 2;
export const ENTRIES = 3;
export const ENTRY = 4;
export const WRAPPER = 5;
/** A record whose fields are in schema order, so they are sent as they are found. */
export const ORDERED = 6;

/** Words per frame. The first is the kind. */
export const FRAME = 9;
/** Message type; for a list or map, its field. */
export const TYPE = 1;
/** For a message: its slots, their stamp, the next field to send, and the start of its runs. */
export const SLOTS = 2;
export const STAMP = 3;
export const CURSOR = 4;
const RUNS = 5;
/** For a record: the offset of its keys from its fields, the field already sent plus one, and the position after it. */
export const SHIFT = 6;
export const SENT = 7;
export const AFTER = 8;
/** For a list or map: the position in the current run, its end, the run being read (0 for the first), and the last run. */
export const AT = 4;
export const END = 5;
export const THIS_RUN = 6;
export const LAST_RUN = 7;
/** For a record in order, which also uses `AT` and `END`: the field due next. */
export const INDEX_DUE = 6;

const stacks = new FreeList(() => new Int32Array(16 * FRAME));

/** Stack of open messages, lists and maps. */
export class Frames {
  readonly #plan: Plan;
  readonly #sink: Sink;
  readonly #limits: Limits;
  readonly #input: Input;
  readonly #scanner: Scanner;
  /** Containers already open around the root of this stack. */
  outer = 0;
  stack = stacks.take();
  depth = 0;
  readonly #records: RecordId[] = [];

  constructor(plan: Plan, input: Input, scanner: Scanner, sink: Sink, limits: Limits) {
    this.#plan = plan;
    this.#input = input;
    this.#scanner = scanner;
    this.#sink = sink;
    this.#limits = limits;
  }

  /** Returns the scratch memory. Call after the last message. */
  release(): void {
    stacks.give(this.stack);
  }

  /** The sink's handle for the record of a message type. */
  record(type: number): RecordId {
    return (this.#records[type] ??= this.#sink.defineRecord(this.#plan.keys[type]!));
  }

  /** Opens a list, a map, or a frame for `pushMessage`. */
  push(kind: number, type: number, at: number): number {
    if (this.depth + this.outer >= this.#limits.depth) this.#input.exceed('depth', at);
    const frame = this.depth * FRAME;
    if (frame === this.stack.length) {
      const grown = new Int32Array(frame * 2);
      grown.set(this.stack);
      this.stack = grown;
    }
    this.depth += 1;
    this.stack[frame] = kind;
    this.stack[frame + TYPE] = type;
    return frame;
  }

  /** Opens the message just scanned. `after` is the position after it. */
  pushMessage(kind: number, type: number, after: number): number {
    const frame = this.push(kind, type, after);
    const { stack } = this;
    const plan = this.#plan;
    stack[frame + SLOTS] = this.#scanner.slotTop;
    stack[frame + STAMP] = this.#scanner.stamp;
    stack[frame + CURSOR] = 0;
    stack[frame + RUNS] = this.#scanner.runStart;
    stack[frame + SHIFT] = 0;
    stack[frame + SENT] = 0;
    stack[frame + AFTER] = after;
    this.#scanner.slotTop += (plan.count[type]! + plan.oneofCount[type]! + 1) * SLOT;
    return frame;
  }

  /** Closes the message at the top. */
  popMessage(frame: number): void {
    this.#scanner.slotTop = this.stack[frame + SLOTS]!;
    this.#scanner.runTop = this.stack[frame + RUNS]!;
    this.depth -= 1;
  }
}
