import {
  COLUMN_WORDS,
  ENTRY_GROUP,
  ENTRY_SHAPES,
  ENTRY_STRINGS,
  ENTRY_TABLE,
  ENTRY_TAPE,
  HEADER_BYTES,
  KIND_BIGINT64,
  KIND_BOOLEAN,
  KIND_DATE,
  KIND_DICTIONARY,
  KIND_EMPTY,
  KIND_FLOAT64,
  KIND_INT32,
  KIND_TEXT,
  KIND_VARIANT,
  LIST_BINARY,
  LIST_DICTIONARY,
  LIST_KEYS,
  LIST_TAGS,
  LIST_TEXT,
  MAGIC,
  PART_BATCH,
  PART_LAST,
  PART_LIST,
  PART_LIST_END,
  STATE_ABSENT,
  STATE_VALUE,
  TAG_LIST,
  TAG_MASK,
  VERSION,
} from '../../../core/block/block.ts';
import { DecodeError, LimitError } from '../../../core/errors.ts';
import type { Limits } from '../../../core/limits.ts';
import { StringList } from '../../../core/rows/text.ts';
import { type Nested, type RowGroup, VerifiedRows } from './rows.ts';
import { malformed, TapeVerifier } from './tape.ts';
import { isContinuation, verifyText } from './text.ts';

/** Maximum number of tables of a block; the column sink creates fewer. */
const MAX_TABLES = 1024;
/** Maximum number of empty dictionaries before one with entries: a column may start with only nulls. */
const MAX_EMPTY = 65_536;
/** Steps of a tape between two checks of the clock. */
const STEPS = 16_384;
/** Bytes per item by kind of column; for DICTIONARY, the entry declares them. */
const DATA_BYTES: Readonly<Record<number, number>> = {
  [KIND_EMPTY]: 0,
  [KIND_BOOLEAN]: 1,
  [KIND_INT32]: 4,
  [KIND_FLOAT64]: 8,
  [KIND_BIGINT64]: 8,
  [KIND_DATE]: 8,
  [KIND_DICTIONARY]: 4,
  [KIND_TEXT]: 4,
  [KIND_VARIANT]: 4,
};

/** Text, binary values and rows of a block, or of one batch; see PART_LIST in core/block/block.ts. */
class Scope {
  readonly text = new StringList();
  readonly binary = new StringList();
  readonly rows: VerifiedRows;
  values: number;

  constructor(limits: Limits, values = 0) {
    this.rows = new VerifiedRows(limits);
    this.values = values;
  }
}

/**
 * Checks the parts of a block before the materialiser opens them: offsets, counts, ids, text ranges, indices, tapes,
 * and the limits. A checked block can be opened and built with memory and time proportional to its size. Parts from the
 * page's own workers need no check.
 */
export class BlockVerifier {
  readonly #limits: Limits;
  readonly #isBatched: boolean;
  readonly #outer: Scope;
  #scope: Scope;
  #keys = 0;
  #tags = 0;
  /** Number of entries of each dictionary; number of keys of each shape, and of each announced table. */
  readonly #dictionaries: number[] = [];
  readonly #shapes: number[] = [0];
  readonly #tables: (number | undefined)[] = [];
  readonly #tape: TapeVerifier;
  #ended = false;
  // State of the current part:
  #buffer = new ArrayBuffer(0);
  #base = 0;
  #length = 0;
  /** Bytes left for its sections, which must not overlap. */
  #room = 0;
  /** Announced table whose first group must follow; −1 for none. */
  #announced = -1;
  #taped = false;
  /** Rows inside the current row's value. */
  #nested: Nested[] = [];

  /** `isBatched`: the parts are read as batches, otherwise as one value. */
  constructor(limits: Limits, isBatched: boolean) {
    this.#limits = limits;
    this.#isBatched = isBatched;
    this.#outer = new Scope(limits);
    this.#scope = this.#outer;
    this.#tape = new TapeVerifier(limits, {
      shapes: this.#shapes,
      tags: () => this.#tags,
      text: () => this.#scope.text,
      binary: () => this.#scope.binary,
      place: (table, first, count, depth) => {
        // Rows inside a row's value may follow later in the part.
        if (this.#taped) return this.#scope.rows.place(table, first, count);
        this.#nested.push({ table, first, count, depth });
        return 0;
      },
    });
  }

  /**
   * Checks the next part, which begins at `base` of a buffer. Each step takes much less than a slice. Throws a
   * DecodeError or LimitError.
   */
  *part(buffer: ArrayBuffer, base: number, length: number): Generator<undefined, void, undefined> {
    if (this.#ended) throw malformed('a part follows the last one');
    if (length < HEADER_BYTES || base % 8 !== 0 || base + length > buffer.byteLength) throw malformed('a part is too short');
    this.#buffer = buffer;
    this.#base = base;
    this.#length = length;
    this.#room = length - HEADER_BYTES;
    this.#announced = -1;
    this.#taped = false;
    const [magic, version, flags, offset, count] = new Int32Array(buffer, base, 8) as unknown as number[];
    if (magic !== MAGIC || version !== VERSION) throw malformed('a part has another version or no header');
    const directory = new Int32Array(buffer, base + this.#section(offset!, count!, 4), count);
    for (let at = 0; at < directory.length;) at = yield* this.#entry(directory, at);
    if (this.#announced >= 0) throw malformed('a table has no rows');
    if (!this.#taped) yield* this.#scope.rows.settle();
    this.#flags(flags!);
    yield;
  }

  /** Ends the block. Throws a DecodeError if its last part is missing. */
  end(): void {
    if (!this.#ended) throw new DecodeError('truncated', 'the block has no last part');
  }

  #flags(flags: number): void {
    const inList = this.#scope !== this.#outer;
    if (((flags & (PART_LAST | PART_BATCH)) !== 0) !== this.#taped) throw malformed('a part has an unexpected or missing tape');
    if (flags & PART_LIST) {
      if (!this.#isBatched) throw new DecodeError('unsupported', 'the service worker answered with batches: read them with decoder.batches');
      if (inList) throw malformed('a list begins within a batch');
      this.#scope = new Scope(this.#limits, this.#outer.values);
    } else if (flags & PART_BATCH) {
      if (!inList) throw malformed('a batch has no list');
      this.#scope = flags & PART_LIST_END ? this.#outer : new Scope(this.#limits, this.#outer.values);
    } else if (flags & PART_LAST) {
      if (inList) throw malformed('the block ends within a batch');
      this.#ended = true;
    }
  }

  /** Checks an entry of the directory. Returns the position of the next one. */
  *#entry(directory: Int32Array, at: number): Generator<undefined, number, undefined> {
    const entry = (words: number): number[] => {
      if (at + words > directory.length) throw malformed('the directory of a part is truncated');
      return directory.subarray(at + 1, at + words) as unknown as number[];
    };
    switch (directory[at]) {
      case ENTRY_STRINGS: {
        const [list, first, count, ends, bytes, length] = entry(8);
        yield* this.#strings(list!, first!, count!, this.#section(ends!, count!, 4), this.#section(bytes!, length!, 1), length!, directory[at + 7]!);
        return at + 8;
      }
      case ENTRY_SHAPES: {
        const [first, count, offset] = entry(4);
        const parents = new Int32Array(this.#buffer, this.#base + this.#section(offset!, count!, 4), count);
        if (first !== this.#shapes.length || first + count! - 1 > this.#keys) throw malformed('a shape has no key');
        for (const parent of parents) {
          if (!(parent >= 0 && parent < this.#shapes.length)) throw malformed(`a shape has the unknown parent ${parent}`);
          this.#shapes.push(this.#shapes[parent]! + 1);
        }
        return at + 4;
      }
      case ENTRY_TABLE: {
        const [table, shape] = entry(3) as [number, number];
        const keys = this.#shapes[shape];
        if (!(table >= 0 && table < MAX_TABLES) || this.#tables[table] !== undefined || !keys)
          throw malformed(`invalid table id ${table}, or a table without keys`);
        // The columns of its first group account for the keys.
        if (this.#announced >= 0) throw malformed('a table has no rows');
        this.#announced = table;
        this.#tables[table] = keys;
        return at + 3;
      }
      case ENTRY_GROUP: {
        const [table, first, rows, tape, words, columns] = entry(7) as [number, number, number, number, number, number];
        if (!columns || columns !== this.#tables[table]) throw malformed(`a group of table ${table} has ${columns} columns`);
        entry(7 + COLUMN_WORDS * columns);
        if (rows < 1 || this.#taped || first !== this.#scope.rows.count(table)) throw malformed(`a group of table ${table} begins at row ${first}`);
        if (this.#announced === table) this.#announced = -1;
        this.#count(rows * (columns + 1));
        const values = new Int32Array(this.#buffer, this.#base + this.#section(tape, words, 4), words);
        yield* this.#group(this.#scope.rows.add(table, rows), rows, values, directory.subarray(at + 7, at + 7 + COLUMN_WORDS * columns));
        return at + 7 + COLUMN_WORDS * columns;
      }
      case ENTRY_TAPE: {
        const [offset, words] = entry(3) as [number, number];
        if (this.#taped) throw malformed('a part has two tapes');
        yield* this.#scope.rows.settle();
        this.#taped = true;
        const tape = new Int32Array(this.#buffer, this.#base + this.#section(offset, words, 4), words);
        if (this.#scope !== this.#outer && (tape[0]! & TAG_MASK) !== TAG_LIST) throw malformed('a batch is not a list');
        yield* this.#value(tape, 0);
        if (this.#tape.position !== words) throw malformed('a tape continues after its value');
        return at + 3;
      }
      default:
        throw malformed(`unknown entry ${directory[at]}`);
    }
  }

  *#strings(list: number, first: number, count: number, ends: number, offset: number, length: number, ascii: number): Generator<undefined, void> {
    const positions = new Uint32Array(this.#buffer, this.#base + ends, count);
    const bytes = new Uint8Array(this.#buffer, this.#base + offset, length);
    yield* this.#items(positions, bytes, list === LIST_BINARY ? undefined : ascii === 1);
    const { text, binary } = this.#scope;
    const id = list - LIST_DICTIONARY;
    const known =
      list === LIST_TEXT
        ? text.length
        : list === LIST_BINARY
          ? binary.length
          : list === LIST_KEYS
            ? this.#keys
            : list === LIST_TAGS
              ? this.#tags
              : this.#dictionaries[id];
    // A dictionary may restart at 0. A new one follows the known or still empty ones.
    if (list < 0 || id > this.#dictionaries.length + MAX_EMPTY || (first !== (known ?? 0) && !(id >= 0 && first === 0))) {
      throw malformed(`list ${list} continues at ${first}`);
    }
    if (list <= LIST_BINARY) {
      (list === LIST_TEXT ? text : binary).append(first, positions, bytes, ascii === 1);
    } else if (list === LIST_KEYS) this.#keys += count;
    else if (list === LIST_TAGS) this.#tags += count;
    else this.#dictionaries[id] = first + count;
  }

  *#group(group: RowGroup, rows: number, tape: Int32Array, columns: Int32Array): Generator<undefined, void, undefined> {
    let walked = 0;
    for (let at = 0; at < columns.length; at += COLUMN_WORDS) {
      const [kind, stateOffset, offset, firstWord, secondWord] = columns.subarray(at, at + COLUMN_WORDS) as unknown as [
        number,
        number,
        number,
        number,
        number,
      ];
      const states = stateOffset === 0 ? undefined : new Uint8Array(this.#buffer, this.#base + this.#section(stateOffset, rows, 1), rows);
      if (states) for (const state of states) if (state > STATE_ABSENT) throw malformed(`unknown state ${state}`);
      const size = kind === KIND_DICTIONARY ? secondWord : DATA_BYTES[kind];
      if (size === undefined) throw malformed(`unknown kind of column ${kind}`);
      // Each row takes a byte per column, so that a group cannot have more rows than bytes.
      if (kind === KIND_EMPTY && !states) throw malformed('a column has neither values nor states');
      const data = kind === KIND_EMPTY ? 0 : this.#base + this.#section(offset, rows, size);
      if (kind === KIND_DICTIONARY) {
        const known = this.#dictionaries[firstWord - LIST_DICTIONARY] ?? 0;
        const indices =
          size === 1
            ? new Uint8Array(this.#buffer, data, rows)
            : size === 2
              ? new Uint16Array(this.#buffer, data, rows)
              : size === 4
                ? new Uint32Array(this.#buffer, data, rows)
                : undefined;
        if (!indices) throw malformed(`invalid index size ${size}`);
        for (let row = 0; row < rows; row++) {
          if (indices[row]! >= known && (states === undefined || states[row] === STATE_VALUE))
            throw malformed(`unknown entry ${indices[row]} of a dictionary`);
        }
      } else if (kind === KIND_TEXT) {
        const length = secondWord >= 0 ? secondWord : ~secondWord;
        const bytes = new Uint8Array(this.#buffer, this.#base + this.#section(firstWord, length, 1), length);
        yield* this.#items(new Uint32Array(this.#buffer, data, rows), bytes, secondWord >= 0);
      } else if (kind === KIND_VARIANT) {
        walked = yield* this.#variants(group, new Uint32Array(this.#buffer, data, rows), states, tape, walked);
      }
      yield;
    }
  }

  /** Checks the tape values of a column's rows. Returns the total number of words read so far. */
  *#variants(
    group: RowGroup,
    positions: Uint32Array,
    states: Uint8Array | undefined,
    tape: Int32Array,
    before: number,
  ): Generator<undefined, number, undefined> {
    const value = this.#tape;
    let walked = before;
    let values = 0;
    let left = STEPS;
    for (let row = 0; row < positions.length; row++) {
      if (states !== undefined && states[row] !== STATE_VALUE) continue;
      value.start(tape, positions[row]!);
      while (!value.run(STEPS)) yield;
      const words = value.position - positions[row]!;
      values += value.values;
      // The tape may also contain values that rows no longer use, so values need not be contiguous; but none may be
      // read twice.
      walked += words;
      if (walked > tape.length) throw malformed('two rows share a value');
      if (value.deepest > 0) this.#scope.rows.deepen(group, row, value.deepest, this.#nested);
      if (this.#nested.length > 0) this.#nested = [];
      left -= words;
      if (left > 0) continue;
      left = STEPS;
      yield;
    }
    this.#count(values);
    return walked;
  }

  /** Checks a value of a tape. */
  *#value(tape: Int32Array, position: number): Generator<undefined, void, undefined> {
    this.#tape.start(tape, position);
    while (!this.#tape.run(STEPS)) yield;
    this.#count(this.#tape.values);
  }

  /** Checks byte strings by their end positions. `ascii` tells whether text is ASCII; undefined for binary values. */
  *#items(ends: Uint32Array, bytes: Uint8Array<ArrayBuffer>, ascii: boolean | undefined): Generator<undefined, void, undefined> {
    let last = 0;
    let longest = 0;
    for (const end of ends) {
      if (end < last || end > bytes.length || (ascii === false && isContinuation(bytes[end]))) throw malformed(`a string ends at ${end}`);
      if (end - last > longest) longest = end - last;
      last = end;
    }
    const limit = ascii === undefined ? 'binaryLength' : 'stringLength';
    if (longest > this.#limits[limit]) throw new LimitError(limit, `${limit} limit exceeded (${this.#limits[limit]})`);
    yield;
    if (ascii !== undefined) yield* verifyText(bytes, ascii);
  }

  #count(values: number): void {
    this.#scope.values += values;
    if (this.#scope.values > this.#limits.values) throw new LimitError('values', `values limit exceeded (${this.#limits.values})`);
  }

  /** Offset of a section, checked to lie within the current part. */
  #section(offset: number, count: number, size: number): number {
    const bytes = count * size;
    if (!(count >= 0 && offset >= HEADER_BYTES && offset % 8 === 0 && offset + bytes <= this.#length))
      throw malformed('a section lies outside of its part');
    this.#room -= bytes;
    if (this.#room < 0) throw malformed('two sections share bytes');
    return offset;
  }
}
