import type { FormatId } from '../../core/format/format-id.ts';
import type { FormatSchemas, WriteOptions } from '../../core/formats/registry.ts';
import type { Limits } from '../../core/limits.ts';
import type { PageWorker } from '../pool/page-worker.ts';
import type { SchemaDefinition, SchemaOf, TypedSchema } from '../call/options/options.ts';

/** Compression of a body, named as in `Content-Encoding` and CompressionStream. */
export type Compression = 'gzip' | 'deflate';

/** Options of an encoder. */
export interface EncoderOptions {
  /** Default options by format. Options of a call override them one by one. */
  formatOptions?: { readonly [Id in FormatId]?: WriteOptions[Id] } | undefined;
  /** Schemas by the names that calls use. Each is compiled once, on first use. */
  schemas?: Readonly<Record<string, SchemaDefinition>> | undefined;
  /** Limits for a value; of the decoder's limits, only `depth` (1,000) applies. */
  limits?: Partial<Pick<Limits, 'depth'>> | undefined;
  /**
   * Controls whether `Rows` are written in a worker. `true`: always; `false`: never. Default: for 10,000 records or
   * more. Without a worker, or if the value or options cannot be sent to one, they are written in slices on the calling
   * thread, with the same bytes as a result.
   */
  worker?: boolean | undefined;
  /** Starts the workers that compress and that write `Rows`: `unspool/worker`. Default: like the decoder's workers. */
  createWorker?: (() => PageWorker) | undefined;
}

/** Options of one encode: the format with its options and schema, and the settings of the call. */
export type EncodeOptions<Id extends FormatId = FormatId, T = unknown> = EncodeSettings & EncodeFormat<Id, T>;

/** The format to write, with its options and schema. */
export type EncodeFormat<Id extends FormatId = FormatId, T = unknown> =
  | { [Each in Id]: EncodeFormatSetting<Each, T> }[Id]
  | {
      format?: undefined;
      /** Name of one of the encoder's schemas, or a schema with its format (`defineSchema`), which says the format. */
      schema: string | TypedSchema<T>;
      options?: WriteOptions[Id] | undefined;
    };

interface EncodeFormatSetting<Id extends FormatId, T> {
  /** The format. Optional if `schema` has it. */
  format: Id;
  /** Name of one of the encoder's schemas, or a schema itself, for formats with schemas. */
  schema?: (Id extends keyof FormatSchemas ? string | TypedSchema<T> | SchemaOf<Id> : undefined) | undefined;
  /** Options of the format. */
  options?: WriteOptions[Id] | undefined;
}

/** How one value is encoded, whatever the format. */
export interface EncodeSettings {
  /** Stops the encode, which then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Compresses the bytes, in a worker. Default: no compression. */
  compression?: Compression | undefined;
  /** Called after each slice with the number of bytes written, before compression. */
  onProgress?: ((progress: EncodeProgress) => void) | undefined;
}

/** Progress of an encode. */
export interface EncodeProgress {
  /** Bytes written, before compression. */
  writtenBytes: number;
}
