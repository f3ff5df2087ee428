import { Block } from './block.ts';
import type { ResultForm } from './index.ts';
import { Rows } from './rows.ts';
import type { BuildsRows } from './row-source.ts';

/**
 * A value that was made of plain objects, in the form that was asked for: each list of records in it, the outermost ones,
 * becomes `Rows` of those records, or their columns, but for what is in the values of `except`. The value itself is taken
 * apart; nothing of it is copied.
 */
export function formOf(value: unknown, as: ResultForm, except: Iterable<unknown> = []): unknown {
  if (as === 'objects') return value;
  return replaceLists(value, as === 'rows' ? rowsOf : (records) => rowsOf(records).columns(), new Set(except));
}

/** `Rows` of records that are objects already. */
export function rowsOf(records: object[]): Rows {
  const run = { table: Block.listed(records), first: 0, count: records.length };
  // What would build records has none to build.
  return new Rows(undefined as unknown as BuildsRows, [run]);
}

function replaceLists(value: unknown, make: (records: object[]) => unknown, seen: Set<unknown>): unknown {
  if (typeof value !== 'object' || value === null || seen.has(value)) return value;
  seen.add(value);
  if (Array.isArray(value)) {
    if (value.every(isRecord)) return make(value);
    for (let index = 0; index < value.length; index += 1) value[index] = replaceLists(value[index], make, seen);
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

/** Whether a value is a plain object, as the formats' objects and maps become. */
function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
