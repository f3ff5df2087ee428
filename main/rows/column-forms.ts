import { isDate } from '../../core/values/class-of.ts';
import { check } from '../../core/check-names.ts';
import { EmptyCells } from '../../core/empty-cells.ts';
import { LimitError } from '../../core/errors.ts';
import { DEFAULT_LIMITS } from '../../core/limits.ts';
import { setProperty } from '../../core/values/property.ts';
import { type ColumnValues, inOneGo, type RowList } from '../../core/rows/row-list.ts';

/** Form that a column's values are converted to. */
export type ColumnForm = 'float64' | 'int32' | 'text' | 'date' | 'values';

/** Arrays of a column's values by form, where a record's value has the type `V`. */
export interface ColumnForms<V = unknown> {
  /** Numbers; bigints are rounded, and dates are milliseconds since the epoch. NaN for a missing value. */
  float64: Float64Array;
  /** Integers of 32 bits, also those that are bigints. 0 for a missing value: see the mask. */
  int32: Int32Array;
  /** Text; numbers, bigints and booleans as `String` writes them, dates in ISO 8601. Null for a missing value. */
  text: (string | null)[];
  /** Dates; numbers count milliseconds since the epoch, and text is read by `Date.parse`. Null for a missing value. */
  date: (Date | null)[];
  /** The values themselves: null stays null, and a key that is absent is undefined. */
  values: (V | undefined)[];
}

/** A column with its mask. */
export interface MaskedColumn<Values> {
  readonly values: Values;
  /** A byte for each row: 0 for a value, 1 for null, 2 if the key is absent, undefined, or the item is no record. */
  readonly mask: Uint8Array;
}

/** Bytes of a mask. */
const NULL = 1;
const ABSENT = 2;

/** Values converted between two steps. */
const STEP = 4096;

/** An array of a form. */
type Values = new (length: number) => Record<number, unknown>;

/** Properties of each form: its array, its missing value, what an error calls it, and its conversion; undefined for a value that does not fit. */
const CONVERSIONS: Record<ColumnForm, readonly [array: Values, missing: unknown, name: string, convert: (value: unknown) => unknown]> = {
  float64: [Float64Array, Number.NaN, 'a number', toNumber],
  int32: [Int32Array, 0, 'an integer of 32 bits', toInteger],
  text: [Array, null, 'text', toText],
  date: [Array, null, 'a date', toDate],
  values: [Array, undefined, 'a value', (value) => value],
};

/** Converts a column to a form, in steps. Throws a TypeError for an unknown form, and for a value that does not fit. */
export function* convertedColumn(list: RowList, key: string, as: ColumnForm): Generator<undefined, MaskedColumn<unknown>, undefined> {
  check('invalid option as:', as, Object.keys(CONVERSIONS));
  const [array, missing, name, convert] = CONVERSIONS[as];
  const { length } = list;
  const column = (yield* list.column(key, array !== Array)) ?? [];
  const mask = new Uint8Array(length);
  // A list's column is a new array.
  if (as === 'float64' && column instanceof Float64Array) return { values: column, mask };
  const values = new array(length);
  for (let row = 0; row < length; row++) {
    const value: unknown = column[row];
    if (value === null || value === undefined) {
      mask[row] = value === null ? NULL : ABSENT;
      values[row] = as === 'values' ? value : missing;
    } else {
      const converted = convert(value);
      if (converted === undefined) {
        // `Date.parse` also reads text such as "trip 5".
        const isText = toDate(value) && /^\d{4}-/.test(value as string);
        throw new TypeError(`column ${key}: row ${row} has ${described(value)}, not ${name}${isText ? "; use as: 'date'" : ''}`);
      }
      values[row] = converted;
    }
    if (row % STEP === 0) yield;
  }
  return { values, mask };
}

/** Returns all columns of a list by key. `cells` is charged for the rows without a value. */
export function columnsOf(list: RowList, cells = new EmptyCells(DEFAULT_LIMITS)): Record<string, ColumnValues> {
  const keys = [...list.keys()];
  chargeCells(list, keys.length, cells);
  const columns: Record<string, ColumnValues> = {};
  for (const key of keys) setProperty(columns, key, inOneGo(list.column(key))!);
  return columns;
}

/**
 * Charges the cells without a value in the columns of a list. A record takes a byte at least, so that as many keys as a byte may
 * have values cost nothing. Throws a LimitError.
 */
function chargeCells({ length, source }: RowList, keys: number, cells: EmptyCells): void {
  if (keys <= cells.expansion) return;
  const values = source.countValues();
  cells.found(values);
  if (cells.take(Math.max(0, length * keys - values))) return;
  throw new LimitError('expansion', `expansion limit exceeded (${cells.expansion}): the records have too few keys in common for columns`);
}

function toNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'bigint' || isDate(value) ? Number(value) : undefined;
}

function toInteger(value: unknown): number | undefined {
  const number = toNumber(value);
  return number !== undefined && (number | 0) === number ? number : undefined;
}

function toText(value: unknown): string | undefined {
  if (isDate(value)) return value.toJSON() ?? undefined;
  if (typeof value === 'string') return value;
  return typeof value === 'object' ? undefined : `${value as number}`;
}

function toDate(value: unknown): Date | undefined {
  const date = new Date(typeof value === 'string' ? value : (toNumber(value) ?? Number.NaN));
  return Number.isNaN(date.getTime()) ? undefined : date;
}

/** A value as errors quote it. */
function described(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 40));
  return toText(value) ?? 'an object';
}
