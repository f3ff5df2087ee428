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

/** True if all items of a list may be of any type, or if some are records. */
type HasRecords<Item> = [RecordIn<Item>] extends [never] ? false : true;

/** The type of a result with `as: 'rows'`: a list with records is a `Rows`; a list without any is an array. */
export type RowsOf<T> = unknown extends T
  ? T
  : T extends Leaf
    ? T
    : T extends readonly (infer Item)[]
      ? HasRecords<Item> extends true
        ? Rows<Item>
        : { [Key in keyof T]: RowsOf<T[Key]> }
      : T extends object
        ? { [Key in keyof T]: RowsOf<T[Key]> }
        : T;

/** The columns of a list by key; items that are no records have undefined in each. A column that no record has is absent. */
type ColumnsOfItems<Item, Absent = Item extends RecordIn<Item> ? never : undefined> = {
  [Key in keyof RecordIn<Item>]: ColumnValues<RecordIn<Item>[Key] | Absent>;
};

/** The type of a result with `as: 'columns'`: a list with records is an object of columns by key; a list without any is an array. */
export type ColumnsOf<T> = unknown extends T
  ? T
  : T extends Leaf
    ? T
    : T extends readonly (infer Item)[]
      ? HasRecords<Item> extends true
        ? ColumnsOfItems<Item>
        : { [Key in keyof T]: ColumnsOf<T[Key]> }
      : T extends object
        ? { [Key in keyof T]: ColumnsOf<T[Key]> }
        : T;

/** The type of a result in the form `A`, which may be a union. */
export type FormOf<T, A extends ResultForm> = A extends 'rows' ? RowsOf<T> : A extends 'columns' ? ColumnsOf<T> : T;
