import type { PageWorker } from './page-worker.ts';
import { LimitError, WorkerCrashError } from '../../core/errors.ts';
import type { FormatId } from '../../core/format/format-id.ts';
import type { BatchCredit } from '../../worker/protocol.ts';
import { type WorkerEvents, WorkerHandle } from './handle.ts';
import { unref } from '../../core/platform/platform.ts';
import type { WorkerTask } from './task.ts';

export { plainCopy } from './plain-copy.ts';

/** Tasks that one worker has at a time. It works on the smallest first, so that a small payload does not wait for a large one. */
const TASKS_PER_WORKER = 4;
/** Milliseconds before a worker that twice failed to load is tried again; doubled with each further failure. */
const RETRY_MS = 1_000;
const MAX_RETRY_MS = 60_000;
const MAX_TIMEOUT = 2 ** 31 - 1;

/** Options of a pool. */
export interface PoolOptions {
  createWorker: () => PageWorker;
  /** Most workers at a time. */
  workers: number;
  /** Most tasks that wait. */
  queueLimit: number;
  /** Milliseconds after which an idle worker is stopped. */
  idleTimeout: number;
  /** Whether the workers read records with row kernels; undefined if their policy decides. */
  kernel?: boolean | undefined;
}

/** The pool at one moment. */
export interface PoolState {
  /** Live workers. */
  workers: number;
  /** Tasks in workers. */
  running: number;
  /** Tasks that wait for a worker. */
  queued: number;
  /** Workers that died or failed to load since the pool was made. */
  crashes: number;
  /** Whether the workers have row kernels (WebAssembly); undefined before the first worker reports it. */
  kernel: boolean | undefined;
}

/** Workers, started for work and stopped when idle, and the queue of tasks that they cannot take yet. */
export class Pool {
  readonly #options: PoolOptions;
  readonly #handles = new Set<WorkerHandle>();
  /** The idle workers, each with the timer that stops it. */
  readonly #free = new Map<WorkerHandle, ReturnType<typeof setTimeout> | undefined>();
  readonly #queue: WorkerTask[] = [];
  /** The worker of each running task. */
  readonly #running = new Map<WorkerTask, WorkerHandle>();
  readonly #over = new AbortController();
  #crashes = 0;
  /** Number of workers in a row that failed to load, the last error, and the earliest time of the next attempt. */
  #failures = 0;
  /** Makes the error of calls that find no worker: one for each, since it says which call it is of. */
  #failure: (() => WorkerCrashError) | undefined;
  #retryAt = 0;
  #startMs: number | undefined;
  /** Last report of a worker on its kernels. */
  #kernel: boolean | undefined;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** Aborted when the pool is closed. */
  get closed(): AbortSignal {
    return this.#over.signal;
  }

  /** True if a worker has loaded. */
  get ready(): boolean {
    for (const handle of this.#handles) if (handle.ready) return true;
    return false;
  }

  /** Milliseconds that the last worker took to start; undefined before the first. */
  get startMs(): number | undefined {
    return this.#startMs;
  }

  /**
   * Starts a worker ahead of the task that will need it, unless one lives, and loads the code of formats there. Resolves when
   * it is ready; rejects with a WorkerCrashError if it cannot be loaded.
   */
  async warm(formats: readonly FormatId[] = []): Promise<void> {
    const [handle = this.#start()] = this.#handles;
    if (!handle) throw this.#failure?.() ?? (this.closed.reason as Error);
    await Promise.all([handle.started, formats.length > 0 && handle.prepare(formats)]);
  }

  /** Takes a task, whose `end` or `fail` is called once unless it is cancelled. Throws a LimitError if the queue is full. */
  submit(task: WorkerTask): void {
    if (this.#queue.length >= this.#options.queueLimit && !this.#choose()) {
      throw new LimitError('queue', `queue limit exceeded (${this.#queue.length} decodes are waiting)`);
    }
    this.#queue.push(task);
    this.#pump();
  }

  /** Cancels a waiting or running task. */
  cancel(task: WorkerTask): void {
    const at = this.#queue.indexOf(task);
    if (at >= 0) this.#queue.splice(at, 1);
    else this.#running.get(task)?.cancel(task);
  }

  /** Lets the worker decode one more batch of a task. */
  credit(task: WorkerTask, credit: BatchCredit): void {
    this.#running.get(task)?.credit(task, credit);
  }

  /** Stops the workers and drops all tasks. */
  close(): void {
    this.#over.abort(new DOMException('The decoder is closed', 'AbortError'));
    this.#queue.length = 0;
    this.#running.clear();
    for (const handle of this.#handles) this.#stop(handle);
  }

  stats(): PoolState {
    let running = 0;
    for (const handle of this.#handles) {
      running += handle.calls;
      this.#kernel = handle.kernel ?? this.#kernel;
    }
    return { workers: this.#handles.size, running, queued: this.#queue.length, crashes: this.#crashes, kernel: this.#kernel };
  }

  #pump(): void {
    while (this.#queue.length > 0) {
      const handle = this.#choose();
      if (!handle) break;
      const task = this.#queue.shift()!;
      this.#release(handle);
      this.#running.set(task, handle);
      handle.run(task);
    }
    if (this.#handles.size > 0) return;
    // Without a worker, waiting tasks would wait forever.
    for (const task of this.#queue.splice(0)) task.fail(this.#failure?.());
  }

  /** The worker for the next task: an idle one, a new one, or the one with the fewest bytes to decode that may take more. */
  #choose(): WorkerHandle | undefined {
    const [free] = this.#free.keys();
    if (free) return free;
    const started = this.#handles.size < this.#options.workers ? this.#start() : undefined;
    if (started) return started;
    let best: WorkerHandle | undefined;
    for (const handle of this.#handles) {
      if (handle.calls < TASKS_PER_WORKER && (!best || handle.load < best.load)) best = handle;
    }
    return best;
  }

  /** Starts a worker, unless the last ones failed to load and it is too early to try again. */
  #start(): WorkerHandle | undefined {
    if (this.#over.signal.aborted || performance.now() < this.#retryAt) return undefined;
    try {
      const handle = new WorkerHandle(this.#options.createWorker, this.#events, this.#options.kernel);
      this.#handles.add(handle);
      this.#rest(handle);
      return handle;
    } catch (error) {
      this.#failed(() => new WorkerCrashError(`the worker could not be created: ${(error as Error).message}`, { cause: error }));
      return undefined;
    }
  }

  #failed(error: () => WorkerCrashError): void {
    this.#crashes += 1;
    this.#failures += 1;
    this.#failure = error;
    if (this.#failures > 1) {
      this.#retryAt = performance.now() + Math.min(MAX_RETRY_MS, RETRY_MS * 2 ** (this.#failures - 2));
    }
  }

  /** Has an idle worker stopped after a while, unless it gets a task. */
  #rest(handle: WorkerHandle): void {
    const { idleTimeout } = this.#options;
    // A worker that still loads is not idle, however long it takes.
    const end = (): void => (handle.loading ? this.#rest(handle) : this.#stop(handle));
    const timer = idleTimeout > MAX_TIMEOUT ? undefined : setTimeout(end, idleTimeout);
    unref(timer);
    this.#free.set(handle, timer);
  }

  #release(handle: WorkerHandle): void {
    clearTimeout(this.#free.get(handle));
    this.#free.delete(handle);
  }

  #forget(handle: WorkerHandle): void {
    this.#release(handle);
    this.#handles.delete(handle);
    for (const [task, owner] of this.#running) if (owner === handle) this.#running.delete(task);
  }

  #stop(handle: WorkerHandle): void {
    this.#forget(handle);
    handle.terminate();
  }

  readonly #events: WorkerEvents = {
    ready: (handle) => {
      this.#failures = 0;
      this.#retryAt = 0;
      this.#startMs = handle.startMs;
    },
    free: (handle, task) => {
      this.#running.delete(task);
      if (!this.#handles.has(handle)) return;
      if (handle.calls === 0) this.#rest(handle);
      this.#pump();
    },
    crashed: (handle, error) => {
      this.#forget(handle);
      if (handle.ready) this.#crashes += 1;
      else this.#failed(error);
      this.#pump();
    },
  };
}
