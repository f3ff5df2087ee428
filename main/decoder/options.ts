import type { FormatId, FormatOptions, FormatSchemas } from '../../worker/formats/registry.ts';
import type { Limits } from '../../worker/limits.ts';
import type { Revive } from '../../worker/events/revive.ts';
import type { ResultForm } from '../materialise/index.ts';
import type { RowsListener } from '../batches/growing-rows.ts';

/** What can be decoded: bytes, or what bytes can be read from. A `Response` or a stream is used up. */
export type DecodeSource = ArrayBufferLike | ArrayBufferView | Blob | Response | ReadableStream<Uint8Array>;

/**
 * Where a payload is decoded: in workers, on this thread (`page`; in slices where it is large), or, with `auto`, where it
 * costs least, by the form asked for, a look at its first records, its size and what was measured before.
 */
export type Route = 'auto' | 'page' | 'worker';

/** A schema by its name in `DecoderOptions.schemas`, or the schema itself as its format takes it. */
export type SchemaReference = string | object;

/** A schema that calls name. */
export type SchemaDefinition = { [Id in keyof FormatSchemas]: { format: Id; schema: FormatSchemas[Id] } }[keyof FormatSchemas];

/** How one payload is decoded. */
export interface DecodeOptions<F extends FormatId = FormatId> {
  /**
   * The payload's format. When left out, it is told by the schema, by the `Content-Type` of a response or blob, or else
   * by the first bytes.
   */
  format?: F | undefined;
  /** The format's own options, over those that the decoder has for it. */
  options?: FormatOptions[F] | undefined;
  /** The payload's schema, where its format does not describe itself. One that is named tells the format too. */
  schema?: SchemaReference | undefined;
  /** The form of the result. Default `objects`. */
  as?: ResultForm | undefined;
  /** Where it is decoded. Default: the decoder's. */
  route?: Route | undefined;
  /**
   * Lets the decoder take the buffer, which is then detached, and saves a copy. The whole buffer is taken, also where a
   * view shows only a part of it. Without it, do not change the bytes before the result is there. Default false.
   */
  transfer?: boolean | undefined;
  /** Aborts the decode, whether it waits or runs: it rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Milliseconds from the call after which it rejects with a `TimeoutError`. Default: the decoder's. */
  timeout?: number | undefined;
  /** Limits other than the decoder's. */
  limits?: Partial<Limits> | undefined;
  /**
   * Makes the values of a format's own tags on this thread, for example `messagepack:ext` from `[type, bytes]`; where it
   * gives undefined, the format does. Default: the decoder's.
   */
  revive?: Revive | undefined;
  /** A name for events and timings. Default: the URL of a response. */
  label?: string | undefined;
  /** Called whenever bytes have come, and once at the end. */
  onProgress?: ((progress: DecodeProgress) => void) | undefined;
  /**
   * What the payload itself is compressed with, where neither the browser nor the format undoes that: `zstd` for
   * Zstandard (a response of `Content-Type: application/zstd` needs no option). Offsets in errors count decompressed
   * bytes.
   */
  compression?: 'zstd' | undefined;
  /**
   * Where values of a sequence of MessagePack or CBOR begin: offsets in bytes, ascending; it need not have all. With it, a
   * long sequence that is there as a whole can be spread over several workers. It is a hint: where it is wrong, one
   * worker reads on, and value and errors are the same.
   */
  index?: ArrayLike<number> | undefined;
  /** Milliseconds without a byte of the source after which it rejects with a `TimeoutError`. Default: no limit. */
  stallTimeout?: number | undefined;
}

/** How far a payload has come: what `ky` tells its `onDownloadProgress`, and the rows. */
export interface DecodeProgress {
  /** From 0 to 1; 0 until the end where the size is not known. */
  percent: number;
  /** Bytes that have come, as they are decoded: of a compressed response, those that it was made of. */
  transferredBytes: number;
  /**
   * Bytes in all; 0 until the end where that is not known, as it is with a compressed response, whose `Content-Length`
   * speaks of other bytes, and with one from another origin, which may hide that it is compressed.
   */
  totalBytes: number;
  /** Rows that have been decoded. */
  rows: number;
}

/** How one payload is decoded into batches. */
export interface BatchOptions<F extends FormatId = FormatId> extends Omit<DecodeOptions<F>, 'timeout' | 'index'> {
  /**
   * Where the list is whose items are given out: the keys from the root, as an array or joined by dots. Left out, or
   * empty, for the root itself: an array, or a sequence.
   */
  path?: string | readonly string[] | undefined;
  /** Items of every batch but the last. Default: as many as can be built in `buildMs`, and at first a few. */
  rows?: number | undefined;
  /** Milliseconds that building a batch should take. Default 4. */
  buildMs?: number | undefined;
}

/** How one payload is decoded into rows that grow. */
export interface GrowOptions<T = unknown, F extends FormatId = FormatId> extends Omit<BatchOptions<F>, 'as'> {
  /** Called whenever rows have come, a few times a second or more often: for a table that shows them meanwhile. */
  onRows?: RowsListener<T> | undefined;
}

/** How a decoder works. Every field has a default. */
export interface DecoderOptions {
  /** The most workers. Default: one less than the processor's threads, at least 1 and at most 4. */
  workers?: number | undefined;
  /** Makes a worker that runs `unspool/worker`, where the default, the file beside the library's, cannot be loaded. */
  createWorker?: (() => Worker) | undefined;
  /**
   * Whether long payloads that are there as a whole (from 8 MiB on) are cut, and their pieces decoded by several workers at
   * a time; a number is the most workers for one payload. Default true: as many as are free, and no more than the
   * processor has threads, of which the page's own is one where it builds objects.
   */
  parallel?: boolean | number | undefined;
  /**
   * Whether workers read regular records with row kernels, which are WebAssembly. Default: where WebAssembly is there and
   * the Content Security Policy of the worker's script allows it (`'wasm-unsafe-eval'`), which a worker learns from the
   * response to its own script; a worker from a blob does not. `true` compiles them without looking, `false` never does.
   */
  kernel?: boolean | undefined;
  /** The most decodes that wait for a worker; more reject with a `LimitError`. Default 1,000. */
  queueLimit?: number | undefined;
  /** Milliseconds after which a worker without work is stopped. Default 30,000. */
  idleTimeout?: number | undefined;
  /** Milliseconds after which a `decode` rejects with a `TimeoutError`; `batches` has only `stallTimeout`. Default: no limit. */
  timeout?: number | undefined;
  /** Where payloads are decoded, unless a call says otherwise. Default `auto`. */
  route?: Route | undefined;
  /** Payloads of fewer bytes are decoded on this thread, in one go. Default 16,384. */
  inlineBelow?: number | undefined;
  /**
   * Starts a worker as soon as the decoder is made, and loads the code of the formats that are named; see `Decoder.warm`.
   * Default false.
   */
  warm?: boolean | readonly FormatId[] | undefined;
  /** What a payload may ask for. */
  limits?: Partial<Limits> | undefined;
  /** Options for all payloads of a format. */
  formats?: Partial<FormatOptions> | undefined;
  /** Schemas by name. */
  schemas?: Record<string, SchemaDefinition> | undefined;
  /** Makes the values of formats' own tags; see `DecodeOptions.revive`. */
  revive?: Revive | undefined;
  /**
   * Whether decodes are marked by `performance.measure` in a track of the browser's Performance panel. Default: those of
   * the workers.
   */
  measure?: boolean | undefined;
  /** Keeps a copy of the bodies of the last few responses over 8 MiB, for the DevTools panel. Default false. */
  keepBodies?: boolean | undefined;
}
