/** Milliseconds from a tick until the next is due. */
const PERIOD = 1;

/** @typedef {{ postTask(task: () => void, options: { priority: 'user-blocking', delay: number }): Promise<void> }} Scheduler */

/**
 * Runs a task of input priority every millisecond on the page and records when each was due and when it ran: a delayed tick
 * stands for a delayed click. (Tasks of lower priority, such as messages, also wait for work that yields between slices.)
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

  /** Due times and run times of the ticks since `start`. */
  stop() {
    this.#isRunning = false;
    return { due: this.#due, ran: this.#ran };
  }
}
