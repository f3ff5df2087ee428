/**
 * Deduplicates requests that the browser reports twice: as an event on completion, and in its log. Requests have no id,
 * and two may be identical to the millisecond, so identical ones are counted.
 */
export class Intake {
  readonly #seen = new Map<string, { taken: number; finished: number }>();

  /** Handles a completed request. Returns its index among identical ones, or −1 if it was taken already. */
  finish(key: string): number {
    const seen = this.#of(key);
    seen.finished += 1;
    if (seen.finished <= seen.taken) return -1;
    return seen.taken++;
  }

  /** Handles the `nth` identical request in the log, from 0. Returns true if it is new. No event follows for one that `isFinished`. */
  log(key: string, nth: number, isFinished: boolean): boolean {
    const seen = this.#of(key);
    if (nth < seen.taken) return false;
    seen.taken += 1;
    if (isFinished) seen.finished += 1;
    return true;
  }

  #of(key: string): { taken: number; finished: number } {
    let seen = this.#seen.get(key);
    if (!seen) this.#seen.set(key, (seen = { taken: 0, finished: 0 }));
    return seen;
  }
}
