import { Rows } from '../../main/rows/rows.ts';

/** The outcome of a call: a value, or the parts of an error that programs use. */
export interface Outcome {
  value?: unknown;
  /** Name, code or limit, and offset. */
  error?: string;
  /** The path of the error. */
  path?: readonly (string | number)[];
  /** Items that came before the error. */
  items?: readonly unknown[];
}

/** Runs a function and returns what came of it. */
export async function outcomeOf(run: () => unknown): Promise<Outcome> {
  try {
    return { value: await run() };
  } catch (error) {
    return failed(error);
  }
}

/** The same of values that come one after another, each of which is given to `take`, if there is one, and not kept. */
export async function gathered(values: AsyncIterable<unknown>, rest?: () => unknown, take?: (value: unknown) => void): Promise<Outcome> {
  const items: unknown[] = [];
  take ??= (value) => items.push(value);
  try {
    for await (const value of values) take(value);
    return { value: rest ? { items, rest: await rest() } : items };
  } catch (error) {
    return { ...failed(error), items };
  }
}

/** The parts that programs use of an error, of the cause of a server's error, or of a service worker's problem response. */
export function failed(error: unknown): Outcome {
  const { name, title, code, limit, offset, path = [], cause } = error as Record<string, unknown>;
  if (name === 'RequestError' && cause !== undefined) return failed(cause);
  return { error: [title ?? name, limit ?? code, offset].join(' '), path: path as string[] };
}

/** An outcome whose value, or the items before its error, another function changes. */
export function withValue({ value, ...outcome }: Outcome, change: (value: unknown) => unknown): Outcome {
  if (outcome.error === undefined) return { value: change(value) };
  return outcome.items ? { ...outcome, items: outcome.items.map((item) => change(item)) } : outcome;
}

/** The same with what `read` makes of the value, such as of `Rows`, which may find an error. */
export async function readBy(outcome: Outcome, read: (value: unknown) => unknown): Promise<Outcome> {
  return outcome.error === undefined ? outcomeOf(() => read(outcome.value)) : withValue(outcome, read);
}

/** Replaces `Rows` in a value by arrays. */
export function withoutRows(value: unknown): unknown {
  return mapped(value, (inner) => [inner instanceof Rows ? inner.toArray() : inner]);
}

/**
 * Converts the outermost lists of records to columns: a Float64Array if all values are numbers, else an array. A list of
 * records with other items than null stays as it is.
 */
export function asColumns(value: unknown): unknown {
  return mapped(value, (inner) => {
    const columns = columnsOf(inner);
    return [columns ?? inner, columns !== undefined];
  });
}

/** The columns of a list, or the list itself if it has other items than records and null; undefined for other values. */
function columnsOf(value: unknown): unknown {
  if (!Array.isArray(value) || value.some(Array.isArray)) return undefined;
  const items = value.filter((item) => item !== null && item !== undefined);
  if (!items.every(isRecord)) return value;
  const keys = new Set(items.flatMap((record) => Object.keys(record)));
  const column = (key: string): unknown => {
    const values = value.map((record: unknown) => (isRecord(record) && Object.hasOwn(record, key) ? record[key] : undefined));
    return values.every((one) => typeof one === 'number') ? Float64Array.from(values) : values;
  };
  return objectOf([...keys].map((key) => [key, column(key)]));
}

/**
 * Columns in a form that the value alone determines: all numbers in Float64Arrays, and a list without records, whose columns a schema
 * may know, as an empty object.
 */
export function comparableColumns(value: unknown): unknown {
  return mapped(value, (inner) => {
    if (inner instanceof Int32Array) return [Float64Array.from(inner)];
    const columns = isRecord(inner) ? Object.values(inner) : [];
    return [columns.length > 0 && columns.every((column) => Array.isArray(column) && column.length === 0) ? {} : inner];
  });
}

/** Leaves out all keys of plain objects but those of a path, which leads through lists. */
export function pickedOf(value: unknown, [key, ...path]: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => pickedOf(item, [key!, ...path]));
  if (key === undefined || !isRecord(value)) return value;
  const entries = Object.hasOwn(value, key) ? [[key, path.length > 0 ? pickedOf(value[key], path) : value[key]] as [string, unknown]] : [];
  return objectOf(entries);
}

const NO_LIST = 'DecodeError no-list ';

/** Splits a value into the items of its list and the rest, as batches do. */
export function batchesOf(outcome: Outcome, path: readonly string[]): Outcome {
  if (outcome.error !== undefined) return outcome;
  if (path.length === 0) return Array.isArray(outcome.value) ? { value: { items: outcome.value, rest: [] } } : { error: NO_LIST, path };
  const [key] = path as [string];
  const root = outcome.value as Record<string, unknown>;
  if (typeof root !== 'object' || root === null || !Object.hasOwn(root, key) || !Array.isArray(root[key])) return { error: NO_LIST, path };
  return { value: { items: root[key], rest: { ...root, [key]: [] } } };
}

/** Changes a value and those in it, however deep, from the outside in, until one is whole. */
function mapped(value: unknown, change: (inner: unknown) => [changed: unknown, isWhole?: boolean]): unknown {
  const root = { value };
  const work: [holder: object, key: string][] = [[root, 'value']];
  for (let next = work.pop(); next; next = work.pop()) {
    const [holder, key] = next;
    const [changed, isWhole] = change(holder[key as never]);
    let made = changed;
    if (isWhole !== true && (Array.isArray(changed) || isRecord(changed))) {
      const copy = Array.isArray(changed) ? changed.slice() : objectOf(Object.entries(changed));
      for (const inner of Object.keys(copy)) work.push([copy, inner]);
      made = copy;
    }
    Object.defineProperty(holder, key, { value: made, writable: true, enumerable: true, configurable: true });
  }
  return root.value;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

function objectOf(entries: [string, unknown][]): object {
  const made = {};
  for (const [key, value] of entries) Object.defineProperty(made, key, { value, writable: true, enumerable: true, configurable: true });
  return made;
}
