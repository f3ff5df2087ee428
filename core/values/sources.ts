import { isRecordList } from './record-list.ts';

/** Yields the items of a list one by one. */
export type Source = AsyncIterable<unknown> | Iterable<unknown> | ReadableStream<unknown>;

/** Error text for a source in a format that begins lists with their length. */
export const UNKNOWN_LENGTH = 'a list whose length is not known before its end: set the option sequence, or collect its items in an array';

/**
 * True for a value that only yields items: a stream, an async iterable, an iterator, or an iterable object without
 * keys. Excludes arrays and the collections of the language and the platform.
 */
export function isSource(value: unknown): value is Source {
  if (typeof value !== 'object' || value === null) return false;
  try {
    if (Array.isArray(value) || isRecordList(value)) return false;
    const {
      next,
      getReader,
      toJSON,
      [Symbol.iterator]: iterate,
      [Symbol.asyncIterator]: iterateLater,
    } = value as Readonly<Record<PropertyKey, unknown>>;
    if (typeof iterateLater === 'function') return true;
    if (typeof iterate !== 'function') return typeof getReader === 'function' && tagOf(value) === '[object ReadableStream]';
    if (typeof toJSON === 'function') return false;
    return typeof next === 'function' || (tagOf(value) === '[object Object]' && Object.keys(value).length === 0);
  } catch {
    // A getter or a proxy has thrown, which its writer reports.
    return false;
  }
}

function tagOf(value: object): string {
  return Object.prototype.toString.call(value);
}
