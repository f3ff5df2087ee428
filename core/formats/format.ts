import type { Limits } from '../limits.ts';
import type { Reader } from '../reading/reader.ts';
import type { ShapeOf } from '../sinks/objects/shapes.ts';
import type { Sink } from '../reading/sink.ts';

/** Loads what reads `.proto` texts. */
export type LoadSchemaCode = (name: 'proto-text') => Promise<typeof import('./protobuf/schema/proto-text.ts')>;

/** What the longest list of a payload holds. */
export interface ListForm {
  /** There is a list, at the root or in it. */
  list: boolean;
  /** Its items are objects. */
  records: boolean;
  /** They are objects of scalar values only. */
  flat: boolean;
  /** They are objects of nearly the same keys. */
  regular: boolean;
}

/** What every format module exports as its default: the same shape for each. */
export interface Format<Options = object, Schema = undefined> {
  /**
   * Makes a reader that sends its events to `sink`. `schema` is what `compileSchema` returned; formats that describe
   * themselves take none.
   */
  createReader(sink: Sink, options: Options, limits: Limits, schema: Schema): Reader;
  /**
   * Turns a schema as the user gives it into its compiled form: plain data that structured clone can carry, so that it
   * is compiled once and sent to each worker. Throws a SchemaError. `load` is how code that few schemas need is loaded;
   * by default from beside the format's own file.
   */
  compileSchema?(input: unknown, name?: string, load?: LoadSchemaCode): Promise<Schema> | Schema;
  /**
   * Loads code that a payload needs beyond the format's own, such as a decompressor. `head` are its first bytes, as many as
   * there are yet. Undefined where there is nothing to load; otherwise a reader of the payload may be pushed to only when
   * the promise has settled.
   */
  prepare?(head: Uint8Array): Promise<void> | undefined;
  /**
   * Decodes a small payload at once, without a reader and a sink. Undefined where the payload is not small or not plain, or
   * where anything is wrong with it: a reader then decodes it, and tells what. `shapeOf` makes what makes records.
   */
  decodePlain?(bytes: Uint8Array, options: Options, limits: Limits, schema: Schema, shapeOf: ShapeOf): unknown;
  /**
   * What the schema says of the list, where a payload's first bytes do not tell: of formats whose values are given out only
   * when all of a message is there.
   */
  listForm?(schema: Schema): ListForm | undefined;
  /**
   * The module of the format's row kernel, which `npm run build` writes to `kernel.ts`: what WebAssembly compiles, as
   * text. Those of JSON and MessagePack are part of the worker.
   */
  readonly kernel?: string;
  /**
   * A list of records, which a page decodes while it waits for its first payload, so that the engine has compiled what reads
   * it. Formats that need a schema have none.
   */
  warmUp?(): Uint8Array<ArrayBuffer>;
  /** Makes the value of one of the format's own tags from its inner value. */
  revive?(tag: string, inner: unknown): unknown;
}

/** A format whose options and schema are not known statically. */
export type AnyFormat = Format<object, unknown>;
