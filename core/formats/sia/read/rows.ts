import { ROWS_DATES } from '../../../reading/rows/flags.ts';
import { rowRequest } from '../../../reading/rows/request.ts';
import type { RowRequest } from '../../../reading/sink-methods.ts';
import type { Sink } from '../../../reading/sink.ts';
import { type Limits, LONGEST_TOKEN } from '../../../limits.ts';
import type { Cache } from './cache.ts';
import type { SiaOptions } from '../options.ts';
import { REF8 } from '../types.ts';

/** Fewer items of an array are not tried. */
const FEW = 3;
/** Keys that come later are in no record that is asked for. */
const MOST_KEYS = 4096;

/** Has the sink read objects of an array by itself: those whose keys are references. */
export class RowAsker {
  readonly request: RowRequest;
  readonly #sink: Sink;
  readonly #cache: Cache;
  /** The numbers of keys, of so many numbers. */
  readonly #numbers = new Map<string, number>();
  #known = 0;

  constructor(sink: Sink, cache: Cache, { builtins = true }: SiaOptions, limits: Limits) {
    this.#sink = sink;
    this.#cache = cache;
    const longest = Math.min(limits.stringLength, LONGEST_TOKEN);
    this.request = rowRequest('sia', builtins ? ROWS_DATES : 0, longest, { objectValues: 1, keyBytes: (key) => this.#referenceTo(key) });
  }

  /**
   * Reads on from an object of an array, of which `items` are left, and `values` may come; those of the request are left then.
   * Returns the position after the last that was read.
   */
  read(bytes: Uint8Array, at: number, to: number, items: number, values: number): number {
    const { request } = this;
    request.items = items;
    request.values = values;
    // In the next value of a sequence the same numbers stand for other keys.
    if (items <= FEW || this.#cache.first > 0) return at;
    if (request.wait === 0) return this.#sink.readRows!(request, bytes, at, to);
    request.wait -= 1;
    return at;
  }

  /** A reference as it is written: of the numbers that a key has, to the first. */
  #referenceTo(key: string): Uint8Array | undefined {
    const cache = this.#cache;
    for (const most = Math.min(cache.count, MOST_KEYS); this.#known < most; this.#known += 1) {
      const text = cache.shortText(this.#known);
      if (text !== undefined && !this.#numbers.has(text)) this.#numbers.set(text, this.#known);
    }
    const number = this.#numbers.get(key);
    if (number === undefined) return undefined;
    return number < 256 ? Uint8Array.of(REF8, number) : Uint8Array.of(REF8 + 1, number & 255, number >> 8);
  }
}
