import { DecodeError, LimitError } from '../../../errors.ts';
import { Budget } from '../../../budget.ts';
import type { Limits } from '../../../limits.ts';
import type { KeyList } from '../../../reading/sink-methods.ts';
import type { Sink } from '../../../reading/sink.ts';
import { FreeList } from '../../../bytes/free-list.ts';
import { textFor } from '../../../bytes/text/text-for.ts';

/** Kinds of recorded values, stored instead of a position. */
const TEXT = -1;
const ANCHOR = -2;
const BLOCK = -3;
/** A tagged value that is not complete yet. */
const UNFINISHED = -4;
/** Limit on the bytes of all keys. */
const MAX_SIZE = 2 ** 30;
/** Memory of a cache, which is reused while it is small. */
const MAX_BYTES = 64 * 1024;
const MAX_STRINGS = 4096;
const memories = new FreeList(() => {
  const bytes = new Uint8Array(256);
  const view = new DataView(bytes.buffer);
  return { bytes, view, from: new Int32Array(256), ends: new Int32Array(256), isShort: new Uint8Array(256) };
});

/** Bytes up to which repeated strings and blocks are not counted. */
const SHORT = 64;

/**
 * The targets of references: keys, each of which is recorded when it is written in full, and blocks after a `record`.
 * Both are numbered together, from 0. UTF-8 strings are kept as consecutive bytes.
 */
export class Cache implements KeyList {
  count = 0;
  /** How many earlier values of a sequence recorded: a key's index includes them. */
  first = 0;
  bytes: Uint8Array<ArrayBuffer>;
  view: DataView<ArrayBuffer>;
  #used = 0;
  /** By number: the position of the bytes, or one of the constants above. */
  #from: Int32Array<ArrayBuffer>;
  #ends: Int32Array<ArrayBuffer>;
  #keys: string[] | undefined;
  /** 1 for each number of one byte that stands for a short UTF-8 string. */
  readonly isShort: Uint8Array<ArrayBuffer>;
  /** How many fields `readFields` has read. */
  fields = 0;
  /** Strings that UTF-8 cannot represent. */
  #texts: Map<number, string> | undefined;
  /** Encoded scalar blocks. */
  #blocks: Map<number, Uint8Array> | undefined;
  #anchors: Map<number, number> | undefined;
  #nextAnchor = 0;
  readonly #sink: Sink;
  readonly #budget: Budget;

  constructor(sink: Sink, limits: Limits) {
    this.#sink = sink;
    this.#budget = new Budget(limits);
    const { bytes, view, from, ends, isShort } = memories.take();
    this.bytes = bytes;
    this.view = view;
    this.#from = from;
    this.#ends = ends;
    this.isShort = isShort.fill(0);
  }

  /** Returns the memory for reuse at the end of the input. */
  release(): void {
    if (this.bytes.length > MAX_BYTES || this.#from.length > MAX_STRINGS) return;
    memories.give({ bytes: this.bytes, view: this.view, from: this.#from, ends: this.#ends, isShort: this.isShort });
  }

  /** Raises the budget as `total` bytes of input allow. */
  receive(total: number): void {
    this.#budget.receive(total);
  }

  /** Forgets all records before the next value of a sequence. */
  clear(): void {
    this.first += this.count;
    this.count = 0;
    this.isShort.fill(0);
    this.#keys = undefined;
    this.#used = 0;
    this.#texts = undefined;
    this.#blocks = undefined;
    this.#anchors = undefined;
  }

  text(index: number): string {
    return ((this.#keys ??= [])[index - this.first] ??= textFor(this.#sink, this.bytes, this.start(index), this.end(index), -1));
  }

  /** The string with a number, if it is UTF-8 and so short that references to it are not counted. */
  shortText(number: number): string | undefined {
    const from = this.#from[number]!;
    return from >= 0 && this.#ends[number]! - from <= SHORT ? this.text(this.first + number) : undefined;
  }

  start(index: number): number {
    return this.#from[index - this.first]!;
  }

  end(index: number): number {
    return this.#ends[index - this.first]!;
  }

  /** Records the UTF-8 in `from..end`. */
  addRange(bytes: Uint8Array, from: number, end: number): void {
    const length = end - from;
    if (this.#used + length > this.bytes.length) {
      if (this.#used + length > MAX_SIZE) throw new LimitError('stringLength', 'stringLength limit exceeded: keys of more than 1 GiB in total');
      const grown = new Uint8Array(Math.max(this.bytes.length * 2, this.#used + length));
      grown.set(this.bytes.subarray(0, this.#used));
      this.bytes = grown;
      this.view = new DataView(grown.buffer);
    }
    for (let i = 0; i < length; i += 1) this.bytes[this.#used + i] = bytes[from + i]!;
    this.#add(this.#used, this.#used + length);
    this.#used += length;
  }

  addText(text: string): void {
    (this.#texts ??= new Map()).set(this.count, text);
    this.#add(TEXT, 0);
  }

  /** Records a scalar other than a string: its block in `from..end`. */
  addBlock(bytes: Uint8Array, from: number, end: number): void {
    (this.#blocks ??= new Map()).set(this.count, bytes.slice(from, end));
    this.#add(BLOCK, 0);
  }

  /** Records the value, which has an identity, whose event follows at `start`. Returns its number. */
  addAnchor(unfinished: boolean, start: number, end: number): number {
    (this.#anchors ??= new Map()).set(this.count, this.#nextAnchor);
    this.#sink.anchor(this.#nextAnchor, start, end);
    this.#nextAnchor += 1;
    this.#add(unfinished ? UNFINISHED : ANCHOR, 0);
    return this.count - 1;
  }

  /** Marks the tagged value with this number as complete. */
  finish(number: number): void {
    this.#from[number] = ANCHOR;
  }

  /** Sends the key of a reference in `start..end`. Returns true if the window must be announced again. */
  sendKey(number: number, start: number, end: number, offset: number): boolean {
    const from = number < this.count ? this.#from[number]! : BLOCK;
    if (from >= 0) {
      const to = this.#ends[number]!;
      if (to - from > SHORT) this.#budget.spendBytes(to - from, offset);
      if (this.#sink.listedKey !== undefined) {
        this.#sink.listedKey(this, this.first + number);
        return false;
      }
      this.#sink.window(this.bytes, this.view, -1);
      this.#sink.key(from, from, to);
      return true;
    }
    if (from === TEXT) {
      const text = this.#texts!.get(number)!;
      if (text.length > SHORT) this.#budget.spendBytes(text.length, offset);
      this.#sink.keyText(text, start, end);
      return false;
    }
    throw new DecodeError('malformed', `reference to unknown key ${number}`, { offset });
  }

  /**
   * Sends the value of a reference in `start..end`, or returns its block for the reader to read. The window must be
   * announced again.
   */
  sendValue(number: number, start: number, end: number, offset: number): Uint8Array | undefined {
    const from = number < this.count ? this.#from[number]! : undefined;
    switch (from) {
      case undefined:
        throw new DecodeError('malformed', `reference to unknown value ${number}`, { offset });
      case UNFINISHED:
        throw new DecodeError('unsupported', 'a constructor refers to itself', { offset });
      case TEXT: {
        const text = this.#texts!.get(number)!;
        this.#budget.spendBytes(text.length, offset);
        this.#sink.text(text, start, end);
        return undefined;
      }
      case ANCHOR:
        this.#sink.reference(this.#anchors!.get(number)!, start, end);
        return undefined;
      case BLOCK: {
        const block = this.#blocks!.get(number)!;
        this.#budget.spendBytes(block.length, offset);
        return block;
      }
      default: {
        const to = this.#ends[number]!;
        this.#budget.spendBytes(to - from, offset);
        this.#sink.window(this.bytes, this.view, -1);
        this.#sink.string(from, from, to);
        return undefined;
      }
    }
  }

  #add(from: number, end: number): void {
    if (this.count === this.#from.length) {
      this.#from = grow(this.#from);
      this.#ends = grow(this.#ends);
    }
    this.#from[this.count] = from;
    this.#ends[this.count] = end;
    if (this.count < 256) this.isShort[this.count] = from >= 0 && end - from <= SHORT ? 1 : 0;
    this.count += 1;
  }
}

function grow(list: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const grown = new Int32Array(list.length * 2);
  grown.set(list);
  return grown;
}
