import { EncodeError } from '../../worker/errors.ts';
import { type FormatId, formatEntry, FORMATS } from '../../worker/formats/registry.ts';
import { loadWriter } from '../../worker/formats/writers.ts';
import { type Limits, resolveLimits } from '../../worker/limits.ts';
import type { DecodeSource } from '../decoder/options.ts';
import { Schemas } from '../decoder/schemas.ts';
import { free, join } from './collect.ts';
import type { Compressor } from './compressor.ts';
import { withLazyLists } from './lazy-lists.ts';
import { type MadeWriter, makeWriter } from './make-writer.ts';
import type { Compression, EncodeOptions, EncoderOptions } from './options.ts';
import { type EncodeInput, EncodeSlices } from './slices.ts';
import type { TranscodeSource } from './transcode.ts';

type Chunk = Uint8Array<ArrayBuffer>;

/** Parts of a Blob that become a Blob of their own. */
const BLOB_PARTS = 16;

/** Values that `stream` writes as they come: the items of a list. */
export type AsyncItems = AsyncIterable<unknown>;

/**
 * Turns values into bytes, in slices of at most about 4 ms of the calling thread. Values are read while it runs: one that is
 * changed in between gives an EncodeError or bytes of both states, as `for … of` over a list would.
 */
export class Encoder {
  readonly #options: EncoderOptions;
  readonly #limits: Limits;
  readonly #schemas: Schemas;
  #compressor: Promise<Compressor> | undefined;
  readonly #closed = new AbortController();

  /** @internal Made by `createEncoder`. */
  constructor(options: EncoderOptions) {
    this.#options = options;
    this.#limits = resolveLimits(options.limits);
    this.#schemas = new Schemas(options.schemas);
  }

  /**
   * Encodes a value into one array of bytes, whose buffer is its own. Rejects with an EncodeError where the format cannot hold
   * the value, a SchemaError, or the signal's reason.
   */
  async encode<Id extends FormatId>(value: unknown, options: EncodeOptions<Id>): Promise<Uint8Array<ArrayBuffer>> {
    const chunks: Chunk[] = [];
    await this.#write(value, options, (chunk) => chunks.push(chunk));
    return await join(chunks, options.signal);
  }

  /**
   * Encodes a value, or the items of a list as they come, as a stream. It writes when it is read from, so that a slow reader
   * holds it back; what is not read yet is at most a chunk of a megabyte, and in formats whose containers begin with their
   * length (BSON) the outermost container. An error errors the stream.
   */
  stream<Id extends FormatId>(value: unknown, options: EncodeOptions<Id>): ReadableStream<Uint8Array<ArrayBuffer>> {
    let slices: EncodeSlices | undefined;
    const bytes = pulled(
      async () => await (slices ??= await this.#slices(value, options)).next(),
      async () => await slices?.cancel(),
    );
    return this.#compressed(bytes, options.compression);
  }

  /**
   * Encodes a value into a Blob with the format's media type as its `type`: what `fetch` takes as a body in every engine, with
   * its length and its `Content-Type`. Its bytes are compressed where `compression` says so; the request then needs a
   * `Content-Encoding` header.
   */
  async body<Id extends FormatId>(value: unknown, options: EncodeOptions<Id>): Promise<Blob> {
    const type = formatEntry(this.#format(options))!.mediaTypes[0]!;
    const parts: Blob[] = [];
    // A Blob copies what it is made of, but for other Blobs: so this is done in slices as well.
    await this.#write(value, options, (chunk) => {
      parts.push(new Blob([chunk], { type }));
      free(chunk);
      // Each part takes time, in the end too.
      if (parts.length === BLOB_PARTS) parts.splice(0, BLOB_PARTS, new Blob(parts));
    });
    return parts.length === 1 ? parts[0]! : new Blob(parts, { type });
  }

  /**
   * Reads a payload of one format and writes it in another: `from` says how it is read, as `decode` has it, and `to` how it is
   * written, as `encode` has it. The result is what encoding the decoded value gives. It runs while the bytes come, in slices of
   * the calling thread; see `docs/encoding.md` for what is in memory. The code that reads is loaded with the first call.
   */
  transcode<From extends FormatId, To extends FormatId>(
    source: DecodeSource,
    { from = {}, to }: { from?: TranscodeSource<From>; to: EncodeOptions<To> },
  ): ReadableStream<Uint8Array<ArrayBuffer>> {
    const bytes = lazily(async () => {
      const [{ transcoded }, { writing, signal }] = await Promise.all([import('./transcode.ts'), this.#prepare(to)]);
      return transcoded(source, { schemas: this.#schemas, limits: resolveLimits(from.limits), from, writing, signal });
    });
    return this.#compressed(bytes, to.compression);
  }

  /** Ends the worker that compresses. Encodes that run reject with an AbortError. */
  close(): void {
    this.#closed.abort(new DOMException('The encoder was closed', 'AbortError'));
    this.#compressor?.then(
      (compressor) => compressor.close(),
      () => {},
    );
  }

  /** The bytes of a stream, compressed where that is wanted. Few pages compress: what does is loaded when the result is read. */
  #compressed(bytes: ReadableStream<Chunk>, format: Compression | undefined): ReadableStream<Chunk> {
    return format === undefined ? bytes : lazily(async () => (await this.#loadCompressor()).compress(bytes, format));
  }

  /** Concurrent callers share one load; after one that failed, the next tries again. */
  async #loadCompressor(): Promise<Compressor> {
    this.#compressor ??= import('./compressor.ts').then(({ Compressor: Loaded }) => new Loaded(this.#options.createWorker));
    try {
      const compressor = await this.#compressor;
      this.#closed.signal.throwIfAborted();
      return compressor;
    } catch (error) {
      this.#compressor = undefined;
      throw error;
    }
  }

  /** Writes a value, and puts each chunk out as it is whole. */
  async #write(value: unknown, options: EncodeOptions, put: (chunk: Chunk) => void): Promise<void> {
    if (options.compression !== undefined) {
      const reader = this.stream(value, options).getReader();
      for (let read = await reader.read(); !read.done; read = await reader.read()) put(read.value);
      return;
    }
    const slices = await this.#slices(value, options);
    for (let chunk = await slices.next(); chunk !== undefined; chunk = await slices.next()) put(chunk);
  }

  async #slices(value: unknown, options: EncodeOptions): Promise<EncodeSlices> {
    const { writing, signal } = await this.#prepare(options);
    const input = inputOf(value);
    if ('items' in input && !writing.takesItems) {
      const reason = 'a list whose length is not known before its end: set the option sequence';
      throw new EncodeError('unsupported', reason, { format: writing.id });
    }
    return new EncodeSlices(writing, input, { ...options, signal });
  }

  async #prepare(options: EncodeOptions): Promise<{ writing: MadeWriter; signal: AbortSignal }> {
    this.#closed.signal.throwIfAborted();
    const signal = options.signal ? AbortSignal.any([options.signal, this.#closed.signal]) : this.#closed.signal;
    signal.throwIfAborted();
    const id = this.#format(options);
    const own = { ...this.#options.formats?.[id], ...options.options };
    const setting = { id, options: own, schema: options.schema, schemas: this.#schemas, limits: this.#limits };
    return { writing: await makeWriter(await loadWriter(id, own), setting), signal };
  }

  #format({ format, schema }: EncodeOptions): FormatId {
    const id = format ?? this.#schemas.formatOf(schema);
    if (id === undefined) throw new TypeError('no format is given, nor the name of a schema: set the option format');
    if (formatEntry(id) === undefined) throw new TypeError(`unknown format ${String(id)}; known are ${FORMATS.map((entry) => entry.id).join(', ')}`);
    return id;
  }
}

/** A stream of chunks that are asked for one by one, when they are read, until there is none. */
function pulled(next: () => Promise<Chunk | undefined>, cancel: (reason: unknown) => Promise<void>): ReadableStream<Chunk> {
  return new ReadableStream<Chunk>(
    {
      async pull(controller) {
        const chunk = await next();
        if (chunk === undefined) controller.close();
        else controller.enqueue(chunk);
      },
      cancel,
    },
    { highWaterMark: 0 },
  );
}

/** A stream that is opened when it is first read from, or cancelled. */
function lazily(open: () => Promise<ReadableStream<Chunk>>): ReadableStream<Chunk> {
  let reader: Promise<ReadableStreamDefaultReader<Chunk>> | undefined;
  const opened = (): Promise<ReadableStreamDefaultReader<Chunk>> => (reader ??= open().then((stream) => stream.getReader()));
  return pulled(
    async () => (await (await opened()).read()).value,
    async (reason) => await (await opened()).cancel(reason),
  );
}

function inputOf(value: unknown): EncodeInput {
  if (typeof value !== 'object' || value === null) return { value };
  if (value instanceof ReadableStream) {
    // Not every engine can iterate over streams.
    const reader = value.getReader();
    return { items: { next: () => reader.read(), return: () => reader.cancel() } };
  }
  const iterate = (value as Partial<AsyncItems>)[Symbol.asyncIterator];
  return typeof iterate === 'function' ? { items: iterate.call(value) } : { value: withLazyLists(value) };
}
