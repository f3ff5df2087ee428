import { analyse } from './ticks.js';

/**
 * Watches the main thread: a worker posts a tick every millisecond, and each is noted with the time it was sent and the
 * time the main thread came to handle it. How long ticks had to wait says when the thread was busy, and for how long.
 */
export class Ticker {
  #worker = new Worker('/bench/page/ticker-worker.js', { type: 'module' });
  #stopped = new Int32Array(new SharedArrayBuffer(4));
  /** @type {number[]} */
  #sent = [];
  /** @type {number[]} */
  #handled = [];
  /** @type {(() => void) | undefined} */
  #onTick;

  constructor() {
    this.#worker.onmessage = ({ data }) => {
      this.#sent.push(data - performance.timeOrigin);
      this.#handled.push(performance.now());
      this.#onTick?.();
    };
  }

  /** Starts ticking; settles when `idleMs` of ticks have been seen. */
  async start(idleMs = 30) {
    this.#sent = [];
    this.#handled = [];
    Atomics.store(this.#stopped, 0, 0);
    this.#worker.postMessage(this.#stopped);
    const until = performance.now() + idleMs;
    while (performance.now() < until) await this.next();
  }

  /**
   * Settles, in the task of that tick, at the next tick that is sent from now on: whatever queued up before has then
   * been handled.
   *
   * @returns {Promise<void>}
   */
  next() {
    const from = performance.now();
    return new Promise((resolve) => {
      this.#onTick = () => {
        if (/** @type {number} */ (this.#sent.at(-1)) < from) return;
        this.#onTick = undefined;
        resolve();
      };
    });
  }

  /**
   * Stops ticking and says what the main thread did between two times of `performance.now()`.
   *
   * @param {number} from
   * @param {number} to
   */
  stop(from, to) {
    Atomics.store(this.#stopped, 0, 1);
    Atomics.notify(this.#stopped, 0);
    return analyse(this.#sent, this.#handled, from, to);
  }

  close() {
    this.#worker.terminate();
  }
}
