import {
  TAG_ANCHOR,
  TAG_BIGINT,
  TAG_BINARY,
  TAG_BITS,
  TAG_DATE,
  TAG_FLOAT,
  TAG_INT,
  TAG_KEY,
  TAG_LIST,
  TAG_MAP,
  TAG_MASK,
  TAG_OBJECT,
  TAG_REFERENCE,
  TAG_ROWS,
  TAG_SET,
  TAG_STRING,
  TAG_TAGGED,
} from '../../../block/block.ts';

/** Bound of the integers that fit a tag's argument. */
const INLINE_LIMIT = 2 ** (31 - TAG_BITS);

const float = new Float64Array(1);
const words = new Int32Array(float.buffer);

/**
 * Tagged words in row-major order (see `TAG_BITS` in block.ts). Words do not depend on their position, so ranges can
 * move.
 */
export class Tape {
  words = new Int32Array(64);
  length = 0;

  push(word: number): void {
    if (this.length === this.words.length) this.#grow(1);
    this.words[this.length++] = word;
  }

  pushTwo(first: number, second: number): void {
    if (this.length + 2 > this.words.length) this.#grow(2);
    this.words[this.length++] = first;
    this.words[this.length++] = second;
  }

  /** Appends an integral number other than −0. */
  integer(value: number): void {
    if (value < INLINE_LIMIT && value >= -INLINE_LIMIT) this.push((value << TAG_BITS) | TAG_INT);
    else this.number(TAG_FLOAT, value);
  }

  /** Appends a FLOAT or a DATE. */
  number(tag: number, value: number): void {
    if (this.length + 3 > this.words.length) this.#grow(3);
    float[0] = value;
    this.words[this.length++] = tag;
    this.words[this.length++] = words[0]!;
    this.words[this.length++] = words[1]!;
  }

  /** The float64 at a position. */
  numberAt(position: number): number {
    words[0] = this.words[position]!;
    words[1] = this.words[position + 1]!;
    return float[0]!;
  }

  rows(table: number, first: number, count: number): void {
    this.pushTwo((table << TAG_BITS) | TAG_ROWS, first);
    this.push(count);
  }

  /** Copies a range of a tape, which may be this one. */
  copy(source: Tape, from: number, to: number): void {
    if (this.length + to - from > this.words.length) this.#grow(to - from);
    this.words.set(source.words.subarray(from, to), this.length);
    this.length += to - from;
  }

  /** Position after the value at `position`. `shapeLength` returns the number of keys of a shape. */
  skip(position: number, shapeLength: (shape: number) => number): number {
    let at = position;
    for (let pending = 1; pending > 0;) {
      const word = this.words[at++]!;
      switch (word & TAG_MASK) {
        case TAG_FLOAT:
        case TAG_DATE:
          at += 2;
          pending -= 1;
          break;
        case TAG_STRING:
        case TAG_BIGINT:
        case TAG_BINARY:
        case TAG_KEY:
        case TAG_REFERENCE:
          at += 1;
          pending -= 1;
          break;
        case TAG_LIST:
        case TAG_SET:
          pending += this.words[at++]! - 1;
          break;
        case TAG_MAP:
          pending += this.words[at++]! * 2 - 1;
          break;
        case TAG_OBJECT:
          pending += shapeLength(word >>> TAG_BITS) + this.words[at++]! * 2 - 1;
          break;
        case TAG_ROWS:
          pending -= this.words[at + 1]!;
          at += 2;
          break;
        case TAG_ANCHOR:
          at += 1;
          break;
        case TAG_TAGGED:
          break;
        default:
          pending -= 1;
      }
    }
    return at;
  }

  /** Position after the entry at `position`: a value without others inside, or the head of one with others. */
  step(position: number): number {
    const tag = this.words[position]! & TAG_MASK;
    if (tag < TAG_FLOAT || tag === TAG_TAGGED) return position + 1;
    return position + (tag <= TAG_DATE || tag === TAG_ROWS ? 3 : 2);
  }

  clear(): void {
    this.length = 0;
  }

  #grow(more: number): void {
    const grown = new Int32Array(Math.max(this.length + more, this.words.length * 2));
    grown.set(this.words.subarray(0, this.length));
    this.words = grown;
  }
}
