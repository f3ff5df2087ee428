import { isDate } from '../../core/values/class-of.ts';
import { KIND_DATE, KIND_DICTIONARY, STATE_VALUE } from '../../core/block/block.ts';
import type { SegmentCells } from '../../core/rows/run.ts';
import type { RowList } from '../../core/rows/row-list.ts';
import { Slicer } from '../../core/slicing/slicer.ts';
import { checkKey, type TableOptions } from './known-keys.ts';
import { inPieces } from './pieces.ts';
import { openColumns } from './record-columns.ts';
import { SegmentWalk } from './segment-walk.ts';

/** Rows with one value. */
export interface ValueGroup {
  readonly value: unknown;
  readonly list: RowList;
}

/** Unique values of a column, in order of first occurrence, and for each row of the list the number of its value. */
export interface Groups {
  readonly values: unknown[];
  readonly numbers: Uint32Array;
  /** Number of rows with each value. */
  readonly counts: number[];
}

/** Rows read between two looks at the clock. */
const ROWS = 1024;

/**
 * Numbers the unique values of a column. Values are equal as keys of a Map are, dates by their time. Throws a TypeError if
 * the key is not a string. `unique` has the values that are numbered already.
 */
export async function groupsOf(list: RowList, key: string, { signal, optional }: TableOptions, unique = new UniqueValues()): Promise<Groups> {
  signal?.throwIfAborted();
  if (typeof key !== 'string') throw new TypeError(`groupBy, distinct and codes take a key, such as "status", not a value of type ${typeof key}`);
  const { source, index, length } = list;
  const walk = new SegmentWalk(source, (cells) => numberOf(cells, key, unique));
  const numbers = new Uint32Array(length);
  const counts: number[] = [];
  const numberAll = (from: number, to: number): void => {
    for (let at = from; at < to; at++) {
      const position = index ? index[at]! : at;
      const number = walk.at(position)(position - walk.shift);
      numbers[at] = number;
      counts[number] = (counts[number] ?? 0) + 1;
    }
  };
  const slicer = new Slicer(signal);
  slicer.begin();
  try {
    await openColumns(list, [key], slicer);
    await checkKey(list, key, slicer, optional);
    await inPieces(length, ROWS, numberAll, slicer);
  } finally {
    slicer.end();
  }
  return { values: unique.values, numbers, counts };
}

/** A function that returns the number of a row's value, and adds new values. */
function numberOf(cells: SegmentCells, key: string, unique: UniqueValues): (row: number) => number {
  const column = cells.columnOf(key);
  const read = cells.reader(key);
  if (typeof column !== 'object') return (row) => unique.number(read(row));
  const { kind, data, list, states } = column;
  if (kind === KIND_DICTIONARY) {
    // Numbers of strings, plus one; 0 for those that no row had.
    const known = new Uint32Array(list!.length);
    return (row) => {
      if (states && states[row] !== STATE_VALUE) return unique.number(read(row));
      const at = data[row] as number;
      return (known[at] ||= unique.number(read(row)) + 1) - 1;
    };
  }
  if (kind === KIND_DATE) {
    return (row) => (states && states[row] !== STATE_VALUE ? unique.number(read(row)) : unique.dateNumber(data[row] as number));
  }
  return (row) => unique.number(read(row));
}

/** Numbers unique values. */
export class UniqueValues {
  readonly values: unknown[] = [];
  readonly #numbers = new Map<unknown, number>();
  readonly #dates = new Map<number, number>();

  number(value: unknown): number {
    if (isDate(value)) return this.dateNumber(value.getTime());
    // Maps and sets make −0 to 0.
    return this.#numbers.get(value) ?? this.#add(this.#numbers, value, value === 0 ? 0 : value);
  }

  dateNumber(time: number): number {
    return this.#dates.get(time) ?? this.#add(this.#dates, time, new Date(time));
  }

  #add<Key>(numbers: Map<Key, number>, key: Key, value: unknown): number {
    numbers.set(key, this.values.length);
    return this.values.push(value) - 1;
  }
}
