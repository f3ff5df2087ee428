import { nearestName } from '../check-names.ts';
import { EncodeError } from '../errors.ts';

/** Write option of all formats with a schema. */
export interface ExtraKeysOption {
  /**
   * Treatment of a key that the schema does not have, if its value is not undefined: an EncodeError with its path and
   * the nearest name (`error`), or ignored (`skip`). Default `error`.
   */
  extraKeys?: 'error' | 'skip' | undefined;
}

/** A field, by its name. */
type Named = { readonly key: string } | { readonly name: string };

/** UTF-16 units of the longest key that an error shows, or for which it suggests a name. */
const MAX_LENGTH = 64;

const known = new WeakMap<readonly Named[], ReadonlySet<string>>();

/** Passed as the number of keys seen if all of an object's keys are known. */
export const ALL_KNOWN = Infinity;
/** Passed as the number of keys seen if they were not counted, for example after a pause. */
export const NOT_COUNTED = -Infinity;

/** True if an object may have keys other than those seen: `seen` of them, `ALL_KNOWN` or `NOT_COUNTED`. */
export function mayHaveExtraKeys(value: object, seen: number): boolean {
  return seen !== ALL_KNOWN && (seen < 0 || seen !== Object.keys(value).length);
}

/**
 * Throws an EncodeError for the first key of a record that is not a field and whose value is not undefined. `isOther`
 * returns true for keys that the reader adds.
 */
export function refuseExtraKeys(value: object, name: string, fields: readonly Named[], isOther?: (key: string, item: unknown) => boolean): void {
  let keys = known.get(fields);
  if (keys === undefined) known.set(fields, (keys = new Set(fields.map(keyOf))));
  for (const key of Object.keys(value)) {
    if (keys.has(key)) continue;
    const item = (value as Record<string, unknown>)[key];
    if (item === undefined || isOther?.(key, item) === true) continue;
    const nearest = nearestOf(key, keys);
    const hint = nearest === undefined ? 'set extraKeys to skip such fields' : `did you mean ${nearest}?`;
    throw new EncodeError('unknown', `unknown field ${key.slice(0, MAX_LENGTH)} of ${name}; ${hint}`, { path: [key] });
  }
}

function keyOf(field: Named): string {
  return 'key' in field ? field.key : field.name;
}

/** The name that is most like a key, ignoring case and underscores; undefined if none is. */
function nearestOf(key: string, names: Iterable<string>): string | undefined {
  if (key.length > MAX_LENGTH) return undefined;
  const plain = plainOf(key);
  const byPlain = new Map(Array.from(names, (name) => [plainOf(name), name]));
  return byPlain.get(plain) ?? byPlain.get(nearestName(plain, [...byPlain.keys()]) ?? '');
}

function plainOf(name: string): string {
  return name.replaceAll(/[_\-$]/g, '').toLowerCase();
}
