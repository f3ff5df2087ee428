import type { ResultForm } from '../../rows/form.ts';
import type { Rows } from '../../rows/rows.ts';
import type { BatchColumns } from './results.ts';

// Types that follow from a schema: those of its values, and of the values at a path.

/** The type of the values of a schema; unknown if it carries none. */
export type SchemaValue<S> = S extends { readonly '~type'?: infer T } ? T : unknown;

/** The items of the list at a path, as in `BatchSettings.path`. A root that is no list is an item of a sequence. */
export type ItemAt<T, Path> = Path extends ''
  ? ItemOf<T>
  : Path extends `${infer Key}.${infer Rest}`
    ? ItemAt<PropertyOf<T, Key>, Rest>
    : Path extends string
      ? string extends Path
        ? unknown
        : ListItem<PropertyOf<T, Path>>
      : Path extends readonly [infer Key, ...infer Rest]
        ? Rest extends readonly []
          ? ListItem<PropertyOf<T, Key>>
          : ItemAt<PropertyOf<T, Key>, Rest>
        : Path extends readonly [] | undefined
          ? ItemOf<T>
          : unknown;

type PropertyOf<T, Key> = Key extends keyof NonNullable<T> ? NonNullable<T>[Key] : unknown;
type ListItem<T> = NonNullable<T> extends readonly (infer Item)[] ? Item : unknown;
type ItemOf<T> = T extends readonly (infer Item)[] ? Item : T;

/** A batch of items in the form `A`, which may be a union. */
export type BatchAs<Item, A extends ResultForm> = A extends 'rows' ? Rows<Item> : A extends 'columns' ? BatchColumns<Item> : Item[];

/** The path of a list in `BatchSettings`, for inference. */
export type ListPath = string | readonly string[];
