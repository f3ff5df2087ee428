import { type Remote, releaseProxy, wrap } from 'comlink';
import { WorkerCrashError } from '../../core/errors.ts';
import type { CodeName } from '../../worker/code.ts';
import type { FormatId } from '../../core/formats/registry.ts';
import type { BatchCredit, WorkerService } from '../../worker/protocol.ts';
import { WorkerCall } from './call.ts';
import { codeFile } from './code-files.ts';
import type { WorkerTask } from './task.ts';

/** How long a worker may take to load, to answer a ping, and to stop a decode that was cancelled, in milliseconds. */
const START_MS = 30_000;
const PING_MS = 2_000;
const CANCEL_MS = 5_000;

/** What the pool wants to know of a worker. */
export interface WorkerEvents {
  /** It has loaded. */
  ready(handle: WorkerHandle): void;
  /** It is done with a task. */
  free(handle: WorkerHandle, task: WorkerTask): void;
  /** It is dead. Its calls were rejected. */
  crashed(handle: WorkerHandle, error: WorkerCrashError): void;
}

/** One worker's life, from its start to its end, whichever way it ends. */
export class WorkerHandle {
  /** Bytes of the payloads it has to decode. */
  load = 0;
  /** Milliseconds from its start until it answered; undefined before. */
  startMs: number | undefined;
  /** Whether it has row kernels; undefined before that is known. */
  kernel: boolean | undefined;
  /** Resolves when it has loaded. Rejects with a WorkerCrashError where it dies before, or an AbortError where it is stopped. */
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
  /** Rejects when the worker is gone, whose answers never come then. */
  readonly #ended: Promise<never>;
  #rejectEnded!: (reason: unknown) => void;
  /** How often it loads the code of formats. */
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
    // Most have nobody who waits for it.
    for (const promise of [this.started, this.#ended]) promise.catch(() => {});
    this.#start().catch((error: unknown) => this.#crash('the worker could not be started', error));
  }

  /** It has loaded. */
  get ready(): boolean {
    return this.startMs !== undefined;
  }

  /** It has not loaded, or loads the code of formats. */
  get loading(): boolean {
    return !this.ready || this.#preparing > 0;
  }

  /** How many calls it has. */
  get calls(): number {
    return this.#calls.size;
  }

  /** Gives it a task. The task's `end` or `fail` is called once, whatever happens. */
  run(task: WorkerTask): void {
    const call = new WorkerCall(task, () => this.#settled(task));
    this.#calls.set(task, call);
    this.load += task.input.size;
    const { format, compression, text } = task.job;
    for (const name of [format, compression, text && ('json-text' as const)]) if (name) this.#registerCode(name);
    // The first tasks travel behind the script that will do them.
    if (this.ready || !task.input.notRetryable) this.#send(task, call);
  }

  /** Asks it to stop a task. The task has been settled; the call goes on until the worker has answered. */
  cancel(task: WorkerTask): void {
    const call = this.#calls.get(task);
    if (!call) return;
    if (!this.ready && task.input.notRetryable) {
      this.#settled(task);
      return;
    }
    call.cancel();
    setTimeout(() => {
      if (this.ready && this.#calls.get(task) === call) this.#crash('the worker did not stop when it was told to');
    }, CANCEL_MS);
  }

  /** Lets the worker decode one more batch of a task that it has. */
  credit(task: WorkerTask, credit: BatchCredit): void {
    this.#calls.get(task)?.credit(credit);
  }

  /** Loads the code of formats in the worker. Rejects where that fails; that a task needs one will say so again. */
  async prepare(formats: readonly FormatId[]): Promise<void> {
    for (const id of formats) this.#registerCode(id);
    this.#preparing += 1;
    try {
      await Promise.race([this.#service.prepare(formats), this.#ended]);
    } finally {
      this.#preparing -= 1;
    }
  }

  /** Ends the worker. Calls it still has are dropped. */
  terminate(): void {
    this.#over.abort();
    this.#rejectWaiting(new DOMException('The worker was stopped', 'AbortError'));
    clearTimeout(this.#timer);
    this.#worker.onerror = null;
    this.#worker.onmessageerror = null;
    this.#worker.terminate();
    for (const call of this.#calls.values()) call.drop();
    this.#calls.clear();
    // Until its proxy is released, Comlink keeps the worker alive, and this handle through calls that are never answered.
    this.#service[releaseProxy]();
  }

  #rejectWaiting(reason: unknown): void {
    this.#rejectStarted(reason);
    this.#rejectEnded(reason);
  }

  async #start(): Promise<void> {
    const begun = performance.now();
    const lock = globalThis.navigator?.locks && globalThis.crypto?.randomUUID && `unspool:${crypto.randomUUID()}`;
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

  /** Says where some code is, as soon as it is known that it is needed: the worker loads it while the task waits. */
  #registerCode(name: CodeName): void {
    const url = this.#code.has(name) ? undefined : codeFile(name, this.#worker);
    if (url === undefined) return;
    this.#code.add(name);
    // That it cannot be loaded is said by the task that needs it.
    this.#service.registerCode(name, url).catch(() => {});
  }

  /** The worker holds the lock for its life: once the page gets it, the worker is gone. */
  #watchLock(lock: string): void {
    navigator.locks
      .request(lock, { signal: this.#over.signal }, () => this.#crash('the worker has ended'))
      .catch((error: unknown) => {
        if (!this.#over.signal.aborted) this.#crash('the worker cannot be watched', error);
      });
  }

  /** Where there are no locks: while the worker has calls, it has to answer. */
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
  }

  #settled(task: WorkerTask): void {
    if (!this.#calls.delete(task)) return;
    this.load -= task.input.size;
    this.#events.free(this, task);
  }

  readonly #onError = (event: Event): void => {
    // The calls are rejected with it: no need to report it to the page as well.
    event.preventDefault();
    // What a script throws has a message; a script that does not load has none.
    this.#crash('message' in event ? 'the worker failed' : 'the worker could not be loaded', event);
  };

  #crash(reason: string, cause?: unknown): void {
    if (this.#over.signal.aborted) return;
    const { message } = (cause ?? {}) as Partial<Error>;
    const error = new WorkerCrashError(message ? `${reason}: ${message}` : reason, { cause });
    const calls = [...this.#calls.keys()];
    this.#rejectWaiting(error);
    this.terminate();
    this.#events.crashed(this, error);
    for (const task of calls) task.fail(error);
  }
}
