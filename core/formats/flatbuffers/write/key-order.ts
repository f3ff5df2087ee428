import type { Items } from '../../../writing/binary-values.ts';
import { type FieldNode, TEXT } from './plan.ts';
import { enumNumber } from './values.ts';

type Key = string | number | bigint;

/** Characters whose order in UTF-16 differs from that in UTF-8. */
const HIGH = /[\ud800-\uffff]/;

/**
 * The order in which tables or structs with a key are written, as flatc does, since readers find them by binary search:
 * numbers by value, strings by their bytes, the same key as given. Undefined if they are given in this order.
 */
export function keyOrder(field: FieldNode, list: Items): Uint32Array | undefined {
  const { length } = list;
  const keys: Key[] = [];
  let isSorted = true;
  let isHigh = false;
  for (let index = 0; index < length; index += 1) {
    const key = keyOf(field, list[index]);
    isHigh ||= typeof key === 'string' && HIGH.test(key);
    if (isSorted && index > 0) isSorted = isHigh ? compareBytes(keys[index - 1] as string, key as string) <= 0 : keys[index - 1]! <= key;
    keys.push(key);
  }
  if (isSorted) return undefined;
  const compare = isHigh ? (compareBytes as (a: Key, b: Key) => number) : (a: Key, b: Key): number => (a < b ? -1 : a > b ? 1 : 0);
  return Uint32Array.from(keys, (_, index) => index).sort((a, b) => compare(keys[a]!, keys[b]!) || a - b);
}

/** The key of an item. An invalid one is reported when the item is written. */
function keyOf({ key, op, kind, fallback = 0, enumType }: FieldNode, item: unknown): Key {
  const value: unknown = typeof item === 'object' && item !== null && Object.hasOwn(item, key) ? item[key as never] : undefined;
  if (op === TEXT) return typeof value === 'string' ? value : '';
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  if (typeof value === 'boolean') return Number(value);
  if (typeof value !== 'string') return fallback;
  const number = enumType && enumNumber(kind, enumType, value);
  return number ?? (/^-?\d{1,20}$/.test(value) ? BigInt(value) : fallback);
}

/** Compares the UTF-8 of two strings. */
function compareBytes(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index += 1) {
    const one = a.charCodeAt(index);
    const other = b.charCodeAt(index);
    if (one !== other) return rank(one) - rank(other);
  }
  return a.length - b.length;
}

/** Surrogates stand for characters after all others. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit;
}
