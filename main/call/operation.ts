import { TimeoutError } from '../../core/errors.ts';
import type { DecodeReport } from './observe.ts';
import { tellCall } from './tell-call.ts';

/** Collects one stage's figures for the report; called when the decode settles, or on demand. */
export type Meter = () => Partial<DecodeReport>;

/** One call of a decoder that settles later: its promise, and its signal, which ends all work for the call. */
export class Operation {
  readonly promise: Promise<unknown>;
  readonly report: DecodeReport;
  /** True if the router may learn from the time that the decode takes. */
  isTypical = true;
  /** The first bytes of the payload, for errors. */
  head: Uint8Array | undefined;
  readonly #caller: Error;
  #failed: number | undefined;
  #isSettled = false;
  /** Made when something asks for the signal: engines take longer for one than for a short decode. */
  #stopped: AbortController | undefined;
  /** Set when the call is rejected or left. */
  #end: { readonly reason: unknown } | undefined;
  readonly #meters: Meter[] = [];
  readonly #settled: (error: unknown, failed: boolean) => void;
  readonly #signal: AbortSignal | undefined;
  #resolve!: (value: unknown) => void;
  #reject!: (reason: unknown) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `settled` is called just before the promise settles. `timeout` is in milliseconds. `caller` was made in the call. */
  constructor(
    report: DecodeReport,
    { signal, timeout, caller = new Error() }: { signal?: AbortSignal | undefined; timeout?: number | undefined; caller?: Error | undefined },
    settled: (error: unknown, failed: boolean) => void,
  ) {
    this.report = report;
    this.#settled = settled;
    this.#signal = signal;
    this.#caller = caller;
    this.promise = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    signal?.addEventListener('abort', this.#onAbort);
    if (timeout !== undefined && timeout < 2 ** 31) {
      this.#timer = setTimeout(() => this.reject(new TimeoutError(`the decode took longer than ${timeout} ms`)), timeout);
    }
  }

  get settled(): boolean {
    return this.#isSettled;
  }

  /** Aborted when the call is rejected or left: nothing more is wanted. */
  get signal(): AbortSignal {
    if (!this.#stopped) {
      this.#stopped = new AbortController();
      if (this.#end) this.#stopped.abort(this.#end.reason);
    }
    return this.#stopped.signal;
  }

  /** Enters the source in the report, and in the error if the call fails. */
  opens(source: unknown): void {
    const { report } = this;
    const { url, ok, status } = (source ?? {}) as Partial<Response>;
    if (ok === false) this.#failed = status;
    report.url = url || undefined;
    report.label ??= report.url;
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
    if (this.#end) this.signal.throwIfAborted();
  }

  resolve(value: unknown): void {
    if (this.#settle(undefined, false)) this.#resolve(value);
  }

  /** Rejects, and ends all work. */
  reject(reason: unknown): void {
    const { report, head } = this;
    // A signal's reason is the application's.
    if (reason !== this.#signal?.reason) attempt(() => tellCall(reason, { ...report, caller: this.#caller, failed: this.#failed, head }));
    if (!this.#settle(reason, true)) return;
    this.#reject(reason);
    this.#stop(reason);
  }

  /** Resolves to nothing, and ends all work: the result is no longer wanted. */
  leave(reason: unknown): void {
    if (!this.#settle(undefined, false)) return;
    this.#resolve(undefined);
    this.#stop(reason);
  }

  #stop(reason: unknown): void {
    this.#end = { reason };
    this.#stopped?.abort(reason);
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
