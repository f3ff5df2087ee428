import { MIN_PIECE_BYTES, MAX_PIECE_BYTES, PIECE_MS } from './tuning.ts';

/** Adapts the number of bytes to parse in one go to the time that earlier pieces took. */
export class PieceSize {
  bytes: number;
  #start = 0;
  #done = 0;
  readonly #min: number;
  readonly #max: number;

  constructor(min = MIN_PIECE_BYTES, max = MAX_PIECE_BYTES) {
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
