// `Symbol.dispose`, for applications whose `lib` lacks it.
/// <reference lib="esnext.disposable" preserve="true" />
import { announced } from '../../core/bytes/byte-input.ts';
import { acceptOf } from '../../core/formats/accept.ts';
import type { LoadSchemaCode } from '../../core/format/format.ts';
import type { FormatId } from '../../core/format/format-id.ts';
import { resolveLimits } from '../../core/limits.ts';
import type { DeepPartial } from '../live/deep-partial.ts';
import type { AnswerParts } from '../live/answer/parts.ts';
import type { ChunkSource } from '../live/chunks.ts';
import type { StreamEvent } from '../../core/messages/event-parser.ts';
import type { EventOptions } from '../live/events.ts';
import type { MessageSource } from '../../core/messages/listen.ts';
import type { MessageOptions } from '../live/messages.ts';
import type { AnswerOptions, PartialDecodeOptions } from '../live/partial.ts';
import type { InputOf, OutputOf, StandardSchema, Validated } from '../call/options/standard-schema.ts';
import { Batches } from '../streams/batches.ts';
import type { Feed } from '../streams/feed.ts';
import type { GrowingRows, GrowingRowsOptions } from '../streams/growing-rows.ts';
import { openBytes } from '../call/input/payload.ts';
import { checkBeforeOpening } from '../call/input/source-input.ts';
import { bytesOf } from '../call/input/sources.ts';
import type { ResultForm } from '../rows/form.ts';
import type { Rows } from '../rows/rows.ts';
import { Workers } from '../pool/workers.ts';
import { checkDecoder, checkFormats } from '../call/options/check.ts';
import { CORE, type DecoderState } from '../call/decoder-state.ts';
import { decodePayload, type Look } from './decode.ts';
import { createFetch, type DecoderFetch } from './fetch.ts';
import { loadFormat } from '../call/formats.ts';
import { loadJsonSlices } from '../call/json-slices.ts';
import type { NamedFormats } from '../call/named-formats.ts';
import { countRows, type DecodeReport, newReport, recordDecode, registry } from '../call/observe.ts';
import { Operation } from '../call/operation.ts';
import type { BatchOptions, DecodeOptions, DecoderOptions, DecodeSource, TypedSchema } from '../call/options/options.ts';
import type { BatchColumns, ColumnsOf, ResultAs, RowsOf } from '../call/options/results.ts';
import type { BatchAs, ItemAt, ListPath, SchemaValue } from '../call/options/typed-schemas.ts';
import { planBySize, reportPlan, SMALL } from '../run/plan.ts';
import { prepare, reportPrepared } from '../call/prepare.ts';
import { Router } from '../call/route.ts';
import { readableAt } from '../call/options/schema-scope.ts';
import { Schemas } from '../call/schemas.ts';
import { decodeAtOnce, LATER } from '../run/at-once.ts';
import { startWorker } from '../run/start-worker.ts';
import { addCaller, tellCall } from '../call/tell-call.ts';
import { SMALL_BYTES, WARM_FROM_BYTES } from '../call/tuning.ts';

type Live = typeof import('../live/index.ts');

const DEFAULTS: DecodeOptions = {};

/** Where the code of a decoder comes from. */
export interface DecoderCode {
  /** Loads the parsers of schemas in text; without it, formats load those next to their own files. */
  readonly loadSchemaCode?: LoadSchemaCode | undefined;
  /** The formats that it reads in addition to JSON; undefined for all. */
  readonly named?: NamedFormats | undefined;
}

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

/** Types of the platform, whose names differ between pages and Node. */
type Listener = Parameters<EventTarget['addEventListener']>[1];
type ListenerOptions = Parameters<EventTarget['addEventListener']>[2];

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
  /**
   * Decodes a value while its text or bytes arrive, and gives the value so far, at most once a frame, then the whole value. The
   * values are plain and never change: finished parts are the same objects in every value, and unfinished parts new ones in each.
   * Strings grow by whole code points; a key comes once its value begins. The source is a response, a stream, or an async
   * iterable of text or bytes; with `options.delta`, a stream of server-sent events that carry pieces of the text, such as the
   * answer of a language model; `options.parts` also gives its calls of tools. With `options.validate`, the output of the schema
   * follows the whole value. Rejects, after the last value, with the errors that `decode` rejects with, and with a
   * `ServiceError` for an error of the service.
   *
   * @example
   * for await (const recipe of decoder.partial<Recipe>(await fetch('/recipe'))) show(recipe);
   * for await (const { text, calls } of decoder.partial(await fetch('/chat'), { delta: 'openai', parts: true })) show(text, calls);
   */
  readonly partial: {
    (source: ChunkSource, options: AnswerOptions): AsyncGenerator<AnswerParts, void>;
    <S extends StandardSchema>(
      source: ChunkSource,
      options: PartialDecodeOptions & Validated<S>,
    ): AsyncGenerator<DeepPartial<InputOf<S>> | OutputOf<S>, void>;
    <T = unknown, F extends FormatId = FormatId>(source: ChunkSource, options?: PartialDecodeOptions<F, T>): AsyncGenerator<DeepPartial<T>, void>;
  } = live('partial');
  /**
   * Gives the values of the messages of a WebSocket, an EventSource, a channel, a stream or an async iterable, in order. Small
   * messages are decoded in place, large ones in slices or in a worker. Those of a `WorkerSocket` of `unspool/socket` wait in its
   * worker, which carries out the policy. Leaving the loop removes the listeners, but does not
   * close the socket. Rejects with a `NetworkError` if the socket was not closed normally, with a `LimitError` if more messages
   * wait than `options.limit`, and with the errors of `decode`.
   *
   * @example
   * for await (const ticks of decoder.messages<Tick>(socket, { format: 'messagepack', batch: true })) table.update(ticks);
   */
  readonly messages: {
    <T = unknown>(source: MessageSource, options: MessageOptions<FormatId, T> & { as: 'rows'; batch: true }): AsyncGenerator<RowsOf<T>[], void>;
    <T = unknown>(
      source: MessageSource,
      options: MessageOptions<FormatId, T> & { as: 'rows'; batch?: false | undefined },
    ): AsyncGenerator<RowsOf<T>, void>;
    <T = unknown>(source: MessageSource, options: MessageOptions<FormatId, T> & { as: 'columns'; batch: true }): AsyncGenerator<ColumnsOf<T>[], void>;
    <T = unknown>(
      source: MessageSource,
      options: MessageOptions<FormatId, T> & { as: 'columns'; batch?: false | undefined },
    ): AsyncGenerator<ColumnsOf<T>, void>;
    <T = unknown>(
      source: MessageSource,
      options: MessageOptions<FormatId, T> & { as?: 'objects' | undefined; batch: true },
    ): AsyncGenerator<T[], void>;
    <T = unknown>(
      source: MessageSource,
      options?: MessageOptions<FormatId, T> & { as?: 'objects' | undefined; batch?: false | undefined },
    ): AsyncGenerator<T, void>;
    <T = unknown>(source: MessageSource, options: MessageOptions): AsyncGenerator<ResultAs<T, ResultForm> | ResultAs<T, ResultForm>[], void>;
  } = live('messages');
  /**
   * Gives the events of a stream of server-sent events (text/event-stream), whose `data` is decoded as JSON. An event that the
   * end of the stream cuts is left out. Rejects with a `DecodeError` if the response has another type or if data is no JSON.
   *
   * @example
   * for await (const { data, lastEventId } of decoder.events<Delta>(await fetch('/chat'), { end: '[DONE]' })) append(data);
   */
  readonly events: {
    (source: ChunkSource, options: EventOptions & { data: 'text' }): AsyncGenerator<StreamEvent, void>;
    <T = unknown>(source: ChunkSource, options?: EventOptions): AsyncGenerator<StreamEvent<T>, void>;
  } = live('events');
  readonly #core: DecoderState;
  readonly #registry = registry();
  readonly #id: number;
  readonly #pending = new Set<Operation>();
  #observed = false;
  #closed = false;
  #succeeded = 0;
  #failed = 0;

  /** @internal Use `createDecoder`. Without `createWorker`, there are workers only if the options have one. */
  constructor(options: DecoderOptions, createWorker?: () => Worker, { loadSchemaCode, named }: DecoderCode = {}) {
    super();
    checkDecoder(options);
    const threads = globalThis.navigator?.hardwareConcurrency ?? 2;
    // Without workers (in a service worker, in Node), everything is decoded on this thread.
    const able = options.createWorker !== undefined || (createWorker !== undefined && typeof Worker !== 'undefined');
    const pool = new Workers({
      createWorker: options.createWorker ?? createWorker!,
      workers: options.workers ?? Math.max(1, Math.min(threads - 1, 4)),
      queueLimit: options.queueLimit ?? 1_000,
      idleTimeout: options.idleTimeout ?? 30_000,
      kernel: options.kernel,
    });
    const { formatOptions: formats, reviveTag: revive, syncBelow = SMALL_BYTES } = options;
    const schemas = new Schemas(options.schemas, loadSchemaCode);
    this.#core = { options, named, limits: resolveLimits(options.limits), formats, revive, syncBelow, schemas, pool, router: new Router(able) };
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
   * The media types that the decoder reads, as an `Accept` value: the formats of the registered schemas, those that need no
   * schema, and JSON. `fetch` sends it unless the caller sets one: without the formats of schemas that have other `urls`, and
   * to other origins at most 128 characters of it, since more would need a preflight.
   */
  get accept(): string {
    return acceptOf(readableAt(this.#core));
  }

  /**
   * Decodes one payload to the whole value. Rejects with a `DecodeError` (the payload is invalid), `LimitError`,
   * `SchemaError`, `WorkerCrashError`, `TimeoutError`, `NetworkError`, the signal's reason, or an error of the source. The
   * bytes stay untouched unless `transfer` is set.
   */
  decode<S extends StandardSchema>(
    source: DecodeSource,
    options: DecodeOptions & Validated<S> & { as?: 'objects' | undefined; previous?: undefined },
  ): Promise<OutputOf<S>>;
  decode<T = unknown>(source: DecodeSource, options: DecodeOptions<FormatId, T> & { as: 'rows' }): Promise<RowsOf<T>>;
  decode<T = unknown>(source: DecodeSource, options: DecodeOptions<FormatId, T> & { as: 'columns' }): Promise<ColumnsOf<T>>;
  decode<T = unknown>(source: DecodeSource, options?: DecodeOptions<FormatId, T> & { as?: 'objects' | undefined }): Promise<T>;
  decode<T = unknown>(source: DecodeSource, options: DecodeOptions<FormatId, T> & { as: 'objects' | 'rows' }): Promise<T | RowsOf<T>>;
  decode<T = unknown>(source: DecodeSource, options: DecodeOptions): Promise<ResultAs<T, ResultForm>>;
  decode(source: DecodeSource, options: DecodeOptions & Partial<Validated<StandardSchema>> = DEFAULTS): Promise<unknown> {
    if (options.validate) {
      const unchecked: DecodeOptions & { validate: undefined } = { ...options, validate: undefined };
      const call = { ...options, url: (source as Partial<Response> | undefined)?.url, caller: new Error() };
      return Promise.all([this.decode(source, unchecked), import('../validate.ts')])
        .then(([decoded, { validateValue }]) => validateValue(decoded, options))
        .catch((error: unknown) => {
          tellCall(error, call);
          throw error;
        });
    }
    const isReported = this.#observed || this.#core.options.measure === true || this.#registry.everything;
    const report = isReported ? newReport(options) : undefined;
    let look: Look | undefined;
    let size = 0;
    try {
      const bytes = options.compression ? undefined : bytesOf(source);
      // A call that cannot begin fails like those that settle later.
      if (bytes && !this.#closed && !options.signal?.aborted) {
        size = bytes.length;
        const prepared = prepare(this.#core, source, options, bytes);
        const plan = planBySize(this.#core, prepared, options, size, true);
        if (report) reportPrepared(report, prepared);
        // Most payloads are small: they cost no promise, measurement or object beyond these.
        const isNow = plan === SMALL && (options.as ?? 'objects') === 'objects' && !('previous' in options);
        const value = isNow ? decodeAtOnce(prepared, bytes) : LATER;
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
      tellCall(error, { ...failed, caller: new Error() });
      this.#fail(failed, error);
      return Promise.reject(error);
    }
    return this.#later(source, options, report ?? newReport(options), look, new Error());
  }

  /**
   * Decodes a payload while it arrives and yields the items of one list in batches: arrays of objects or, with
   * `options.as`, `Rows` or columns. Consumed batches take no memory, and the network is read no faster than batches are
   * consumed. An error in the middle is thrown after all valid batches.
   *
   * @example
   * for await (const trips of decoder.batches<Trip>(await fetch('/trips'), { path: 'trips' })) table.append(trips);
   */
  batches<S extends StandardSchema>(
    source: DecodeSource,
    options: BatchOptions & Validated<S> & { as?: 'objects' | undefined },
  ): Batches<OutputOf<S>[]>;
  batches<S extends TypedSchema, const Path extends ListPath = '', A extends ResultForm = 'objects'>(
    source: DecodeSource,
    options: BatchOptions & { schema: S; path?: Path | undefined; as?: A | undefined },
  ): Batches<BatchAs<ItemAt<SchemaValue<S>, Path>, A>>;
  batches<T = unknown>(source: DecodeSource, options: BatchOptions & { as: 'rows' }): Batches<Rows<T>>;
  batches<T = unknown>(source: DecodeSource, options: BatchOptions & { as: 'columns' }): Batches<BatchColumns<T>>;
  batches<T = unknown>(source: DecodeSource, options?: BatchOptions & { as?: 'objects' | undefined }): Batches<T[]>;
  batches<T = unknown>(source: DecodeSource, options: BatchOptions & { as: 'objects' | 'rows' }): Batches<T[] | Rows<T>>;
  batches<T = unknown>(source: DecodeSource, options: BatchOptions): Batches<T[] | Rows<T> | BatchColumns<T>>;
  batches(source: DecodeSource, options: BatchOptions = DEFAULTS): Batches {
    let operation: Operation | undefined;
    const caller = new Error();
    const start = async (): Promise<Feed> => {
      operation = this.operation(newReport(options), options.signal, undefined, caller);
      operation.promise.catch(() => {});
      try {
        checkBeforeOpening(operation, source);
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
   * `options.onRows` reports and `done` waits for. With `keep`, the oldest are dropped.
   *
   * @example
   * const trips = await decoder.growingRows<Trip>(await fetch('/trips'), { path: 'trips', onRows: () => table.draw() });
   * await trips.done;
   */
  growingRows<S extends TypedSchema, const Path extends ListPath = ''>(
    source: DecodeSource,
    options: GrowingRowsOptions<ItemAt<SchemaValue<S>, Path>> & { schema: S; path?: Path | undefined },
  ): Promise<GrowingRows<ItemAt<SchemaValue<S>, Path>>>;
  growingRows<T = unknown>(source: DecodeSource, options?: GrowingRowsOptions<T>): Promise<GrowingRows<T>>;
  async growingRows(source: DecodeSource, options: GrowingRowsOptions = {}): Promise<GrowingRows> {
    const { onRows, keep, ...others } = options;
    const caller = new Error();
    const batches = this.batches(source, { ...others, as: 'rows' } as BatchOptions & { as: 'rows' });
    const loading = import('../streams/growing-rows.ts').catch((error: unknown) => {
      void batches.return();
      addCaller(error, caller);
      throw error;
    });
    const [{ GrowingRows }, first] = await Promise.all([loading, batches.next()]);
    return new GrowingRows(batches, first.value, onRows, keep);
  }

  override addEventListener<Type extends keyof DecoderEvents>(
    type: Type,
    listener: (event: DecoderEvents[Type]) => void,
    options?: ListenerOptions,
  ): void;
  override addEventListener(type: string, listener: Listener, options?: ListenerOptions): void;
  override addEventListener(type: string, listener: unknown, options?: ListenerOptions): void {
    this.#observed = true;
    super.addEventListener(type, listener as EventListener, options);
  }

  /** The current state of the decoder and its pool. */
  stats(): DecoderStats {
    return { ...this.#core.pool.stats(), pending: this.#pending.size, succeeded: this.#succeeded, failed: this.#failed };
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
    const caller = new Error();
    const loading = this.#preload(formats);
    loading.catch((error: unknown) => addCaller(error, caller));
    return loading;
  }

  async #preload(formats: readonly FormatId[]): Promise<void> {
    if (this.#closed) throw closedError();
    checkFormats('preload', formats);
    const { pool, router } = this.#core;
    // The engine parses JSON on this thread, in slices, and the worker's own file reads its rows.
    const here = formats.map((id) => (id === 'json' ? loadJsonSlices() : loadFormat(id)));
    await Promise.all([router.workers && startWorker(pool, formats), ...here]);
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
    if (!router.workers || route === 'page' || !(source as Partial<Response>).headers?.has) return;
    // The size of a compressed response is not known.
    if ((announced(source as Response) || Infinity) >= WARM_FROM_BYTES) startWorker(pool, format && [format]).catch(() => {});
  }

  #later(source: DecodeSource, options: DecodeOptions, report: DecodeReport, look: Look | undefined, caller: Error): Promise<unknown> {
    const operation = this.operation(report, options.signal, options.timeout ?? this.#core.options.timeout, caller);
    void decodePayload(this.#core, operation, source, options, look);
    return operation.promise;
  }

  /** @internal Begins a call that settles later. A call of a closed decoder, or of an aborted signal, has failed. */
  operation(report: DecodeReport, signal: AbortSignal | undefined, timeout?: number, caller?: Error): Operation {
    const operation = new Operation(report, { signal, timeout, caller }, (error, failed) => {
      this.#pending.delete(operation);
      report.duration = performance.now() - report.startTime;
      if (failed) this.#fail(report, error);
      else {
        this.#succeeded += 1;
        if (operation.isTypical) this.#core.router.learn(report);
        this.#report(report);
      }
    });
    this.#pending.add(operation);
    if (this.#closed) operation.reject(closedError());
    if (signal?.aborted) operation.reject(signal.reason);
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
      // Pages with workers have this code already.
      import('../run/for-tools.ts').then(({ measureDecode }) => measureDecode(report)).catch(() => {});
    }
    if (this.#observed) this.dispatchEvent(new CustomEvent('decode', { detail: report }));
  }
}

// Not every engine has the symbol yet.
// oxlint-disable-next-line typescript/unbound-method -- it becomes a method
if (Symbol.dispose) Decoder.prototype[Symbol.dispose] = Decoder.prototype.close;

/** Events that a source of messages may dispatch before the code that hears them is loaded. */
const EARLY = ['message', 'close'];

/** A method whose code is loaded with its first call. Messages that arrive before that are kept. */
function live<Method>(name: keyof Live): Method {
  return async function* (this: Decoder, source: never, options: Pick<DecodeOptions, 'signal'> | undefined) {
    const caller = new Error();
    const early: Event[] = [];
    const keep = (event: Event): unknown => early.push(event);
    const ignore = (): void => {
      for (const type of EARLY) (source as Partial<EventTarget>).removeEventListener?.(type, keep);
    };
    for (const type of EARLY) (source as Partial<EventTarget>).addEventListener?.(type, keep);
    try {
      yield* (await import('../live/index.ts'))[name](this, source, options, early, ignore);
    } catch (error) {
      ignore();
      if (error !== options?.signal?.reason) addCaller(error, caller);
      throw error;
    }
  } as Method;
}

function closedError(): DOMException {
  return new DOMException('The decoder is closed', 'AbortError');
}
