/** Milliseconds from a tick to when the next is due. */
const PERIOD = 1;

/** @typedef {{ postTask(task: () => void, options: { priority: 'user-blocking', delay: number }): Promise<void> }} Scheduler */

/**
 * Ticks on the page itself: a task every millisecond, of the priority that input has, each noted with when it was due and
 * when it ran. What keeps a tick waiting would keep a click waiting. (Tasks of a lower priority, as messages are, also wait
 * for work that yields between its steps and goes on at once.)
 */
export class Ticker {
  /** @type {number[]} */
  #due = [];
  /** @type {number[]} */
  #ran = [];
  #isRunning = false;

  start() {
    this.#due = [];
    this.#ran = [];
    this.#isRunning = true;
    this.#schedule();
  }

  #schedule() {
    const due = performance.now() + PERIOD;
    const { scheduler } = /** @type {{ scheduler: Scheduler }} */ (/** @type {unknown} */ (globalThis));
    void scheduler.postTask(() => this.#tick(due), { priority: 'user-blocking', delay: PERIOD });
  }

  /** @param {number} due */
  #tick(due) {
    this.#due.push(due);
    this.#ran.push(performance.now());
    if (this.#isRunning) this.#schedule();
  }

  /** Times when ticks were due and when they ran since `start`. */
  stop() {
    this.#isRunning = false;
    return { due: this.#due, ran: this.#ran };
  }
}
