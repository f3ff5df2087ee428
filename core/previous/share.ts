import type { RowsForm } from './rows-form.ts';

/**
 * Gives the parts of a new value that are equal to the same parts of an earlier one the identity that they had: the same values
 * of the same keys in the same order. Returns the earlier value if all of it is equal, and otherwise the new one, whose parts are
 * replaced. Never changes the earlier value. Only plain objects, lists, Dates and binaries are compared, and `Rows` if `form` is given.
 */
export function share(before: unknown, value: unknown, form?: RowsForm): unknown {
  if (Object.is(before, value)) return value;
  if (typeof before !== 'object' || typeof value !== 'object' || before === null || value === null) return value;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.getPrototypeOf(before)) return value;
  if (Array.isArray(value)) return Array.isArray(before) ? shareList(before, value, form) : value;
  if (prototype === Object.prototype) return shareObject(before as Members, value as Members, form);
  if (prototype === Date.prototype) return Object.is((before as Date).getTime(), (value as Date).getTime()) ? before : value;
  if (prototype === Uint8Array.prototype) return equalBytes(before as Uint8Array, value as Uint8Array) ? before : value;
  if (form?.isRows(before) && form.isRows(value)) {
    const earlier = form.records(before);
    const shared = shareList(earlier, form.records(value), form) as unknown[];
    return shared === earlier ? before : form.rowsOf(shared);
  }
  return value;
}

type Members = Record<string, unknown>;

/** Sets an own property, also if the key is `__proto__`. */
export function setMember(object: object, key: string, value: unknown): void {
  if (key in object) Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  else (object as Members)[key] = value;
}

function shareObject(before: Members, value: Members, form: RowsForm | undefined): unknown {
  const keys = Object.keys(value);
  const earlier = Object.keys(before);
  let isEqual = keys.length === earlier.length;
  for (let index = 0; index < keys.length; index += 1) {
    const key = keys[index]!;
    const isInPlace = key === earlier[index];
    isEqual &&= isInPlace;
    if (!isInPlace && !Object.hasOwn(before, key)) continue;
    const own = value[key];
    const shared = share(before[key], own, form);
    if (Object.is(shared, before[key])) {
      if (shared !== own) setMember(value, key, shared);
    } else {
      isEqual = false;
    }
  }
  return isEqual ? before : value;
}

function shareList(before: readonly unknown[], value: unknown[], form: RowsForm | undefined): unknown {
  const shift = before.length - value.length;
  let first = 0;
  let last = value.length - 1;
  if (shift !== 0) {
    // Items were added or removed: those before and after them are found from both ends.
    const length = Math.min(before.length, value.length);
    while (first < length && isEqual(before[first], value[first])) first += 1;
    while (last >= first && last + shift >= first && isEqual(before[last + shift], value[last])) last -= 1;
    for (let index = 0; index < first; index += 1) value[index] = before[index];
    for (let index = last + 1; index < value.length; index += 1) value[index] = before[index + shift];
  }
  let isSame = shift === 0;
  // An earlier item is taken once.
  for (let index = first; index <= last && index <= last + shift; index += 1) {
    const shared = share(before[index], value[index], form);
    isSame &&= Object.is(shared, before[index]);
    value[index] = shared;
  }
  return isSame ? before : value;
}

/** True if `share` would return the earlier value. */
function isEqual(before: unknown, value: unknown): boolean {
  if (Object.is(before, value)) return true;
  if (typeof before !== 'object' || typeof value !== 'object' || before === null || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.getPrototypeOf(before)) return false;
  if (Array.isArray(value)) {
    return Array.isArray(before) && before.length === value.length && value.every((item, index) => isEqual(before[index], item));
  }
  // Dates and binaries are small: `share` changes nothing of them.
  if (prototype !== Object.prototype) return share(before, value) === before;
  const keys = Object.keys(value);
  const earlier = Object.keys(before);
  return (
    keys.length === earlier.length && keys.every((key, index) => key === earlier[index] && isEqual((before as Members)[key], (value as Members)[key]))
  );
}

function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}
