/** The browser's record of tasks of 50 ms and more, which checks the ticker. */
export class LongTasks {
  /** @type {PerformanceEntry[]} */
  #entries = [];
  #observer = new PerformanceObserver((list) => this.#entries.push(...list.getEntries()));

  constructor() {
    this.#observer.observe({ type: 'longtask' });
  }

  /**
   * The longest task between two times of `performance.now()`, in ms; 0 without one.
   *
   * @param {number} from
   * @param {number} to
   */
  async longest(from, to) {
    // Entries are queued after the task.
    await new Promise((resolve) => setTimeout(resolve, 20));
    this.#entries.push(...this.#observer.takeRecords());
    const durations = this.#entries
      .filter(({ startTime, duration }) => startTime <= to && startTime + duration >= from)
      .map(({ duration }) => duration);
    this.#entries = [];
    return Math.max(0, ...durations);
  }
}
