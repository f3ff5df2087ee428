import { Kept } from './memory.ts';
import { CAREFUL, INDEX, LIST, MAP, MESSAGES, PLAIN, type Plan, SUBMESSAGE } from './plan.ts';
import { MESSAGE } from './schema.ts';
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
    walker.useKept(kept);
    for (let at = 0; at < kept.length; ) {
      const tag = walker.varint(at, kept.length);
      const end = walker.skip(tag, walker.next, kept.length, at);
      if (plan.entry(type, tag) >> INDEX === entry >> INDEX && plan.entry(type, tag) > 0) use(at, end);
      else rest.append(kept.bytes, at, end, walker.offsetOf(at) - at);
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
    walker.useKept(kept);
    for (let at = 0; at < kept.length; ) {
      const tag = walker.varint(at, kept.length);
      const end = walker.skip(tag, walker.next, kept.length, at);
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
