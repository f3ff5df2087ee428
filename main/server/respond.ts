import type { FormatId } from '../../core/format/format-id.ts';
import type { WriteOptions } from '../../core/formats/registry.ts';
import { isRecordList } from '../../core/values/record-list.ts';
import { isSource } from '../../core/values/sources.ts';
import type { SchemaDefinition } from '../call/options/options.ts';
import { Encoder } from '../encoder/encoder.ts';
import type { EncodeOptions } from '../encoder/options.ts';
import { canUseDictionaries, chooseCoding, type Coding, compress, compressWith } from './coding.ts';
import { type DictionaryOptions, dictionariesOf, keepStream } from './dictionaries.ts';
import { entityTag, hashOf, isKnown } from './etag.ts';
import { choose, formatsOf, type Alternative, alternativesOf } from './negotiate.ts';
import { problem } from './request-error.ts';
import { headerOf, headersFrom, type HeadersSource, type ServerRequest } from './server-request.ts';

type Chunk = Uint8Array<ArrayBuffer>;

/**
 * Schemas of one value by name, as a decoder has them. A response or a request has one value, which each format describes in its
 * own way, so that there is one of each format at most. `T` is the type of the value, if the schemas carry it.
 */
export type ValueSchemas<T = unknown> = Readonly<Record<string, SchemaDefinition & { readonly '~type'?: T }>>;

/** A request that is answered. */
export interface RespondRequest extends ServerRequest {
  /** Aborted when the client leaves, as that of a `Request` is in most servers. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of compression. */
export interface CompressionOptions {
  /** The encodings in the order preferred. Default: all, as with `compression: true`. */
  codings?: readonly Coding[] | undefined;
  /**
   * The last response is the dictionary of the next, in clients that accept the encoding `dcz`, such as Chromium in secure
   * contexts: a refetch costs about the bytes that have changed. For responses with status 200 to `GET`, up to 8 MiB, whose
   * `Cache-Control` lets the client keep them. Takes Node 22.19, 24.6 or later, or Bun, and does nothing in other runtimes. Read
   * docs/guides/server.md on its dangers before you set it.
   */
  dictionaries?: DictionaryOptions | undefined;
}

/** Options of `respond` and `send`. Keep the object for all requests: its schemas are compiled once for each object. */
export interface RespondOptions {
  /**
   * The formats offered, the preferred first, with their options. Default: JSON, MessagePack and CBOR, and those that have a
   * schema. JSON is preferred by default, so that clients without an `Accept` header, such as `curl`, get it. Its default options are
   * `{ bigints: 'number', bytes: 'base64', maps: 'object', sets: 'array' }`, as in the JSON of a service worker.
   */
  formats?: { readonly [Id in FormatId]?: WriteOptions[Id] | undefined } | undefined;
  /** Schemas of the value by name, for formats that need one. */
  schemas?: ValueSchemas | undefined;
  /**
   * Whether the body is compressed if the client accepts it: with the first of `zstd` (in Node 22.15 and later), `br` and
   * `gzip` that the client values most, or with one of a list in the order preferred. Bodies below 1 kB stay as they are.
   * Default false, since many proxies compress.
   */
  compression?: boolean | readonly Coding[] | CompressionOptions | undefined;
  /**
   * The entity tag for conditional requests, which get status 304 if their version is current: a version of the value, to
   * which the format is added, or `true` for a hash of the encoded bytes, which are then built in memory.
   */
  etag?: string | true | undefined;
  /** Status of the response. Default 200. Only responses with status 200 have an entity tag. With 204, 205 and 304, the value is left out. */
  status?: number | undefined;
  /** Further headers, such as `Cache-Control`; a list of values for several cookies. A `Vary` among them is extended. */
  headers?: HeadersSource | undefined;
  /** Ends the response with the signal's reason. Default: the request's. */
  signal?: AbortSignal | undefined;
}

/**
 * The answer to a request: a value, a promise of one, or a function that returns either. The function is called only if the client
 * does not have the version in the option `etag`.
 */
export type Answer<T> = T | Promise<T> | (() => T | Promise<T>);

/** Bytes below which a body is not compressed. */
const MIN_COMPRESSED = 1024;

/** Statuses of responses without a body (Fetch standard, null body status). */
const NO_BODY = [204, 205, 304];

/** Options of JSON unless `formats` says otherwise: those of a service worker that answers with JSON. */
const JSON_OPTIONS: WriteOptions['json'] = { bigints: 'number', bytes: 'base64', maps: 'object', sets: 'array' };

/** Encoders by the schemas of the options. */
const encoders = new WeakMap<object, Encoder>();
const NO_SCHEMAS = {};

/** Examples of values that are offered in different media types: one value, a list, and items that arrive one by one. */
const KINDS = [(): unknown => undefined, (): unknown => [], (): unknown => [].values()];

/**
 * Answers a request with a value in the format that its `Accept` header prefers (RFC 9110 section 12): with `Content-Type`,
 * `Vary`, and status 406 if it accepts no format that is offered. Arrays, objects and `Rows` are written in slices of about
 * 4 ms; the items of an async iterable, iterator or stream, such as a database's cursor, as the client takes them, and the
 * source is closed when the client leaves. Items are written as an array in JSON, in other formats one after another if the
 * client accepts that (`application/cbor-seq`) or the format's option `sequence` is set.
 *
 * A promise is awaited. A function is called for the value, unless `etag` says that the client has it already (status 304).
 *
 * Rejects with the error of the promise or the function, and with an EncodeError if the first 64 kB or so of the value cannot be
 * written; a later error ends the body.
 *
 * @example
 * app.get('/trips', (c) => respond(c.req.raw, trips));                   // Hono
 * export const GET = ({ request }) => respond(request, trips);           // SvelteKit, and routes of Next
 */
export async function respond<T>(request: RespondRequest, value: Answer<T>, options: RespondOptions = {}): Promise<Response> {
  if (typeof value !== 'function') return await answer(request, await value, options);
  for (const example of KINDS) if (isCurrent(request, example(), options)) return await answer(request, example(), options);
  return await answer(request, await (value as () => T | Promise<T>)(), options);
}

async function answer(request: RespondRequest, value: unknown, options: RespondOptions): Promise<Response> {
  const { formats, schemas: named = NO_SCHEMAS, compression, etag, status = 200 } = options;
  const schemas = schemasByFormat(named);
  const headers = headersFrom(options.headers);
  if (NO_BODY.includes(status)) return await without(value, new Response(null, { status, headers }));
  if (etag === true && isSource(value)) throw new TypeError('items that are not sent yet have no hash: set etag to a version');
  const alternatives = alternativesFor(value, formats, schemas);
  if (alternatives.length === 0) {
    throw new TypeError('no format of the response can be written item by item: add json to formats, or set the option sequence of one');
  }
  headers.append('Vary', 'Accept');
  const { codings = true, dictionaries: wanted } = isOptions(compression) ? compression : { codings: compression ?? false };
  const withDictionaries = wanted && canUseDictionaries() ? wanted : undefined;
  if (codings) headers.append('Vary', 'Accept-Encoding');
  if (withDictionaries) headers.append('Vary', 'Available-Dictionary');
  const alternative = choose(request, alternatives);
  if (!alternative) {
    const types = alternatives.map(({ type }) => type).join(', ');
    const detail = `available as ${types}; the request accepts ${headerOf(request, 'accept')}`;
    return await without(value, problem(406, detail, headers));
  }
  const { format, sequence, type } = alternative;
  const writing = {
    format,
    options: { ...(format === 'json' && JSON_OPTIONS), ...formats?.[format], ...(sequence && { sequence }) },
    ...(schemas[format] && { schema: format }),
    ...((options.signal ?? request.signal) && { signal: options.signal ?? request.signal! }),
  } as EncodeOptions;
  const encoder = encoderOf(named);
  const isTagged = etag !== undefined && status === 200;
  const hashed = isTagged && etag === true ? await encoder.encode(value, writing) : undefined;
  const { method = 'GET' } = request;
  if (isTagged) {
    const tag = entityTag(hashed ? await hashOf(hashed) : String(etag), format, sequence);
    headers.set('ETag', tag);
    if ((method === 'GET' || method === 'HEAD') && isKnown(request, tag)) return await without(value, new Response(null, { status: 304, headers }));
  }
  headers.set('Content-Type', type);
  if (method === 'HEAD') return await without(value, new Response(null, { status, headers }));
  const { first, stream } = hashed ? { first: hashed } : await begin(encoder.stream(value, writing));
  const isLong = stream !== undefined || first.length >= MIN_COMPRESSED;
  const dictionaries =
    withDictionaries && isLong && method === 'GET' && status === 200 ? await dictionariesOf(request, headers, withDictionaries) : undefined;
  if (dictionaries) {
    headers.set('Use-As-Dictionary', dictionaries.header);
    if (!stream) await dictionaries.keep(first);
  }
  const body = stream && dictionaries ? keepStream(stream, dictionaries) : stream;
  const coding = isLong ? chooseCoding(request, codings, dictionaries?.known) : undefined;
  if (coding) {
    headers.set('Content-Encoding', coding);
    const plain = body ?? new Blob([first]).stream();
    return new Response(coding === 'dcz' ? compressWith(dictionaries!.known!, plain) : compress(plain, coding), { status, headers });
  }
  if (!stream) headers.set('Content-Length', String(first.length));
  return new Response(body ?? first, { status, headers });
}

function isOptions(compression: RespondOptions['compression']): compression is CompressionOptions {
  return typeof compression === 'object' && !Array.isArray(compression);
}

/** True if the client has the current version of a value, of which only an example is known. */
function isCurrent(request: RespondRequest, example: unknown, { formats, schemas = NO_SCHEMAS, etag, status = 200 }: RespondOptions): boolean {
  const { method = 'GET' } = request;
  if (typeof etag !== 'string' || status !== 200 || (method !== 'GET' && method !== 'HEAD')) return false;
  const found = choose(request, alternativesFor(example, formats, schemasByFormat(schemas)));
  return found !== undefined && isKnown(request, entityTag(etag, found.format, found.sequence));
}

/** The media types in which a value can be written. */
function alternativesFor(value: unknown, formats: RespondOptions['formats'], schemas: SchemasByFormat): Alternative[] {
  const isItems = isSource(value);
  const isList = isItems || Array.isArray(value) || (typeof value === 'object' && value !== null && isRecordList(value));
  const all = alternativesOf(formatsOf(formats, schemas));
  return all.filter(({ format, sequence }) => {
    // A table is a list of records, in batches.
    if (format === 'arrow') return isList;
    const asked = formats?.[format]?.sequence === true;
    // A format with a type for sequences is labelled by it.
    if (sequence) return isList;
    if (asked) return isList && !all.some((other) => other.format === format && other.sequence);
    return !isItems || format === 'json';
  });
}

/** The encoder of a value's schemas, which it compiles once. */
function encoderOf(schemas: ValueSchemas = NO_SCHEMAS): Encoder {
  let encoder = encoders.get(schemas);
  if (!encoder) encoders.set(schemas, (encoder = new Encoder({ worker: false, schemas: schemasByFormat(schemas) })));
  return encoder;
}

/** The schemas of a value by their formats. */
type SchemasByFormat = Readonly<Record<string, SchemaDefinition>>;

/** Names schemas by their formats. Throws a TypeError for two of one format, and for a schema without its format. */
export function schemasByFormat(schemas: ValueSchemas): SchemasByFormat {
  const byFormat = new Map<string, SchemaDefinition>();
  for (const [name, definition] of Object.entries(schemas)) {
    const { format, schema } = definition;
    if (schema === undefined) throw new TypeError(`schemas.${name} is no schema with its format: expected { format, schema }`);
    if (byFormat.has(format)) throw new TypeError(`two schemas of ${format}, where a value has one: pass schemas.${name} in other options`);
    byFormat.set(format, definition);
  }
  return Object.fromEntries(byFormat);
}

/** Closes the source of a value that is not sent. */
async function without(value: unknown, response: Response): Promise<Response> {
  if (isSource(value)) await encoderOf().stream(value, { format: 'json' }).cancel();
  return response;
}

/** Reads the first chunk of a body: all of a short one, whose length is known then, and whose errors come before the response. */
async function begin(body: ReadableStream<Chunk>): Promise<{ first: Chunk; stream?: ReadableStream<Chunk> }> {
  const reader = body.getReader();
  const { value: first = new Uint8Array(0) } = await reader.read();
  let { value: next } = await reader.read();
  if (!next) return { first };
  let isBegun = false;
  const stream = new ReadableStream<Chunk>(
    {
      async pull(controller) {
        if (!isBegun) {
          isBegun = true;
          controller.enqueue(first);
          return;
        }
        const chunk = next ?? (await reader.read()).value;
        next = undefined;
        if (chunk) controller.enqueue(chunk);
        else controller.close();
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  return { first, stream };
}
