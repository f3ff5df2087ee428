import { hashRange } from '../../bytes/hash.ts';
import type { ConstantList } from '../../reading/sink-methods.ts';
import { ByteList } from '../../bytes/byte-list.ts';
import { RANGE_MASK, type Ranges } from './ranges.ts';

/** Slots probed before a string counts as new: bounds the cost of strings chosen to collide. */
const PROBES = 16;
/** Longer strings are not added. */
const MAX_BYTES = 128;

/** Mixes the length and both ends of a range: enough to distinguish most strings of a column. */
function mixEnds(source: DataView, from: number, to: number): number {
  let mix = to - from;
  if (mix >= 4) {
    mix = Math.imul(mix ^ source.getInt32(from, true), 0x9e3779b1) ^ Math.imul(source.getInt32(to - 4, true), 0x85ebca6b);
  } else {
    for (let at = from; at < to; at++) mix = Math.imul(mix ^ source.getUint8(at), 0x9e3779b1);
  }
  return mix ^ (mix >>> 15);
}

/** Unique strings of a column, by index. */
export class Dictionary {
  readonly list = new ByteList(1024, 64);
  /** Entries written to a part. */
  sent = 0;
  /**
   * By index of the preceding column in the same row: the index that followed it last, plus 1. Names and ids of one
   * thing occur together, so it is often the same again, and one comparison replaces hashing and searching.
   */
  #followers = new Int32Array(64);
  /** Rows predicted, and predicted correctly; prediction stops if it rarely succeeds. */
  #tried = 0;
  #hit = 0;
  /** By result of `mixEnds`: the entry seen last, plus 1. */
  #recent = new Int32Array(128);
  /** Two words per slot: index + 1 of an entry, 0 if the slot is free, and the entry's hash. */
  #slots = new Int32Array(256);
  /** Entries in the slots. A kernel appends others to the list. */
  #entered = 0;
  /** A list of constants, and the index here of each constant seen. */
  #constants: ConstantList | undefined;
  #ofConstants: (number | undefined)[] = [];

  /** The index of a constant. */
  constant(list: ConstantList, index: number): number {
    if (this.#constants !== list) {
      this.#constants = list;
      this.#ofConstants = [];
    }
    return (this.#ofConstants[index] ??= this.#indexOf(list.view, list.start(index), list.end(index)));
  }

  /**
   * Looks up the strings of the rows `from..to` and adds the new ones. `before` holds the indices of the preceding
   * dictionary column, if there is one. Returns the row at which it stopped: `to`, or the row of a string that is too
   * long.
   */
  encode(ranges: Ranges, from: number, to: number, indices: Int32Array, before: Int32Array | undefined): number {
    const { words, view: window } = ranges;
    const { list } = this;
    const predicts = before !== undefined && (this.#tried < 1024 || this.#hit * 4 > this.#tried);
    let followers = this.#followers;
    let recent = this.#recent;
    let hits = 0;
    for (let row = from; row < to; row++) {
      const start = words[(row & RANGE_MASK) << 1]!;
      const length = words[((row & RANGE_MASK) << 1) + 1]! - start;
      if (length < 0) continue;
      if (length > MAX_BYTES) return row;
      const source = start < 0 ? ranges.copies.view : window;
      const position = start < 0 ? ~start : start;
      const end = position + length;
      const previous = predicts ? before[row]! : -1;
      if (previous >= 0) {
        if (previous >= followers.length) followers = this.#growFollowers(previous);
        const guess = followers[previous]! - 1;
        if (guess >= 0 && list.equals(guess, source, position, end)) {
          indices[row] = guess;
          hits++;
          continue;
        }
      }
      const mix = mixEnds(source, position, end);
      let index = recent[mix & (recent.length - 1)]! - 1;
      if (index < 0 || !list.equals(index, source, position, end)) {
        index = this.#indexOf(source, position, end, start < 0 ? undefined : ranges);
        recent = this.#recent;
        recent[mix & (recent.length - 1)] = index + 1;
      }
      indices[row] = index;
      if (previous >= 0) followers[previous] = index + 1;
    }
    if (predicts) {
      this.#tried += to - from;
      this.#hit += hits;
    }
    return to;
  }

  /** The index of a string, which is added if new. A string in the window of `ranges` is validated as UTF-8. */
  #indexOf(source: DataView, from: number, to: number, ranges?: Ranges): number {
    const { list } = this;
    if (this.#entered < list.count) this.#enter();
    const slots = this.#slots;
    const mask = slots.length - 1;
    const hash = hashRange(source, from, to);
    let slot = (hash << 1) & mask;
    for (let probe = 0; probe < PROBES; probe++, slot = (slot + 2) & mask) {
      const entry = slots[slot]!;
      if (entry === 0) break;
      if (slots[slot + 1] === hash && list.equals(entry - 1, source, from, to)) return entry - 1;
    }
    if (!list.append(source, from, to) && ranges !== undefined) this.#check(ranges, from, to);
    if (list.count * 3 > slots.length) this.#grow();
    place(this.#slots, hash, list.count);
    this.#entered = list.count;
    return list.count - 1;
  }

  /** Adds entries to the slots that were appended to the list directly. */
  #enter(): void {
    const { list } = this;
    for (let index = this.#entered; index < list.count; index++) {
      if ((index + 1) * 3 > this.#slots.length) this.#grow();
      place(this.#slots, hashRange(list.view, list.startOf(index), list.ends[index]!), index + 1);
    }
    this.#entered = list.count;
  }

  /** Throws if the entry added last is not UTF-8, and removes it. */
  #check(ranges: Ranges, start: number, end: number): void {
    try {
      ranges.check(start, end);
    } catch (error) {
      this.list.truncate(this.list.count - 1);
      throw error;
    }
  }

  #growFollowers(index: number): Int32Array<ArrayBuffer> {
    const grown = new Int32Array(Math.max(index + 1, this.#followers.length * 2));
    grown.set(this.#followers);
    return (this.#followers = grown);
  }

  #grow(): void {
    const slots = this.#slots;
    const grown = new Int32Array(slots.length * 2);
    for (let slot = 0; slot < slots.length; slot += 2) {
      if (slots[slot] !== 0) place(grown, slots[slot + 1]!, slots[slot]!);
    }
    this.#slots = grown;
    this.#recent = new Int32Array(slots.length);
  }
}

function place(slots: Int32Array, hash: number, entry: number): void {
  const mask = slots.length - 1;
  let slot = (hash << 1) & mask;
  for (let probe = 0; probe < PROBES; probe++, slot = (slot + 2) & mask) {
    if (slots[slot] !== 0) continue;
    slots[slot] = entry;
    slots[slot + 1] = hash;
    return;
  }
}
