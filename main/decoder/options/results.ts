import type { ResultForm } from '../../rows/form.ts';
import type { ColumnValues, Rows } from '../../rows/rows.ts';

/** Types of values that contain no list of records. */
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

/** The record types among the types of a list's items. */
type RecordIn<Item> = Item extends object ? (Item extends Leaf | readonly unknown[] ? never : Item) : never;

/** The type of a list in a result: `Whole` if all items are records, `Other` if none is, and either if both may occur. */
type ListOf<Item, Whole, Other> = [Item] extends [RecordIn<Item>] ? Whole : [RecordIn<Item>] extends [never] ? Other : Whole | Other;

/** The type of a result with `as: 'rows'`: each list of records is a `Rows`; a list with other items is an array. */
export type RowsOf<T> = unknown extends T
  ? T
  : T extends Leaf
    ? T
    : T extends readonly (infer Item)[]
      ? ListOf<Item, Rows<RecordIn<Item>>, { [Key in keyof T]: RowsOf<T[Key]> }>
      : T extends object
        ? { [Key in keyof T]: RowsOf<T[Key]> }
        : T;

/** The type of a result with `as: 'columns'`: each list of records is an object of columns by key; a list with other items is an array. */
export type ColumnsOf<T> = unknown extends T
  ? T
  : T extends Leaf
    ? T
    : T extends readonly (infer Item)[]
      ? ListOf<Item, { [Key in keyof RecordIn<Item>]: ColumnValues<RecordIn<Item>[Key]> }, { [Key in keyof T]: ColumnsOf<T[Key]> }>
      : T extends object
        ? { [Key in keyof T]: ColumnsOf<T[Key]> }
        : T;

/** The type of a result in the form `A`, which may be a union. */
export type FormOf<T, A extends ResultForm> = A extends 'rows' ? RowsOf<T> : A extends 'columns' ? ColumnsOf<T> : T;
