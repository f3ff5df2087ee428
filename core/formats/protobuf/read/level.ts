import type { Sink } from '../../../reading/sink.ts';
import { KeptBytes } from './kept-bytes.ts';
import { CAREFUL, INDEX, LIST, MAP, MESSAGES, PLAIN, type Plan, SUBMESSAGE } from './plan.ts';
import { MESSAGE } from '../schema/schema.ts';
import type { Walker } from './walker.ts';

/** A large message that is read as it arrives. */
export class Level {
  readonly type: number;
  /** Input offset of its end; for a message in several pieces, the end of the current piece. */
  end: number;
  /** True if it ends with its piece: the root or an item of a list, not the value of a field. */
  readonly isItem: boolean;
  /** Bytes of fields that wait for the end of the message. */
  kept: KeptBytes;
  /** The field being sent as it arrives, −1 if none. Once set, the record is open. */
  streamed = -1;
  /** Number of kept bytes after which to look for a list that could be sent as it arrives. */
  threshold: number;

  constructor(type: number, origin: number, end: number, isItem: boolean, threshold: number, room?: number) {
    this.type = type;
    this.end = end;
    this.isItem = isItem;
    this.kept = new KeptBytes(origin, room);
    this.threshold = threshold;
  }

  /** Begins the record and the field of a tag's entry, and sends the kept bytes of the field. */
  open(plan: Plan, walker: Walker, entry: number, at: number): void {
    const index = entry >> INDEX;
    const field = plan.first[this.type]! + index;
    this.streamed = index;
    walker.beginRecord(this.type, at);
    if (plan.shape[field] === SUBMESSAGE) {
      walker.sendField(index, at);
      return;
    }
    walker.beginField(field, index, at);
    if (this.kept.length > 0) {
      this.take(plan, walker, entry, (start, end) => walker.occurrence(field, start, end));
    }
  }

  /** Removes the occurrences of a field from the kept bytes and passes each to `use`, with the walker reading them. */
  take(plan: Plan, walker: Walker, entry: number, use: (start: number, end: number) => void): void {
    const { kept, type } = this;
    const rest = new KeptBytes(kept.origin);
    walker.input.useKept(kept);
    for (let at = 0; at < kept.length;) {
      const tag = walker.input.varint(at, kept.length);
      const end = walker.input.skip(tag, walker.input.next, kept.length, at);
      if (plan.entry(type, tag) >> INDEX === entry >> INDEX && plan.entry(type, tag) > 0) use(at, end);
      else rest.append(kept.bytes, at, end, walker.input.offsetOf(at) - at);
      at = end;
    }
    this.kept = rest;
  }

  /** Entry of the list that most of the kept bytes belong to; 0 if no list can be sent as it arrives. */
  largestList(plan: Plan, walker: Walker): number {
    const { kept, type } = this;
    const sizes = new Map<number, number>();
    let largest = 0;
    let entryOfLargest = 0;
    walker.input.useKept(kept);
    for (let at = 0; at < kept.length;) {
      const tag = walker.input.varint(at, kept.length);
      const end = walker.input.skip(tag, walker.input.next, kept.length, at);
      const entry = plan.entry(type, tag);
      if (entry > 0 && canStream(plan, type, entry) && plan.shape[plan.first[type]! + (entry >> INDEX)] !== SUBMESSAGE) {
        const size = (sizes.get(entry >> INDEX) ?? 0) + end - at;
        sizes.set(entry >> INDEX, size);
        if (size > largest) {
          largest = size;
          entryOfLargest = entry;
        }
      }
      at = end;
    }
    return entryOfLargest;
  }
}

/** True if a field can be sent as it arrives: later occurrences can only add to it, never replace or end it. */
export function canStream(plan: Plan, type: number, entry: number): boolean {
  if ((entry & CAREFUL) !== 0 || plan.kind[type] !== PLAIN) return false;
  const field = plan.first[type]! + (entry >> INDEX);
  switch (plan.shape[field]) {
    case LIST:
    case MAP:
      return true;
    case MESSAGES:
      return plan.type[field] === MESSAGE;
    case SUBMESSAGE:
      return plan.type[field] === MESSAGE && plan.kind[plan.ref[field]!] === PLAIN;
    default:
      return false;
  }
}

/** Open large messages, outermost first. */
export class Levels {
  /** Number of levels that contain the next bytes. Levels further inside wait for another piece. */
  depth = 0;
  readonly #open: Level[] = [];
  readonly #plan: Plan;
  readonly #walker: Walker;
  readonly #sink: Sink;
  readonly #large: number;

  constructor(plan: Plan, walker: Walker, sink: Sink, large: number) {
    this.#plan = plan;
    this.#walker = walker;
    this.#sink = sink;
    this.#large = large;
  }

  /** The level that contains the next bytes. */
  get current(): Level | undefined {
    return this.#open[this.depth - 1];
  }

  /** Enters the next level again for another piece, which ends at an input offset. */
  reenter(end: number): void {
    this.#open[this.depth]!.end = end;
    this.depth += 1;
  }

  /** Opens a level inside the current one. */
  enter(level: Level): void {
    this.#open.push(level);
    this.depth += 1;
  }

  /** Ends a level's piece at `at`. */
  leave(level: Level, at: number, base: number): void {
    this.depth -= 1;
    if (!level.isItem) return;
    const { bytes, view } = this.#walker.input;
    this.close(this.depth, at);
    this.#resume(bytes, view, base);
  }

  /** Ends the levels from `first` on, innermost first. */
  close(first: number, at: number): void {
    const plan = this.#plan;
    const walker = this.#walker;
    while (this.#open.length > first) {
      const level = this.#open.pop()!;
      const { kept, streamed, type } = level;
      if (streamed >= 0) {
        const field = plan.first[type]! + streamed;
        walker.outer -= 1;
        if (plan.shape[field] !== SUBMESSAGE) walker.endField(field, at);
        walker.input.useKept(kept);
        walker.rest(type, kept.length, streamed);
      } else {
        walker.input.useKept(kept);
        walker.message(type, 0, 0, kept.length);
      }
    }
  }

  /** Looks for a list to send as it arrives, once much has been kept. */
  estimateSize(level: Level, at: number, base: number): void {
    if (level.streamed >= 0 || level.kept.length <= level.threshold) return;
    const walker = this.#walker;
    const { bytes, view } = walker.input;
    const entry = level.largestList(this.#plan, walker);
    this.#resume(bytes, view, base);
    if (entry > 0) this.startStreaming(level, entry, at, base);
    else level.threshold *= 2;
  }

  /** Sends the list, map or message of a tag's entry as it arrives from now on. `base` is the input offset of the window. */
  startStreaming(level: Level, entry: number, at: number, base: number): void {
    const plan = this.#plan;
    const walker = this.#walker;
    const { bytes, view } = walker.input;
    level.open(plan, walker, entry, at);
    const field = plan.first[level.type]! + (entry >> INDEX);
    if (plan.shape[field] === SUBMESSAGE) {
      const child = new Level(plan.ref[field]!, base + at, 0, false, this.#large);
      level.take(plan, walker, entry, (start, end) => {
        const payload = walker.input.payload(start, end);
        walker.check(child.type, payload.from, payload.end);
        child.kept.append(walker.input.bytes, payload.from, payload.end, walker.input.offsetOf(start) - start);
      });
      this.#open.push(child);
    }
    this.#resume(bytes, view, base);
  }

  /** Returns to the window after reading kept bytes. */
  #resume(bytes: Uint8Array, view: DataView, base: number): void {
    this.#sink.flush?.();
    this.#walker.input.useWindow(bytes, view, base);
    this.#sink.window(bytes, view, base);
  }
}
