import { Rows } from '../../../main/rows/rows.ts';

/** What a road leads to: a value, or what programs go by of an error. */
export interface Outcome {
  value?: unknown;
  /** Name, code or limit, and offset. */
  error?: string;
  /** Of roads that give out batches: the items before the error. */
  items?: unknown[];
}

/** What a promise settles to. */
export async function outcomeOf(run: () => unknown): Promise<Outcome> {
  try {
    return { value: await run() };
  } catch (error) {
    return { error: described(error) };
  }
}

/** What programs go by of an error, or of the problem that a service worker answers with. */
export function described(error: unknown): string {
  const { name, title, code, limit, offset } = error as Record<string, unknown>;
  return [title ?? name, limit ?? code, offset].join(' ');
}

/** The value with arrays in place of `Rows`. */
export function withoutRows(value: unknown): unknown {
  return value instanceof Rows ? value.toArray() : mapped(value, withoutRows);
}

/** The value with its outermost lists of records as columns: a Float64Array of numbers that every record has, else an array. */
export function asColumns(value: unknown): unknown {
  if (!Array.isArray(value) || !value.every(isRecord)) return mapped(value, asColumns);
  const keys = new Set(value.flatMap((record) => Object.keys(record)));
  const column = (key: string): unknown => {
    const values = value.map((record) => (Object.hasOwn(record, key) ? record[key] : undefined));
    return values.every((one) => typeof one === 'number') ? Float64Array.from(values) : values;
  };
  return objectOf([...keys].map((key) => [key, column(key)]));
}

/** A value with columns, whose Int32Arrays become Float64Arrays: the bytes do not say which of the two it is. */
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
