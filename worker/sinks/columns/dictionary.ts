import { ByteList } from './byte-list.ts';

/** How many slots are looked at before a string is taken for new: bounds the cost of keys chosen to collide. */
const PROBES = 16;

/** Mixes the length and three words of a range: enough to tell strings apart that a full comparison then confirms. */
export function hashRange(source: DataView, from: number, to: number): number {
  const length = to - from;
  let hash = length;
  if (length >= 4) {
    hash = Math.imul(hash ^ source.getInt32(from, true), 0x9e3779b1);
    hash = Math.imul(hash ^ source.getInt32(from + (length >>> 1) - 2, true), 0x85ebca6b);
    hash = Math.imul((hash ^ (hash >>> 15)) ^ source.getInt32(to - 4, true), 0xc2b2ae35);
  } else {
    for (let at = from; at < to; at++) hash = Math.imul(hash ^ source.getUint8(at), 0x9e3779b1);
  }
  return hash ^ (hash >>> 13);
}

/** Unique strings of a column, each with an index. */
export class Dictionary {
  readonly list = new ByteList(1024, 64);
  /** How many entries have been written to a part. */
  sent = 0;
  /** Index + 1 of an entry, 0 where the slot is free. */
  #slots = new Int32Array(128);
  #hashes = new Int32Array(128);
  #mask = 127;
  #used = 0;

  /** The index of a string, or −1. The hash that was looked for is kept for `add`. */
  find(source: DataView, from: number, to: number, hash: number): number {
    let slot = hash & this.#mask;
    for (let probe = 0; probe < PROBES; probe++) {
      const entry = this.#slots[slot]!;
      if (entry === 0) return -1;
      if (this.#hashes[slot] === hash && this.list.equals(entry - 1, source, from, to)) return entry - 1;
      slot = (slot + 1) & this.#mask;
    }
    return -1;
  }

  /** Appends a string that `find` did not find. Returns whether it is ASCII; its index is `list.count - 1`. */
  add(source: DataView, from: number, to: number, hash: number): boolean {
    const plain = this.list.append(source, from, to);
    if (++this.#used * 2 > this.#slots.length) this.#grow();
    this.#place(hash, this.list.count);
    return plain;
  }

  #place(hash: number, entry: number): void {
    let slot = hash & this.#mask;
    for (let probe = 0; probe < PROBES; probe++) {
      if (this.#slots[slot] === 0) {
        this.#slots[slot] = entry;
        this.#hashes[slot] = hash;
        return;
      }
      slot = (slot + 1) & this.#mask;
    }
  }

  #grow(): void {
    const slots = this.#slots;
    const hashes = this.#hashes;
    this.#slots = new Int32Array(slots.length * 4);
    this.#hashes = new Int32Array(slots.length * 4);
    this.#mask = this.#slots.length - 1;
    for (let slot = 0; slot < slots.length; slot++) {
      if (slots[slot] !== 0) this.#place(hashes[slot]!, slots[slot]!);
    }
  }
}
