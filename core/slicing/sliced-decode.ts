import type { EmittedList } from '../sinks/objects/objects.ts';

/** Decodes one payload on this thread in slices, while its bytes arrive. */
export interface SlicedDecode {
  /**
   * Adds the next bytes, decodes available bytes in slices, and resolves once it is ready for more. Do not change the
   * bytes before the end.
   */
  push(chunk: Uint8Array): Promise<void>;
  /** Ends the input. Resolves to the value. */
  end(): Promise<unknown>;
}

/** Complete items of the innermost open list that are not part of an input, since they were emitted before it was read. */
export interface SkippedItems {
  /** Their bytes. */
  length: number;
  items: number;
}

/** Input of a decode, for a reader that may have to read it again: its chunks, or what is needed of them. */
export interface HeldInput extends Iterable<Uint8Array | SkippedItems> {
  push(chunk: Uint8Array): unknown;
  /**
   * Called if all `items` before `offset` in the list whose items are emitted were emitted, and another one may begin there.
   * `list` identifies the list.
   */
  pass?(offset: number, list: object, items: number): void;
}

/** Receives the items of one list; the value then contains an empty list instead. */
export interface ItemConsumer {
  /** Keys from the root to the list; empty for the root. */
  readonly path: readonly string[];
  /** Receives consecutive items. The decode continues once it resolves. */
  take(items: unknown[]): void | Promise<void>;
}

/** Receives the items of several lists: see `EmittedList`. */
export interface ListConsumer {
  readonly lists: EmittedList;
  /** Receives available items. The decode continues once it resolves. */
  take(taken: never[]): void | Promise<void>;
}
