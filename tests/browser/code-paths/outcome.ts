import { Rows } from '../../../main/rows/rows.ts';

/** Outcome of a code path: a value, or the relevant properties of an error. */
export interface Outcome {
  value?: unknown;
  /** Name, code or limit, and offset. */
  error?: string;
  /** Items of batches before the error. */
  items?: unknown[];
}

/** Runs a function and returns its outcome. */
export async function outcomeOf(run: () => unknown): Promise<Outcome> {
  try {
    return { value: await run() };
  } catch (error) {
    return { error: described(error) };
  }
}

/** The properties of an error, or of a service worker's problem response, that programs use. */
export function described(error: unknown): string {
  const { name, title, code, limit, offset } = error as Record<string, unknown>;
  return [title ?? name, limit ?? code, offset].join(' ');
}

/** Replaces `Rows` in a value by arrays. */
export function withoutRows(value: unknown): unknown {
  return value instanceof Rows ? value.toArray() : mapped(value, withoutRows);
}

/**
 * Converts the outermost lists of records to columns: a Float64Array if all values are numbers, else an array. A list of
 * records with other items than null stays as it is.
 */
export function asColumns(value: unknown): unknown {
  if (!Array.isArray(value) || value.some(Array.isArray)) return mapped(value, asColumns);
  const items = value.filter((item) => item !== null && item !== undefined);
  if (!items.every(isRecord)) return value;
  const keys = new Set(items.flatMap((record) => Object.keys(record)));
  const column = (key: string): unknown => {
    const values = value.map((record: unknown) => (isRecord(record) && Object.hasOwn(record, key) ? record[key] : undefined));
    return values.every((one) => typeof one === 'number') ? Float64Array.from(values) : values;
  };
  return objectOf([...keys].map((key) => [key, column(key)]));
}

/** Converts Int32Arrays in columns to Float64Arrays, since the type of numbers is not determined by the value. */
export function withDoubles(value: unknown): unknown {
  return value instanceof Int32Array ? Float64Array.from(value) : mapped(value, withDoubles);
}

function mapped(value: unknown, map: (inner: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => map(item));
  return isRecord(value) ? objectOf(Object.entries(value).map(([key, inner]) => [key, map(inner)])) : value;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

function objectOf(entries: [string, unknown][]): object {
  const made = {};
  for (const [key, value] of entries) Object.defineProperty(made, key, { value, writable: true, enumerable: true, configurable: true });
  return made;
}
