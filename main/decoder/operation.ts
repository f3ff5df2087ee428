import { TimeoutError } from '../../core/errors.ts';
import type { DecodeReport } from './observe.ts';

/** What a part of a decode has to say for its report, asked for when the call settles or somebody wants to know. */
export type Meter = () => Partial<DecodeReport>;

/**
 * One call of a decoder that does not settle at once: its promise, which settles once, and its signal, which ends
 * everything that is being done for it.
 */
export class Operation {
  readonly promise: Promise<unknown>;
  readonly report: DecodeReport;
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

  /** Aborted when nothing more is wanted: the call was rejected, or left. */
  get signal(): AbortSignal {
    return this.#stopped.signal;
  }

  /** Adds what one part of the decode measures; later meters add to, or go over, what earlier ones say. */
  measure(meter: Meter): void {
    this.#meters.push(meter);
  }

  /** Rows that have been decoded so far. */
  get rows(): number {
    return this.#meters.reduce((rows, meter) => meter().rows ?? rows, 0);
  }

  /** Throws the signal's reason where nothing more is wanted. */
  check(): void {
    this.signal.throwIfAborted();
  }

  resolve(value: unknown): void {
    if (this.#settle(undefined, false)) this.#resolve(value);
  }

  /** Rejects, and ends all that is being done. */
  reject(reason: unknown): void {
    if (!this.#settle(reason, true)) return;
    this.#reject(reason);
    this.#stopped.abort(reason);
  }

  /** Resolves to nothing, and ends all that is being done: it is no longer wanted. */
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
    // The promise settles whatever these throw.
    for (const meter of this.#meters) attempt(() => Object.assign(this.report, meter()));
    attempt(() => this.#settled(error, failed));
    return true;
  }
}

function attempt(step: () => unknown): void {
  try {
    step();
  } catch {
    // Only the report lacks something.
  }
}
