// Reference implementation of tables, as plain code over arrays of records.
import type { Item } from './arbitrary.ts';

/** The value of a key if the record has it, otherwise of the path through nested records and lists. */
export function valueOf(item: Item, path: string): unknown {
  if (Object.hasOwn(item, path)) return item[path];
  let value: unknown = item;
  for (const key of path.split('.')) {
    const isOpen = Array.isArray(value) || (typeof value === 'object' && value !== null && !(value instanceof Date));
    if (!isOpen || !Object.hasOwn(value as object, key)) return undefined;
    value = (value as Item)[key];
  }
  return value;
}

/** True if any record has a key, or a value at a path. */
export function isKnown(list: readonly Item[], path: string): boolean {
  return list.some((item) => Object.hasOwn(item, path) || valueOf(item, path) !== undefined);
}

/** Sorts like `Rows.sortBy` with one key. */
export function sorted(list: readonly Item[], key: string, descending: boolean, compareText = byCodeUnits): Item[] {
  return sortedBy(list, key, descending, (a, b) => {
    if (rank(a) !== rank(b)) return rank(a) - rank(b);
    if (typeof a === 'string') return compareText(a, b as string);
    if (rank(a) === 4) return 0;
    return (a as number) < (b as number) ? -1 : (a as number) > (b as number) ? 1 : 0;
  });
}

/** Sorts like `Rows.sortBy` with a function of two values of a key. */
export function sortedBy(list: readonly Item[], key: string, descending: boolean, compare: (one: unknown, other: unknown) => number): Item[] {
  const isLast = (item: Item): boolean => rank(valueOf(item, key)) === Infinity;
  const sign = descending ? -1 : 1;
  const others = list.filter((item) => !isLast(item));
  others.sort((one, other) => sign * compare(valueOf(one, key), valueOf(other, key)));
  return [...others, ...list.filter(isLast)];
}

function rank(value: unknown): number {
  if (value === null || value === undefined || Number.isNaN(value)) return Infinity;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? Infinity : 2;
  return { boolean: 0, number: 1, bigint: 1, string: 3 }[typeof value as string] ?? 4;
}

function byCodeUnits(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** Compares like the comparisons of a condition. */
export const COMPARED: Readonly<Record<string, (value: unknown, operand: unknown) => boolean>> = {
  eq: same,
  ne: (value, operand) => !same(value, operand),
  gt: (value, operand) => isComparable(value, operand) && (value as number) > (operand as number),
  gte: (value, operand) => isComparable(value, operand) && (value as number) >= (operand as number),
  lt: (value, operand) => isComparable(value, operand) && (value as number) < (operand as number),
  lte: (value, operand) => isComparable(value, operand) && (value as number) <= (operand as number),
};

export function same(value: unknown, operand: unknown): boolean {
  if (value instanceof Date && operand instanceof Date) return Object.is(value.getTime(), operand.getTime());
  return [value].includes(operand);
}

function isComparable(value: unknown, operand: unknown): boolean {
  return rank(value) === rank(operand) && [1, 2, 3].includes(rank(value));
}

/** The unique values of a key, in order of first occurrence. */
export function distinct(list: readonly Item[], key: string): unknown[] {
  const found: unknown[] = [];
  for (const item of list) {
    const value = valueOf(item, key);
    if (typeof value === 'object' && value !== null && !(value instanceof Date)) found.push(value);
    else if (!found.some((other) => same(other, value))) found.push(value === 0 ? 0 : value);
  }
  return found;
}
