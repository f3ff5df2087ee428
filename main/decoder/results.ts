import type { ColumnValues, Rows } from '../materialise/rows.ts';

/** Values that no list of records is in, as far as a type can tell. */
type Leaf =
  | ((...parameters: never[]) => unknown)
  | Date
  | RegExp
  | Error
  | URL
  | ArrayBuffer
  | ArrayBufferView
  | ReadonlyMap<unknown, unknown>
  | ReadonlySet<unknown>
  | Rows;

/** The type of a result with `as: 'rows'`: each list of records is a `Rows`. */
export type RowsOf<T> = unknown extends T
  ? T
  : T extends Leaf
    ? T
    : T extends readonly (infer Item)[]
      ? Item extends object
        ? Rows<Item>
        : T
      : T extends object
        ? { [Key in keyof T]: RowsOf<T[Key]> }
        : T;

/** The type of a result with `as: 'columns'`: each list of records is an object of columns by key. */
export type ColumnsOf<T> = unknown extends T
  ? T
  : T extends Leaf
    ? T
    : T extends readonly (infer Item)[]
      ? Item extends object
        ? { [Key in keyof Item]: ColumnValues }
        : T
      : T extends object
        ? { [Key in keyof T]: ColumnsOf<T[Key]> }
        : T;
