import type { SingleValue } from '../../../core/values/single-value.ts';
import type { ResultForm } from '../../rows/form.ts';
import type { ColumnValues, Rows } from '../../rows/rows.ts';

/** Types of values that contain no list of records. */
type Leaf = SingleValue | Rows;

/** The record types among the types of a list's items. */
type RecordIn<Item> = Item extends object ? (Item extends Leaf | readonly unknown[] ? never : Item) : never;

/**
 * The type of a list in a result: `Whole` if all items are records, null or undefined, `Other` if none is a record, and `Mixed`
 * if other items may occur.
 */
type ListOf<Item, Whole, Other, Mixed = Whole | Other> = [RecordIn<Item>] extends [never]
  ? Other
  : [Item] extends [RecordIn<Item> | null | undefined]
    ? Whole
    : Mixed;

/** Undefined if a list may have items without a value in its columns. */
type Missing<Item> = [Extract<Item, null | undefined>] extends [never] ? never : undefined;

/** The columns of a list that has items, by key. */
type ColumnsIn<Item, Records = RecordIn<Item>> = { [Key in keyof Records]: ColumnValues<Records[Key] | Missing<Item>> };

/**
 * The type of a result with `as: 'rows'`: each list of records is a `Rows`, also if some of its items are null. With other
 * items, it is a `Rows` if it has a record and no list; otherwise an array.
 */
export type RowsOf<T> = unknown extends T
  ? T
  : T extends Leaf
    ? T
    : T extends readonly (infer Item)[]
      ? ListOf<Item, Rows<Exclude<Item, readonly unknown[]>>, { [Key in keyof T]: RowsOf<T[Key]> }>
      : T extends object
        ? { [Key in keyof T]: RowsOf<T[Key]> }
        : T;

/**
 * The type of a result with `as: 'columns'`: each list of records is an object of columns by key, which has no keys if the list is
 * empty, also if some of its items
 * are null, which have undefined in each column. A list that may have other items may also stay an array.
 */
export type ColumnsOf<T> = unknown extends T
  ? T
  : T extends Leaf
    ? T
    : T extends readonly (infer Item)[]
      ? ListOf<
          Item,
          Partial<ColumnsIn<Item>>,
          { [Key in keyof T]: ColumnsOf<T[Key]> },
          Partial<ColumnsIn<Item>> | T | { [Key in keyof T]: ColumnsOf<T[Key]> }
        >
      : T extends object
        ? { [Key in keyof T]: ColumnsOf<T[Key]> }
        : T;

/** The type of a batch with `as: 'columns'`, which has items. */
export type BatchColumns<Item> = ListOf<Item, ColumnsIn<Item>, ColumnsOf<Item>[], ColumnsIn<Item> | Item[] | ColumnsOf<Item>[]>;

/**
 * The type of what `pick` leaves of a value: `Picked<Order[], 'id' | 'customer.name'>` for `pick: ['id', 'customer.name']`. Lists
 * keep their items, and values of classes their content.
 */
export type Picked<T, Path extends string> = unknown extends T
  ? T
  : T extends Leaf
    ? T
    : T extends readonly (infer Item)[]
      ? Picked<Item, Path>[]
      : T extends object
        ? { [Key in keyof T as Extract<Key, FirstKey<Path>>]: Key extends Path ? T[Key] : Picked<T[Key], After<Key, Path>> }
        : T;

type FirstKey<Path extends string> = Path extends `${infer Key}.${string}` ? Key : Path;
type After<Key, Path extends string> = Path extends `${infer First}.${infer Rest}` ? (First extends Key ? Rest : never) : never;

/** The type of a result in the form `A`, which may be a union. */
export type ResultAs<T, A extends ResultForm> = A extends 'rows' ? RowsOf<T> : A extends 'columns' ? ColumnsOf<T> : T;
