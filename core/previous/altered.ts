import { recall } from './remember.ts';
import type { RowsForm } from './rows-form.ts';
import { share } from './share.ts';

type Path = readonly (string | number)[];

/**
 * Throws a TypeError that names the first place where a value differs from what its remembered bytes are decoded to: the
 * application has changed it. `expected` may be modified.
 */
export function assertUnaltered(value: unknown, expected: unknown, form?: RowsForm): void {
  const path = alteredPath(value, expected, form, []);
  if (!path) return;
  const place = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('');
  throw new TypeError(
    `invalid option previous: the application has changed the value${place && ` at ${place}`}, which stays so until its bytes change; change a copy`,
  );
}

/** True if there are bytes that `assertUnaltered` can compare a value with. */
export function isComparable(value: unknown): boolean {
  const setting = recall(value)?.setting;
  // A reviver makes other objects with each call.
  return setting !== undefined && !setting.revive && setting.as !== 'columns';
}

function alteredPath(value: unknown, expected: unknown, form: RowsForm | undefined, path: Path): Path | undefined {
  if (form?.isRows(value) && form.isRows(expected)) return alteredPath(form.records(value), form.records(expected), form, path);
  const isList = Array.isArray(value);
  if (isList ? !Array.isArray(expected) || expected.length !== value.length : !isObject(value) || !isObject(expected)) {
    return Object.is(share(value, expected, form), value) ? undefined : path;
  }
  const own = value as Record<string, unknown>;
  const other = expected as Record<string, unknown>;
  for (const key of Object.keys({ ...other, ...own })) {
    const place = [...path, isList ? Number(key) : key];
    if (!Object.hasOwn(own, key) || !Object.hasOwn(other, key)) return place;
    const found = alteredPath(own[key], other[key], form, place);
    if (found) return found;
  }
  return undefined;
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
