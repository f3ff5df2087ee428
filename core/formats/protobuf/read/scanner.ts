import { FreeList } from '../../../bytes/free-list.ts';
import { CAREFUL, CLOSED, INDEX, LIST, MANY, MAP, PACKED, type Plan } from './plan.ts';
import { EGROUP, I32, I64, LEN, SGROUP, VARINT } from '../schema/schema.ts';
import type { Input } from './input.ts';
import { checkReplaced } from './replaced.ts';
import type { Limits } from '../../../limits.ts';
import { textFor } from '../../../bytes/text/text-for.ts';

/**
 * Words per slot. A message has a slot for each field: `[stamp, start, end, last]`, with the range of the field's
 * first run of occurrences (tags included) and the last of its further runs, or 0. Then one slot for each oneof:
 * `[stamp, field]`, and one for the unknown fields: `[stamp, , , last]`. A slot is empty unless its stamp is that of
 * the message being read.
 */
export const SLOT = 4;
/** Words per run: `[start, end, next, tag]`. The runs of a slot form a ring; `tag` is −1 if the bytes begin with it. */
export const RUN = 4;

/** Memory that the passes use for open messages. */
class Scratch {
  slots = new Int32Array(64 * SLOT);
  runs = new Int32Array(32 * RUN);
  /** Stamp of the last message. */
  stamp = 0;
}

const scratches = new FreeList(() => new Scratch());
/** A scratch with this many stamps used up is dropped, so that a fresh one counts from 0. */
const MAX_STAMPS = 2 ** 30;

/**
 * The first of two passes over a message: finds each field's position. A field may come anywhere and any number of
 * times, and lists in pieces, so its value is known only at the end of the message
 * (https://protobuf.dev/programming-guides/encoding/#order, #last-one-wins); a sink receives each field once.
 */
export class Scanner {
  readonly #plan: Plan;
  readonly #input: Input;
  readonly #limits: Limits;
  readonly #scratch = scratches.take();
  slots = this.#scratch.slots;
  stamp = this.#scratch.stamp;
  /** Slots below this are in use; those of the message being scanned are above. */
  slotTop = 0;
  runs = this.#scratch.runs;
  runTop = RUN;
  /** Start of the runs of the message being scanned. */
  runStart = RUN;
  /** Fields found in the message being scanned. */
  found = 0;

  constructor(plan: Plan, input: Input, limits: Limits) {
    this.#plan = plan;
    this.#input = input;
    this.#limits = limits;
  }

  /** Returns the scratch memory. Call after the last message. */
  release(): void {
    const scratch = this.#scratch;
    scratch.slots = this.slots;
    scratch.runs = this.runs;
    scratch.stamp = this.stamp;
    if (this.stamp < MAX_STAMPS) scratches.give(scratch);
  }

  /** Prepares the slots of a message; then call `scan` for each of its pieces. */
  beginScan(type: number): void {
    const plan = this.#plan;
    const most = this.slotTop + (plan.count[type]! + plan.oneofCount[type]! + 1) * SLOT;
    if (most > this.slots.length) {
      const grown = new Int32Array(most * 2);
      grown.set(this.slots);
      this.slots = grown;
    }
    if (this.stamp === 0x7fffffff) this.#input.exceed('values', 0);
    this.stamp += 1;
    this.found = 0;
    this.runStart = this.runTop;
  }

  /**
   * Finds the fields in `from..end`. For a group, `group` is its field number (otherwise 0), and the scan stops at
   * its end tag. Returns the position after.
   */
  scan(type: number, from: number, end: number, group: number): number {
    const { slots, stamp, slotTop } = this;
    const { bytes } = this.#input;
    const table = this.#plan.tables[type]!;
    let at = from;
    let last = -1;
    while (at < end) {
      const start = at;
      let tag = bytes[at]!;
      at += 1;
      if (tag >= 0x80) {
        const second = bytes[at]!;
        if (at < end && second < 0x80) {
          tag = (tag & 0x7f) | (second << 7);
          at += 1;
        } else {
          tag = this.#input.varint(start, end);
          at = this.#input.next;
          if (tag > 0xffffffff) this.#input.fail('a tag has more than 32 bits', start);
        }
      }
      const wire = tag & 7;
      const value = at;
      if (wire === VARINT) {
        const most = at + 10;
        while (bytes[at]! >= 0x80 && at < most) at += 1;
        at += 1;
        if (at > most && at <= end) this.#input.fail('a varint has more than 10 bytes', value);
      } else if (wire === LEN) {
        const length = bytes[at]!;
        if (length < 0x80) {
          at += 1 + length;
        } else {
          const long = this.#input.varint(at, end);
          at = this.#input.next + long;
        }
      } else if (wire === I64) {
        at += 8;
      } else if (wire === I32) {
        at += 4;
      } else if (wire === SGROUP) {
        at = this.#input.skipGroup(at, end, tag >>> 3, start);
      } else {
        if (wire === EGROUP && group > 0 && tag >>> 3 === group) return at;
        this.#input.fail(wire === EGROUP ? 'end of a group that is not open' : `invalid wire type ${wire}`, start);
      }
      if (at > end) this.#input.fail('a value extends past its message', start);
      if (tag < 8) this.#input.fail('invalid field number 0', start);

      const entry = tag < table.length ? table[tag]! : (this.#plan.otherTags[type]!.get(tag) ?? 0);
      if (entry === 0) {
        if (this.#plan.keepUnknown) this.#addUnknown(type, start, at, -1);
        last = -1;
        continue;
      }
      const index = entry >> INDEX;
      if ((entry & (CAREFUL | PACKED)) !== 0 && !this.#admits(type, entry, start, value, at)) {
        last = -1;
        continue;
      }
      const slot = slotTop + index * SLOT;
      if (slots[slot] !== stamp) {
        slots[slot] = stamp;
        slots[slot + 1] = start;
        slots[slot + 2] = at;
        slots[slot + 3] = 0;
        this.found += 1;
      } else if ((entry & MANY) === 0) {
        checkReplaced(this.#input, this.#plan, this.#limits, this.#plan.first[type]! + index, slots[slot + 1]!, slots[slot + 2]!);
        slots[slot + 1] = start;
        slots[slot + 2] = at;
      } else if (last === index) {
        this.#extend(slot, at);
      } else {
        this.#addRun(slot, start, at, -1);
      }
      last = index;
    }
    if (group > 0) this.#input.fail('unterminated group', from);
    return at;
  }

  /**
   * True if the fields in `from..end` are well-formed and in the order of their numbers, each once except for lists.
   * Also false for unusual input, which is left to `scan`.
   */
  isOrdered(type: number, from: number, end: number): boolean {
    const { bytes } = this.#input;
    let at = from;
    let previous = 7;
    while (at < end) {
      let tag = bytes[at]!;
      at += 1;
      if (tag >= 0x80) {
        const second = bytes[at]!;
        if (at >= end || second >= 0x80) return false;
        tag = (tag & 0x7f) | (second << 7);
        at += 1;
      }
      // The same number again, or a lower one.
      if (tag <= (previous | 7) && (tag !== previous || !this.#isList(type, tag))) return false;
      previous = tag;
      const wire = tag & 7;
      if (wire === LEN) {
        const length = bytes[at]!;
        at += 1;
        if (length < 0x80) {
          at += length;
        } else {
          let last = at - 1;
          while (last < end && bytes[last]! >= 0x80) last += 1;
          if (last >= end) return false;
          const long = this.#input.varint(at - 1, end);
          at = this.#input.next + long;
        }
      } else if (wire === I64) {
        at += 8;
      } else if (wire === VARINT) {
        const most = at + 10;
        while (bytes[at]! >= 0x80) at += 1;
        at += 1;
        if (at > most) return false;
      } else if (wire === I32) {
        at += 4;
      } else {
        return false;
      }
    }
    return at === end;
  }

  #isList(type: number, tag: number): boolean {
    const plan = this.#plan;
    const entry = plan.entry(type, tag);
    return entry === 0 || plan.shape[plan.first[type]! + (entry >> INDEX)]! >= LIST;
  }

  /**
   * True if an occurrence counts: it is neither an empty packed list nor a number unknown to a closed enum (which is
   * an unknown field). A member of a oneof clears the other members.
   */
  #admits(type: number, entry: number, start: number, value: number, end: number): boolean {
    const { slots, stamp } = this;
    const plan = this.#plan;
    const index = entry >> INDEX;
    const field = plan.first[type]! + index;
    if ((entry & PACKED) !== 0) {
      if (this.#payload(value, end) === end) return false;
      if ((plan.flags[field]! & CLOSED) !== 0) return this.#admitsPacked(type, field, end);
      return true;
    }
    if ((plan.flags[field]! & CLOSED) !== 0 && !this.#admitsClosed(field, value, end)) {
      // The key of the entry that is left out must be well-formed.
      checkReplaced(this.#input, plan, this.#limits, field, start, end);
      if (plan.keepUnknown) this.#addUnknown(type, start, end, -1);
      return false;
    }
    const oneof = plan.oneof[field]!;
    if (oneof >= 0) {
      const slot = this.slotTop + (plan.count[type]! + oneof) * SLOT;
      if (slots[slot] === stamp) {
        const other = this.slotTop + slots[slot + 1]! * SLOT;
        if (slots[slot + 1] !== index && slots[other] === stamp) {
          this.#checkRuns(plan.first[type]! + slots[slot + 1]!, other);
          slots[other] = 0;
          this.found -= 1;
        }
      }
      slots[slot] = stamp;
      slots[slot + 1] = index;
    }
    return true;
  }

  /** True if the enum names any number of a packed list. Each other number is an unknown field. */
  #admitsPacked(type: number, field: number, end: number): boolean {
    const plan = this.#plan;
    let named = false;
    for (let at = this.#input.next; at < end; at = this.#input.next) {
      if (this.#plan.isNamed(field, this.#input.int32(at, end))) named = true;
      else if (plan.keepUnknown) this.#addUnknown(type, at, this.#input.next, plan.number[field]! * 8);
    }
    return named;
  }

  /** Checks all occurrences in a slot that another member of the oneof clears. */
  #checkRuns(field: number, slot: number): void {
    const { runs, slots } = this;
    const last = slots[slot + 3]!;
    checkReplaced(this.#input, this.#plan, this.#limits, field, slots[slot + 1]!, slots[slot + 2]!);
    for (let run = last; run > 0;) {
      run = runs[run * RUN + 2]!;
      checkReplaced(this.#input, this.#plan, this.#limits, field, runs[run * RUN]!, runs[run * RUN + 1]!);
      if (run === last) break;
    }
  }

  #admitsClosed(field: number, value: number, end: number): boolean {
    const plan = this.#plan;
    if (plan.shape[field] !== MAP) return this.#plan.isNamed(field, this.#input.int32(value, end));
    // The entry's value is its last field of number 2. A missing value is the default, which the enum names.
    const entry = plan.ref[field]!;
    const valueField = plan.first[entry]! + 1;
    let named = true;
    for (let at = this.#payload(value, end); at < end;) {
      const tag = this.#input.varint(at, end);
      const from = this.#input.next;
      at = this.#input.skip(tag, from, end, at);
      if (tag === 16) named = this.#plan.isNamed(valueField, this.#input.int32(from, end));
    }
    return named;
  }

  /** Position of a payload, after its length. Sets `next` likewise. */
  #payload(at: number, end: number): number {
    this.#input.varint(at, end);
    return this.#input.next;
  }

  #extend(slot: number, end: number): void {
    const run = this.slots[slot + 3]!;
    if (run === 0) this.slots[slot + 2] = end;
    else this.runs[run * RUN + 1] = end;
  }

  #addRun(slot: number, start: number, end: number, tag: number): void {
    if (this.runTop === this.runs.length) {
      const grown = new Int32Array(this.runs.length * 2);
      grown.set(this.runs);
      this.runs = grown;
    }
    const { runs, slots } = this;
    const at = this.runTop;
    this.runTop += RUN;
    const run = at / RUN;
    const last = slots[slot + 3]!;
    runs[at] = start;
    runs[at + 1] = end;
    runs[at + 3] = tag;
    if (last === 0) {
      runs[at + 2] = run;
    } else {
      runs[at + 2] = runs[last * RUN + 2]!;
      runs[last * RUN + 2] = run;
    }
    slots[slot + 3] = run;
  }

  #addUnknown(type: number, start: number, end: number, tag: number): void {
    const { slots, stamp } = this;
    const plan = this.#plan;
    const slot = this.slotTop + (plan.count[type]! + plan.oneofCount[type]!) * SLOT;
    if (slots[slot] !== stamp) {
      slots[slot] = stamp;
      slots[slot + 3] = 0;
    }
    this.#addRun(slot, start, end, tag);
  }

  /** Throws if the message just scanned lacks a required field other than `sent` (−1: none). */
  checkRequired(type: number, after: number, sent: number): void {
    const plan = this.#plan;
    if (!plan.checksRequired) return;
    for (const index of plan.required[type]!) {
      if (this.slots[this.slotTop + index * SLOT] === this.stamp || index === sent) continue;
      this.#input.fail(`the required field ${plan.fields[plan.first[type]! + index]!.name} of ${plan.names[type]} is missing`, after);
    }
  }

  /** Text in the slot of a field of the message just scanned. */
  text(index: number): string {
    const slot = this.slotTop + index * SLOT;
    if (this.slots[slot] !== this.stamp) return '';
    const { from, end } = this.#input.payload(this.slots[slot + 1]!, this.slots[slot + 2]!);
    return textFor(this.#input, this.#input.bytes, from, end, this.#input.offsetOf(from) - from);
  }
}
