/** A name in Pascal case for a type, from a key. */
export function pascal(key: string): string {
  const words = key.match(/[A-Za-z\d]+/g) ?? [];
  const joined = words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('');
  return /^[A-Z]/.test(joined) ? joined : `Record${joined}`;
}

/** A name that is not taken yet: `name`, or followed by a number from 2 on. */
export function unique(name: string, taken: Set<string>, separator = ''): string {
  let found = name;
  for (let n = 2; taken.has(found); n += 1) found = `${name}${separator}${n}`;
  taken.add(found);
  return found;
}

/** Unique identifier for a key: letters, digits and underscores. */
export function identifier(key: string, taken: Set<string>): string {
  return unique(key.replaceAll(/[^A-Za-z\d_]/g, '_').replace(/^(?=\d|$)/, '_'), taken, '_');
}
