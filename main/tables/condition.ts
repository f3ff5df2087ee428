import { isDate } from '../../core/values/class-of.ts';
import { KIND_BOOLEAN, KIND_DATE, KIND_DICTIONARY, KIND_FLOAT64, KIND_INT32, KIND_TEXT, STATE_NULL, STATE_VALUE } from '../../core/block/block.ts';
import { encodeWtf8 } from '../../core/bytes/text/encode-wtf8.ts';
import type { ColumnData } from '../../core/rows/read-block.ts';
import type { PathValue, RowPath } from '../../core/rows/paths.ts';
import type { SegmentCells } from '../../core/rows/run.ts';

/** Comparisons with a value; all of them must hold. */
export interface Comparisons<Value> {
  /** Equal: numbers, strings, booleans and bigints as in `Array.prototype.includes`, dates by their time. */
  eq?: Value | null | undefined;
  /** Not equal. */
  ne?: Value | null | undefined;
  /**
   * Greater than. Orders numbers and bigints, strings by their code units, and dates. A value of another type, null,
   * undefined or NaN is neither greater nor less.
   */
  gt?: Value | undefined;
  /** Greater than or equal. */
  gte?: Value | undefined;
  /** Less than. */
  lt?: Value | undefined;
  /** Less than or equal. */
  lte?: Value | undefined;
  /** Equal to one of these. */
  in?: readonly (Value | null | undefined)[] | undefined;
  /** A string that contains this one. */
  includes?: string | undefined;
}

/** Values that can be compared: objects other than dates cannot. */
type Comparable<Value> = Value extends string | number | bigint | boolean | Date ? Value : Value extends object ? never : Value;

/** A value to be equal to, comparisons with values, or a function that accepts values. Objects and lists need a function, or a path to a value in them. */
export type ValueCondition<Value> = Comparable<Value> | null | undefined | Comparisons<Comparable<Value>> | ((value: Value) => unknown);

/** Conditions by key or path; all of them must hold. An absent key has the value undefined. */
export type RowCondition<T> = { readonly [Path in RowPath<T>]?: ValueCondition<PathValue<T, Path>> };

/** Decides on a value. */
type Accepts = (value: unknown) => boolean;

/** Decides on a row of a segment. */
export type AcceptsRow = (row: number) => boolean;

/** Makes a function of each comparison from its operand. Comparisons with NaN are false. */
const COMPARISONS: Readonly<Record<string, (operand: unknown) => Accepts>> = {
  eq: equals,
  ne: (operand) => {
    const isEqual = equals(operand);
    return (value) => !isEqual(value);
  },
  gt: (operand) => ordered(operand, (one, other) => one > other),
  gte: (operand) => ordered(operand, (one, other) => one >= other),
  lt: (operand) => ordered(operand, (one, other) => one < other),
  lte: (operand) => ordered(operand, (one, other) => one <= other),
  in: (operand) => {
    if (!Array.isArray(operand)) throw new TypeError('the comparison "in" takes an array of values');
    const values = new Set(operand.map(primitive));
    return (value) => values.has(primitive(value));
  },
  includes: (operand) => {
    if (typeof operand !== 'string') throw new TypeError('the comparison "includes" takes a string; to search lists, use a function');
    return (value) => typeof value === 'string' && value.includes(operand);
  },
};

/** The known comparisons and their alternative, as errors list them. */
const CHOICE = `use ${Object.keys(COMPARISONS).join(', ')}, or a function`;

/** A condition in the forms in which segments are tested. */
export interface Condition {
  readonly accepts: Accepts;
  /** Decides on a date by its time; undefined if only `accepts` can. */
  readonly acceptsTime: Accepts | undefined;
  /** Set if only this string is accepted. */
  readonly text: string | undefined;
  /** True if it asks for undefined, and thus for rows without the key. */
  readonly isAbsence: boolean;
}

/** Compiles a condition. Throws a TypeError if it is invalid. */
export function compileCondition(condition: unknown): Condition {
  if (typeof condition === 'function') {
    const accepts: Accepts = (value) => isAccepted((condition as (value: unknown) => unknown)(value));
    return { accepts, acceptsTime: undefined, text: undefined, isAbsence: false };
  }
  if (Array.isArray(condition))
    throw new TypeError('a condition is a value, comparisons or a function; for one of several values, use { in: [...] }');
  const isValue = typeof condition !== 'object' || condition === null || isDate(condition);
  const comparisons = Object.entries(isValue ? { eq: condition } : condition);
  if (comparisons.length === 0) throw new TypeError(`a condition requires a comparison: ${CHOICE}`);
  const [[name, operand]] = comparisons as [[string, unknown]];
  return {
    accepts: all(comparisons.map(([comparison, given]) => compile(comparison, given))),
    acceptsTime: all(comparisons.map(([comparison, given]) => compile(comparison, comparison === 'includes' ? given : timeOf(given)))),
    text: comparisons.length === 1 && name === 'eq' && typeof operand === 'string' ? operand : undefined,
    isAbsence: comparisons.length === 1 && name === 'eq' && operand === undefined,
  };
}

/** True for a result of an application's function that accepts. Throws a TypeError for a promise, which would accept every row. */
export function isAccepted(result: unknown): boolean {
  if (typeof result === 'object' && result !== null && 'then' in result && typeof result.then === 'function') {
    throw new TypeError('a predicate returned a promise: use a function that is not async');
  }
  return Boolean(result);
}

function compile(comparison: string, operand: unknown): Accepts {
  const make = Object.hasOwn(COMPARISONS, comparison) ? COMPARISONS[comparison] : undefined;
  if (!make) throw new TypeError(`unknown comparison "${comparison}": ${CHOICE}; for nested values, use a path such as "customer.name"`);
  return make(operand);
}

function all(tests: readonly Accepts[]): Accepts {
  const [first, second] = tests as [Accepts, Accepts?];
  if (!second) return first;
  return tests.length === 2 ? (value) => first(value) && second(value) : (value) => tests.every((test) => test(value));
}

/** The operand that a date's time is compared with: that of a date, or a text, which no number is equal to, less or greater. */
function timeOf(operand: unknown): unknown {
  return isDate(operand) ? operand.getTime() : Array.isArray(operand) ? operand.map(timeOf) : '';
}

/** A function that tests the rows of a segment, as far as possible without making values. */
export function rowTest(cells: SegmentCells, key: string, condition: Condition): AcceptsRow {
  const column = cells.columnOf(key);
  const { accepts } = condition;
  if (typeof column === 'object') {
    const test = columnTest(column, condition);
    if (test) return withStates(column, accepts, test);
  }
  const read = cells.reader(key);
  return (row) => accepts(read(row));
}

/** Tests rows whose state is a value; undefined if their values have to be made. */
function columnTest({ kind, data, list, bytes }: ColumnData, { accepts, acceptsTime, text }: Condition): AcceptsRow | undefined {
  switch (kind) {
    case KIND_BOOLEAN: {
      const results = new Results(2, (at) => accepts(at === 1));
      return (row) => results.at(data[row] as number);
    }
    case KIND_DICTIONARY: {
      const strings = list!.values();
      const results = new Results(strings.length, (at) => accepts(strings[at]));
      return (row) => results.at(data[row] as number);
    }
    case KIND_INT32:
    case KIND_FLOAT64:
      return (row) => accepts(data[row]);
    case KIND_DATE:
      return acceptsTime ? (row) => acceptsTime(data[row]) : (row) => accepts(new Date(data[row] as number));
    case KIND_TEXT: {
      if (text === undefined) return undefined;
      const wanted = encodeWtf8(text);
      const { length } = wanted;
      return (row) => {
        const start = row === 0 ? 0 : (data[row - 1] as number);
        if ((data[row] as number) - start !== length) return false;
        for (let at = 0; at < length; at++) if (bytes[start + at] !== wanted[at]) return false;
        return true;
      };
    }
    default:
      return undefined;
  }
}

/** Tests null, undefined and absent values once. */
function withStates({ states }: ColumnData, accepts: Accepts, test: AcceptsRow): AcceptsRow {
  if (!states) return test;
  const others = new Results(2, (at) => accepts(at === 0 ? null : undefined));
  return (row) => {
    const state = states[row];
    return state === STATE_VALUE ? test(row) : others.at(state === STATE_NULL ? 0 : 1);
  };
}

/** Results of a test that has few different arguments, each computed when it is first needed. */
class Results {
  /** 0: unknown; 1: false; 2: true. */
  readonly #known: Uint8Array;
  readonly #test: (at: number) => boolean;

  constructor(count: number, test: (at: number) => boolean) {
    this.#known = new Uint8Array(count);
    this.#test = test;
  }

  at(index: number): boolean {
    return (this.#known[index]! || this.#find(index)) === 2;
  }

  #find(index: number): number {
    return (this.#known[index] = this.#test(index) ? 2 : 1);
  }
}

function equals(operand: unknown): Accepts {
  if (isDate(operand)) {
    const isTime = equals(operand.getTime());
    return (value) => isDate(value) && isTime(value.getTime());
  }
  return Number.isNaN(operand) ? Number.isNaN : (value) => value === operand;
}

/** Compares with an operand; false for values of other types. */
function ordered(operand: unknown, holds: (one: number, other: number) => boolean): Accepts {
  // The operators compare bigints and strings as well.
  const given = operand as number;
  if (typeof operand === 'number' || typeof operand === 'bigint') {
    return (value) => (typeof value === 'number' || typeof value === 'bigint') && holds(value as number, given);
  }
  if (typeof operand === 'string') return (value) => typeof value === 'string' && holds(value as unknown as number, given);
  if (isDate(operand)) {
    const time = operand.getTime();
    return (value) => isDate(value) && holds(value.getTime(), time);
  }
  throw new TypeError('only numbers, bigints, strings and dates are greater or less: use eq, in or a function for other values');
}

/** A value that is equal to another one in a Set if `equals` finds them equal. */
function primitive(value: unknown): unknown {
  return isDate(value) ? `date ${value.getTime()}` : typeof value === 'string' ? `text ${value}` : value;
}
