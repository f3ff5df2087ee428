import type { Format } from '../../core/formats/format.ts';
import type { FormatId, FormatOptions } from '../../core/formats/registry.ts';
import type { FormatWriter } from '../../core/writing/writer.ts';
import type { WriteOptions } from '../../core/formats/writers.ts';
import type { Limits } from '../../core/limits.ts';
import type { Revive } from '../../core/reading/revive.ts';
import type { SchemaDefinition, SchemaReference } from '../decoder/options/options.ts';

/**
 * What the page gets. `json`: JSON text, so that `response.json()` works as if the server had sent it. `block`: the
 * decoded block, which `decoder.fetch` opens without decoding. `stream`: the block's parts as they are decoded, which
 * `decoder.fetch` and `decoder.batches` take in as they come. Any other format, or an object that names one: the payload
 * in that format, which an encoder of the service worker writes.
 */
export type RespondWith = 'json' | 'block' | 'stream' | FormatId | WrittenForm;

/** A format that is written, and how. */
export type WrittenForm = { readonly [Id in FormatId]: WrittenIn<Id> }[FormatId];

/** How a format is written. */
export interface WrittenIn<Id extends FormatId> {
  /** The format: one of those in `encoders`. */
  format: Id;
  /** The format's own options, over those for all payloads. */
  options?: WriteOptions[Id] | undefined;
  /** A schema by its name or itself, or a function that says which. */
  schema?: SchemaReference | ((request: Request) => SchemaReference | undefined | Promise<SchemaReference | undefined>) | undefined;
}

/** What requests are sent in. */
export type RequestForm = FormatId | (WrittenForm & RequestChoice);

/** Which requests are sent in another format, and how. */
export interface RequestChoice {
  /**
   * Whether a request that has a body is sent in the format, if its body is JSON. Default: where its `Content-Type` is that of
   * JSON.
   */
  matches?: ((request: Request) => boolean) | undefined;
  /**
   * Sends the body while it is still read and written, in engines whose requests may have a stream for a body. The server
   * must be reached by HTTP/2 or 3. A body that is not JSON then fails the request, since what was sent cannot be taken
   * back. Default false: the request is sent when all of its body is written.
   */
  stream?: boolean | undefined;
}

/** The formats that a service worker reads, by id: the modules `unspool/formats/*`. */
// oxlint-disable-next-line typescript/no-explicit-any -- each format has a schema of its own
export type ServiceWorkerFormats = { readonly [Id in FormatId]?: Format<FormatOptions[Id], any> };

/** The formats that a service worker writes, by id: the modules `unspool/encoders/*`. */
// oxlint-disable-next-line typescript/no-explicit-any -- each format has a schema of its own
export type ServiceWorkerEncoders = { readonly [Id in FormatId]?: FormatWriter<WriteOptions[Id], any> };

/** How a service worker decodes. */
export interface ServiceWorkerOptions {
  /** A service worker cannot load code later, so each format it is to read is imported and named here. */
  formats: ServiceWorkerFormats;
  /** Options for all payloads of a format. */
  formatOptions?: Partial<FormatOptions> | undefined;
  /** What writes: each format that `respondWith` or `requests` names is imported and named here. */
  encoders?: ServiceWorkerEncoders | undefined;
  /** Options for all payloads of a format that is written. */
  encoderOptions?: Partial<WriteOptions> | undefined;
  /** Schemas by name. */
  schemas?: Record<string, SchemaDefinition> | undefined;
  /** What a payload may ask for. */
  limits?: Partial<Limits> | undefined;
  /** For `json`: makes the values of formats' own tags, of which the text is then made. */
  revive?: Revive | undefined;
}

/** How the responses of a route are decoded. */
export interface RouteOptions<F extends FormatId = FormatId> {
  /** What the page gets, or a function that says so for a request; undefined leaves the response alone. Default `json`. */
  respondWith?: RespondWith | ((request: Request) => RespondWith | undefined) | undefined;
  /**
   * Sends requests that have JSON as their body in another format: `'messagepack'`, or an object that names a format, its
   * options or schema, and which requests are meant. `formats` must have JSON, and `encoders` the format. Method, headers (but
   * for `Content-Type`), mode, credentials, redirect, signal and `keepalive` stay as they are. Requests whose body is not JSON,
   * or is something that the format does not have, are sent as they are.
   */
  requests?: RequestForm | undefined;
  /**
   * The payload's format. When left out, the `Content-Type` tells it, and a response whose type names none of the
   * formats is left alone.
   */
  format?: F | undefined;
  /** The format's own options, over those for all payloads. */
  options?: FormatOptions[F] | undefined;
  /** A schema by its name or itself, or a function that says which, once the response has begun. */
  schema?:
    | SchemaReference
    | ((request: Request, response: Response) => SchemaReference | undefined | Promise<SchemaReference | undefined>)
    | undefined;
  /** For `json`: what integers past ±(2⁵³ − 1) become: their digits, or text. Default `number`. */
  bigints?: 'number' | 'string' | undefined;
  /**
   * For `stream`: the items of the list at a path (keys from the root, as an array or joined by dots; default: the root)
   * leave in batches, of so many rows or as they come, for `decoder.batches`. Default: the whole value streams, for
   * `decoder.decode`.
   */
  batches?: { path?: string | readonly string[] | undefined; rows?: number | undefined } | undefined;
  /**
   * What the page gets where the decode fails: a problem (RFC 9457) with the status 502, 504 or 500, or the response as
   * it came. The latter keeps a copy of the body while it is decoded. Default `problem`.
   */
  fallback?: 'problem' | 'raw' | undefined;
  /**
   * Bytes, announced by `Content-Length`, from which on a body is decoded in the pool of the page that asks, where that
   * page shares it (`registerServiceWorker` with a decoder). JSON text that a `revive` has part in never is. Default
   * 262,144; `false` for never.
   */
  bridge?: number | false | undefined;
}

/** How a plugin for Workbox's strategies works. */
export interface PluginOptions<F extends FormatId = FormatId> extends RouteOptions<F> {
  /**
   * What the strategy caches: the decoded form, so that nothing is decoded when it is used again, or the response as it
   * came, which is smaller for most formats. Default `decoded`.
   */
  cache?: 'decoded' | 'encoded' | undefined;
  /**
   * Caches answers to requests with `credentials: 'include'` or a header that may carry a credential, which is any but the usual
   * ones (`Accept`, `Content-Type`, `If-None-Match` and the like), and those that say `private`, `no-store` or `Vary: Cookie` or
   * `Vary: Authorization`. Default false.
   */
  cacheAuthenticated?: boolean | undefined;
  /** Caches opaque responses, which nobody can look into. Default false. */
  cacheOpaque?: boolean | undefined;
}

/** What of a `FetchEvent` is used. */
export interface ServiceWorkerEvent {
  /** The page that asks. */
  readonly clientId?: string;
  waitUntil(promise: Promise<unknown>): void;
}
