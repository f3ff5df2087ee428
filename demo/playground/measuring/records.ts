import type { FormatId } from 'unspool';

/** A list of records in a payload. */
export interface Records {
  /** Keys that lead to it from the root. */
  path: readonly string[];
  columns: readonly string[];
  count: number;
}

/** Formats whose payloads are compared with `previous`, if records have changed. */
const COMPARED: ReadonlySet<FormatId> = new Set(['json', 'messagepack', 'cbor', 'bson']);

/** Share of the records that a refetch changes. */
const CHANGED = 0.01;

/** Paths of the first two columns, for `pick`; empty if the records have hardly more. */
export function pathsToPick({ path, columns }: Records): string[] {
  const plain = columns.filter((column) => !column.includes('.'));
  return plain.length < 3 ? [] : plain.slice(0, 2).map((column) => [...path, column].join('.'));
}

/** True if a refetch of the payload keeps what has not changed. */
export function isCompared(format: FormatId, isSequence: boolean, records: Records | undefined): boolean {
  return COMPARED.has(format) && !isSequence && records !== undefined && records.count >= 1 / CHANGED;
}

/** The list at a path of a decoded payload; undefined without one. */
export function recordsAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], value);
}

/** A copy of a value in which 1 % of the records at a path have another number or text. Everything else is shared. */
export function withChanges(value: unknown, path: readonly string[]): unknown {
  const [key, ...rest] = path;
  if (key !== undefined) return { ...(value as object), [key]: withChanges((value as Record<string, unknown>)[key], rest) };
  const step = 1 / CHANGED;
  return (value as readonly object[]).map((record, index) => (index % step === step / 2 ? changed(record) : record));
}

function changed(record: object): object {
  const found = Object.entries(record).find(([, value]) => typeof value === 'number' || typeof value === 'string');
  if (!found) return record;
  const [key, value] = found as [string, number | string];
  return { ...record, [key]: typeof value === 'number' ? value + 1 : `${value}′` };
}
