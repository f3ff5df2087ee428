import type { RecordList } from '../../core/values/record-list.ts';
import type { SingleValue } from '../../core/values/single-value.ts';

/**
 * The values that a schema of the type `T` can write: an object may lack fields, which the format then writes as absent or by
 * their defaults, or refuses; a list may be `Rows`, or an iterable or a stream of its items.
 */
export type Encodable<T> = unknown extends T
  ? T
  : T extends SingleValue
    ? T
    : T extends readonly (infer Item)[]
      ? ListOf<Encodable<Item>>
      : T extends object
        ? { readonly [Key in keyof T]?: Encodable<T[Key]> | undefined }
        : T;

type ListOf<Item> = Iterable<Item> | AsyncIterable<Item> | ReadableStream<Item> | RecordList;

/** A value for a schema of the type `T`, or several of them, for a format that writes one after another. */
export type EncodableValue<T> = Encodable<T> | ListOf<Encodable<T>>;
