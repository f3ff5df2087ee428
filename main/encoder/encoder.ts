import { EncodeError } from '../../core/errors.ts';
import { isSource, type Source, UNKNOWN_LENGTH } from '../../core/values/sources.ts';
import type { FormatId } from '../../core/format/format-id.ts';
import { type FormatEntry, formatEntry } from '../../core/formats/registry.ts';
import { loadSchemaCode } from '../../core/formats/loaders.ts';
import { loadWriter } from '../../core/formats/writers.ts';
import { KEPT, type KeepsRecords } from '../../core/kept-records.ts';
import { type Limits, resolveLimits } from '../../core/limits.ts';
import type { DecodeSource } from '../call/options/options.ts';
import { Schemas } from '../call/schemas.ts';
import { byteStream } from './byte-stream.ts';
import { free, join } from './collect.ts';
import type { RecordOptions } from '../../core/writing/record-ids.ts';
import type { EncodableValue } from './encodable.ts';
import { countRecords, withLazyLists } from '../../core/values/lazy-lists.ts';
import { makeWriter } from './make-writer.ts';
import type { EncodeMessageOptions, MessageSocket, SendOptions } from './messages.ts';
import type { Compression, EncodeOptions, EncoderOptions } from './options.ts';
import type { PreparedEncode } from './rows/rows-writer.ts';
import { type ChunkSource, closeItems, EncodeSlices, itemsOf } from './encode-slices.ts';
import type { TranscodeSource } from './transcode/transcode.ts';
import type { EncoderWorkers } from './workers.ts';

type Chunk = Uint8Array<ArrayBuffer>;

/** Number of a Blob's parts that are merged into one Blob. */
const BLOB_PARTS = 16;

/** Number of `Rows` records from which they are written in a worker. */
const MANY_RECORDS = 10_000;

/** Code that is loaded for the first message. */
type MessageCode = typeof import('./messages.ts');

/**
 * Encodes values into bytes, in slices of about 4 ms at most. Values are read while the encode runs: changing one in
 * between causes an EncodeError or bytes of both states, like changing a list during `for … of`.
 */
export class Encoder {
  readonly #options: EncoderOptions;
  readonly #limits: Limits;
  readonly #schemas: Schemas;
  readonly #kept: { workers?: Promise<EncoderWorkers>; messages?: Promise<MessageCode> } = {};
  readonly #closed = new AbortController();

  /** @internal Created by `createEncoder`. */
  constructor(options: EncoderOptions) {
    this.#options = options;
    this.#limits = resolveLimits(options.limits);
    this.#schemas = new Schemas(options.schemas, loadSchemaCode);
  }

  /**
   * Encodes a value into one array of bytes that owns its buffer. Rejects with an EncodeError if the format cannot
   * represent the value, a SchemaError, or the signal's reason. With a schema of `defineSchema`, the value has its type.
   */
  async encode<T = unknown>(value: EncodableValue<NoInfer<T>>, options: EncodeOptions<FormatId, T>): Promise<Uint8Array<ArrayBuffer>> {
    const chunks: Chunk[] = [];
    await this.#write(value, options, (chunk) => chunks.push(chunk));
    return await join(chunks, options.signal);
  }

  /**
   * Encodes a value, or the items of a list as they arrive, as a stream. Writes only while the stream is read, so a
   * slow reader applies backpressure. Buffers at most a chunk of a megabyte, except in formats whose containers begin
   * with their length (BSON), which buffer the outermost container. An error errors the stream. A reader with its own
   * buffer (`mode: 'byob'`) keeps memory use constant: see `docs/guides/encoding.md`.
   */
  stream<T = unknown>(value: EncodableValue<NoInfer<T>>, options: EncodeOptions<FormatId, T>): ReadableStream<Uint8Array<ArrayBuffer>> {
    return byteStream(() => this.#source(value, options), isSource(value));
  }

  /**
   * Encodes a value into a Blob with the format's media type as its `type`. In every engine, `fetch` accepts a Blob as
   * a body and sends its length and `Content-Type`. If `compression` is set, the request also needs a
   * `Content-Encoding` header.
   */
  async body<T = unknown>(value: EncodableValue<NoInfer<T>>, options: EncodeOptions<FormatId, T>): Promise<Blob> {
    const { mediaTypes } = await this.#format(options);
    let parts: Blob[] = [];
    // Blobs copy everything except other Blobs, so each chunk becomes a Blob in its slice.
    await this.#write(value, options, (chunk) => {
      parts.push(new Blob([chunk]));
      free(chunk);
      // Many parts would make the final Blob slow to create.
      if (parts.length === BLOB_PARTS) parts = [new Blob(parts)];
    });
    return new Blob(parts, { type: mediaTypes[0]! });
  }

  /**
   * Encodes a value, and sends it as a message: as text if it is JSON, otherwise as bytes. Messages are sent in the order of the
   * calls. Each waits until the socket is open and buffers at most `limitBytes` (1 MiB), and the promise resolves once the socket
   * has taken the message: a loop that awaits it is as fast as the connection. Rejects like `encode`, and with a NetworkError if the
   * socket closes before; the next messages are sent all the same. The first call loads the code that sends.
   *
   * @example
   * await encoder.send(socket, { subscribe: 'trips' }, { format: 'messagepack' });
   */
  async send<T = unknown>(socket: MessageSocket, value: EncodableValue<NoInfer<T>>, options: SendOptions<FormatId, T>): Promise<void> {
    await (await this.#loadMessages()).send(this, this.#closed.signal, socket, value, options);
  }

  /**
   * Creates a stream that encodes each value written to it into a message: text if it is JSON, otherwise bytes. It takes the next
   * value once the message is read, so a slow reader holds it back. A value that cannot be encoded errors the stream.
   *
   * @example
   * await ticks.pipeThrough(encoder.messages({ format: 'cbor' })).pipeTo((await socketStream.opened).writable);
   */
  messages<T = unknown>(options: EncodeMessageOptions<FormatId, T>): TransformStream<EncodableValue<NoInfer<T>>, string | Uint8Array<ArrayBuffer>> {
    return new TransformStream({
      transform: async (value, stream) => (await this.#loadMessages()).put(this, stream, value, options),
    });
  }

  /**
   * Reads a payload of one format and writes it in another. `from` takes options of `decode`, and `to` options of
   * `encode`. The result equals encoding the decoded value. Runs in slices while the bytes arrive; see
   * `docs/guides/encoding.md` for memory use. The first call loads the code that reads.
   */
  transcode(
    source: DecodeSource,
    { from = {}, to }: { from?: TranscodeSource | undefined; to: EncodeOptions },
  ): ReadableStream<Uint8Array<ArrayBuffer>> {
    return byteStream(async () => {
      const writing = this.#prepare(to);
      writing.catch(() => {});
      const { transcoded } = await this.#load(import('./transcode/transcode.ts'));
      return this.#compressed(await transcoded(source, { schemas: this.#schemas, from, writing }), to.compression);
    }, true);
  }

  /** Ends the encoder's workers. Running encodes reject with an AbortError. */
  close(): void {
    this.#closed.abort(new DOMException('The encoder was closed', 'AbortError'));
  }

  /** Compresses the bytes of a source if requested. */
  async #compressed(bytes: ChunkSource, format: Compression | undefined): Promise<ChunkSource> {
    return format === undefined ? bytes : (await this.#loadWorkers()).compress(bytes, format);
  }

  /** Concurrent callers share one load, and continue in the order of their calls. After a failed load, the next caller tries again. */
  #loadWorkers(): Promise<EncoderWorkers> {
    return (this.#kept.workers ??= this.#load(
      import('./workers.ts').then(({ EncoderWorkers }) => new EncoderWorkers(this.#closed.signal, this.#options.createWorker)),
      'workers',
    ));
  }

  #loadMessages(): Promise<MessageCode> {
    return (this.#kept.messages ??= this.#load(import('./messages.ts'), 'messages'));
  }

  /** Waits for code. In a service worker, where no code can be loaded, the error names the entry to use. */
  #load<T>(code: Promise<T>, kept?: 'workers' | 'messages'): Promise<T> {
    return code.catch((error: unknown) => {
      delete this.#kept[kept!];
      throw 'clients' in globalThis ? new TypeError('service workers refuse import(): use unspool/sync') : error;
    });
  }

  /** Writes a value, and passes each completed chunk to `put`. */
  async #write(value: unknown, options: EncodeOptions, put: (chunk: Chunk) => void): Promise<void> {
    const source = await this.#source(value, options);
    for (let chunk: Chunk | undefined; (chunk = await source.next());) put(chunk);
  }

  async #source(value: unknown, options: EncodeOptions): Promise<ChunkSource> {
    return await this.#compressed(await this.#open(value, options), options.compression);
  }

  async #open(value: unknown, options: EncodeOptions): Promise<ChunkSource> {
    const items = isSource(value) ? itemsOf(value) : undefined;
    const known = new Map<object, object>();
    const sources: Source[] = [];
    try {
      const seen = !items && typeof value === 'object' && value !== null ? withLazyLists(value, known, sources) : value;
      const prepared = await this.#prepare(options);
      const { writing, signal } = prepared;
      // `collectSources` closes them itself.
      const given = sources[0]
        ? await (await this.#load(import('./collect-sources.ts'))).collectSources(value as object, sources.splice(0), prepared)
        : seen;
      const input = items ? { items } : { value: given };
      if (items && !writing.takesItems) throw new EncodeError('unsupported', UNKNOWN_LENGTH, { format: writing.id });
      const { worker } = this.#options;
      const isForWorker = worker !== false && !(prepared.options as RecordOptions).keepRecords && countRecords(known) >= (worker ? 1 : MANY_RECORDS);
      // If the code cannot be loaded, writes on this thread.
      const workers = isForWorker ? await this.#loadWorkers().catch(() => undefined) : undefined;
      return workers?.write({ ...options, ...prepared, value, input }) ?? new EncodeSlices(writing, input, { ...options, signal });
    } catch (error) {
      for (const each of items ? [items] : sources.map(itemsOf)) closeItems(each, error);
      throw error;
    }
  }

  async #prepare(options: EncodeOptions): Promise<PreparedEncode> {
    const { id } = await this.#format(options);
    const { signal: closed } = this.#closed;
    const signal = options.signal ? AbortSignal.any([closed, options.signal]) : closed;
    signal.throwIfAborted();
    const setting = {
      id,
      options: { [KEPT]: (options as KeepsRecords)[KEPT] ?? this, ...this.#options.formatOptions?.[id], ...options.options },
      schema: options.schema,
      schemas: this.#schemas,
      limits: this.#limits,
    };
    // Most encodes have a format alone.
    const isPlain = Object.keys({ ...this.#options, ...options }).every((name) => /^(?:format|signal|worker)$/.test(name));
    const [format, checks] = await this.#load(Promise.all([loadWriter(id, setting.options), isPlain ? undefined : import('./check-options.ts')]));
    checks?.checkOptions(this.#options, options, id, setting.options);
    return { ...setting, writing: await makeWriter(format, setting), signal, format };
  }

  async #format(options: EncodeOptions | undefined): Promise<FormatEntry> {
    const { format, schema }: Partial<EncodeOptions> = options ?? {};
    const entry = formatEntry(format ?? this.#schemas.formatOf(schema) ?? '');
    return entry ?? (await this.#load(import('./check-options.ts'))).refuseFormat(format, schema, this.#schemas);
  }
}
