import { LimitError, WorkerCrashError } from '../../worker/errors.ts';
import type { BatchGrant } from '../../worker/protocol.ts';
import type { FetchTask, WorkerTask } from './call.ts';
import { startWorker, type StartedWorker } from './start-worker.ts';
import { type WorkerEvents, WorkerHandle } from './handle.ts';

/**
 * Tasks that one worker has at a time. It works on the smallest first, so that a small payload does not wait for a large
 * one.
 */
const TASKS_PER_WORKER = 4;
/** Pause before a worker is tried again that did not load twice in a row; it doubles with each further time. */
const RETRY_MS = 1_000;
const MOST_RETRY_MS = 60_000;
const MOST_TIMEOUT = 2 ** 31 - 1;

/** How a pool works. */
export interface PoolOptions {
  createWorker: () => Worker;
  /** The most workers. */
  workers: number;
  /** The most tasks that wait. */
  queueLimit: number;
  /** Milliseconds after which a worker without tasks is stopped. */
  idleTimeout: number;
}

/** The pool at one moment. */
export interface PoolStats {
  /** Workers that live. */
  workers: number;
  /** Tasks that a worker has. */
  running: number;
  /** Tasks that wait for a worker. */
  queued: number;
  /** Workers that died or could not be loaded, since the pool was made. */
  crashes: number;
}

/** Workers, started when there is work and stopped when there is none, and the queue of what they cannot take yet. */
export class Pool {
  readonly #options: PoolOptions;
  readonly #handles = new Set<WorkerHandle>();
  readonly #queue: WorkerTask[] = [];
  readonly #idle = new Map<WorkerHandle, ReturnType<typeof setTimeout>>();
  #crashes = 0;
  /** Workers in a row that could not be loaded, why the last could not, and when the next may be tried. */
  #failures = 0;
  #failure: WorkerCrashError | undefined;
  #retryAt = 0;
  readonly #over = new AbortController();

  /** `first` is a worker that was started ahead. */
  constructor(options: PoolOptions, first?: StartedWorker) {
    this.#options = options;
    if (first) this.#add(first);
  }

  /** Aborted when the pool is closed. */
  get over(): AbortSignal {
    return this.#over.signal;
  }

  /** Starts a worker where there is none, ahead of the task that will need it. */
  warm(): void {
    if (this.#handles.size === 0) this.#start();
  }

  /** Takes a task. Its `end` or `fail` is called once, unless it is cancelled. Throws a LimitError: the queue is full. */
  submit(task: WorkerTask | FetchTask): void {
    if (task.request || task.input?.fetched) this.#submitFetched(task);
    else this.#enqueue(task);
  }

  #enqueue(task: WorkerTask): void {
    if (this.#queue.length >= this.#options.queueLimit && !this.#choose()) {
      throw new LimitError('queue', `${this.#queue.length} decodes are waiting (the limit of queue)`);
    }
    this.#queue.push(task);
    this.#pump();
  }

  /** A request does not wait for its turn, and what it has brought is decoded where it is. */
  #submitFetched(task: WorkerTask | FetchTask): void {
    if (task.request) {
      const handle = this.#choose(Infinity);
      if (handle) this.#give(handle, task);
      else task.fail(this.#failure);
    } else if (![...this.#handles].some((handle) => handle.adopt(task))) {
      task.fail(new WorkerCrashError('the worker that had the response has ended'));
    }
  }

  /** Takes a task back, waiting or running. */
  cancel(task: WorkerTask | FetchTask): void {
    const at = this.#queue.indexOf(task as WorkerTask);
    if (at >= 0) this.#queue.splice(at, 1);
    else for (const handle of this.#handles) handle.cancel(task);
  }

  /** How many tasks could begin at once, each in a worker of its own. */
  get spare(): number {
    let busy = 0;
    for (const { calls } of this.#handles) if (calls > 0) busy += 1;
    return this.#queue.length > 0 || performance.now() < this.#retryAt ? 0 : Math.max(0, this.#options.workers - busy);
  }

  /** Lets the worker decode one more batch of a task. */
  grant(task: WorkerTask, grant: BatchGrant): void {
    for (const handle of this.#handles) handle.grant(task, grant);
  }

  /** Stops the workers and drops all tasks. */
  close(): void {
    this.#over.abort(new DOMException('The decoder is closed', 'AbortError'));
    this.#queue.length = 0;
    for (const handle of this.#handles) this.#stop(handle);
  }

  stats(): PoolStats {
    let running = 0;
    for (const handle of this.#handles) running += handle.calls;
    return { workers: this.#handles.size, running, queued: this.#queue.length, crashes: this.#crashes };
  }

  #pump(): void {
    while (this.#queue.length > 0) {
      const handle = this.#choose();
      if (!handle) break;
      this.#give(handle, this.#queue.shift()!);
    }
    if (this.#handles.size > 0) return;
    // No worker can be had: whoever waits would wait for ever.
    for (const task of this.#queue.splice(0)) task.fail(this.#failure);
  }

  #give(handle: WorkerHandle, task: WorkerTask | FetchTask): void {
    clearTimeout(this.#idle.get(handle));
    this.#idle.delete(handle);
    handle.run(task);
  }

  /**
   * The worker to give the next task: an idle one, a new one, or the one with the fewest bytes to decode, unless it has
   * `most` tasks.
   */
  #choose(most = TASKS_PER_WORKER): WorkerHandle | undefined {
    let best: WorkerHandle | undefined;
    for (const handle of this.#handles) {
      if (handle.busy < most && (!best || handle.load < best.load)) best = handle;
    }
    if (best?.busy === 0 || this.#handles.size >= this.#options.workers) return best;
    return this.#start() ?? best;
  }

  /** A new worker, unless the last ones did not load and it is too early to try again. */
  #start(): WorkerHandle | undefined {
    if (this.#over.signal.aborted || performance.now() < this.#retryAt) return undefined;
    try {
      return this.#add(startWorker(this.#options.createWorker));
    } catch (error) {
      this.#failed(new WorkerCrashError(`the worker could not be made: ${(error as Error).message}`, { cause: error }));
      return undefined;
    }
  }

  #add(started: StartedWorker): WorkerHandle {
    const handle = new WorkerHandle(started, this.#events);
    this.#handles.add(handle);
    this.#rest(handle);
    return handle;
  }

  #failed(error: WorkerCrashError): void {
    this.#crashes += 1;
    this.#failures += 1;
    this.#failure = error;
    if (this.#failures > 1) {
      this.#retryAt = performance.now() + Math.min(MOST_RETRY_MS, RETRY_MS * 2 ** (this.#failures - 2));
    }
  }

  /** Stops a worker in a while, unless it gets a task. */
  #rest(handle: WorkerHandle): void {
    const { idleTimeout } = this.#options;
    if (idleTimeout > MOST_TIMEOUT) return;
    this.#idle.set(handle, setTimeout(() => this.#stop(handle), idleTimeout));
  }

  #stop(handle: WorkerHandle): void {
    clearTimeout(this.#idle.get(handle));
    this.#idle.delete(handle);
    this.#handles.delete(handle);
    handle.terminate();
  }

  readonly #events: WorkerEvents = {
    ready: () => {
      this.#failures = 0;
      this.#retryAt = 0;
    },
    free: (handle) => {
      this.#pump();
      if (handle.calls === 0 && this.#handles.has(handle)) this.#rest(handle);
    },
    crashed: (handle, error) => {
      clearTimeout(this.#idle.get(handle));
      this.#idle.delete(handle);
      this.#handles.delete(handle);
      if (handle.ready) this.#crashes += 1;
      else this.#failed(error);
      this.#pump();
    },
  };
}
