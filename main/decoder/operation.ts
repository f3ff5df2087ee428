import { TimeoutError } from '../../worker/errors.ts';

/** One call of `decode`: its promise, which settles once, and all that can end it early. */
export class Operation {
  readonly promise: Promise<unknown>;
  /** The promise has settled: nothing done for the call matters any more. */
  settled = false;
  /** Stops what is being done for the call at the moment. */
  stop: ((reason: unknown) => void) | undefined;
  /** Called when the promise settles, before all others. */
  ended: (() => void) | undefined;
  /** Why it was rejected. */
  reason: unknown;
  readonly #settled: (error: unknown, failed: boolean) => void;
  readonly #signal: AbortSignal | undefined;
  #resolve!: (value: unknown) => void;
  #reject!: (reason: unknown) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `settled` is called when the promise settles, before whoever waits for it. `timeout` is in milliseconds. */
  constructor(
    signal: AbortSignal | undefined,
    timeout: number | undefined,
    settled: (error: unknown, failed: boolean) => void,
  ) {
    this.#settled = settled;
    this.#signal = signal;
    this.promise = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    signal?.addEventListener('abort', this.#onAbort);
    if (timeout !== undefined && timeout < 2 ** 31) {
      const error = new TimeoutError(`the decode took longer than ${timeout} ms`);
      this.#timer = setTimeout(() => this.abandon(error), timeout);
    }
  }

  resolve(value: unknown): void {
    if (this.#settle(undefined, false)) this.#resolve(value);
  }

  reject(reason: unknown): void {
    if (this.#settle(reason, true)) this.#reject(reason);
  }

  /** Rejects, and stops the work. */
  abandon(reason: unknown): void {
    const { stop } = this;
    this.reject(reason);
    stop?.(reason);
  }

  /** Resolves to nothing, and stops the work: it is no longer wanted. */
  leave(reason: unknown): void {
    const { stop } = this;
    this.resolve(undefined);
    stop?.(reason);
  }

  readonly #onAbort = (): void => this.abandon(this.#signal!.reason);

  #settle(error: unknown, failed: boolean): boolean {
    if (this.settled) return false;
    this.settled = true;
    this.stop = undefined;
    this.#signal?.removeEventListener('abort', this.#onAbort);
    clearTimeout(this.#timer);
    this.reason = error;
    this.ended?.();
    this.#settled(error, failed);
    return true;
  }
}
