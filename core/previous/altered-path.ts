import type { RowsForm } from './rows-form.ts';
import { share } from './share.ts';

type Path = readonly (string | number)[];

/** Prototypes of the objects that `share` compares. */
const COMPARED: readonly unknown[] = [Object.prototype, Array.prototype, Date.prototype, Uint8Array.prototype];

/**
 * The first place where a value differs from what its bytes are decoded to; undefined for none. `expected` may be modified. The content
 * of a Map, an extension, or another object of a class is not compared, except for Dates and binaries.
 */
export function alteredPath(value: unknown, expected: unknown, form: RowsForm | undefined): Path | undefined {
  return comparePaths(value, expected, form, [], new Map());
}

/** `compared`: by each object of the value, what it was compared with. The parts of shared values, and cycles, are compared once. */
function comparePaths(value: unknown, expected: unknown, form: RowsForm | undefined, path: Path, compared: Map<unknown, unknown>): Path | undefined {
  if (form?.isRows(value) && form.isRows(expected)) return comparePaths(form.records(value), form.records(expected), form, path, compared);
  const isList = Array.isArray(value);
  if (isList && !(Array.isArray(expected) && expected.length === value.length)) return path;
  if (!isList && !(isObject(value) && isObject(expected))) {
    return Object.is(share(value, expected, form), value) || isOpaque(value, expected) ? undefined : path;
  }
  if (compared.get(value) === expected) return undefined;
  compared.set(value, expected);
  const own = value as Record<string, unknown>;
  const other = expected as Record<string, unknown>;
  for (const key of Object.keys({ ...other, ...own })) {
    const place = [...path, isList ? Number(key) : key];
    if (!Object.hasOwn(own, key) || !Object.hasOwn(other, key)) return place;
    const found = comparePaths(own[key], other[key], form, place, compared);
    if (found) return found;
  }
  return undefined;
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** True for two objects of one class whose content `share` does not compare. */
function isOpaque(value: unknown, expected: unknown): boolean {
  if (typeof value !== 'object' || typeof expected !== 'object' || value === null || expected === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.getPrototypeOf(expected) && !COMPARED.includes(prototype);
}
