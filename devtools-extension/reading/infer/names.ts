import { pascal, unique } from '../../../core/format/schema-names.ts';
import type { RecordShape, Shape } from './shape.ts';

/** Names for the records at each path, in Pascal case, derived from the key that leads there. */
export function recordNames(root: Shape, records: readonly RecordShape[], first = 'Root'): string[] {
  const names: string[] = new Array<string>(records.length);
  const taken = new Set<string>();
  const name = (shape: Shape, key: string): void => {
    for (let inner: Shape | undefined = shape; inner; inner = inner.items) {
      const { record } = inner;
      if (!record || names[record.index] !== undefined) continue;
      names[record.index] = unique(pascal(key), taken);
      for (const [field, of] of record.fields) name(of, field);
    }
  };
  name(root, first);
  return names;
}
