import { hashRange } from '../../hash.ts';
import { decodeWtf8, encodeWtf8 } from '../../wtf8.ts';
import type { ByteList } from './byte-list.ts';
import type { Table } from './table.ts';

/** Keys of one object that are told by its shape; further keys are written with the object. */
const MAX_KEYS = 512;
/** Shapes in all; objects that would need more carry their further keys themselves. */
const MAX_SHAPES = 32_768;
/** How many slots are looked at: bounds the cost of keys chosen to collide. */
const PROBES = 16;

/** A key as it is encoded, ready to be compared with a range. */
export class Key {
  readonly length: number;
  readonly view: DataView;
  readonly #bytes: Uint8Array;
  /** Words of 4 bytes, the last one overlapping where the length is no multiple of 4. */
  readonly #words: Int32Array;

  constructor(source: DataView, from: number, to: number) {
    this.length = to - from;
    this.#bytes = new Uint8Array(source.buffer, source.byteOffset + from, this.length).slice();
    this.view = new DataView(this.#bytes.buffer);
    this.#words = new Int32Array(this.length < 4 ? 0 : (this.length + 3) >>> 2);
    for (let word = 0; word < this.#words.length; word++) {
      this.#words[word] = source.getInt32(Math.min(from + word * 4, to - 4), true);
    }
  }

  static of(text: string): Key {
    const bytes = encodeWtf8(text);
    return new Key(new DataView(bytes.buffer, bytes.byteOffset, bytes.length), 0, bytes.length);
  }

  /** The key's text, for error messages. */
  toString(): string {
    return decodeWtf8(this.#bytes);
  }

  matches(source: DataView, from: number, to: number): boolean {
    const { length } = this;
    if (to - from !== length) return false;
    const words = this.#words;
    const last = words.length - 1;
    if (last >= 0) {
      let at = from;
      for (let word = 0; word < last; word++, at += 4) {
        if (source.getInt32(at, true) !== words[word]) return false;
      }
      return source.getInt32(to - 4, true) === words[last];
    }
    for (let at = 0; at < length; at++) {
      if (source.getUint8(from + at) !== this.#bytes[at]) return false;
    }
    return true;
  }
}

/** An ordered list of keys: a node of the transition tree, made of its parent's keys and one more. */
export class Shape {
  readonly id: number;
  readonly parent: Shape | undefined;
  readonly key: Key | undefined;
  /** How many keys. */
  readonly length: number;
  /** The transition taken last: the prediction. */
  next: Shape | undefined;
  /** Where the objects of this shape go when they repeat as items of a list. */
  table: Table | undefined;

  constructor(id: number, parent?: Shape, key?: Key) {
    this.id = id;
    this.parent = parent;
    this.key = key;
    this.length = parent ? parent.length + 1 : 0;
  }

  /** The keys in order. */
  keys(): Key[] {
    const keys: Key[] = new Array<Key>(this.length);
    let shape: Shape = this;
    for (let at = this.length - 1; at >= 0; at--) {
      keys[at] = shape.key!;
      shape = shape.parent!;
    }
    return keys;
  }
}

/** All shapes of one result: a transition tree, as hidden classes have. */
export class Shapes {
  readonly root = new Shape(0);
  readonly all: Shape[] = [this.root];
  /** How many have been written to a part. */
  sent = 1;
  readonly #keys: ByteList;
  /** Two words a slot: the id of a shape, 0 where the slot is free, and the hash of its parent and key. */
  #slots = new Int32Array(256);
  /** Throws where a range is not UTF-8. */
  readonly check: (from: number, to: number) => void;

  /** `keys` takes the key that each new shape adds. */
  constructor(keys: ByteList, check: (from: number, to: number) => void) {
    this.#keys = keys;
    this.check = check;
  }

  /**
   * The shape with one more key, or undefined where the object must carry the key itself. `trusted` keys are WTF-8
   * already.
   */
  step(shape: Shape, source: DataView, from: number, to: number, trusted: boolean): Shape | undefined {
    const predicted = shape.next;
    if (predicted !== undefined && predicted.key!.matches(source, from, to)) return predicted;
    const hash = hashRange(source, from, to) ^ Math.imul(shape.id, 0x9e3779b1);
    const found = this.#find(shape, hash, source, from, to);
    if (found) return (shape.next = found);
    if (!trusted) this.check(from, to);
    if (shape.length >= MAX_KEYS || this.all.length >= MAX_SHAPES) return undefined;
    if (this.all.length * 6 > this.#slots.length) this.#grow();
    if (!place(this.#slots, this.all.length, hash)) return undefined;
    const made = new Shape(this.all.length, shape, new Key(source, from, to));
    this.all.push(made);
    this.#keys.append(source, from, to);
    return (shape.next = made);
  }

  #find(parent: Shape, hash: number, source: DataView, from: number, to: number): Shape | undefined {
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

/** Returns false where too many slots are taken. */
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
