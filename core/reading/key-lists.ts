/** Lists that are kept, by their first key: no more of one first key, nor longer ones, nor of more first keys. */
const lists = new Map<string, (readonly string[])[]>();
const MOST_ALIKE = 16;
const MOST_FIRST_KEYS = 256;
const MOST_KEYS = 64;
const LONGEST_KEY = 64;

/**
 * The one list of these keys, undefined where a key stands twice. Calls define the same records again and again, and
 * sinks know a list that they have met.
 */
export function sharedList(keys: readonly string[]): readonly string[] | undefined {
  const first = keys[0] ?? '';
  const known = lists.get(first);
  const list = known?.find((other) => sameKeys(other, keys));
  if (list) return list;
  if (hasTwice(keys)) return undefined;
  if (keys.length > MOST_KEYS || keys.some((key) => key.length > LONGEST_KEY)) return keys;
  if (!known) {
    if (lists.size === MOST_FIRST_KEYS) lists.clear();
    lists.set(first, [keys]);
  } else {
    if (known.length === MOST_ALIKE) known.shift();
    known.push(keys);
  }
  return keys;
}

function hasTwice(keys: readonly string[]): boolean {
  // Most records have few keys, for which a set costs more than it saves.
  if (keys.length > 16) return new Set(keys).size < keys.length;
  return keys.some((key, index) => keys.indexOf(key, index + 1) > 0);
}

function sameKeys(one: readonly string[], other: readonly string[]): boolean {
  if (one.length !== other.length) return false;
  for (let i = 0; i < one.length; i += 1) {
    if (one[i] !== other[i]) return false;
  }
  return true;
}
