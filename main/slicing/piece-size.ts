/**
 * Maximum time of a piece in milliseconds: a fraction of a slice, since a slice ends with the piece that exceeds its
 * time.
 */
const PIECE_MS = 1.5;

const LEAST_BYTES = 32 * 1024;

/**
 * Larger pieces take longer per byte: their text leaves the processor's cache before it is parsed, and engines allocate
 * it separately.
 */
const MOST_BYTES = 128 * 1024;

/** Adapts the number of bytes to parse in one go to the time that earlier pieces took. */
export class PieceSize {
  bytes: number;
  #start = 0;
  #done = 0;
  readonly #min: number;
  readonly #max: number;

  constructor(min = LEAST_BYTES, max = MOST_BYTES) {
    this.#min = min;
    this.#max = max;
    this.bytes = max;
  }

  /** Excludes the time until now. */
  resume(): void {
    this.#start = performance.now();
    this.#done = 0;
  }

  /** Records that `bytes` were parsed. */
  count(bytes: number): void {
    this.#done += bytes;
    // With a coarse clock, a piece can take no time at all.
    const time = performance.now() - this.#start;
    if (time < PIECE_MS / 2 && this.#done < this.bytes * 2) return;
    const fitting = (this.#done / Math.max(time, PIECE_MS / 4)) * PIECE_MS;
    this.bytes = Math.round(Math.max(this.#min, Math.min(this.#max, this.bytes * 2, Math.max(this.bytes / 2, fitting))));
    this.#start += time;
    this.#done = 0;
  }
}
