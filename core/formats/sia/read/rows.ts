import { ROWS_DATES } from '../../../reading/rows/flags.ts';
import { readRows, rowRequest } from '../../../reading/rows/request.ts';
import type { RowRequest } from '../../../reading/sink-methods.ts';
import type { Sink } from '../../../reading/sink.ts';
import { type Limits, MAX_TOKEN_LENGTH } from '../../../limits.ts';
import type { Cache } from './cache.ts';
import type { SiaOptions } from '../options.ts';
import { REF8 } from '../types.ts';

/** Keys with higher numbers are not requested in rows. */
const MAX_KEYS = 4096;

/** Lets the sink read objects of an array whose keys are references. */
export class RowReading {
  readonly request: RowRequest;
  readonly #sink: Sink;
  readonly #cache: Cache;
  /** Numbers of keys; `#known` is how many numbers have been looked up. */
  readonly #numbers = new Map<string, number>();
  #known = 0;

  constructor(sink: Sink, cache: Cache, { builtins = true }: SiaOptions, limits: Limits) {
    this.#sink = sink;
    this.#cache = cache;
    const longest = Math.min(limits.stringLength, MAX_TOKEN_LENGTH);
    this.request = rowRequest('sia', builtins ? ROWS_DATES : 0, longest, { objectValues: 1, keyBytes: (key) => this.#referenceTo(key) });
  }

  /**
   * Reads objects of an array with `items` remaining, and up to `values` values; if any, sets those of the request to
   * what is left over. Returns the position after the last one read.
   */
  read(bytes: Uint8Array, at: number, to: number, items: number, values: number): number {
    // In the next value of a sequence, the same numbers stand for other keys.
    return this.#cache.first > 0 ? at : readRows(this.#sink, this.request, bytes, at, to, values, items);
  }

  /** The reference to a key as written, with the lowest of its numbers. */
  #referenceTo(key: string): Uint8Array | undefined {
    const cache = this.#cache;
    for (const most = Math.min(cache.count, MAX_KEYS); this.#known < most; this.#known += 1) {
      const text = cache.shortText(this.#known);
      if (text !== undefined && !this.#numbers.has(text)) this.#numbers.set(text, this.#known);
    }
    const number = this.#numbers.get(key);
    if (number === undefined) return undefined;
    return number < 256 ? Uint8Array.of(REF8, number) : Uint8Array.of(REF8 + 1, number & 255, number >> 8);
  }
}
