import type { Pool, PoolOptions, PoolStats } from './pool.ts';
import { startWorker, type StartedWorker } from './start-worker.ts';

/** The code that decodes in workers, and a decoder's pool. */
export interface WorkerRoute {
  pool: Pool;
  code: typeof import('../decoder/worker-route.ts');
}

/** A decoder's pool of workers, whose code is loaded when it is first needed, while the first worker starts. */
export class Workers {
  readonly #options: PoolOptions;
  #route: WorkerRoute | undefined;
  #loading: Promise<WorkerRoute> | undefined;
  #first: StartedWorker | undefined;
  #closed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** The pool, with a worker that has started or is starting. Whoever asks first gets it first. */
  async get(): Promise<WorkerRoute> {
    if (!this.#route) {
      this.#loading ??= this.#load();
      await this.#loading;
    }
    this.#route!.pool.warm();
    return this.#route!;
  }

  stats(): PoolStats {
    return this.#route?.pool.stats() ?? { workers: this.#first ? 1 : 0, running: 0, queued: 0, crashes: 0 };
  }

  close(): void {
    this.#closed = true;
    this.#first?.worker.terminate();
    this.#first = undefined;
    this.#route?.pool.close();
  }

  async #load(): Promise<WorkerRoute> {
    try {
      this.#first = startWorker(this.#options.createWorker);
    } catch {
      // The pool will try again, and say what happened.
    }
    try {
      const code = await import('../decoder/worker-route.ts');
      const pool = new code.Pool(this.#options, this.#first);
      if (this.#closed) pool.close();
      this.#route = { pool, code };
      return this.#route;
    } catch (error) {
      this.#first?.worker.terminate();
      throw error;
    } finally {
      this.#first = undefined;
      this.#loading = undefined;
    }
  }
}
