/**
 * Samples the main thread with ordinary tasks: a worker posts a message every millisecond; the times of sending and
 * handling are recorded.
 */
export class Messages {
  #worker = new Worker('/bench/page/message-worker.js', { type: 'module' });
  #stopped = new Int32Array(new SharedArrayBuffer(4));
  /** @type {number[]} */
  #sent = [];
  /** @type {number[]} */
  #handled = [];
  /** @type {(() => void) | undefined} */
  #onMessage;

  constructor() {
    this.#worker.onmessage = ({ data }) => {
      this.#sent.push(data - performance.timeOrigin);
      this.#handled.push(performance.now());
      this.#onMessage?.();
    };
  }

  start() {
    this.#sent = [];
    this.#handled = [];
    Atomics.store(this.#stopped, 0, 0);
    this.#worker.postMessage(this.#stopped);
  }

  /**
   * Resolves in the task of the next message sent after this call, when all earlier messages have been handled.
   *
   * @returns {Promise<void>}
   */
  next() {
    const from = performance.now();
    return new Promise((resolve) => {
      this.#onMessage = () => {
        if (this.#sent[this.#sent.length - 1] < from) return;
        this.#onMessage = undefined;
        resolve();
      };
    });
  }

  /** Times of sending and of handling since `start`. */
  stop() {
    Atomics.store(this.#stopped, 0, 1);
    Atomics.notify(this.#stopped, 0);
    return { sent: this.#sent, handled: this.#handled };
  }
}
