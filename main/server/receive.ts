import { bytesFrom } from '../../core/bytes/bytes-in.ts';
import { DecodeError, LimitError, NetworkError, SchemaError } from '../../core/errors.ts';
import { detectByMediaType } from '../../core/formats/detect.ts';
import { loadSchemaCode } from '../../core/formats/loaders.ts';
import { checkSchemas } from '../call/options/check.ts';
import type { DecodeOptions } from '../call/options/options.ts';
import type { FormatId } from '../../core/format/format-id.ts';
import type { FormatOptions } from '../../core/formats/registry.ts';
import type { Limits } from '../../core/limits.ts';
import { Schemas } from '../call/schemas.ts';
import { decompress, knownRequestCodings } from './coding.ts';
import { decodeBody } from './decode-body.ts';
import { alternativesOf, formatsOf } from './negotiate.ts';
import { RequestError } from './request-error.ts';
import { schemasByFormat, type ValueSchemas } from './respond.ts';
import { headerOf, type ServerRequest } from './server-request.ts';

type Chunk = Uint8Array<ArrayBuffer>;

/** A request with a body: a Fetch `Request`, an `IncomingMessage`, or its headers and body. */
export interface ReceivedRequest extends ServerRequest {
  readonly body?: unknown;
  readonly bodyUsed?: boolean;
  readonly readableEnded?: boolean;
}

/** Options of `receive`. Keep the object for all requests: its schemas are compiled once for each object. */
export interface ReceiveOptions<T = unknown> {
  /** The formats accepted, with their options. Default: JSON, MessagePack and CBOR, and those that have a schema. */
  formats?: { readonly [Id in FormatId]?: FormatOptions[Id] | undefined } | undefined;
  /** Schemas of the value by name, for formats that need one. */
  schemas?: ValueSchemas<T> | undefined;
  /**
   * Limits of the body. `bytes`, in bytes before and after decompression, is 1 MiB by default; for the others see
   * `Limits`.
   */
  limits?: Partial<Limits> | undefined;
  /** Treatment of text that is not valid UTF-8: see `DecodeSettings.invalidText`. Default `error`: status 400. */
  invalidText?: DecodeOptions['invalidText'];
  /** Ends the decode with the signal's reason. Default: the request's ends the body. */
  signal?: AbortSignal | undefined;
}

/** Bytes of a body by default, as in other servers. */
const BODY_BYTES = 1024 * 1024;

/** Compiled schemas by those of the options. */
const compiled = new WeakMap<object, Schemas>();
const NO_SCHEMAS = {};

/**
 * Decodes the body of a request by its `Content-Type` and `Content-Encoding` (`gzip`, `deflate`, `zstd`, and `br` where the
 * runtime has it), in slices of about 4 ms. Rejects with a RequestError: `status` 415 for another format or compression, 413
 * for a body that exceeds a limit, 400 for one that is not valid or ends early. Its message says where, and its `cause` is
 * the error of the decoder.
 *
 * @example
 * app.post('/orders', async (c) => c.json(await save(await receive<Order[]>(c.req.raw))));   // Hono
 * app.post('/orders', async (request, response) => save(await receive<Order[]>(request)));   // Express
 */
export async function receive<T = unknown>(request: ReceivedRequest, options: ReceiveOptions<T> = {}): Promise<T> {
  const { formats, schemas: named = NO_SCHEMAS, limits, invalidText, signal } = options;
  const schemas = schemasByFormat(named);
  const accepted = formatsOf(formats, schemas);
  const type = headerOf(request, 'content-type');
  const detected = detectByMediaType(type);
  const typed = detected?.entry.id;
  // JSON of a value with such a schema is ProtoJSON.
  const format = typed === 'json' && accepted.includes('protojson') ? 'protojson' : typed;
  if (!format || !accepted.includes(format)) {
    const types = alternativesOf(accepted)
      .map((alternative) => alternative.type)
      .join(', ');
    throw new RequestError(415, `${type ? `the type ${type}` : 'a body without Content-Type'} is not accepted, only ${types}`, {
      headers: { Accept: types },
    });
  }
  const bytes = limits?.bytes ?? BODY_BYTES;
  const length = Number(headerOf(request, 'content-length') ?? 0);
  if (length > bytes) throw new RequestError(413, `a body of ${length} bytes, where at most ${bytes} are accepted`);
  const coding = codingOf(request);
  const { stream, refused } = bodyOf(request, bytes);
  const source = coding && coding !== 'zstd' ? decompress(stream, coding) : stream;
  let known = compiled.get(named);
  if (!known) {
    checkSchemas(schemas);
    compiled.set(named, (known = new Schemas(schemas, loadSchemaCode)));
  }
  try {
    const settings = { format, schemas: known, limits: { ...limits, bytes }, invalidText, zstd: coding === 'zstd', signal };
    return (await decodeBody(source, { ...settings, options: { ...(detected?.sequence && { sequence: true }), ...formats?.[format] } })) as T;
  } catch (error) {
    throw signal?.aborted && error === signal.reason ? error : (refused() ?? requestError(error, coding));
  }
}

/** The content coding of a body that has one. */
function codingOf(request: ServerRequest): string | undefined {
  const named = headerOf(request, 'content-encoding')?.trim().toLowerCase() || 'identity';
  if (named === 'identity') return undefined;
  const coding = named.replace(/^x-gzip$/, 'gzip');
  const known = ['zstd', ...knownRequestCodings()];
  if (known.includes(coding)) return coding;
  throw new RequestError(415, `the Content-Encoding ${named} is not accepted, only ${known.join(', ')}`, {
    headers: { 'Accept-Encoding': known.join(', ') },
  });
}

/** A stream of Node, whose iterator need not destroy it, and with it the connection. */
interface NodeReadable extends AsyncIterable<Chunk> {
  iterator?(options: { destroyOnReturn: boolean }): AsyncIterator<Chunk>;
}

/** Reads the chunks of a body. */
interface ChunkReader {
  next(): Promise<{ readonly done?: boolean | undefined; readonly value?: unknown }>;
  cancel(reason: unknown): Promise<unknown>;
}

/** The body of a request. */
interface Body {
  readonly stream: ReadableStream<Chunk>;
  /** The error of a chunk that is not bytes: the server's, not the client's. */
  readonly refused: () => unknown;
}

/**
 * The bytes of a request, as they are asked for. Errors with a NetworkError if they end early, and with a LimitError if they
 * exceed the limit. Throws a TypeError if something else has read them.
 */
function bodyOf(request: ReceivedRequest, limit: number): Body {
  const { body, bodyUsed, readableEnded } = request;
  if (bodyUsed || readableEnded) throw new TypeError('the body of the request was read before: call receive where no body parser runs');
  const reader = readerOf(body) ?? readerOf(request);
  let received = 0;
  let refused: unknown;
  const stream = new ReadableStream<Chunk>(
    {
      async pull(controller) {
        let value: unknown;
        try {
          value = (await reader?.next())?.value;
        } catch (cause) {
          throw new NetworkError('the body of the request ended early', received, { cause });
        }
        if (value === undefined) {
          controller.close();
          return;
        }
        let chunk: Chunk;
        try {
          chunk = bytesFrom(value, 'chunks of bytes: call receive where no encoding is set');
        } catch (error) {
          await reader?.cancel(undefined);
          throw (refused = error);
        }
        received += chunk.length;
        if (received > limit) {
          await reader?.cancel(undefined);
          throw new LimitError('bytes', `limit exceeded: ${limit} bytes of input`);
        }
        controller.enqueue(chunk);
      },
      cancel: (reason) => reader?.cancel(reason) as Promise<void> | undefined,
    },
    { highWaterMark: 0 },
  );
  return { stream, refused: () => refused };
}

/** A reader of a stream of either kind; undefined for other values. */
function readerOf(source: unknown): ChunkReader | undefined {
  if (typeof (source as Partial<ReadableStream<Chunk>> | null | undefined)?.getReader === 'function') {
    const reader = (source as ReadableStream<Chunk>).getReader();
    return { next: () => reader.read(), cancel: (reason) => reader.cancel(reason) };
  }
  const stream = source as Partial<NodeReadable> | null | undefined;
  if (typeof stream !== 'object') return undefined;
  const chunks = stream?.iterator?.({ destroyOnReturn: false }) ?? stream?.[Symbol.asyncIterator]?.();
  if (!chunks) return undefined;
  return { next: () => chunks.next(), cancel: async () => await chunks.return?.() };
}

/** The error of a request whose body cannot be decoded; errors that are not the body's unchanged. */
function requestError(error: unknown, coding: string | undefined): unknown {
  if (error instanceof LimitError) return new RequestError(error.limit === 'depth' ? 400 : 413, error.message, { cause: error });
  // A SchemaError without an offset is about the server's own schema.
  if (error instanceof SchemaError && error.offset === undefined) return error;
  if (error instanceof DecodeError || error instanceof NetworkError || error instanceof SchemaError) {
    return new RequestError(400, error.message, { cause: error });
  }
  return coding ? new RequestError(400, `the body is no valid ${coding}: ${String((error as Partial<Error>).message)}`, { cause: error }) : error;
}
