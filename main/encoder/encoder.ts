import { EncodeError } from '../../worker/errors.ts';
import { joined } from '../../worker/bytes/byte-input.ts';
import { type FormatId, formatEntry, FORMATS } from '../../worker/formats/registry.ts';
import { loadWriter } from '../../worker/formats/writers.ts';
import { type Limits, resolveLimits } from '../../worker/limits.ts';
import type { DecodeSource } from '../decoder/options.ts';
import { Schemas } from '../decoder/schemas.ts';
import type { Compressor } from './compressor.ts';
import { withLazyLists } from './lazy-lists.ts';
import { type MadeWriter, makeWriter } from './make-writer.ts';
import type { Compression, EncodeOptions, EncoderOptions } from './options.ts';
import { type EncodeInput, EncodeSlices } from './slices.ts';
import { streamOf } from './stream-of.ts';
import type { TranscodeSource } from './transcode.ts';

type Chunk = Uint8Array<ArrayBuffer>;

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
    return joined(await this.#chunks(value, options));
  }

  /**
   * Encodes a value, or the items of a list as they come, as a stream. It writes when it is read from, so that a slow reader
   * holds it back; what is not read yet is at most a chunk of a megabyte, and in formats whose containers begin with their
   * length (BSON) the outermost container. An error errors the stream.
   */
  stream<Id extends FormatId>(value: unknown, options: EncodeOptions<Id>): ReadableStream<Uint8Array<ArrayBuffer>> {
    let slices: EncodeSlices | undefined;
    const bytes = new ReadableStream<Chunk>(
      {
        pull: async (controller) => {
          slices ??= await this.#slices(value, options);
          const chunk = await slices.next();
          if (chunk === undefined) controller.close();
          else controller.enqueue(chunk);
        },
        cancel: async () => await slices?.cancel(),
      },
      { highWaterMark: 0 },
    );
    return options.compression === undefined ? bytes : this.#compressed(bytes, options.compression);
  }

  /**
   * Encodes a value into a Blob with the format's media type as its `type`: what `fetch` takes as a body in every engine, with
   * its length and its `Content-Type`. Its bytes are compressed where `compression` says so; the request then needs a
   * `Content-Encoding` header.
   */
  async body<Id extends FormatId>(value: unknown, options: EncodeOptions<Id>): Promise<Blob> {
    const chunks = await this.#chunks(value, options);
    const [type] = formatEntry(this.#format(options))!.mediaTypes;
    return new Blob(chunks, { type: type! });
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
    const bytes = streamOf(async (put, unwanted) => {
      const [{ transcodeInto }, { writing, signal }] = await Promise.all([import('./transcode.ts'), this.#prepare(to)]);
      const limits = resolveLimits(from.limits);
      const setting = { schemas: this.#schemas, limits, from: from as TranscodeSource, writing, signal: AbortSignal.any([signal, unwanted]) };
      await transcodeInto(source, setting, put);
    });
    return to.compression === undefined ? bytes : this.#compressed(bytes, to.compression);
  }

  /** Ends the worker that compresses. Encodes that run reject with an AbortError. */
  close(): void {
    this.#closed.abort(new DOMException('The encoder was closed', 'AbortError'));
    this.#compressor?.then((compressor) => compressor.close()).catch(() => {});
  }

  /** The bytes of a stream, compressed. Few pages compress: what does is loaded when the result is read. */
  #compressed(bytes: ReadableStream<Chunk>, format: Compression): ReadableStream<Chunk> {
    let reader: ReadableStreamDefaultReader<Chunk> | undefined;
    return new ReadableStream<Chunk>(
      {
        pull: async (controller) => {
          reader ??= (await this.#loadCompressor()).compress(bytes, format).getReader();
          const { done, value } = await reader.read();
          if (done) controller.close();
          else controller.enqueue(value);
        },
        cancel: async (reason) => await (reader ?? bytes).cancel(reason),
      },
      { highWaterMark: 0 },
    );
  }

  /** Concurrent callers share one load; after one that failed, the next tries again. */
  async #loadCompressor(): Promise<Compressor> {
    this.#compressor ??= (async () => {
      const { Compressor: Loaded } = await import('./compressor.ts');
      return new Loaded(this.#options.createWorker);
    })();
    try {
      const compressor = await this.#compressor;
      this.#closed.signal.throwIfAborted();
      return compressor;
    } catch (error) {
      this.#compressor = undefined;
      throw error;
    }
  }

  async #chunks(value: unknown, options: EncodeOptions): Promise<Chunk[]> {
    const chunks: Chunk[] = [];
    if (options.compression !== undefined) {
      const reader = this.stream(value, options).getReader();
      for (let read = await reader.read(); !read.done; read = await reader.read()) chunks.push(read.value);
      return chunks;
    }
    const slices = await this.#slices(value, options);
    for (let chunk = await slices.next(); chunk !== undefined; chunk = await slices.next()) chunks.push(chunk);
    return chunks;
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

function inputOf(value: unknown): EncodeInput {
  if (typeof value !== 'object' || value === null) return { value };
  if (value instanceof ReadableStream) return { items: itemsOf(value) };
  const iterate = (value as Partial<AsyncItems>)[Symbol.asyncIterator];
  return typeof iterate === 'function' ? { items: iterate.call(value) } : { value: withLazyLists(value) };
}

/** Not every engine can iterate over streams. */
async function* itemsOf(stream: ReadableStream<unknown>): AsyncGenerator {
  const reader = stream.getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
  } finally {
    await reader.cancel();
  }
}
