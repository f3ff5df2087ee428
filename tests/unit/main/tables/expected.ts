// Reference implementation of tables, as plain code over arrays of records.
import type { Item } from './arbitrary.ts';

/** The value of a key, if the record has it. */
export function valueOf(item: Item, key: string): unknown {
  return Object.hasOwn(item, key) ? item[key] : undefined;
}

/** Sorts like `Rows.sortBy` with one key. */
export function sorted(list: readonly Item[], key: string, descending: boolean, compare = byCodeUnits): Item[] {
  const isLast = (item: Item): boolean => rank(valueOf(item, key)) === Infinity;
  const sign = descending ? -1 : 1;
  const others = list.filter((item) => !isLast(item));
  others.sort((one, other) => {
    const [a, b] = [valueOf(one, key), valueOf(other, key)];
    if (rank(a) !== rank(b)) return sign * (rank(a) - rank(b));
    if (typeof a === 'string') return sign * compare(a, b as string);
    if (rank(a) === 4) return 0;
    return sign * ((a as number) < (b as number) ? -1 : (a as number) > (b as number) ? 1 : 0);
  });
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
