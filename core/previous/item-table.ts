import { hashRange } from '../bytes/hash.ts';

/** Entries with the same hash that are compared: input that collides costs no more, and its items count as new. */
const MAX_CHAIN_LENGTH = 8;

/** Finds items by the hash of their bytes. The caller compares the bytes. */
export class ItemTable {
  readonly #seed = crypto.getRandomValues(new Int32Array(1))[0]!;
  readonly #slots: Int32Array;
  readonly #mask: number;
  /** The hash of each item, and the next item in the same slot plus one. */
  readonly #hashes: Int32Array;
  readonly #following: Int32Array;

  /** Room for `entries` of the items with indices below `count`. */
  constructor(count: number, entries: number) {
    this.#mask = 2 ** Math.ceil(Math.log2(entries + 1)) * 2 - 1;
    this.#slots = new Int32Array(this.#mask + 1);
    this.#hashes = new Int32Array(count);
    this.#following = new Int32Array(count);
  }

  add(index: number, view: DataView, from: number, to: number): void {
    const hash = this.#hash(view, from, to);
    const slot = hash & this.#mask;
    this.#hashes[index] = hash;
    this.#following[index] = this.#slots[slot]!;
    this.#slots[slot] = index + 1;
  }

  /** Removes and returns the first item with the hash of a range for which `matches` returns true; otherwise returns −1. */
  take(view: DataView, from: number, to: number, matches: (index: number) => boolean): number {
    const hash = this.#hash(view, from, to);
    const slot = hash & this.#mask;
    let before = -1;
    for (let entry = this.#slots[slot]!, length = 0; entry > 0 && length < MAX_CHAIN_LENGTH; length += 1) {
      const index = entry - 1;
      const next = this.#following[index]!;
      if (this.#hashes[index] === hash && matches(index)) {
        if (before < 0) this.#slots[slot] = next;
        else this.#following[before] = next;
        return index;
      }
      before = index;
      entry = next;
    }
    return -1;
  }

  #hash(view: DataView, from: number, to: number): number {
    const hash = Math.imul(hashRange(view, from, to) ^ this.#seed, 0x85ebca6b);
    return hash ^ (hash >>> 15);
  }
}
