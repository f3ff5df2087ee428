/**
 * Schedules several jobs on one thread: each works for a slice of some milliseconds, then waits for its next one, so
 * that messages, such as a cancellation, are received in between. The job with the fewest bytes left goes first.
 */
export class JobScheduler {
  readonly #channel = new MessageChannel();
  readonly #waiting: { left: number; go: () => void }[] = [];

  constructor() {
    this.#channel.port1.onmessage = () => {
      let next = 0;
      for (let at = 1; at < this.#waiting.length; at += 1) {
        if (this.#waiting[at]!.left < this.#waiting[next]!.left) next = at;
      }
      this.#waiting.splice(next, 1)[0]?.go();
    };
  }

  /** Resolves in a later task, when it is the turn of a job with `left` bytes to decode. */
  wait(left: number): Promise<void> {
    return new Promise((go) => {
      this.#waiting.push({ left, go });
      this.#channel.port2.postMessage(0);
    });
  }

  /** Closes the channel, which would keep a Node process alive. */
  close(): void {
    this.#channel.port1.close();
  }
}
