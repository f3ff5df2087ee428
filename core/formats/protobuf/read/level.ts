import type { Sink } from '../../../reading/sink.ts';
import { Kept } from './kept.ts';
import { CAREFUL, INDEX, LIST, MAP, MESSAGES, PLAIN, type Plan, SUBMESSAGE } from './plan.ts';
import { MESSAGE } from '../schema/schema.ts';
import type { Walker } from './walker.ts';

/** A large message that is read as it comes. */
export class Level {
  readonly type: number;
  /** The offset in the input where it ends; of a message that has several pieces, the one being read. */
  end: number;
  /** It ends with its piece: it is the root or an item of a list, and not the value of a field. */
  readonly isItem: boolean;
  /** The fields that wait for the end of the message. */
  kept: Kept;
  /** The field that is sent as it comes, −1 as long as there is none; from then on the record is open. */
  live = -1;
  /** When this much has been kept, a list is looked for that could be sent as it comes. */
  patience: number;

  constructor(type: number, origin: number, end: number, isItem: boolean, patience: number, room?: number) {
    this.type = type;
    this.end = end;
    this.isItem = isItem;
    this.kept = new Kept(origin, room);
    this.patience = patience;
  }

  /** Begins the record and the field of a tag's entry, and sends what has been kept of it. */
  open(plan: Plan, walker: Walker, entry: number, at: number): void {
    const index = entry >> INDEX;
    const field = plan.first[this.type]! + index;
    this.live = index;
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

  /** Takes the occurrences of a field out of what is kept, and gives each to `use` while the walker is there. */
  take(plan: Plan, walker: Walker, entry: number, use: (start: number, end: number) => void): void {
    const { kept, type } = this;
    const rest = new Kept(kept.origin);
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

  /** The entry of the list that most of what is kept belongs to; 0 where there is none that can be sent as it comes. */
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
      if (entry > 0 && canBeLive(plan, type, entry) && plan.shape[plan.first[type]! + (entry >> INDEX)] !== SUBMESSAGE) {
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

/** Whether a field can be sent as it comes: what follows must add to it, and never replace or end it. */
export function canBeLive(plan: Plan, type: number, entry: number): boolean {
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

/** The large messages that are open, the outermost first. */
export class Levels {
  /** How many of them the next bytes are in. Those inside wait for another piece. */
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

  /** The level that the next bytes are in. */
  get current(): Level | undefined {
    return this.#open[this.depth - 1];
  }

  /** The next bytes are another piece, up to an offset in the input, of the level inside of the current one. */
  reenter(end: number): void {
    this.#open[this.depth]!.end = end;
    this.depth += 1;
  }

  /** The next bytes are in another level, inside of those that are open. */
  enter(level: Level): void {
    this.#open.push(level);
    this.depth += 1;
  }

  /** The piece of a level ends at `at`. */
  leave(level: Level, at: number, base: number): void {
    this.depth -= 1;
    if (!level.isItem) return;
    const { bytes, view } = this.#walker.input;
    this.close(this.depth, at);
    this.#resume(bytes, view, base);
  }

  /** Ends the levels from `first` on, the innermost first. */
  close(first: number, at: number): void {
    const plan = this.#plan;
    const walker = this.#walker;
    while (this.#open.length > first) {
      const level = this.#open.pop()!;
      const { kept, live, type } = level;
      if (live >= 0) {
        const field = plan.first[type]! + live;
        walker.outer -= 1;
        if (plan.shape[field] !== SUBMESSAGE) walker.endField(field, at);
        walker.input.useKept(kept);
        walker.rest(type, kept.length, live);
      } else {
        walker.input.useKept(kept);
        walker.message(type, 0, 0, kept.length);
      }
    }
  }

  /** Where much has been kept, a list of it may be sent from now on. */
  estimateSize(level: Level, at: number, base: number): void {
    if (level.live >= 0 || level.kept.length <= level.patience) return;
    const walker = this.#walker;
    const { bytes, view } = walker.input;
    const entry = level.largestList(this.#plan, walker);
    this.#resume(bytes, view, base);
    if (entry > 0) this.goLive(level, entry, at, base);
    else level.patience *= 2;
  }

  /** The list, map or message of a tag's entry is sent as it comes from now on. `base` is the offset of the window's first byte. */
  goLive(level: Level, entry: number, at: number, base: number): void {
    const plan = this.#plan;
    const walker = this.#walker;
    const { bytes, view } = walker.input;
    level.open(plan, walker, entry, at);
    const field = plan.first[level.type]! + (entry >> INDEX);
    if (plan.shape[field] === SUBMESSAGE) {
      const inner = new Level(plan.ref[field]!, base + at, 0, false, this.#large);
      level.take(plan, walker, entry, (start, end) => {
        const payload = walker.input.payload(start, end);
        walker.check(inner.type, payload.from, payload.end);
        inner.kept.append(walker.input.bytes, payload.from, payload.end, walker.input.offsetOf(start) - start);
      });
      this.#open.push(inner);
    }
    this.#resume(bytes, view, base);
  }

  /** Goes back to the window after bytes that were kept. */
  #resume(bytes: Uint8Array, view: DataView, base: number): void {
    this.#sink.leave?.();
    this.#walker.input.useWindow(bytes, view, base);
    this.#sink.window(bytes, view, base);
  }
}
