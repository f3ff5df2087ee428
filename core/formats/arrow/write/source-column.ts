import {
  KIND_BIGINT64,
  KIND_BOOLEAN,
  KIND_DATE,
  KIND_DICTIONARY,
  KIND_EMPTY,
  KIND_FLOAT64,
  KIND_INT32,
  KIND_TEXT,
  KIND_VARIANT,
  STATE_NULL,
  STATE_VALUE,
} from '../../../block/block.ts';
import { EncodeError } from '../../../errors.ts';
import type { Column, ColumnStrings } from '../../../writing/column-rows.ts';
import { ColumnBuilder, type Words } from './column-builder.ts';
import { BOOL, ColumnType, INT, TIMESTAMP, UTF8 } from './column-type.ts';
import type { EmptyCells } from '../../../empty-cells.ts';
import type { RowRuns } from './row-runs.ts';

/** Values built between two looks at the clock. */
const VALUES = 128;
/** Bytes of text copied between two looks at the clock. */
const TEXT_BYTES = 1 << 18;
/** Rows up to which they are copied one by one: a call of the engine's copying costs more. */
const FEW_ROWS = 8;
/** The largest time of a Date, in milliseconds (ECMA-262 section 21.4.1.1). */
const MAX_TIME = 8.64e15;
const UNSIGNED = 2 ** 32;

/** Steps of work, between which the clock is looked at. */
type Steps = Generator<undefined, void, undefined>;

/** Finds the type of a value, and adds values to a column, for columns of nested values and of several types. */
export interface ValueWriter {
  infer(value: unknown, type: ColumnType): void;
  add(value: unknown, builder: ColumnBuilder): void;
  /** Charged for cells without a value. */
  readonly empty: EmptyCells;
}

/** One key of rows in columns: finds the type that its values are written as, and copies them. */
export class SourceColumn {
  readonly key: string;
  readonly type: ColumnType = new ColumnType();
  /** The first row with a value or null, and the index of the key there; −1 before one is found. */
  first = -1;
  place = -1;
  /** The row that is read or copied, for the path of an error. */
  row = 0;
  /** Strings of the dictionary, in the order in which the rows refer to them first. */
  readonly strings: ColumnBuilder;
  readonly #values: ValueWriter;
  /** By segment; undefined if no row of it has the key. */
  readonly #columns: (Column | undefined)[] = [];
  /** By segment: the index of the key. */
  readonly #places: number[] = [];
  readonly #kinds = new Set<number>();
  /** Dictionaries of the columns. */
  readonly #lists = new Set<ColumnStrings>();
  /** By dictionary: the index in `strings` of each string, or −1. */
  readonly #codes = new Map<ColumnStrings, Int32Array>();
  /** Strings of several lists, by text. */
  readonly #known = new Map<string, number>();

  constructor(key: string, values: ValueWriter) {
    this.key = key;
    this.#values = values;
    const strings = new ColumnType();
    strings.add(UTF8);
    this.strings = new ColumnBuilder(strings);
  }

  /** Adds the column of a segment that has rows. */
  addSegment(segment: number, column: Column | undefined, place: number): void {
    if (!column) return;
    // Reading the kind opens the column.
    if (column.kind !== KIND_EMPTY) this.#kinds.add(column.kind);
    if (column.kind === KIND_DICTIONARY) this.#lists.add(column.list!);
    this.#columns[segment] = column;
    this.#places[segment] = place;
  }

  /** The kind of all values: FLOAT64 for numbers, TEXT for strings, VARIANT for values that are built. */
  get #kind(): number {
    const [kind = KIND_EMPTY] = this.#kinds;
    if (this.#kinds.size === 1) return kind;
    if (this.#kinds.size === 0) return KIND_EMPTY;
    const isOf = (...some: number[]): boolean => [...this.#kinds].every((one) => some.includes(one));
    return isOf(KIND_INT32, KIND_FLOAT64) ? KIND_FLOAT64 : isOf(KIND_TEXT, KIND_DICTIONARY) ? KIND_TEXT : KIND_VARIANT;
  }

  /** Finds the type, from the rows of some runs, of which the list's row `from` is the first. */
  *infer(runs: RowRuns, from: number): Steps {
    const { type } = this;
    if (this.first < 0) this.#findFirst(runs, from);
    switch (this.#kind) {
      case KIND_EMPTY:
        break;
      case KIND_BOOLEAN:
        type.add(BOOL);
        break;
      case KIND_INT32:
        type.add(INT);
        break;
      case KIND_BIGINT64:
        type.addBigint(0n);
        break;
      case KIND_DATE:
        type.add(TIMESTAMP);
        break;
      case KIND_TEXT:
        type.add(UTF8);
        break;
      case KIND_FLOAT64:
        type.add(INT);
        this.#inferNumbers(runs);
        break;
      case KIND_DICTIONARY:
        type.add(UTF8);
        yield* this.#inferCodes(runs, from);
        break;
      default:
        yield* this.#build(runs, from, (value) => this.#values.infer(value, type));
    }
  }

  /** Decides about a dictionary, once all rows are read: one with a string for almost each row takes more than the text. */
  decide(id: number, rows: number): void {
    const { length } = this.strings;
    if (length > 0 && length <= rows / 2) this.type.dictionary = { id, width: length <= 0x80 ? 1 : length <= 0x8000 ? 2 : 4 };
  }

  /** Copies the rows of some runs, of which the list's row `from` is the first. */
  *copy(runs: RowRuns, from: number, builder: ColumnBuilder): Steps {
    this.row = from;
    switch (this.#kind) {
      case KIND_EMPTY:
      case KIND_BOOLEAN:
      case KIND_INT32:
      case KIND_FLOAT64:
      case KIND_BIGINT64:
        this.#copyWords(runs, builder);
        break;
      case KIND_DATE:
        this.#copyDates(runs, builder);
        break;
      case KIND_TEXT:
        yield* this.#copyText(runs, builder);
        break;
      case KIND_DICTIONARY:
        if (this.type.dictionary) this.#copyCodes(runs, builder);
        else yield* this.#copyText(runs, builder);
        break;
      default:
        yield* this.#build(runs, from, (value) => this.#values.add(value, builder));
    }
  }

  /** Finds the first row with a value or null. */
  #findFirst({ count, segment, row, rows }: RowRuns, from: number): void {
    let at = from;
    for (let run = 0; run < count; run++) {
      const column = this.#columns[segment[run]!];
      for (let local = row[run]!, end = local + rows[run]!; column && local < end; local++) {
        const state = column.states?.[local] ?? STATE_VALUE;
        if (state !== STATE_NULL && (state !== STATE_VALUE || column.kind === KIND_EMPTY)) continue;
        this.first = at + local - row[run]!;
        this.place = this.#places[segment[run]!]!;
        return;
      }
      at += rows[run]!;
    }
  }

  /** Finds out whether all numbers are integers of 32 bits. */
  #inferNumbers({ count, segment, row, rows }: RowRuns): void {
    const { type } = this;
    for (let run = 0; run < count && type.isInt32; run++) {
      const { kind, states, data } = this.#columns[segment[run]!] ?? NOTHING;
      if (kind !== KIND_FLOAT64) continue;
      for (let local = row[run]!, end = local + rows[run]!; local < end && type.isInt32; local++) {
        if (states === undefined || states[local] === STATE_VALUE) type.addNumber(data[local] as number);
      }
    }
  }

  /** Collects the strings of the dictionary that the rows refer to. */
  *#inferCodes({ count, segment, row, rows }: RowRuns, from: number): Steps {
    this.row = from;
    let found = this.strings.length;
    for (let run = 0; run < count; run++) {
      const { kind, states, data, list } = this.#columns[segment[run]!] ?? NOTHING;
      if (kind === KIND_DICTIONARY) {
        let codes = this.#codes.get(list!);
        if (!codes) this.#codes.set(list!, (codes = new Int32Array(list!.length).fill(-1)));
        for (let local = row[run]!, end = local + rows[run]!; local < end; local++) {
          if (states !== undefined && states[local] !== STATE_VALUE) continue;
          const code = data[local] as number;
          if (codes[code]! >= 0) continue;
          codes[code] = this.#codeOf(list!, code, from + local - row[run]!);
        }
      }
      from += rows[run]!;
      if (this.strings.length - found < VALUES) continue;
      found = this.strings.length;
      yield;
    }
  }

  /** The index in `strings` of a string that a row is the first to refer to. */
  #codeOf(list: ColumnStrings, index: number, row: number): number {
    const bytes = list.bytesAt(index);
    this.row = row;
    if (surrogateAt(bytes, 0, bytes.length) >= 0) throw loneSurrogate();
    if (this.#lists.size > 1) {
      // Several lists may have the same string.
      const text = list.values()[index]!;
      const known = this.#known.get(text);
      if (known !== undefined) return known;
      this.#known.set(text, this.strings.length);
    }
    this.strings.bytes(bytes);
    return this.strings.length - 1;
  }

  /** Builds the values of the rows. */
  *#build({ segments, count, segment, row, rows }: RowRuns, from: number, take: (value: unknown) => void): Steps {
    this.row = from;
    let built = 0;
    for (let run = 0; run < count; run++) {
      const column = this.#columns[segment[run]!];
      const { builder, group } = segments[segment[run]!]!;
      for (let local = row[run]!, end = local + rows[run]!; local < end;) {
        const to = Math.min(end, local + VALUES);
        const values = column ? builder.values(group, column, local, to) : undefined;
        for (let at = 0; at < to - local; at++, this.row++) take(values?.[at]);
        built += to - local;
        local = to;
        if (built < VALUES) continue;
        built = 0;
        yield;
      }
    }
  }

  /** Copies numbers and booleans. */
  #copyWords({ total, count, segment, row, rows }: RowRuns, builder: ColumnBuilder): void {
    let first = builder.add(total);
    const { valid } = builder;
    // The arrays have values of one type.
    const words = builder.words as Int32Array;
    const zero = ((words as Words) instanceof BigInt64Array ? 0n : 0) as number;
    for (let run = 0; run < count; run++) {
      const { kind, states, data } = this.#columns[segment[run]!] ?? NOTHING;
      const from = row[run]!;
      const length = rows[run]!;
      const values = data as Int32Array;
      const isEmpty = kind === KIND_EMPTY;
      if (length > FEW_ROWS && !isEmpty && !states) {
        words.set(values.subarray(from, from + length), first);
        valid.fill(1, first, first + length);
      } else {
        for (let at = 0; at < length; at++) {
          const isValue = !isEmpty && (states === undefined || states[from + at] === STATE_VALUE);
          words[first + at] = isValue ? values[from + at]! : zero;
          valid[first + at] = isValue ? 1 : 0;
          if (!isValue) builder.nulls += 1;
        }
      }
      first += length;
    }
  }

  /** Copies dates as integers of 64 bits. */
  #copyDates({ total, count, segment, row, rows }: RowRuns, builder: ColumnBuilder): void {
    let first = builder.add(total);
    const { valid, words } = builder;
    const halves = new Int32Array(words.buffer);
    for (let run = 0; run < count; run++) {
      const { kind, states, data } = this.#columns[segment[run]!] ?? NOTHING;
      const length = rows[run]!;
      for (let at = 0; at < length; at++) {
        const local = row[run]! + at;
        const isValue = kind === KIND_DATE && (states === undefined || states[local] === STATE_VALUE);
        const time = isValue ? Math.trunc(data[local] as number) : 0;
        if (!(Math.abs(time) <= MAX_TIME)) {
          this.row += at;
          throw new EncodeError('range', 'an invalid Date');
        }
        halves[(first + at) * 2] = time;
        halves[(first + at) * 2 + 1] = Math.floor(time / UNSIGNED);
        valid[first + at] = isValue ? 1 : 0;
        if (!isValue) builder.nulls += 1;
      }
      this.row += length;
      first += length;
    }
  }

  /** Copies references to the dictionary. */
  #copyCodes({ total, count, segment, row, rows }: RowRuns, builder: ColumnBuilder): void {
    let first = builder.add(total);
    const { valid, words } = builder;
    for (let run = 0; run < count; run++) {
      const { kind, states, data, list } = this.#columns[segment[run]!] ?? NOTHING;
      const length = rows[run]!;
      const codes = kind === KIND_DICTIONARY ? this.#codes.get(list!) : undefined;
      for (let at = 0; at < length; at++) {
        const local = row[run]! + at;
        const isValue = codes !== undefined && (states === undefined || states[local] === STATE_VALUE);
        words[first + at] = isValue ? codes[data[local] as number]! : 0;
        valid[first + at] = isValue ? 1 : 0;
        if (!isValue) builder.nulls += 1;
      }
      first += length;
    }
  }

  /** Copies strings. */
  *#copyText({ count, segment, row, rows }: RowRuns, builder: ColumnBuilder): Steps {
    let copied = 0;
    for (let run = 0; run < count; run++) {
      const { kind, states, data, bytes, ascii, list } = this.#columns[segment[run]!] ?? NOTHING;
      const last = row[run]! + rows[run]!;
      for (let from = row[run]!; from < last;) {
        let to = from + 1;
        if ((kind !== KIND_TEXT && kind !== KIND_DICTIONARY) || (states !== undefined && states[from] !== STATE_VALUE)) builder.null();
        else if (kind === KIND_DICTIONARY) {
          const string = list!.bytesAt(data[from] as number);
          if (surrogateAt(string, 0, string.length) >= 0) throw loneSurrogate();
          builder.bytes(string);
          copied += string.length;
        } else {
          const ends = data as Uint32Array;
          const start = from === 0 ? 0 : ends[from - 1]!;
          while (to < last && (states === undefined || states[to] === STATE_VALUE) && ends[to]! - start <= TEXT_BYTES) to += 1;
          const end = ends[to - 1]!;
          const lone = ascii ? -1 : surrogateAt(bytes, start, end);
          if (lone >= 0) {
            for (let at = from; ends[at]! <= lone; at++) this.row += 1;
            throw loneSurrogate();
          }
          builder.pieces(bytes, start, ends, from, to);
          copied += end - start;
        }
        this.row += to - from;
        from = to;
        if (copied < TEXT_BYTES) continue;
        copied = 0;
        yield;
      }
    }
  }
}

/** Stands for the column of a segment without the key. */
const NOTHING: Column = { kind: KIND_EMPTY, states: undefined, data: new Uint8Array(0), list: undefined, bytes: new Uint8Array(0), ascii: true };

/** Position of the first surrogate in a range of WTF-8; −1 if it is UTF-8. */
function surrogateAt(bytes: Uint8Array, from: number, to: number): number {
  for (let at = from; at < to - 1; at++) if (bytes[at] === 0xed && bytes[at + 1]! >= 0xa0) return at;
  return -1;
}

function loneSurrogate(): EncodeError {
  return new EncodeError('text', 'the string has a lone surrogate');
}
