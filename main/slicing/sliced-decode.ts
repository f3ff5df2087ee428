import type { EmittedList } from '../../core/sinks/objects/objects.ts';

/** Decodes one payload on this thread in slices, as its bytes come. */
export interface SlicedDecode {
  /** Takes the next bytes, decodes what it can in slices, and resolves when it wants more. The bytes must stay as they are until the end. */
  push(chunk: Uint8Array): Promise<void>;
  /** No more bytes come: resolves to the value. */
  end(): Promise<unknown>;
}
/** What the items of one list are given to instead of being kept: the value then has an empty list in its place. */
export interface ItemConsumer {
  /** The keys from the root to the list; empty for the root. */
  readonly path: readonly string[];
  /** Takes some consecutive items; the decode goes on when it resolves. */
  take(items: unknown[]): void | Promise<void>;
}

/** What the items of several lists are given to: see `EmittedList`. */
export interface ListConsumer {
  readonly lists: EmittedList;
  /** Takes what there is of them; the decode goes on when it resolves. */
  take(taken: never[]): void | Promise<void>;
}

/**
 * Of payloads of so many bytes, short arrays are counted for the collector (`minor-gc.ts`): left alone, V8 copies those of 32 MB
 * at once, which takes 30 to 75 ms. Those of shorter payloads are seldom so many; to collect them took two to three times
 * as long as to read them.
 */
export const LARGE_BYTES = 8_000_000;

/**
 * From this size on, all values are counted for the collector. V8's young generation grows to 32 MB, and holds the values of
 * shorter payloads: collecting those of 20 MB took up to 1.8 × the time. Of 50 MB, V8 left alone copied up to 32 MB at once,
 * in 20 to 60 ms, and was no faster in all.
 */
export const HUGE_BYTES = 25_000_000;

/** How many bytes of such a payload are counted as one value. */
export const BYTES_A_VALUE = 22;
