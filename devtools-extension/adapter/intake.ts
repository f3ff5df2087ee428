/**
 * Tells requests apart that the browser names twice: by an event when they are finished, and in its log. They have no
 * id, and two may be alike to the millisecond, so those that are alike are counted.
 */
export class Intake {
  readonly #seen = new Map<string, { taken: number; finished: number }>();

  /** One has finished. Returns which of its like it is, from 0; −1 for one that was taken before. */
  finish(key: string): number {
    const seen = this.#of(key);
    seen.finished += 1;
    if (seen.finished <= seen.taken) return -1;
    return seen.taken++;
  }

  /**
   * One is in the log, as the `nth` of its like there, from 0. Returns whether it is new. Of one that `isFinished` there
   * is no event to come.
   */
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
