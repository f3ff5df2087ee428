import { EncodeError } from '../../../errors.ts';
import type { EmptyCells } from '../../../empty-cells.ts';
import { BINARY, BOOL, type ColumnType, DICTIONARY, FLOAT, INT, LIST, MAP, NULL, STRUCT, TIMESTAMP, UTF8 } from './column-type.ts';

/** The error for records whose keys differ too much for a table. */
export function fewInCommon(): EncodeError {
  return new EncodeError('range', 'the records have too few of their keys in common: Arrow needs a cell for each key in each record');
}

/** Values of a column by row. */
export type Words =
  | Uint8Array<ArrayBuffer>
  | Int8Array<ArrayBuffer>
  | Int16Array<ArrayBuffer>
  | Int32Array<ArrayBuffer>
  | Float64Array<ArrayBuffer>
  | BigInt64Array<ArrayBuffer>;

/** The largest offset of 32 bits. */
const MAX_BYTES = 2 ** 31 - 1;

/** Bytes up to which they are copied by hand. */
const SHORT_BYTES = 48;

const encoder = new TextEncoder();
const NO_WORDS = new Uint8Array(0);

/** Nodes and buffers of a record batch, in the order of the fields. */
export interface BatchParts {
  readonly nodes: [length: number, nulls: number][];
  readonly buffers: Uint8Array[];
}

/** Collects the values of a column for one record batch. */
export class ColumnBuilder {
  readonly id: number;
  readonly type: ColumnType;
  readonly children: readonly ColumnBuilder[];
  readonly keys: readonly string[];
  length = 0;
  /** Number of rows without a value. */
  nulls = 0;
  /** A byte for each row, 1 for a value. */
  valid: Uint8Array<ArrayBuffer> = new Uint8Array(64);
  /** The values, or the ends of lists, text and bytes. */
  words: Words;
  readonly #empty: EmptyCells | undefined;
  #bytes = new Uint8Array(0);
  #used = 0;

  /** `empty` is charged for the rows without a value. */
  constructor(type: ColumnType, empty?: EmptyCells) {
    this.#empty = empty;
    this.id = type.written;
    this.type = type;
    this.keys = [...type.fields.keys()];
    this.children = [...type.fields.values()].map((field) => new ColumnBuilder(field, empty));
    this.words = wordsOf(type);
  }

  /** Forgets the values, for the next batch. */
  clear(): void {
    this.length = this.nulls = this.#used = 0;
    for (const child of this.children) child.clear();
  }

  null(): void {
    if (this.#empty?.take(1) === false) throw fewInCommon();
    const row = this.#next(0);
    this.nulls += 1;
    if (this.id === STRUCT) for (const child of this.children) child.null();
    else if (this.id === BINARY || this.id === UTF8) this.words[row] = this.#used;
    else if (this.id === LIST || this.id === MAP) this.words[row] = this.children[0]!.length;
    else if (this.id !== NULL) this.words[row] = (this.words instanceof BigInt64Array ? 0n : 0) as never;
  }

  /** Adds a number, a boolean as 0 or 1, or the milliseconds of a Date; a bigint or a safe integer if the type is long. */
  number(value: number | bigint): void {
    // Making room may replace the array.
    const row = this.#next(1);
    this.words[row] = (this.words instanceof BigInt64Array ? this.#long(value) : value) as never;
  }

  #long(value: number | bigint): bigint {
    const exact = BigInt(value);
    if ((this.type.isUnsigned ? BigInt.asUintN(64, exact) : BigInt.asIntN(64, exact)) !== exact) {
      throw new EncodeError(
        'range',
        exact >> 64n
          ? 'the bigint does not fit 64 bits'
          : 'the bigint is 2⁶³ or more in a column that the first batch has made one of signed integers',
      );
    }
    return exact;
  }

  /** Adds text, which must be well-formed. */
  text(value: string): void {
    const row = this.#next(1);
    this.reserve(value.length * 3);
    this.#used += encoder.encodeInto(value, this.#bytes.subarray(this.#used)).written;
    this.words[row] = this.#used;
  }

  /** Adds rows whose values and bytes of `valid` the caller sets, and counts in `nulls`. Returns the first. */
  add(count: number): number {
    const first = this.length;
    const length = first + count;
    this.length = length;
    if (length > this.valid.length) this.valid = grown(this.valid, new Uint8Array(Math.max(length, first * 2)));
    if (length > this.words.length && this.words !== NO_WORDS) this.#widen(Math.max(length, first * 2));
    return first;
  }

  /** Adds the strings or bytes of consecutive rows: the range of `bytes` before each of `ends`, from `start` on. */
  pieces(bytes: Uint8Array, start: number, ends: ArrayLike<number>, from: number, to: number): void {
    const first = this.add(to - from);
    const { valid } = this;
    const words = this.words as Int32Array;
    const end = ends[to - 1]!;
    this.reserve(end - start);
    copyBytes(bytes, start, end, this.#bytes, this.#used);
    const shift = this.#used - start;
    for (let row = from; row < to; row++) {
      words[first + row - from] = ends[row]! + shift;
      valid[first + row - from] = 1;
    }
    this.#used += end - start;
  }

  bytes(value: Uint8Array): void {
    const row = this.#next(1);
    this.reserve(value.length);
    this.#bytes.set(value, this.#used);
    this.#used += value.length;
    this.words[row] = this.#used;
  }

  /** Adds a struct, or ends a list or a map, once its values are added to the children. */
  container(): void {
    const row = this.#next(1);
    if (this.id === STRUCT) return;
    const { length } = this.children[0]!;
    if (length > MAX_BYTES) throw new EncodeError('range', 'the lists of a batch have more than 2³¹ − 1 items');
    this.words[row] = length;
  }

  /** Adds the node and the buffers of this column and its children. */
  write(parts: BatchParts): void {
    const { length, id } = this;
    parts.nodes.push([length, id === NULL ? length : this.nulls]);
    if (id === NULL) return;
    parts.buffers.push(this.nulls > 0 ? bitsOf(this.valid, length) : NO_WORDS);
    if (id === BOOL) parts.buffers.push(bitsOf(this.words as Uint8Array, length));
    else if (id === UTF8 || id === BINARY || id === LIST || id === MAP) {
      const offsets = new Int32Array(length + 1);
      offsets.set((this.words as Int32Array).subarray(0, length), 1);
      parts.buffers.push(bytesIn(offsets));
    } else if (id !== STRUCT) parts.buffers.push(bytesIn(this.words.subarray(0, length)));
    if (id === UTF8 || id === BINARY) parts.buffers.push(this.#bytes.subarray(0, this.#used));
    if (id === MAP) {
      // The entries are structs of the key and the value.
      parts.nodes.push([this.children[0]!.length, 0]);
      parts.buffers.push(NO_WORDS);
    }
    for (const child of this.children) child.write(parts);
  }

  #next(valid: 0 | 1): number {
    const row = this.length++;
    if (row === this.valid.length) {
      this.valid = grown(this.valid, new Uint8Array(row * 2));
    }
    this.valid[row] = valid;
    if (row === this.words.length && row > 0) this.#widen(row * 2);
    return row;
  }

  #widen(length: number): void {
    this.words = grown(this.words, new (this.words.constructor as new (length: number) => Words)(length));
  }

  /** Makes room for more bytes. */
  reserve(more: number): void {
    const needed = this.#used + more;
    if (needed <= this.#bytes.length) return;
    if (needed > MAX_BYTES) throw new EncodeError('range', 'a batch with more than 2 GiB of text or bytes in one column: set the option batchRows');
    this.#bytes = grown(this.#bytes, new Uint8Array(Math.min(Math.max(needed, this.#bytes.length * 2, 1024), MAX_BYTES)));
  }
}

function wordsOf({ written, isLong, dictionary }: ColumnType): Words {
  switch (written) {
    case DICTIONARY:
      return new (dictionary!.width === 1 ? Int8Array : dictionary!.width === 2 ? Int16Array : Int32Array)(64);
    case INT:
      return isLong ? new BigInt64Array(64) : new Int32Array(64);
    case FLOAT:
      return new Float64Array(64);
    case TIMESTAMP:
      return new BigInt64Array(64);
    case BOOL:
      return new Uint8Array(64);
    case NULL:
    case STRUCT:
      return NO_WORDS;
    default:
      return new Int32Array(64);
  }
}

/** Copies `from` to `to`, which is longer, and returns `to`. */
function grown<Kind extends Words>(from: Kind, to: Kind): Kind {
  (to as Uint8Array).set(from as Uint8Array);
  return to;
}

/** Copies a range of bytes. A short one is copied by hand: a call of the engine's copying costs more. */
function copyBytes(from: Uint8Array, start: number, end: number, to: Uint8Array, at: number): void {
  if (end - start > SHORT_BYTES) return to.set(from.subarray(start, end), at);
  for (let index = start; index < end; index++) to[at + index - start] = from[index]!;
}

function bytesIn({ buffer, byteOffset, byteLength }: ArrayBufferView<ArrayBuffer>): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** One bit for each of the first bytes, least significant bit first. */
function bitsOf(bytes: Uint8Array, length: number): Uint8Array {
  const bits = new Uint8Array(Math.ceil(length / 8));
  for (let row = 0; row < length; row++) bits[row >> 3]! |= bytes[row]! << (row & 7);
  return bits;
}
