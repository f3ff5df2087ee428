import type { SingleValue } from '../values/single-value.ts';

/** Levels below the next one; no path is longer than five keys. */
type Below = [never, 0, 1, 2, 3];

/** Paths into a value: the keys of records, and the length of lists. */
type PathInto<V, Levels extends number> = V extends readonly unknown[]
  ? 'length'
  : V extends SingleValue
    ? never
    : V extends object
      ? RowPath<V, Levels>
      : never;

/**
 * Keys of a record, and paths of keys joined by dots into its nested records: `'status'`, `'customer.city'`, `'lines.length'`. Types
 * name paths of up to five keys.
 */
export type RowPath<T, Levels extends number = 4> = T extends object
  ? { [Key in keyof T & string]: Key | (Levels extends 0 ? never : `${Key}.${PathInto<T[Key], Below[Levels]>}`) }[keyof T & string]
  : never;

/** Type of the value at a key or path: undefined where a value before it is not a record. A key that is the whole path wins. */
export type PathValue<T, Path> = unknown extends T
  ? T
  : T extends object
    ? Path extends keyof T
      ? T[Path]
      : Path extends `${infer Key}.${infer Rest}`
        ? Key extends keyof T
          ? PathValue<T[Key], Rest>
          : undefined
        : undefined
    : undefined;
