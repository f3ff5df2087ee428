/** How long a piece should take at most, in milliseconds: a part of a slice, which ends with the piece that passes its time. */
const PIECE_MS = 1.5;

const LEAST_BYTES = 32 * 1024;

/**
 * Longer pieces take longer for each byte: their text leaves the processor's cache before it is parsed, and engines give
 * it memory of its own. Nested documents of 5 MB took 0.65 to 0.9 × the time in pieces of so many bytes that they took in
 * pieces of 1.5 ms.
 */
const MOST_BYTES = 128 * 1024;

/** How many bytes to parse at once, by the time that others took. */
export class PieceSize {
  bytes: number;
  #start = 0;
  #done = 0;
  readonly #least: number;
  readonly #most: number;

  constructor(least = LEAST_BYTES, most = MOST_BYTES) {
    this.#least = least;
    this.#most = most;
    this.bytes = most;
  }

  /** The time until now does not count. */
  resume(): void {
    this.#start = performance.now();
    this.#done = 0;
  }

  /** So many bytes were parsed. */
  count(bytes: number): void {
    this.#done += bytes;
    // Clocks may be coarse: a piece can take no time at all.
    const time = performance.now() - this.#start;
    if (time < PIECE_MS / 2 && this.#done < this.bytes * 2) return;
    const fitting = (this.#done / Math.max(time, PIECE_MS / 4)) * PIECE_MS;
    this.bytes = Math.round(Math.max(this.#least, Math.min(this.#most, this.bytes * 2, Math.max(this.bytes / 2, fitting))));
    this.#start += time;
    this.#done = 0;
  }
}
