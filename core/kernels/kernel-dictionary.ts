import {
  COLUMN_CAPACITY,
  COLUMN_COUNT,
  COLUMN_ENDS,
  COLUMN_FOLLOWERS,
  COLUMN_MASK,
  COLUMN_NOT_ASCII,
  COLUMN_SLOTS,
  COLUMN_TEXT,
  COLUMN_TEXT_CAPACITY,
  COLUMN_TEXT_LENGTH,
  ENTRY_BYTES,
  FOLLOWERS,
} from './assembly/layout.ts';
import type { Dictionary } from '../sinks/columns/dictionary.ts';
import type { Kernel } from './kernel.ts';

const FIRST_ENTRIES = 128;
/** Average bytes of an entry. */
const ENTRY_ROOM = 24;

/**
 * One dictionary in two places: in a kernel's memory, and in the column from which parts are written. Both have the
 * same entries in the same order; additions are copied before and after each run.
 */
export class KernelDictionary {
  readonly #kernel: Kernel;
  /** Index of the column's fields, in words. */
  readonly #fields: number;
  #dictionary: Dictionary | undefined;
  /** True if `load` was called with another dictionary than before. */
  isFresh = false;

  constructor(kernel: Kernel, fields: number) {
    this.#kernel = kernel;
    this.#fields = fields;
  }

  /** Copies the column's additions to the kernel before a run. Returns false if memory is exhausted. */
  load(dictionary: Dictionary): boolean {
    const { list } = dictionary;
    this.isFresh = this.#dictionary !== dictionary;
    if (this.isFresh) {
      this.#dictionary = dictionary;
      if (this.#get(COLUMN_CAPACITY) === 0 && !this.#allocate(FIRST_ENTRIES, FIRST_ENTRIES * ENTRY_ROOM)) return false;
      const { words } = this.#kernel;
      const followers = this.#get(COLUMN_FOLLOWERS) >> 2;
      words.fill(0, followers, followers + FOLLOWERS);
      this.#set(COLUMN_COUNT, 0);
      this.#set(COLUMN_TEXT_LENGTH, 0);
      this.#kernel.enterEntries(this.#fields << 2, 0);
    }
    const known = this.#get(COLUMN_COUNT);
    if (known === list.count) return true;
    while (this.#get(COLUMN_CAPACITY) < list.count || this.#get(COLUMN_TEXT_CAPACITY) < list.length + ENTRY_BYTES) {
      if (!this.grow()) return false;
    }
    const { bytes, words } = this.#kernel;
    const start = list.startOf(known);
    bytes.set(list.bytes.subarray(start, list.length), this.#get(COLUMN_TEXT) + start);
    words.set(list.ends.subarray(known, list.count), (this.#get(COLUMN_ENDS) >> 2) + known);
    this.#set(COLUMN_TEXT_LENGTH, list.length);
    this.#set(COLUMN_COUNT, list.count);
    this.#kernel.enterEntries(this.#fields << 2, known);
    return true;
  }

  /** Copies the kernel's additions to the column after a run. */
  store(): void {
    const { list } = this.#dictionary!;
    const known = list.count;
    const count = this.#get(COLUMN_COUNT);
    if (known === count) return;
    const { bytes, words } = this.#kernel;
    const text = this.#get(COLUMN_TEXT);
    list.write(bytes, text + list.length, text + this.#get(COLUMN_TEXT_LENGTH));
    const ends = this.#get(COLUMN_ENDS) >> 2;
    for (let index = known; index < count; index++) list.endAt(words[ends + index]!);
    if (this.#get(COLUMN_NOT_ASCII)) list.ascii = false;
  }

  /** Makes room for more entries. Returns false if memory is exhausted. */
  grow(): boolean {
    const { ends, text } = { ends: this.#get(COLUMN_ENDS), text: this.#get(COLUMN_TEXT) };
    const count = this.#get(COLUMN_COUNT);
    const length = this.#get(COLUMN_TEXT_LENGTH);
    if (!this.#allocate(this.#get(COLUMN_CAPACITY) * 2, this.#get(COLUMN_TEXT_CAPACITY) * 2)) return false;
    const { bytes } = this.#kernel;
    bytes.copyWithin(this.#get(COLUMN_TEXT), text, text + length);
    bytes.copyWithin(this.#get(COLUMN_ENDS), ends, ends + 4 * count);
    this.#kernel.enterEntries(this.#fields << 2, 0);
    return true;
  }

  #allocate(capacity: number, textCapacity: number): boolean {
    const kernel = this.#kernel;
    const text = kernel.allocate(textCapacity);
    const ends = kernel.allocate(4 * capacity);
    const slots = kernel.allocate(8 * 2 * capacity);
    if (text === 0 || ends === 0 || slots === 0) return false;
    if (this.#get(COLUMN_FOLLOWERS) === 0) {
      const followers = kernel.allocate(4 * FOLLOWERS);
      if (followers === 0) return false;
      this.#set(COLUMN_FOLLOWERS, followers);
    }
    this.#set(COLUMN_CAPACITY, capacity);
    this.#set(COLUMN_TEXT_CAPACITY, textCapacity);
    this.#set(COLUMN_TEXT, text);
    this.#set(COLUMN_ENDS, ends);
    this.#set(COLUMN_SLOTS, slots);
    this.#set(COLUMN_MASK, 2 * capacity - 1);
    return true;
  }

  #get(field: number): number {
    return this.#kernel.words[this.#fields + (field >> 2)]!;
  }

  #set(field: number, value: number): void {
    this.#kernel.words[this.#fields + (field >> 2)] = value;
  }
}
