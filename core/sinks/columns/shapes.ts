import { hashRange } from '../../bytes/hash.ts';
import type { ByteList } from '../../bytes/byte-list.ts';
import { Key } from './key.ts';
import { KeyShape } from './table.ts';

/** Maximum keys of a shape; further keys are written with the object. */
const MAX_KEYS = 512;
/** Maximum number of shapes; objects that would need more carry their further keys themselves. */
const MAX_SHAPES = 32_768;
/** Slots probed: bounds the cost of keys chosen to collide. */
const PROBES = 16;

/** All shapes of one result, as a transition tree like that of hidden classes. */
export class Shapes {
  readonly root = new KeyShape(0);
  readonly all: KeyShape[] = [this.root];
  /** Shapes written to a part. */
  sent = 1;
  readonly #keys: ByteList;
  /** Two words per slot: the id of a shape, 0 if the slot is free, and the hash of its parent and key. */
  #slots = new Int32Array(256);
  /** Throws if a range is not UTF-8. */
  readonly check: (from: number, to: number) => void;

  /** `keys` receives the key that each new shape adds. */
  constructor(keys: ByteList, check: (from: number, to: number) => void) {
    this.#keys = keys;
    this.check = check;
  }

  /**
   * The shape with one more key, or undefined if the object must carry the key itself. `trusted` keys are known to be
   * WTF-8.
   */
  step(shape: KeyShape, source: DataView, from: number, to: number, trusted: boolean): KeyShape | undefined {
    const predicted = shape.next;
    if (predicted !== undefined && predicted.key!.matches(source, from, to)) return predicted;
    const hash = hashRange(source, from, to) ^ Math.imul(shape.id, 0x9e3779b1);
    const found = this.#find(shape, hash, source, from, to);
    if (found) return (shape.next = found);
    if (!trusted) this.check(from, to);
    if (shape.length >= MAX_KEYS || this.all.length >= MAX_SHAPES) return undefined;
    if (this.all.length * 6 > this.#slots.length) this.#grow();
    if (!place(this.#slots, this.all.length, hash)) return undefined;
    const made = new KeyShape(this.all.length, shape, new Key(source, from, to));
    this.all.push(made);
    this.#keys.append(source, from, to);
    return (shape.next = made);
  }

  #find(parent: KeyShape, hash: number, source: DataView, from: number, to: number): KeyShape | undefined {
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let probe = 0, slot = (hash << 1) & mask; probe < PROBES; probe++, slot = (slot + 2) & mask) {
      const id = slots[slot]!;
      if (id === 0) return undefined;
      if (slots[slot + 1] !== hash) continue;
      const shape = this.all[id]!;
      if (shape.parent === parent && shape.key!.matches(source, from, to)) return shape;
    }
    return undefined;
  }

  #grow(): void {
    const slots = this.#slots;
    this.#slots = new Int32Array(slots.length * 2);
    for (let slot = 0; slot < slots.length; slot += 2) if (slots[slot] !== 0) place(this.#slots, slots[slot]!, slots[slot + 1]!);
  }
}

/** Returns false if too many slots are taken. */
function place(slots: Int32Array, shape: number, hash: number): boolean {
  const mask = slots.length - 1;
  for (let probe = 0, slot = (hash << 1) & mask; probe < PROBES; probe++, slot = (slot + 2) & mask) {
    if (slots[slot] !== 0) continue;
    slots[slot] = shape;
    slots[slot + 1] = hash;
    return true;
  }
  return false;
}
