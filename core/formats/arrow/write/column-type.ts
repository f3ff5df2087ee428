/** Types of columns that values become, by the ids of the union Type (format/Schema.fbs). */
export const NULL = 1;
export const INT = 2;
export const FLOAT = 3;
export const BINARY = 4;
export const UTF8 = 5;
export const BOOL = 6;
export const TIMESTAMP = 10;
export const LIST = 12;
export const STRUCT = 13;
export const MAP = 17;
/** Integers that refer to the strings of a dictionary: not an id of the union. */
export const DICTIONARY = -1;

const MAX_SIGNED = 2n ** 63n - 1n;

/** Names of the values of each type, for errors. */
export const NAMES: Readonly<Record<number, string>> = {
  [NULL]: 'null',
  [INT]: 'a number',
  [FLOAT]: 'a number',
  [BINARY]: 'bytes',
  [UTF8]: 'a string',
  [BOOL]: 'a boolean',
  [TIMESTAMP]: 'a Date',
  [LIST]: 'a list',
  [STRUCT]: 'an object',
  [MAP]: 'a Map',
};

/** The type of a column, as far as the values so far show it. */
export class ColumnType {
  /** NULL before the first value. */
  id = NULL;
  /** INT: 64 bits, because there was a bigint. */
  isLong = false;
  /** INT: without a sign, because there was a bigint from 2⁶³ on; and true if there was a number below 0. */
  isUnsigned = false;
  hasNegative = false;
  /** INT, FLOAT: all numbers so far are integers of 32 bits, or within ±(2⁵³ − 1). */
  isInt32 = true;
  isSafe = true;
  /** UTF8: the dictionary with its strings, and the bytes of a reference; undefined if the strings are in the column. */
  dictionary: { readonly id: number; readonly width: 1 | 2 | 4 } | undefined;
  /** STRUCT: its fields. LIST: the type of the items, under the only key. MAP: those of keys and values. */
  readonly fields = new Map<string, ColumnType>();

  /** The type of a field. */
  field(key: string): ColumnType {
    let type = this.fields.get(key);
    if (!type) this.fields.set(key, (type = new ColumnType()));
    return type;
  }

  /** Adds a value of a type. Returns false if it does not agree with the values so far. */
  add(id: number): boolean {
    if (this.id === NULL) this.id = id;
    return this.id === id;
  }

  /** Adds a number. Numbers other than integers of 32 bits are floats, unless there are bigints. */
  addNumber(value: number): boolean {
    if (!this.add(INT)) return false;
    this.hasNegative ||= value < 0;
    if ((value | 0) !== value || Object.is(value, -0)) {
      this.isInt32 = false;
      this.isSafe &&= Number.isSafeInteger(value) && !Object.is(value, -0);
    }
    return !this.isLong || (this.isSafe && !this.isTooWide);
  }

  /** Adds a bigint, which decides about signs if `isOpen`. */
  addBigint(value: bigint, isOpen = true): boolean {
    this.isLong = true;
    this.hasNegative ||= value < 0n;
    if (isOpen) this.isUnsigned ||= value > MAX_SIGNED;
    return this.add(INT) && this.isSafe && !this.isTooWide;
  }

  /** True if no type of 64 bits has all of the integers. */
  get isTooWide(): boolean {
    return this.isUnsigned && this.hasNegative;
  }

  /** The id that is written. */
  get written(): number {
    if (this.dictionary) return DICTIONARY;
    return this.id === INT && !this.isLong && !this.isInt32 ? FLOAT : this.id;
  }
}
