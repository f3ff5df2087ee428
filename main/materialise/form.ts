import { Block } from './block.ts';
import { isRecord } from './property.ts';
import { Rows } from './rows.ts';

/** The form of a result: plain objects, `Rows` for lists of records, or typed arrays for their columns. */
export type ResultForm = 'objects' | 'rows' | 'columns';

/**
 * A value that was made of plain objects, in the form that was asked for: each list of records in it, the outermost ones,
 * becomes `Rows` of those records, or their columns, but for what is in the values of `except`. The value itself is taken
 * apart; nothing of it is copied.
 */
export function formOf(value: unknown, as: ResultForm, except: Iterable<unknown> = []): unknown {
  return as === 'objects' ? value : formerOf(as, new Set(except))(value);
}

/** What gives values the form of `formOf`, one after the other: what it has seen once it leaves alone. */
export function formerOf(as: 'rows' | 'columns', seen = new Set<unknown>()): (value: unknown) => unknown {
  const make = as === 'rows' ? rowsOf : (records: object[]): unknown => rowsOf(records).columns();
  return (value) => replaceLists(value, make, seen);
}

/** `Rows` of records that are objects already. Batches may also have other items. */
export function rowsOf(records: unknown[]): Rows {
  return new Rows([{ table: Block.listed(records as object[]), first: 0, count: records.length, builder: undefined }]);
}

function replaceLists(value: unknown, make: (records: object[]) => unknown, seen: Set<unknown>): unknown {
  if (typeof value !== 'object' || value === null || holdsNumbers(value) || seen.has(value)) return value;
  seen.add(value);
  if (Array.isArray(value)) {
    if (value.every(isRecord)) return make(value);
    for (let index = 0; index < value.length; index += 1) {
      const item: unknown = value[index];
      const replaced = replaceLists(item, make, seen);
      if (replaced !== item) value[index] = replaced;
    }
  } else if (isRecord(value)) {
    for (const key of Object.keys(value)) {
      const own = value as Record<string, unknown>;
      const inner = own[key];
      const replaced = replaceLists(inner, make, seen);
      if (replaced !== inner) Object.defineProperty(own, key, { value: replaced, writable: true, enumerable: true, configurable: true });
    }
  }
  return value;
}

/** Whether it is a list of numbers, in which nothing is replaced: most of what a document without records has. */
function holdsNumbers(value: object): boolean {
  return Array.isArray(value) && typeof value.at(0) === 'number' && typeof value.at(-1) === 'number' && areNumbers(value);
}

/** By itself, so that engines hardly see other lists here, and make no object of each number: see `json-values.ts`. */
function areNumbers(list: readonly unknown[]): boolean {
  for (let index = 0; index < list.length; index += 1) if (typeof list[index] !== 'number') return false;
  return true;
}
