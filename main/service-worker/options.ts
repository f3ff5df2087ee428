import type { Format } from '../../core/format/format.ts';
import type { FormatId } from '../../core/format/format-id.ts';
import type { FormatOptions, WriteOptions } from '../../core/formats/registry.ts';
import type { FormatWriter } from '../../core/writing/writer.ts';
import type { Limits } from '../../core/limits.ts';
import type { ReviveTag } from '../../core/reading/revive.ts';
import type { SchemaDefinition, SchemaReference } from '../call/options/options.ts';

/**
 * Form of the response that the page receives.
 *
 * - `json`: JSON text, so that `response.json()` works as if the server had sent it.
 * - `block`: the decoded block, which `decoder.fetch` opens without decoding.
 * - `stream`: the block's parts as they are decoded, which `decoder.fetch` and `decoder.batches` read as they arrive.
 * - any other format, or an object that names one: the payload in that format, written by one of `encoders`.
 */
export type RespondWith = 'json' | 'block' | 'stream' | FormatId | WrittenForm;

/** Target format, and options for writing it. */
export type WrittenForm = { readonly [Id in FormatId]: WrittenIn<Id> }[FormatId];

/** Options for writing a format. */
export interface WrittenIn<Id extends FormatId> {
  /** The format: one of those in `encoders`. */
  format: Id;
  /** Options of the format, which override those for all payloads. */
  options?: WriteOptions[Id] | undefined;
  /** Schema, name of a schema, or a function that returns either. */
  schema?: SchemaReference | ((request: Request) => SchemaReference | undefined | Promise<SchemaReference | undefined>) | undefined;
}

/** Format that requests are sent in. */
export type RequestForm = FormatId | (WrittenForm & RequestChoice);

/** Options that select which requests are sent in another format, and how. */
export interface RequestChoice {
  /**
   * Returns true if a request whose body is JSON should be sent in the format. Default: requests with the
   * `Content-Type` of JSON.
   */
  matches?: ((request: Request) => boolean) | undefined;
  /**
   * Sends the body while it is still being read and written, in engines that support streams as request bodies. The
   * server must support HTTP/2 or 3. A body that is not JSON then fails the request, since the bytes already sent
   * cannot be taken back. Default false: sends the request once its body is complete.
   */
  stream?: boolean | undefined;
}

/** The formats that a service worker reads, by id: the modules `unspool/formats/*`. */
// oxlint-disable-next-line typescript/no-explicit-any -- each format has a schema of its own
export type ServiceWorkerFormats = { readonly [Id in FormatId]?: Format<FormatOptions[Id], any> };

/** The formats that a service worker writes, by id: the modules `unspool/encoders/*`. */
// oxlint-disable-next-line typescript/no-explicit-any -- each format has a schema of its own
export type ServiceWorkerEncoders = { readonly [Id in FormatId]?: FormatWriter<WriteOptions[Id], any> };

/** Options of `createServiceWorkerDecoder`. */
export interface ServiceWorkerOptions {
  /** Formats that the service worker reads. A service worker cannot load code later, so import each of them. */
  formats: ServiceWorkerFormats;
  /** Options for all payloads of a format. */
  formatOptions?: Partial<FormatOptions> | undefined;
  /** Writers of the formats that `respondWith` or `requests` name. Import each of them. */
  encoders?: ServiceWorkerEncoders | undefined;
  /** Options for all payloads written in a format. */
  encoderOptions?: Partial<WriteOptions> | undefined;
  /** Schemas by name. */
  schemas?: Record<string, SchemaDefinition> | undefined;
  /** Limits for a payload. */
  limits?: Partial<Limits> | undefined;
  /** For `json`: converts formats' own tagged values before they are written as text. */
  reviveTag?: ReviveTag | undefined;
}

/** Options for the responses of a route. */
export interface RouteOptions<F extends FormatId = FormatId> {
  /**
   * Form of the response, or a function that returns it for a request; undefined passes the response through. Default
   * `json`.
   */
  respondWith?: RespondWith | ((request: Request) => RespondWith | undefined) | undefined;
  /**
   * Sends requests with a JSON body in another format: `'messagepack'`, or an object with a format, its options or
   * schema, and which requests to change. Requires JSON in `formats`, and the format in `encoders`. Method, headers
   * (except `Content-Type`), mode, credentials, redirect, signal and `keepalive` are kept. Requests whose body is not
   * JSON, or cannot be represented in the format, are sent unchanged.
   */
  requests?: RequestForm | undefined;
  /** Format of the payload. Default: detected by `Content-Type`; responses of other types pass through. */
  format?: F | undefined;
  /** Options of the format, which override those for all payloads. */
  options?: FormatOptions[F] | undefined;
  /** Schema, name of a schema, or a function that returns either once the response has begun. */
  schema?:
    | SchemaReference
    | ((request: Request, response: Response) => SchemaReference | undefined | Promise<SchemaReference | undefined>)
    | undefined;
  /** For `json`: form of integers beyond ±(2⁵³ − 1), as digits or as text. Default `number`. */
  bigints?: 'number' | 'string' | undefined;
  /**
   * For `stream`: emits the items of the list at a path (keys from the root, as an array or joined by dots; default:
   * the root) in batches for `decoder.batches`, of `batchSize` items each or as they arrive. Default: streams the complete
   * value, for `decoder.decode`.
   */
  batches?: { path?: string | readonly string[] | undefined; batchSize?: number | undefined } | undefined;
  /**
   * Response if the decode fails: `problem` (RFC 9457) with the status 502, 504 or 500, or `raw`, the original
   * response, which keeps a copy of the body during the decode. Default `problem`.
   */
  fallback?: 'problem' | 'raw' | undefined;
  /**
   * Bytes according to `Content-Length` from which a body is decoded in the pool of the requesting page, if the page
   * shares it (`registerServiceWorker` with a decoder). JSON text that uses `reviveTag` is always decoded in the service
   * worker. Default 262,144; `false` for never.
   */
  bridge?: number | false | undefined;
}

/** Options of a plugin for Workbox's strategies. */
export interface PluginOptions<F extends FormatId = FormatId> extends RouteOptions<F> {
  /**
   * Form that the strategy caches: `decoded`, so that later uses need no decoding, or `encoded`, the original response,
   * which is smaller for most formats. Default `decoded`.
   */
  cache?: 'decoded' | 'encoded' | undefined;
  /**
   * Caches answers that may be personal: to requests with `credentials: 'include'` or with a header that may carry a
   * credential (any but common ones like `Accept`, `Content-Type` and `If-None-Match`), and answers with `private`,
   * `no-store`, `Vary: Cookie` or `Vary: Authorization`. Default false.
   */
  cacheAuthenticated?: boolean | undefined;
  /** Caches opaque responses, which cannot be inspected. Default false. */
  cacheOpaque?: boolean | undefined;
}

/** The used part of a `FetchEvent`. */
export interface ServiceWorkerEvent {
  /** Id of the requesting page. */
  readonly clientId?: string;
  waitUntil(promise: Promise<unknown>): void;
}
