import type { FormatId } from '../../../core/format/format-id.ts';
import type { FormatOptions, FormatSchemas } from '../../../core/formats/registry.ts';
import type { Limits } from '../../../core/limits.ts';
import type { ReviveTag } from '../../../core/reading/revive.ts';
import type { PageWorker } from '../../pool/page-worker.ts';
import type { ResultForm } from '../../rows/form.ts';

/**
 * A payload: bytes, or a source of bytes. Decoding consumes a `Response`, a `Request`, a stream or an iterator. A `File` is a
 * `Blob`; a `Readable` of Node is an async iterable; a generator of chunks may be either kind.
 */
export type DecodeSource =
  | ArrayBufferLike
  | ArrayBufferView
  | Blob
  | Response
  | Request
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array>
  | IterableIterator<Uint8Array>;

/**
 * Where a payload is decoded: in workers, on this thread (`page`; in slices if it is large), or, with `auto`, where it costs
 * least, by the form asked for, its first records, its size and earlier measurements.
 */
export type Route = 'auto' | 'page' | 'worker';

/** A schema, in the form that its format takes, with the format. `defineSchema` also gives it the type of the values. */
export type SchemaDefinition = { [Id in keyof FormatSchemas]: { readonly format: Id; readonly schema: FormatSchemas[Id] } }[keyof FormatSchemas];

/** The responses that a registered schema is for, if their `decode` names none, and if they are of its format. */
export interface SchemaScope {
  /**
   * URLs of the responses: a regular expression, or a URLPattern. `decoder.fetch` then asks for the format at these URLs only.
   */
  urls?: { test(url: string): boolean } | undefined;
  /** Media types of the responses, without parameters, such as `application/vnd.trips.v1+protobuf`. */
  mediaTypes?: readonly string[] | undefined;
}

/** A schema of a decoder, and the responses that it is for. */
export type RegisteredSchema = SchemaDefinition & SchemaScope;

/** A schema with its format and the type of the values: see `defineSchema`. */
export type TypedSchema<T = unknown, F extends keyof FormatSchemas = keyof FormatSchemas> = {
  [Id in F]: SchemaWithType<Id, T>;
}[F];

interface SchemaWithType<F extends keyof FormatSchemas, T> {
  readonly format: F;
  readonly schema: FormatSchemas[F];
  /** Never there: the type of the values, for inference. */
  readonly '~type'?: T;
}

/** A schema itself, in the form that its format takes. Text is always the name of a schema. */
export type SchemaOf<F extends FormatId> = F extends keyof FormatSchemas ? Exclude<FormatSchemas[F], string> : never;

/**
 * The name of a schema in `DecoderOptions.schemas`, a schema with its format (`defineSchema`), or the schema itself in the
 * form that its format takes.
 */
export type SchemaReference<T = unknown> = string | TypedSchema<T> | SchemaOf<FormatId>;

/** The format of a payload, with its options and schema. */
export type FormatChoice<F extends FormatId = FormatId, T = unknown> =
  | { [Id in F]: FormatSetting<Id, T> }[F]
  | {
      format?: undefined;
      options?: FormatOptions[F] | undefined;
      schema?: SchemaReference<T> | undefined;
    };

interface FormatSetting<F extends FormatId, T> {
  /**
   * The payload's format. Default: that of the named schema, of the `Content-Type` of a response or blob, or else of the
   * first bytes.
   */
  format: F;
  /** Options of the format. They take precedence over those of the decoder. */
  options?: FormatOptions[F] | undefined;
  /** The payload's schema, if its format is not self-describing. A named schema also determines the format. */
  schema?: (F extends keyof FormatSchemas ? string | TypedSchema<T> | SchemaOf<F> : undefined) | undefined;
}

/** How one payload is decoded: its format with options and schema, and the settings of the call. */
export type DecodeOptions<F extends FormatId = FormatId, T = unknown> = DecodeSettings & FormatChoice<F, T>;

/** How one payload is decoded, whatever its format. */
export interface DecodeSettings {
  /** The form of the result. Default `objects`. */
  as?: ResultForm | undefined;
  /** Where the payload is decoded. Default: the decoder's `route`. */
  route?: Route | undefined;
  /**
   * Lets the decoder transfer the buffer, which saves a copy and detaches the buffer; of a view, the whole buffer. If
   * false, do not change the bytes before the promise settles. Default false.
   */
  transfer?: boolean | undefined;
  /** Aborts the decode, which then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Milliseconds from the call until the decode rejects with a `TimeoutError`. Default: the decoder's `timeout`. */
  timeout?: number | undefined;
  /** Limits that replace the decoder's. */
  limits?: Partial<Limits> | undefined;
  /**
   * Makes the values of a format's own tags on this thread, for example `messagepack:ext` from `[type, bytes]`; if it returns
   * undefined, the format makes the value. Default: the decoder's.
   */
  reviveTag?: ReviveTag | undefined;
  /**
   * The value of an earlier payload, which a decode with this option has returned. Parts of the payload whose bytes are the same
   * become the same objects in the result, which otherwise equals that of a decode without the option; if all bytes are the same,
   * the result is the previous value itself. Set it, also to undefined, to have the bytes of the result remembered for the next
   * decode, as long as the result is referenced. Ignored if it was not decoded with this option, or with other options. A response
   * with the status 304 gives the previous value. In `Rows`, rows that have not changed keep their columns, and `at` returns the
   * same objects. For JSON, MessagePack, CBOR, BSON, and lists at the root of Protocol Buffers; in Avro, only if all bytes are
   * the same; a TypeError for other formats. See docs/guides/refetching.md.
   */
  previous?: unknown;
  /**
   * With `previous`: the key whose value identifies the records of a list, such as `id`. A record that has moved and changed then
   * keeps its parts that have not. Default: records that changed are found by their position.
   */
  key?: string | undefined;
  /**
   * With `previous`, for development: rejects with a TypeError if the application has changed the previous value, and names the
   * place. Decodes the previous bytes once more for that. Not with `as: 'columns'` or a reviver. Default false.
   */
  checkPrevious?: boolean | undefined;
  /**
   * The parts of the payload that are decoded: paths from the root, keys joined by dots or as arrays. A path leads through lists to
   * each of their items: `['orders.id', 'orders.customer.name']`. Everything else is checked and skipped, but columns of Arrow are
   * left unread; no value is built of it, and no worker sends it. The result equals that of decoding everything and then leaving
   * out the other keys of plain objects; lists keep all of their items, and values of classes all of their content. The type of
   * the result is the caller's: see `Picked`. Not with `previous`. See docs/guides/tables.md.
   */
  pick?: readonly (string | readonly string[])[] | undefined;
  /**
   * With `typed`, a list of numbers is a Float64Array, and a list of points, lines or polygons is `FlatPoints`: one array of all
   * coordinates, with offsets. A list of numbers has at least one item, and all of its items are numbers. A list of points has at
   * least one item, and all of its items are lists of 2, 3 or 4 numbers, as many each; lists of lists of points, and once more, are
   * one value as well. All other lists are arrays, such as empty ones, and those with null or a bigint. Not with `previous`, nor for
   * batches. See docs/guides/charts.md. Default: arrays.
   */
  numbers?: 'typed' | undefined;
  /**
   * Treatment of text that is not valid UTF-8:
   *
   * - `error` rejects with a `DecodeError` that has the code `invalid-utf8` and the place.
   * - `replace` puts U+FFFD instead of the broken bytes, as `response.json()` and the `TextDecoder` do.
   * - `bytes` gives the bytes of such a string as a Uint8Array, without the escapes of JSON.
   *
   * Keys, and text of which a format makes another value, such as a regular expression or the content of a tag, are replaced in
   * both cases. Text that is valid is the same with each of them. Not with `previous`. JSON on the page is as fast with the option
   * until text is broken; otherwise payloads are read without WebAssembly, and more slowly. Default: the decoder's.
   */
  invalidText?: 'error' | 'replace' | 'bytes' | undefined;
  /** A name for events and timings. Default: the URL of a response. */
  label?: string | undefined;
  /** Called whenever bytes arrive, and once at the end. */
  onProgress?: ((progress: DecodeProgress) => void) | undefined;
  /**
   * The compression of the payload itself, if neither the browser nor the format decompresses it: `zstd` for Zstandard (a
   * response with `Content-Type: application/zstd` needs no option). Offsets in errors count decompressed bytes.
   */
  compression?: 'zstd' | undefined;
  /** Milliseconds without a byte from the source until the decode rejects with a `TimeoutError`. Default: no limit. */
  stallTimeout?: number | undefined;
}

/** The progress of a payload: the shape of ky's `onDownloadProgress`, plus the rows. */
export interface DecodeProgress {
  /** From 0 to 1; 0 until the end if the size is unknown. */
  percent: number;
  /** Bytes that arrived; of a compressed response, decompressed bytes. */
  transferredBytes: number;
  /**
   * Total bytes; 0 until the end if unknown: for a compressed response, whose `Content-Length` is the size of the
   * compressed body, and for a response from another origin, which may hide that it is compressed.
   */
  totalBytes: number;
  /** Rows decoded so far. */
  rows: number;
}

/** How one payload is decoded into batches: its format with options and schema, and the settings of the call. */
export type BatchOptions<F extends FormatId = FormatId, T = unknown> = BatchSettings & FormatChoice<F, T>;

/** How one payload is decoded into batches, whatever its format. */
export interface BatchSettings extends Omit<DecodeSettings, 'timeout' | 'previous' | 'key' | 'checkPrevious' | 'numbers'> {
  /**
   * The path of the list: its keys from the root, as an array or joined by dots. Default: the root itself, which is an
   * array or a sequence.
   */
  path?: string | readonly string[] | undefined;
  /** Number of items in each batch but the last. Default: as many as can be built in `buildMs`, and few at first. */
  batchSize?: number | undefined;
  /** Target time to build a batch, in milliseconds. Default 4. */
  buildMs?: number | undefined;
}

/** How a decoder works. Every field has a default. `V` has the types of the schemas' values by name. */
export interface DecoderOptions<V = Record<string, unknown>> {
  /** The maximum number of workers. Default: one less than the number of hardware threads, from 1 to 4. */
  workers?: number | undefined;
  /** Creates a worker that runs `unspool/worker`. Default: the file next to the library's. */
  createWorker?: (() => PageWorker) | undefined;
  /**
   * Whether workers read regular records with row kernels, which are WebAssembly. Default: if WebAssembly is available and
   * the Content Security Policy of the worker's script allows it (`'wasm-unsafe-eval'`), which a worker learns from the
   * response to its own script, but a worker from a blob cannot. `true` compiles them without a check, `false` never does.
   */
  kernel?: boolean | undefined;
  /** The maximum number of decodes that wait for a worker; further ones reject with a `LimitError`. Default 1,000. */
  queueLimit?: number | undefined;
  /** Milliseconds until an idle worker is stopped. Default 30,000. */
  idleTimeout?: number | undefined;
  /** Milliseconds until a `decode` rejects with a `TimeoutError`; `batches` only has `stallTimeout`. Default: no limit. */
  timeout?: number | undefined;
  /** Where payloads are decoded, unless a call sets it. Default `auto`. */
  route?: Route | undefined;
  /** Payloads of fewer bytes are decoded on this thread, at once. Default 16,384. */
  syncBelow?: number | undefined;
  /** Limits for the resources that a payload can demand. */
  limits?: Partial<Limits> | undefined;
  /** Options for all payloads of a format. */
  formatOptions?: Partial<FormatOptions> | undefined;
  /** Schemas by name. Those with `urls` or `mediaTypes` are also used for responses whose `decode` names none. */
  schemas?: { readonly [Name in keyof V]: RegisteredSchema & { readonly '~type'?: V[Name] } } | undefined;
  /** Makes the values of formats' own tags; see `DecodeOptions.reviveTag`. */
  reviveTag?: ReviveTag | undefined;
  /** Treatment of text that is not valid UTF-8; see `DecodeSettings.invalidText`. Default `error`. */
  invalidText?: 'error' | 'replace' | 'bytes' | undefined;
  /**
   * Whether decodes are marked by `performance.measure` in a track of the browser's Performance panel. Default: only those of
   * the workers.
   */
  measure?: boolean | undefined;
  /** Keeps a copy of the bodies of the last few responses over 8 MiB, for the DevTools panel. Default false. */
  keepBodies?: boolean | undefined;
}
