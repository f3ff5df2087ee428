import type { Feed } from './feed.ts';

/**
 * The batches of one payload, for a single `for await` loop. The payload is read and decoded as batches are taken, a
 * few ahead. Leaving the loop stops all work and cancels the rest of the response.
 */
export class Batches<B = unknown> implements AsyncIterableIterator<B, undefined> {
  readonly #start: () => Promise<Feed>;
  readonly #stop: (reason: unknown) => void;
  #feed: Promise<Feed> | undefined;
  #over = false;

  /** @internal Created by `decoder.batches`. */
  constructor(start: () => Promise<Feed>, stop: (reason: unknown) => void) {
    this.#start = start;
    this.#stop = stop;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /**
   * Resolves to the next batch. Rejects, after all valid batches, with the errors that `decode` rejects with. Reports
   * the end after such an error and after the last batch.
   */
  async next(): Promise<IteratorResult<B, undefined>> {
    if (this.#over) return { done: true, value: undefined };
    try {
      const batch = await (await this.#begin()).next();
      if (batch) return { done: false, value: batch.value as B };
    } catch (error) {
      // A loop that was left is not told why it stopped.
      if (this.#over) return { done: true, value: undefined };
      this.#over = true;
      throw error;
    }
    this.#over = true;
    return { done: true, value: undefined };
  }

  #begin(): Promise<Feed> {
    return (this.#feed ??= this.#start());
  }

  /** Stops reading and decoding the rest of the payload. */
  async return(): Promise<IteratorResult<B, undefined>> {
    if (!this.#over) {
      this.#over = true;
      this.#stop(new DOMException('The loop was left', 'AbortError'));
    }
    return { done: true, value: undefined };
  }

  /** Resolves to the document around the list, with the list left empty. Call it after the last batch. */
  async rest<R = unknown>(): Promise<R> {
    return (await (await this.#begin()).rest()) as R;
  }
}
