// `Symbol.dispose`, for applications whose `lib` lacks it.
/// <reference lib="esnext.disposable" preserve="true" />
import { announced } from '../../core/bytes/byte-input.ts';
import { FORMATS, type FormatId } from '../../core/formats/registry.ts';
import { resolveLimits } from '../../core/limits.ts';
import { Batches } from '../streams/batches.ts';
import type { BatchFeed } from '../streams/feed.ts';
import type { GrowingRows } from '../streams/growing-rows.ts';
import { openBytes } from '../input/payload.ts';
import { bytesOf } from '../input/sources.ts';
import type { ResultForm } from '../rows/form.ts';
import type { Rows } from '../rows/rows.ts';
import { Pool } from '../pool/pool.ts';
import { checkDecoder, checkFormats } from './options/check.ts';
import { CORE, type DecoderState } from './decoder-state.ts';
import { decodePayload, type Look } from './decode.ts';
import { createFetch, type DecoderFetch } from './fetch.ts';
import { loadFormat } from './formats.ts';
import { countRows, type DecodeReport, newReport, recordDecode, registry } from './observe.ts';
import { Operation } from './operation.ts';
import type { BatchOptions, DecodeOptions, DecoderOptions, DecodeSource, GrowingRowsOptions } from './options/options.ts';
import type { ColumnsOf, FormOf, RowsOf } from './options/results.ts';
import { planBySize, reportPlan, SMALL } from './plan.ts';
import { prepare, reportPrepared } from './prepare.ts';
import { Router } from './route.ts';
import { Schemas } from './schemas.ts';
import { decodeAtOnce, LATER } from './run/at-once.ts';
import { SMALL_BYTES, WARM_FROM_BYTES } from './tuning.ts';

const DEFAULTS: DecodeOptions = {};

/** Counters of a decoder at the time of the call. */
export interface DecoderStats {
  /** Live workers. */
  workers: number;
  /** Decodes in workers. */
  running: number;
  /** Decodes that wait for a worker. */
  queued: number;
  /** Workers that died or failed to load. */
  crashes: number;
  /** Whether the workers have row kernels (WebAssembly); undefined before the first worker reports it. */
  kernel: boolean | undefined;
  /** Calls that have not settled. */
  pending: number;
  /** Calls that have succeeded, and calls that have failed. */
  succeeded: number;
  failed: number;
}

/** The events of a decoder. */
export interface DecoderEvents {
  /** A call has settled; the detail is its report. */
  decode: CustomEvent<DecodeReport>;
}

/**
 * Decodes payloads without blocking the page, in slices or in its own workers, and returns plain objects. Make one for a page with
 * `createDecoder`, and share it.
 */
export class Decoder extends EventTarget {
  /**
   * `fetch` with responses that decode: their `json()` decodes any known format without blocking the page, and they also have
   * `decode()`, `rows()` and `batches()`. The function needs no receiver.
   */
  readonly fetch: DecoderFetch;
  readonly #core: DecoderState;
  readonly #registry = registry();
  readonly #id: number;
  readonly #pending = new Set<Operation>();
  #observed = false;
  #closed = false;
  #succeeded = 0;
  #failed = 0;

  /** @internal Use `createDecoder`. */
  constructor(options: DecoderOptions, createWorker: () => Worker) {
    super();
    checkDecoder(options);
    const threads = globalThis.navigator?.hardwareConcurrency ?? 2;
    // Without workers (in a service worker, in Node), everything is decoded on this thread.
    const able = options.createWorker !== undefined || typeof Worker !== 'undefined';
    const pool = new Pool({
      createWorker: options.createWorker ?? createWorker,
      workers: options.workers ?? Math.max(1, Math.min(threads - 1, 4)),
      queueLimit: options.queueLimit ?? 1_000,
      idleTimeout: options.idleTimeout ?? 30_000,
      kernel: options.kernel,
    });
    const { formatOptions: formats, reviveTag: revive } = options;
    const schemas = new Schemas(options.schemas);
    const { syncBelow = SMALL_BYTES } = options;
    this.#core = { options, limits: resolveLimits(options.limits), formats, revive, syncBelow, schemas, pool, router: new Router(able) };
    this.#id = this.#registry.nextDecoder++;
    const { decoders } = this.#registry;
    for (const [id, decoder] of decoders) if (!decoder.deref()) decoders.delete(id);
    decoders.set(this.#id, new WeakRef(this));
    for (const { name, format, source } of schemas.all) {
      this.#registry.schemas.push({ decoder: this.#id, name: name!, format, schema: source });
    }
    this.fetch = createFetch(this, this.#core);
  }

  /** @internal */
  get [CORE](): DecoderState {
    return this.#core;
  }

  /**
   * The media types that the decoder reads, as an `Accept` value: `fetch` sends it unless the caller sets one. It is short
   * enough for requests to other origins, which need a preflight from 128 characters on.
   */
  get accept(): string {
    const { schemas } = this.#core;
    let accept = '';
    for (const { id, mediaTypes, schema } of FORMATS) {
      if (id === 'json' || (schema && !schemas.all.some(({ format }) => format === id))) continue;
      if (accept.length + mediaTypes[0]!.length < 88) accept += `${mediaTypes[0]}, `;
    }
    return `${accept}application/json;q=0.9, */*;q=0.5`;
  }

  /**
   * Decodes one payload to the whole value. Rejects with a `DecodeError` (the payload is invalid), `LimitError`,
   * `SchemaError`, `WorkerCrashError`, `TimeoutError`, `NetworkError`, the signal's reason, or an error of the source. The
   * bytes stay untouched unless `transfer` is set.
   */
  decode<T = unknown>(source: DecodeSource, options: DecodeOptions<FormatId, T> & { as: 'rows' }): Promise<RowsOf<T>>;
  decode<T = unknown>(source: DecodeSource, options: DecodeOptions<FormatId, T> & { as: 'columns' }): Promise<ColumnsOf<T>>;
  decode<T = unknown>(source: DecodeSource, options?: DecodeOptions<FormatId, T> & { as?: 'objects' | undefined }): Promise<T>;
  decode<T = unknown>(source: DecodeSource, options: DecodeOptions<FormatId, T> & { as: 'objects' | 'rows' }): Promise<T | RowsOf<T>>;
  decode<T = unknown>(source: DecodeSource, options: DecodeOptions): Promise<FormOf<T, ResultForm>>;
  decode(source: DecodeSource, options: DecodeOptions = DEFAULTS): Promise<unknown> {
    const everything = this.#observed || this.#core.options.measure === true || this.#registry.everything;
    const report = everything ? newReport(options) : undefined;
    let look: Look | undefined;
    let size = 0;
    try {
      if (this.#closed) throw closedError();
      options.signal?.throwIfAborted();
      const bytes = options.compression ? undefined : bytesOf(source);
      if (bytes) {
        size = bytes.length;
        const prepared = prepare(this.#core, source, options, bytes);
        const plan = planBySize(this.#core, prepared, options, size, true);
        if (report) reportPrepared(report, prepared);
        // Most payloads are small: they cost no promise, measurement or object beyond these.
        const value = plan === SMALL && (options.as ?? 'objects') === 'objects' ? decodeAtOnce(prepared, bytes) : LATER;
        if (value !== LATER) {
          this.#succeeded += 1;
          if (report) {
            reportPlan(report, SMALL);
            report.bytes = size;
            report.duration = report.decodeMs = report.mainMs = report.longestSliceMs = performance.now() - report.startTime;
            report.rows = countRows(value);
            this.#report(report);
          }
          return Promise.resolve(value);
        }
        look = { payload: openBytes(bytes, options), prepared, plan };
      }
    } catch (error) {
      const failed = report ?? newReport(options);
      failed.bytes = size;
      this.#fail(failed, error);
      // A signal's reason may be anything.
      return Promise.reject(error);
    }
    return this.#later(source, options, report ?? newReport(options), look);
  }

  /**
   * Decodes a payload while it arrives and yields the items of one list in batches: arrays of objects or, with
   * `options.as`, `Rows` or columns. Consumed batches take no memory, and the network is read no faster than batches are
   * consumed. An error in the middle is thrown after all valid batches.
   *
   * @example
   * for await (const trips of decoder.batches<Trip>(await fetch('/trips'), { path: 'trips' })) table.append(trips);
   */
  batches<T = unknown>(source: DecodeSource, options: BatchOptions & { as: 'rows' }): Batches<Rows<T>>;
  batches<T = unknown>(source: DecodeSource, options: BatchOptions & { as: 'columns' }): Batches<ColumnsOf<T[]>>;
  batches<T = unknown>(source: DecodeSource, options?: BatchOptions & { as?: 'objects' | undefined }): Batches<T[]>;
  batches<T = unknown>(source: DecodeSource, options: BatchOptions & { as: 'objects' | 'rows' }): Batches<T[] | Rows<T>>;
  batches<T = unknown>(source: DecodeSource, options: BatchOptions): Batches<T[] | Rows<T> | ColumnsOf<T[]>>;
  batches(source: DecodeSource, options: BatchOptions = DEFAULTS): Batches {
    let operation: Operation | undefined;
    const start = async (): Promise<BatchFeed> => {
      operation = this.#operation(newReport(options), options.signal);
      operation.promise.catch(() => {});
      try {
        if (this.#closed) throw closedError();
        options.signal?.throwIfAborted();
        const { format } = options;
        // Starts the worker, or loads the code of the format, while the code of batches loads.
        if (operation.report.as !== 'objects') this.#warmFor(source, options);
        else if (format && format !== 'json') loadFormat(format).catch(() => {});
        const { startBatches } = await import('../streams/start.ts');
        return await startBatches(this.#core, operation, source, options);
      } catch (error) {
        operation.reject(error);
        throw error;
      }
    };
    return new Batches(start, (reason) => operation?.leave(reason));
  }

  /**
   * Decodes a list of a payload into `Rows` while it arrives. Resolves with the first rows; the others are appended, which
   * `options.onRows` reports and `done` waits for.
   *
   * @example
   * const trips = await decoder.growingRows<Trip>(await fetch('/trips'), { path: 'trips', onRows: () => table.draw() });
   * await trips.done;
   */
  async growingRows<T = unknown>(source: DecodeSource, options: GrowingRowsOptions<T> = {}): Promise<GrowingRows<T>> {
    const { onRows, ...others } = options;
    const batches = this.batches<T>(source, { ...others, as: 'rows' } as BatchOptions & { as: 'rows' });
    const [{ GrowingRows }, first] = await Promise.all([import('../streams/growing-rows.ts'), batches.next()]);
    return new GrowingRows<T>(batches, first.value, onRows);
  }

  override addEventListener<Type extends keyof DecoderEvents>(
    type: Type,
    listener: (event: DecoderEvents[Type]) => void,
    options?: boolean | AddEventListenerOptions,
  ): void;
  override addEventListener(type: string, listener: EventListenerOrEventListenerObject | null, options?: boolean | AddEventListenerOptions): void;
  override addEventListener(type: string, listener: unknown, options?: boolean | AddEventListenerOptions): void {
    this.#observed = true;
    super.addEventListener(type, listener as EventListener, options);
  }

  /** The current state of the decoder and its pool. */
  stats(): DecoderStats {
    const calls = { pending: this.#pending.size, succeeded: this.#succeeded, failed: this.#failed };
    return { ...this.#core.pool.stats(), ...calls };
  }

  /**
   * Starts a worker ahead of the first payload, and loads the code of formats there and on this thread. Resolves when
   * everything is loaded; rejects with a WorkerCrashError if the worker or a format cannot be loaded, or with an AbortError
   * if the decoder is closed. Nobody has to wait for it: a failure is reported again by the decode that needs the code. The
   * worker also stops after `idleTimeout`.
   *
   * @example
   * const decoder = createDecoder();
   * void decoder.preload(['cbor']);
   */
  preload(formats: readonly FormatId[] = []): Promise<void> {
    const loading = this.#preload(formats);
    loading.catch(() => {});
    return loading;
  }

  async #preload(formats: readonly FormatId[]): Promise<void> {
    if (this.#closed) throw closedError();
    checkFormats('preload', formats);
    const { pool, router } = this.#core;
    // The engine reads the objects of JSON, and the worker's own file its rows.
    const here = formats.filter((id) => id !== 'json').map(loadFormat);
    await Promise.all([router.workers && pool.warm(formats), ...here]);
  }

  /** Stops the workers. Pending calls and all later ones reject with an `AbortError`. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const operation of this.#pending) operation.reject(closedError());
    this.#core.pool.close();
    const { decoders, schemas } = this.#registry;
    decoders.delete(this.#id);
    schemas.splice(0, schemas.length, ...schemas.filter(({ decoder }) => decoder !== this.#id));
  }

  /** The same as `close`, for `using`. */
  declare [Symbol.dispose]: () => void;

  /** Starts a worker for the rows of a response, unless the response is short. */
  #warmFor(source: DecodeSource, { format, route = this.#core.options.route }: BatchOptions): void {
    const { pool, router } = this.#core;
    if (!router.workers || route === 'page' || !(source instanceof Response)) return;
    const size = announced(source);
    if (size === 0 || size >= WARM_FROM_BYTES) pool.warm(format && [format]).catch(() => {});
  }

  #later(source: DecodeSource, options: DecodeOptions, report: DecodeReport, look: Look | undefined): Promise<unknown> {
    const operation = this.#operation(report, options.signal, options.timeout ?? this.#core.options.timeout);
    void decodePayload(this.#core, operation, source, options, look);
    return operation.promise;
  }

  /** Begins a call that settles later. */
  #operation(report: DecodeReport, signal: AbortSignal | undefined, timeout?: number): Operation {
    const operation = new Operation(report, { signal, timeout }, (error, failed) => {
      this.#pending.delete(operation);
      report.duration = performance.now() - report.startTime;
      if (failed) this.#fail(report, error);
      else {
        this.#succeeded += 1;
        this.#core.router.learn(report);
        this.#report(report);
      }
    });
    this.#pending.add(operation);
    return operation;
  }

  #fail(report: DecodeReport, error: unknown): void {
    this.#failed += 1;
    const { name = 'Error', message = String(error) } = (error ?? {}) as Partial<Error>;
    report.error = { name, message };
    report.format ??= (error as Partial<DecodeReport> | undefined)?.format;
    this.#report(report);
  }

  #report(report: DecodeReport): void {
    recordDecode(this.#registry, report);
    if (this.#core.options.measure ?? report.route === 'worker') {
      import('./run/for-tools.ts').then(
        ({ measureDecode }) => measureDecode(report),
        () => {},
      );
    }
    if (this.#observed) this.dispatchEvent(new CustomEvent('decode', { detail: report }));
  }
}

// Not every engine has the symbol yet.
if (Symbol.dispose) {
  Decoder.prototype[Symbol.dispose] = function (this: Decoder) {
    this.close();
  };
}

function closedError(): DOMException {
  return new DOMException('The decoder is closed', 'AbortError');
}
