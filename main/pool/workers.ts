import type { FormatId } from '../../core/format/format-id.ts';
import { codeFile } from './code-requests.ts';
import type { Pool, PoolOptions, PoolState } from './pool.ts';

/** The first worker, until the pool has it, and an event of its failure; or the error of its creation. */
interface First {
  readonly worker?: Worker;
  readonly error?: unknown;
  failure?: ErrorEvent;
}

const NONE: PoolState = { workers: 0, running: 0, queued: 0, crashes: 0, kernel: undefined };

/**
 * The workers of a decoder. Most pages need none, so the code of the pool is loaded while the first worker starts, which the
 * pool then takes over.
 */
export class Workers {
  readonly #options: PoolOptions;
  #pool: Pool | undefined;
  #first: First | undefined;
  #isClosed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** See `Pool.ready`. */
  get ready(): boolean {
    return this.#pool?.ready ?? false;
  }

  /** See `Pool.startMs`. */
  get startMs(): number | undefined {
    return this.#pool?.startMs;
  }

  /** See `Pool.warm`. */
  async warm(formats: readonly FormatId[] = []): Promise<void> {
    if (this.#pool) return this.#pool.warm(formats);
    if (!this.#isClosed) this.#first ??= this.#start();
    const { worker } = this.#first ?? {};
    // Requests their code while that of the pool is on its way.
    if (worker) for (const id of formats) codeFile(id, worker);
    const pool = await this.load();
    return pool.warm(formats);
  }

  /** Loads the pool. */
  async load(): Promise<Pool> {
    try {
      const { Pool } = await import('./pool.ts');
      this.#pool ??= new Pool({ ...this.#options, createWorker: () => this.#take() });
      if (this.#isClosed) this.#pool.close();
      return this.#pool;
    } catch (error) {
      this.#first?.worker?.terminate();
      this.#first = undefined;
      throw error;
    }
  }

  /** See `Pool.close`. */
  close(): void {
    this.#isClosed = true;
    this.#first?.worker?.terminate();
    this.#pool?.close();
  }

  stats(): PoolState {
    return this.#pool?.stats() ?? { ...NONE, workers: this.#first?.worker ? 1 : 0 };
  }

  #start(): First {
    try {
      const worker = this.#options.createWorker();
      worker.onerror = (event) => {
        event.preventDefault();
        this.#first!.failure = event;
      };
      return { worker };
    } catch (error) {
      return { error };
    }
  }

  /** A worker for the pool, which listens to it from then on. */
  #take(): Worker {
    const first = this.#first;
    this.#first = undefined;
    if (!first) return this.#options.createWorker();
    const { worker, error, failure } = first;
    if (!worker) throw error;
    if (failure) queueMicrotask(() => worker.onerror?.(failure));
    return worker;
  }
}
