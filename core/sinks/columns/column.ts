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
  STATE_ABSENT,
  STATE_NULL,
  STATE_VALUE,
  TAG_DATE,
  TAG_FALSE,
  TAG_FLOAT,
  TAG_NULL,
  TAG_STRING,
  TAG_TRUE,
  TAG_UNDEFINED,
} from '../../block/block.ts';
import type { DecodeError } from '../../errors.ts';
import type { ConstantList, KeyList } from '../../reading/sink-methods.ts';
import { ByteList } from '../../bytes/byte-list.ts';
import { Dictionary } from './dictionary.ts';
import { Ranges, type StringSource } from './ranges.ts';
import type { Key } from './key.ts';
import type { Tape } from './output/tape.ts';

/** Dictionaries with this many entries accept no more groups. */
const MAX_DICTIONARY_ENTRIES = 65_536;

/** The parts of the sink that a column uses. */
export interface ColumnHost {
  /** Rows after which a dictionary is evaluated. */
  readonly trialRows: number;
  /** Strings of all tapes. */
  readonly strings: ByteList;
  /** Bytes that ranges refer to. */
  readonly source: StringSource;
  /** Writes a bigint to a tape as digits. */
  bigintTo(tape: Tape, value: bigint): void;
}

/**
 * One key of a table: the values of the current row group, in arrays of the column's kind. The kind adapts: it starts
 * as EMPTY, becomes that of the first value, widens from int32 to float64, and becomes VARIANT if values do not agree.
 * Arrays of other kinds hold stale data.
 */
export class Column {
  readonly key: Key;
  kind = KIND_EMPTY;
  /** True if any row's state is not STATE_VALUE. */
  hasStates = false;
  states: Uint8Array;
  ints = new Int32Array(0);
  floats = new Float64Array(0);
  bigints = new BigInt64Array(0);
  text: ByteList | undefined;
  dictionary: Dictionary | undefined;
  /** DICTIONARY, TEXT: ranges of the strings not encoded yet. */
  ranges: Ranges | undefined;
  /** Rows whose strings have been encoded. */
  settled = 0;
  /** Id of the dictionary's list. */
  list = -1;
  /** Entries of the dictionary when the group began. */
  #known = 0;
  /** Rows since the dictionary was last evaluated. */
  #rows = 0;
  /** Strings rarely repeat, so no dictionary is tried. */
  #unique = false;
  /** The key list that contains this key, and its index there. */
  #keys: KeyList | undefined;
  #listed = -1;
  #capacity: number;
  readonly #host: ColumnHost;
  readonly #tape: Tape;

  constructor(key: Key, capacity: number, tape: Tape, host: ColumnHost) {
    this.key = key;
    this.#capacity = capacity;
    this.states = new Uint8Array(capacity);
    this.#tape = tape;
    this.#host = host;
  }

  /** Makes room for more rows. */
  grow(capacity: number): void {
    this.#capacity = capacity;
    this.states = grown(this.states, new Uint8Array(capacity));
    if (this.ints.length) this.ints = grown(this.ints, new Int32Array(capacity));
    if (this.floats.length) this.floats = grown(this.floats, new Float64Array(capacity));
    if (this.bigints.length) this.bigints = grown(this.bigints, new BigInt64Array(capacity));
    if (this.text) this.text.ends = grown(this.text.ends, new Uint32Array(capacity));
  }

  /** Begins the next row group. `rows` is the number of rows of the last one. */
  reset(rows: number): void {
    if (this.hasStates) this.states.fill(STATE_VALUE, 0, rows);
    this.hasStates = false;
    const dictionary = this.dictionary;
    if (this.kind === KIND_DICTIONARY && dictionary) {
      const fresh = dictionary.list.count - this.#known;
      this.#rows += rows;
      const judged = this.#rows >= this.#host.trialRows;
      if ((judged && fresh * 2 > this.#rows) || dictionary.list.count > MAX_DICTIONARY_ENTRIES) {
        this.#unique = true;
        this.kind = KIND_EMPTY;
        this.dictionary = undefined;
      }
      if (judged) {
        this.#known = dictionary.list.count;
        this.#rows = 0;
      }
    }
    this.text?.clear();
    this.settled = 0;
  }

  /** Replaces the dictionary by an empty one. The current group must be empty. */
  forget(): void {
    if (this.dictionary) this.dictionary = new Dictionary();
    this.#known = 0;
    this.#rows = 0;
  }

  /** True if this key is `list[index]`. */
  isListed(list: KeyList, index: number): boolean {
    if (this.#listed === index && this.#keys === list) return true;
    if (!this.key.matches(list.view, list.start(index), list.end(index))) return false;
    this.#keys = list;
    this.#listed = index;
    return true;
  }

  /** Sets a row to null, undefined or absent. */
  state(row: number, state: number): void {
    this.states[row] = state;
    this.hasStates = true;
    this.noString(row);
  }

  boolean(row: number, value: boolean): void {
    if (this.kind !== KIND_BOOLEAN && !this.#become(KIND_BOOLEAN, row)) return this.#tape.push(value ? TAG_TRUE : TAG_FALSE);
    this.ints[row] = value ? 1 : 0;
  }

  /** Sets an integral number other than −0. */
  integer(row: number, value: number): void {
    if (this.kind === KIND_INT32 && (value | 0) === value) this.ints[row] = value;
    else if (this.kind === KIND_FLOAT64) this.floats[row] = value;
    else if ((value | 0) === value ? this.#become(KIND_INT32, row) : this.#becomeFloat(row)) {
      if (this.kind === KIND_INT32) this.ints[row] = value;
      else this.floats[row] = value;
    } else this.#tape.integer(value);
  }

  float(row: number, value: number): void {
    if (this.kind === KIND_FLOAT64 || this.#becomeFloat(row)) this.floats[row] = value;
    else this.#tape.number(TAG_FLOAT, value);
  }

  bigint(row: number, value: bigint): void {
    if (BigInt.asIntN(64, value) === value && (this.kind === KIND_BIGINT64 || this.#become(KIND_BIGINT64, row))) {
      this.bigints[row] = value;
    } else {
      this.variant(row);
      this.#host.bigintTo(this.#tape, value);
    }
  }

  date(row: number, milliseconds: number): void {
    if (this.kind === KIND_DATE || this.#become(KIND_DATE, row)) this.floats[row] = milliseconds;
    else this.#tape.number(TAG_DATE, milliseconds);
  }

  /**
   * Sets UTF-8 in a range of the sink's window. It is validated when the column is settled, or before the window
   * changes.
   */
  string(row: number, from: number, to: number): void {
    if (this.kind !== KIND_DICTIONARY && this.kind !== KIND_TEXT && !this.#becomeString(row)) {
      if (!this.#host.strings.append(this.#host.source.view, from, to)) this.#host.source.check(from, to);
      this.#tape.pushTwo(TAG_STRING, this.#host.strings.last);
    } else this.ranges!.set(row, from, to);
  }

  /** Sets a string of a list; its dictionary index is known immediately. */
  constant(row: number, list: ConstantList, index: number): void {
    if (this.kind === KIND_DICTIONARY) {
      this.ints[row] = this.dictionary!.constant(list, index);
      this.ranges!.setKnown(row);
    } else this.otherString(row, list.view, list.start(index), list.end(index));
  }

  /** Sets a WTF-8 string outside the window. */
  otherString(row: number, source: DataView, from: number, to: number): void {
    if (this.kind !== KIND_DICTIONARY && this.kind !== KIND_TEXT && !this.#becomeString(row)) {
      this.#host.strings.append(source, from, to);
      this.#tape.pushTwo(TAG_STRING, this.#host.strings.last);
    } else this.ranges!.copy(row, source, from, to);
  }

  /** Marks the row as having no string so far. */
  noString(row: number): void {
    if (this.kind === KIND_DICTIONARY || this.kind === KIND_TEXT) this.ranges!.set(row, 0, -1);
  }

  /** Encodes the strings of the rows before `rows`. `before` is the preceding dictionary column, already settled. */
  settle(rows: number, before?: Column): void {
    if (this.kind === KIND_DICTIONARY && this.settled < rows) {
      const indices = before?.kind === KIND_DICTIONARY ? before.ints : undefined;
      this.settled = this.dictionary!.encode(this.ranges!, this.settled, rows, this.ints, indices);
      if (this.settled < rows) this.becomeText(rows);
    }
    if (this.kind === KIND_TEXT && this.settled < rows) {
      this.ranges!.gather(this.text!, this.settled, rows);
      this.settled = rows;
    }
  }

  /** True if almost every string of the current group, which has `rows` rows, is new to the dictionary. */
  looksUnique(rows: number): boolean {
    return this.kind === KIND_DICTIONARY && (this.dictionary!.list.count - this.#known) * 20 > rows * 19;
  }

  /** The first string before `rows`, among those not encoded yet, that is not UTF-8. */
  firstInvalid(rows: number): { row: number; error: DecodeError } | undefined {
    if (this.kind !== KIND_DICTIONARY && this.kind !== KIND_TEXT) return undefined;
    for (let row = this.settled; row < rows; row++) {
      const error = this.ranges!.invalid(row);
      if (error) return { row, error };
    }
    return undefined;
  }

  /** Removes invalid strings from the rows before `rows`. */
  dropInvalid(rows: number): void {
    for (let bad = this.firstInvalid(rows); bad; bad = this.firstInvalid(rows)) this.noString(bad.row);
  }

  /** Copies the string of the row being written, so that it outlives the window. */
  moveString(row: number, to: ByteList): void {
    if (this.kind === KIND_DICTIONARY || this.kind === KIND_TEXT) this.ranges!.move(row, to);
  }

  /** Makes the column VARIANT; the value of `row` is the next one written on the group's tape. */
  variant(row: number): void {
    this.#become(KIND_VARIANT, row);
    this.ints[row] = this.#tape.length;
  }

  /** Writes a row's value on a tape. Returns false if the row has no value. */
  spill(row: number, tape: Tape, shapeLength: (shape: number) => number): boolean {
    switch (this.states[row]) {
      case STATE_ABSENT:
        return false;
      case STATE_VALUE:
        break;
      default:
        tape.push(this.states[row] === STATE_NULL ? TAG_NULL : TAG_UNDEFINED);
        return true;
    }
    switch (this.kind) {
      case KIND_BOOLEAN:
        tape.push(this.ints[row] ? TAG_TRUE : TAG_FALSE);
        break;
      case KIND_INT32:
        tape.integer(this.ints[row]!);
        break;
      case KIND_FLOAT64:
        tape.number(TAG_FLOAT, this.floats[row]!);
        break;
      case KIND_DATE:
        tape.number(TAG_DATE, this.floats[row]!);
        break;
      case KIND_BIGINT64:
        this.#host.bigintTo(tape, this.bigints[row]!);
        break;
      case KIND_DICTIONARY:
      case KIND_TEXT:
        this.#spillString(row, tape);
        break;
      case KIND_VARIANT: {
        const start = this.ints[row]!;
        tape.copy(this.#tape, start, this.#tape.skip(start, shapeLength));
        break;
      }
    }
    return true;
  }

  #spillString(row: number, tape: Tape): void {
    const { strings } = this.#host;
    const ranges = this.ranges!;
    if (row >= this.settled && !ranges.isKnown(row)) ranges.appendTo(row, strings);
    else if (this.kind === KIND_TEXT) strings.append(this.text!.view, this.text!.startOf(row), this.text!.ends[row]!);
    else {
      const { list } = this.dictionary!;
      const index = this.ints[row]!;
      strings.append(list.view, list.startOf(index), list.ends[index]!);
    }
    tape.pushTwo(TAG_STRING, strings.last);
  }

  #becomeString(row: number): boolean {
    return this.#become(this.#unique ? KIND_TEXT : KIND_DICTIONARY, row);
  }

  #becomeFloat(row: number): boolean {
    if (this.kind !== KIND_INT32) return this.#become(KIND_FLOAT64, row);
    if (this.floats.length < this.#capacity) this.floats = new Float64Array(this.#capacity);
    for (let at = 0; at < row; at++) this.floats[at] = this.ints[at]!;
    this.kind = KIND_FLOAT64;
    return true;
  }

  /**
   * Changes the kind if the column is EMPTY. If it has another kind, makes it VARIANT: the rows so far move to the
   * tape, and the value of `row` is the next one written there. Returns true if the column now has `kind`.
   */
  #become(kind: number, row: number): boolean {
    if (this.kind === kind) return true;
    if (this.kind !== KIND_EMPTY && this.kind !== KIND_VARIANT) this.#spillAll(row);
    else if (this.kind === KIND_EMPTY) this.kind = kind;
    if (this.kind === KIND_VARIANT) {
      if (this.ints.length < this.#capacity) this.ints = new Int32Array(this.#capacity);
      this.ints[row] = this.#tape.length;
      return kind === KIND_VARIANT;
    }
    this.#allocate(row);
    return true;
  }

  #allocate(row: number): void {
    const capacity = this.#capacity;
    switch (this.kind) {
      case KIND_FLOAT64:
      case KIND_DATE:
        if (this.floats.length < capacity) this.floats = new Float64Array(capacity);
        break;
      case KIND_BIGINT64:
        if (this.bigints.length < capacity) this.bigints = new BigInt64Array(capacity);
        break;
      case KIND_TEXT:
      case KIND_DICTIONARY:
        this.ranges ??= new Ranges(this.#host.source);
        this.ranges.clear();
        this.settled = row;
        if (this.kind === KIND_TEXT) this.#allocateText().ends.fill(0, 0, row);
        else {
          this.dictionary ??= new Dictionary();
          if (this.ints.length < capacity) this.ints = new Int32Array(capacity);
        }
        break;
      default:
        if (this.ints.length < capacity) this.ints = new Int32Array(capacity);
        else this.ints.fill(0, 0, row);
    }
  }

  /** Moves the rows so far to the group's tape. */
  #spillAll(rows: number): void {
    const positions = new Int32Array(this.#capacity);
    const none = (): number => 0;
    for (let row = 0; row < rows; row++) {
      positions[row] = this.#tape.length;
      if (this.states[row] === STATE_VALUE) this.spill(row, this.#tape, none);
    }
    this.ints = positions;
    this.kind = KIND_VARIANT;
  }

  #allocateText(): ByteList {
    this.text ??= new ByteList(this.#capacity * 8, this.#capacity);
    this.text.clear();
    return this.text;
  }

  /** Converts the group's dictionary indices so far to text, and continues with text. */
  becomeText(rows: number): void {
    const { list } = this.dictionary!;
    const ranges = this.ranges!;
    // The row being written may have its string already.
    for (let row = this.settled; row <= rows; row++) {
      const index = this.ints[row]!;
      if (ranges.isKnown(row) && index < list.count) ranges.copy(row, list.view, list.startOf(index), list.ends[index]!);
    }
    this.kind = KIND_TEXT;
    this.#unique = true;
    const text = this.#allocateText();
    for (let row = 0; row < this.settled; row++) {
      const index = this.ints[row]!;
      if (this.states[row] === STATE_VALUE) text.copy(list.view, list.startOf(index), list.ends[index]!);
      text.ends[row] = text.length;
    }
  }
}

/** Copies `from` to `to`, which is longer, and returns `to`. */
function grown<A extends Uint8Array | Int32Array | Float64Array | BigInt64Array | Uint32Array>(from: A, to: A): A {
  (to as Uint8Array).set(from as Uint8Array);
  return to;
}
