import type { RecordShape, Shape } from './shape.ts';

/** Names for the records at each path, in Pascal case, derived from the key that leads there. */
export function recordNames(root: Shape, records: readonly RecordShape[], first = 'Root'): string[] {
  const names: string[] = new Array<string>(records.length);
  const taken = new Set<string>();
  const name = (shape: Shape, key: string): void => {
    for (let inner: Shape | undefined = shape; inner; inner = inner.items) {
      const { record } = inner;
      if (!record || names[record.index] !== undefined) continue;
      let found = pascal(key);
      for (let n = 2; taken.has(found); n += 1) found = `${pascal(key)}${n}`;
      taken.add(found);
      names[record.index] = found;
      for (const [field, of] of record.fields) name(of, field);
    }
  };
  name(root, first);
  return names;
}

function pascal(key: string): string {
  const words = key.match(/[A-Za-z\d]+/g) ?? [];
  const joined = words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('');
  return /^[A-Z]/.test(joined) ? joined : `Record${joined}`;
}

/** Unique identifier for a key: letters, digits and underscores. */
export function identifier(key: string, taken: Set<string>): string {
  const plain = key.replaceAll(/[^A-Za-z\d_]/g, '_').replace(/^(?=\d|$)/, '_');
  let found = plain;
  for (let n = 2; taken.has(found); n += 1) found = `${plain}_${n}`;
  taken.add(found);
  return found;
}
