import { type Remote, releaseProxy, wrap } from 'comlink';
import { WorkerCrashError } from '../../core/errors.ts';
import type { CodeName } from '../../worker/code.ts';
import type { FormatId } from '../../core/format/format-id.ts';
import type { BatchCredit, WorkerService } from '../../worker/protocol.ts';
import { WorkerCall } from './call.ts';
import { codeFile } from './code-requests.ts';
import { lockName, unref } from '../../core/platform/platform.ts';
import type { WorkerTask } from './task.ts';

/** Milliseconds that a worker may take to load, to answer a ping, and to stop a cancelled decode. */
const START_MS = 30_000;
const PING_MS = 2_000;
const CANCEL_MS = 5_000;

/** Events of a worker for its pool. */
export interface WorkerEvents {
  /** The worker has loaded. */
  ready(handle: WorkerHandle): void;
  /** The worker is done with a task. */
  free(handle: WorkerHandle, task: WorkerTask): void;
  /** The worker is dead, and its calls are rejected. `error` makes the error of another call. */
  crashed(handle: WorkerHandle, error: () => WorkerCrashError): void;
}

/** One worker, from its start to its end, however it ends. */
export class WorkerHandle {
  /** Bytes of the payloads that it has to decode. */
  load = 0;
  /** Milliseconds from its start until it answered; undefined before. */
  startMs: number | undefined;
  /** True if it has row kernels; undefined before it has said so. */
  kernel: boolean | undefined;
  /** Resolves when it has loaded. Rejects with a WorkerCrashError if it dies first, or an AbortError if it is stopped. */
  readonly started: Promise<void>;
  readonly #worker: Worker;
  readonly #service: Remote<WorkerService>;
  readonly #events: WorkerEvents;
  readonly #wantsKernel: boolean | undefined;
  readonly #calls = new Map<WorkerTask, WorkerCall>();
  readonly #code = new Set<CodeName>();
  readonly #schemas = new Set<number>();
  readonly #over = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #resolveStarted!: () => void;
  #rejectStarted!: (reason: unknown) => void;
  /** Rejects when the worker is gone: its answers never come then. */
  readonly #ended: Promise<never>;
  #rejectEnded!: (reason: unknown) => void;
  /** Number of calls of `prepare` that have not settled. */
  #preparing = 0;

  /** Throws what `createWorker` throws. `kernel`: see `WorkerService.start`. */
  constructor(createWorker: () => Worker, events: WorkerEvents, kernel?: boolean) {
    this.#events = events;
    this.#wantsKernel = kernel;
    this.#worker = createWorker();
    this.#worker.onerror = this.#onError;
    this.#worker.onmessageerror = () => this.#crash('a message of the worker could not be read');
    this.#service = wrap<WorkerService>(this.#worker);
    this.#timer = setTimeout(() => this.#crash('the worker did not start'), START_MS);
    this.started = new Promise((resolve, reject) => {
      this.#resolveStarted = resolve;
      this.#rejectStarted = reject;
    });
    this.#ended = new Promise((_, reject) => (this.#rejectEnded = reject));
    // Often nothing waits for them.
    for (const promise of [this.started, this.#ended]) promise.catch(() => {});
    this.#start().catch((error: unknown) => this.#crash('the worker did not start', error));
  }

  /** True once it has loaded. */
  get ready(): boolean {
    return this.startMs !== undefined;
  }

  /** True while it loads, or loads the code of formats. */
  get loading(): boolean {
    return !this.ready || this.#preparing > 0;
  }

  /** Number of its calls. */
  get calls(): number {
    return this.#calls.size;
  }

  /** Gives it a task, whose `end` or `fail` is called exactly once. */
  run(task: WorkerTask): void {
    const call = new WorkerCall(task, () => this.#settled(task));
    this.#calls.set(task, call);
    this.load += task.input.size;
    const { format, compression, text, shaping } = task.job;
    for (const name of [format, compression, text && ('json-text' as const), shaping && ('shaping' as const)]) if (name) this.#registerCode(name);
    // Messages sent before the worker has loaded wait for its script.
    if (this.ready || !task.input.notRetryable) this.#send(task, call);
  }

  /** Asks it to stop a settled task; the call goes on until the worker has answered. */
  cancel(task: WorkerTask): void {
    const call = this.#calls.get(task);
    if (!call) return;
    if (!this.ready && task.input.notRetryable) {
      this.#settled(task);
      return;
    }
    call.cancel();
    setTimeout(() => {
      if (this.ready && this.#calls.get(task) === call) this.#crash('the worker did not stop');
    }, CANCEL_MS);
  }

  /** Lets the worker decode one more batch of a task that it has. */
  credit(task: WorkerTask, credit: BatchCredit): void {
    this.#calls.get(task)?.credit(credit);
  }

  /** Loads the code of formats in the worker. Rejects if that fails; tasks that need the code then fail as well. */
  async prepare(formats: readonly FormatId[]): Promise<void> {
    for (const id of formats) this.#registerCode(id);
    this.#preparing += 1;
    try {
      await Promise.race([this.#service.prepare([...formats]), this.#ended]);
    } finally {
      this.#preparing -= 1;
    }
  }

  /** Ends the worker and drops its calls. */
  terminate(): void {
    this.#over.abort();
    this.#rejectWaiting(new DOMException('The worker was stopped', 'AbortError'));
    clearTimeout(this.#timer);
    this.#worker.onerror = null;
    this.#worker.onmessageerror = null;
    this.#worker.terminate();
    for (const call of this.#calls.values()) call.drop();
    this.#calls.clear();
    // Until its proxy is released, Comlink keeps the worker alive, and this handle through unanswered calls.
    this.#service[releaseProxy]();
  }

  #rejectWaiting(reason: unknown): void {
    this.#rejectStarted(reason);
    this.#rejectEnded(reason);
  }

  async #start(): Promise<void> {
    const begun = performance.now();
    const lock = lockName();
    const held = await this.#service.start(lock, this.#wantsKernel);
    if (this.#over.signal.aborted) return;
    clearTimeout(this.#timer);
    this.startMs = performance.now() - begun;
    if (lock && held) this.#watchLock(lock);
    else this.#watchPings();
    this.#resolveStarted();
    this.#service.hasKernels().then(
      (has) => (this.kernel = has),
      () => {},
    );
    this.#events.ready(this);
    for (const [task, call] of this.#calls) if (task.input.notRetryable) this.#send(task, call);
  }

  #send(task: WorkerTask, call: WorkerCall): void {
    const { schema } = task;
    if (schema && !this.#schemas.has(schema.id)) {
      this.#schemas.add(schema.id);
      this.#service.registerSchema(schema.id, schema.compiled).catch((error: unknown) => call.fail(error));
    }
    call.send(this.#service);
  }

  /** Sends the URL of some code as soon as a task needs it: the worker loads it while the task waits. */
  #registerCode(name: CodeName): void {
    const url = this.#code.has(name) ? undefined : codeFile(name, this.#worker);
    if (url === undefined) return;
    this.#code.add(name);
    // The task that needs the code reports the failure.
    this.#service.registerCode(name, url).catch(() => {});
  }

  /** Waits for the lock that the worker holds: once the page gets it, the worker is gone. */
  #watchLock(lock: string): void {
    navigator.locks
      .request(lock, { signal: this.#over.signal }, () => this.#crash('the worker has ended'))
      .catch((error: unknown) => {
        if (!this.#over.signal.aborted) this.#crash('the worker failed', error);
      });
  }

  /** Without locks: pings the worker while it has calls. */
  #watchPings(): void {
    let missed = 0;
    this.#timer = setInterval(() => {
      if (this.calls === 0) missed = 0;
      else if (++missed > 2) this.#crash('the worker does not answer');
      else
        this.#service.ping().then(
          () => (missed = 0),
          () => {},
        );
    }, PING_MS);
    unref(this.#timer);
  }

  #settled(task: WorkerTask): void {
    if (!this.#calls.delete(task)) return;
    this.load -= task.input.size;
    this.#events.free(this, task);
  }

  readonly #onError = (event: Event): void => {
    // The calls reject with the error, so the page need not report it as well.
    event.preventDefault();
    // Errors that a script throws have a message; a script that fails to load has none.
    this.#crash('message' in event ? 'the worker failed' : 'the worker could not be loaded', event);
  };

  #crash(reason: string, cause?: unknown): void {
    if (this.#over.signal.aborted) return;
    const { message } = (cause ?? {}) as Partial<Error>;
    // Each call has an error of its own, which says which call it is of.
    const error = (): WorkerCrashError => new WorkerCrashError(message ? `${reason}: ${message}` : reason, { cause });
    const calls = [...this.#calls.keys()];
    this.#rejectWaiting(error());
    this.terminate();
    this.#events.crashed(this, error);
    for (const task of calls) task.fail(error());
  }
}
