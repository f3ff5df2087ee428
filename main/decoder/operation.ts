import { TimeoutError } from '../../core/errors.ts';
import type { DecodeReport } from './observe.ts';

/** Collects one stage's figures for the report; called when the decode settles, or on demand. */
export type Meter = () => Partial<DecodeReport>;

/** One call of a decoder that settles later: its promise, and its signal, which ends all work for the call. */
export class Operation {
  readonly promise: Promise<unknown>;
  readonly report: DecodeReport;
  /** True if the router may learn from the time that the decode takes. */
  isTypical = true;
  #isSettled = false;
  readonly #stopped = new AbortController();
  readonly #meters: Meter[] = [];
  readonly #settled: (error: unknown, failed: boolean) => void;
  readonly #signal: AbortSignal | undefined;
  #resolve!: (value: unknown) => void;
  #reject!: (reason: unknown) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `settled` is called just before the promise settles. `timeout` is in milliseconds. */
  constructor(
    report: DecodeReport,
    { signal, timeout }: { signal?: AbortSignal | undefined; timeout?: number | undefined },
    settled: (error: unknown, failed: boolean) => void,
  ) {
    this.report = report;
    this.#settled = settled;
    this.#signal = signal;
    this.promise = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    signal?.addEventListener('abort', this.#onAbort);
    if (timeout !== undefined && timeout < 2 ** 31) {
      const error = new TimeoutError(`the decode took longer than ${timeout} ms`);
      this.#timer = setTimeout(() => this.reject(error), timeout);
    }
  }

  get settled(): boolean {
    return this.#isSettled;
  }

  /** Aborted when the call is rejected or left: nothing more is wanted. */
  get signal(): AbortSignal {
    return this.#stopped.signal;
  }

  /** Adds the figures of one stage; later meters override earlier ones. */
  measure(meter: Meter): void {
    this.#meters.push(meter);
  }

  /** Rows decoded so far. */
  get rows(): number {
    return this.#meters.reduce((rows, meter) => meter().rows ?? rows, 0);
  }

  /** Throws the signal's reason if nothing more is wanted. */
  check(): void {
    this.signal.throwIfAborted();
  }

  resolve(value: unknown): void {
    if (this.#settle(undefined, false)) this.#resolve(value);
  }

  /** Rejects, and ends all work. */
  reject(reason: unknown): void {
    if (!this.#settle(reason, true)) return;
    this.#reject(reason);
    this.#stopped.abort(reason);
  }

  /** Resolves to nothing, and ends all work: the result is no longer wanted. */
  leave(reason: unknown): void {
    if (!this.#settle(undefined, false)) return;
    this.#resolve(undefined);
    this.#stopped.abort(reason);
  }

  readonly #onAbort = (): void => this.reject(this.#signal!.reason);

  #settle(error: unknown, failed: boolean): boolean {
    if (this.#isSettled) return false;
    this.#isSettled = true;
    this.#signal?.removeEventListener('abort', this.#onAbort);
    clearTimeout(this.#timer);
    // The promise settles even if these throw.
    for (const meter of this.#meters) attempt(() => Object.assign(this.report, meter()));
    attempt(() => this.#settled(error, failed));
    return true;
  }
}

function attempt(step: () => unknown): void {
  try {
    step();
  } catch {
    // Only the report is incomplete.
  }
}
