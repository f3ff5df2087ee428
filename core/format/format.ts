import type { TableReader } from './table-reader.ts';
import type { FormatId } from './format-id.ts';
import type { Limits } from '../limits.ts';
import type { Reader } from '../reading/reader.ts';
import type { ShapeOf } from '../reading/shapes.ts';
import type { Sink } from '../reading/sink.ts';

/** Loads the module that parses `.proto`, `.fbs` or `.capnp` texts, or reads the types of protobuf.js. */
export type LoadSchemaCode = (name: 'proto-text' | 'proto-reflection' | 'fbs-text' | 'capnp-text') => Promise<object>;

/** Shape of the longest list in a payload. */
export interface ListForm {
  /** There is a list, at the root or deeper. */
  list: boolean;
  /** Its items are objects. */
  records: boolean;
  /** The objects have scalar values only. */
  flat: boolean;
  /** The objects have nearly the same keys. */
  regular: boolean;
}

/**
 * The code that reads a format: the default export of a module of `unspool/formats/*`, for `decodeSync` and service workers.
 * Its members are internal.
 */
export interface Format<Options = object, Schema = undefined> {
  /** Never there: the types of the options, and of a compiled schema, for inference. */
  '~reads'?(options: Options, schema: Schema): void;
  /**
   * The values of the options: an `OptionTable`.
   *
   * @internal
   */
  readonly options?: object;
  /** Name of a format whose payloads can be compared with earlier ones: see `core/previous`. */
  readonly id?: FormatId;
  /**
   * Creates a reader that sends its events to `sink`. `schema` is the result of `compileSchema`; undefined for
   * self-describing formats.
   *
   * @internal
   */
  createReader(sink: Sink, options: Options, limits: Limits, schema: Schema): Reader;
  /**
   * Compiles a schema to plain data that structured clone can copy, so that it is compiled once and sent to each
   * worker. Throws a SchemaError. `load` loads code that few schemas need; by default from the folder of the format's
   * own file.
   *
   * @internal
   */
  compileSchema?(input: unknown, name?: string, load?: LoadSchemaCode): Promise<Schema> | Schema;
  /**
   * Loads code that a payload needs beyond the format's own, such as a decompressor. `head` holds its first bytes, as
   * far as they have arrived. Undefined if there is nothing to load; otherwise nothing may be pushed to a reader of the
   * payload before the promise has settled.
   *
   * @internal
   */
  prepare?(head: Uint8Array): Promise<void> | undefined;
  /**
   * Decodes a small payload without a reader and a sink. Undefined if the payload is not small, not plain or invalid: a
   * reader then decodes it and reports any error. `shapeOf` supplies the constructors of records. With `namesKeys`, empty lists
   * name the keys of their records: see `KeyedList`.
   *
   * @internal
   */
  decodeAtOnce?(bytes: Uint8Array, options: Options, limits: Limits, schema: Schema, shapeOf: ShapeOf, namesKeys?: boolean): unknown;
  /**
   * Shape of the list according to the schema, for formats that emit values only once the complete message has arrived,
   * so that the first bytes do not show it.
   *
   * @internal
   */
  listForm?(schema: Schema): ListForm | undefined;
  /**
   * The module of the format's row kernel: WebAssembly as text, which `npm run build` writes to `kernel.ts`. The
   * kernels of JSON and MessagePack are part of the worker.
   *
   * @internal
   */
  readonly kernel?: string;
  /**
   * Creates a reader of tables whose columns can be taken over without making objects: those with the keys `picked`, if given.
   *
   * @internal
   */
  openTable?(options: Options, limits: Limits, picked?: ReadonlySet<string>): TableReader;
  /**
   * A list of records that a page decodes while it waits for its first payload, so that the engine compiles the reader.
   * Formats that need a schema have none.
   *
   * @internal
   */
  warmUp?(): Uint8Array<ArrayBuffer>;
  /**
   * Makes the value of one of the format's own tags from its inner value.
   *
   * @internal
   */
  revive?(tag: string, inner: unknown): unknown;
}

/** A format whose options and schema are not known statically. */
export type AnyFormat = Format<object, unknown>;
