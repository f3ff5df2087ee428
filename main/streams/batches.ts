import type { BatchFeed } from './feed.ts';

/**
 * The batches of one payload, to be looped over with `for await`, once. The payload is read and decoded as batches are
 * taken, a few ahead. Leaving the loop stops all work and cancels what is left of the response.
 */
export class Batches<B = unknown> implements AsyncIterableIterator<B, undefined> {
  readonly #start: () => Promise<BatchFeed>;
  readonly #stop: (reason: unknown) => void;
  #feed: Promise<BatchFeed> | undefined;
  #over = false;

  /** @internal Made by `decoder.batches`. */
  constructor(start: () => Promise<BatchFeed>, stop: (reason: unknown) => void) {
    this.#start = start;
    this.#stop = stop;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /**
   * The next batch. Rejects, after all batches that are good, with what `decode` would reject with; after that, and after
   * the last batch, it is done.
   */
  async next(): Promise<IteratorResult<B, undefined>> {
    if (this.#over) return { done: true, value: undefined };
    try {
      const batch = await (await this.#begin()).next();
      if (batch) return { done: false, value: batch.value as B };
    } catch (error) {
      // A caller that has left the loop is not told why it stopped.
      if (this.#over) return { done: true, value: undefined };
      this.#over = true;
      throw error;
    }
    this.#over = true;
    return { done: true, value: undefined };
  }

  #begin(): Promise<BatchFeed> {
    return (this.#feed ??= this.#start());
  }

  /** Stops: what is left of the payload is neither read nor decoded. */
  async return(): Promise<IteratorResult<B, undefined>> {
    if (!this.#over) {
      this.#over = true;
      this.#stop(new DOMException('The loop was left', 'AbortError'));
    }
    return { done: true, value: undefined };
  }

  /**
   * What lies around the list: the whole value, with an empty list in the place of the one that was given out. To be
   * called after the last batch.
   */
  async rest<R = unknown>(): Promise<R> {
    return (await (await this.#begin()).rest()) as R;
  }
}
