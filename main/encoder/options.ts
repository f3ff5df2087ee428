import type { FormatId } from '../../core/formats/registry.ts';
import type { WriteOptions } from '../../core/formats/writers.ts';
import type { Limits } from '../../core/limits.ts';
import type { SchemaDefinition, SchemaReference } from '../decoder/options/options.ts';

/** What a body is compressed with, as `Content-Encoding` and CompressionStream name it. */
export type Compression = 'gzip' | 'deflate';

/** What an encoder uses for all its encodes. */
export interface EncoderOptions {
  /** The options of each format that is written; those of a call replace them one by one. */
  formats?: { readonly [Id in FormatId]?: WriteOptions[Id] };
  /** Schemas by the names that calls use. Each is compiled once, when it is first needed. */
  schemas?: Readonly<Record<string, SchemaDefinition>>;
  /** What a value may have: of the decoder's limits, `depth` (1,000). */
  limits?: Partial<Pick<Limits, 'depth'>>;
  /**
   * Whether `Rows` are written in a worker: with `false` on the calling thread, in slices; with `true` in a worker, however
   * few they are; by default in a worker from 10,000 records on. Where no worker can be had, and with values or options that
   * cannot be sent to one, they are written on the calling thread. The bytes are the same.
   */
  worker?: boolean;
  /** Starts the workers that compress and that write `Rows`: `unspool/worker`. Default: as the decoder's workers are started. */
  createWorker?: () => Worker;
}

/** How one value is encoded. */
export interface EncodeOptions<Id extends FormatId = FormatId> {
  /** The format. It may be left out where `schema` is the name of a schema. */
  format?: Id;
  /** The name of a schema of the encoder, or a schema itself, for formats that have them. */
  schema?: SchemaReference;
  /** The format's own options. */
  options?: WriteOptions[Id];
  /** Stops the encode, which then rejects with the signal's reason. */
  signal?: AbortSignal;
  /** Compresses the bytes, in a worker. Default: they are not compressed. */
  compression?: Compression;
  /** Told after each slice how many bytes have been written, before they are compressed. */
  onProgress?: (progress: EncodeProgress) => void;
}

/** How far an encode is. */
export interface EncodeProgress {
  /** Bytes that were written, before they are compressed. */
  writtenBytes: number;
}
