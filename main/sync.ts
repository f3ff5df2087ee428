import { joined } from '../core/bytes/byte-input.ts';
import { locateError } from '../core/reading/decode.ts';
import type { EncodeSession } from '../core/writing/encode.ts';
import { EncodeError, SchemaError } from '../core/errors.ts';
import type { AnyFormat, Format } from '../core/formats/format.ts';
import { isSource, type Source, UNKNOWN_LENGTH } from '../core/reading/sources.ts';
import type { AnyFormatWriter, FormatWriter, Writer } from '../core/writing/writer.ts';
import { type Limits, resolveLimits } from '../core/limits.ts';
import type { Reader } from '../core/reading/reader.ts';
import { recordsOf } from '../core/reading/record-list.ts';
import type { Revive } from '../core/reading/revive.ts';
import { ObjectSink, shapeOf } from '../core/sinks/objects/objects.ts';
import { KeepAlive } from '../core/keep-alive.ts';
import { thrown } from '../core/writing/thrown.ts';
import { formatRevive } from './decoder/revive.ts';
import { isBuffer, notASource } from './input/sources.ts';

const NO_OPTIONS = Object.freeze({});
const keepAlive = new KeepAlive<AnyFormat>();
/** By class. */
const writers = new KeepAlive<unknown>();

/** How one payload is decoded on the calling thread. */
export interface SyncOptions<Options = object, Schema = unknown> {
  /** The format's own options. */
  options?: Options | undefined;
  /** What `compileSchema` made of a schema. */
  schema?: Schema | undefined;
  /** What the payload may ask for. */
  limits?: Partial<Limits> | undefined;
  /** Makes the values of the format's own tags, as the format's `createRevive` does; where it gives undefined, the format does. */
  revive?: Revive | undefined;
}

/**
 * Decodes a payload on the calling thread, at once: in Node, Deno, Bun, in a worker of your own. Nothing is loaded and no
 * worker is started. Throws what `Decoder.decode` rejects with.
 *
 * @param format a module of `unspool/formats/*`
 *
 * @example
 * import { decodeSync } from 'unspool/sync';
 * import messagepack from 'unspool/formats/messagepack';
 *
 * const trips = decodeSync<Trip[]>(messagepack, await readFile('trips.msgpack'));
 */
export function decodeSync<T = unknown, Options = object, Schema = unknown>(
  format: Format<Options, Schema>,
  source: ArrayBufferLike | ArrayBufferView,
  { options, schema, limits: some, revive }: SyncOptions<Options, Schema> = {},
): T {
  const any = format as AnyFormat;
  const bytes = viewOf(source);
  if (any.prepare?.(bytes)) throw new TypeError('the payload needs code that is not loaded: call await prepare(format, bytes) first');
  const reading = options ?? NO_OPTIONS;
  const limits = resolveLimits(some);
  const plain = any.decodePlain?.(bytes, reading, limits, schema, shapeOf);
  if (plain !== undefined) return plain as T;
  const sink = new ObjectSink(formatRevive(any, revive));
  const read = (into: ObjectSink): Reader => any.createReader(into, reading, limits, schema);
  try {
    read(sink).end(bytes);
    keepAlive.keep(any, () => read(new ObjectSink()));
  } catch (error) {
    throw locateError(error, undefined, sink, bytes.subarray(0, 64));
  }
  return sink.result as T;
}

/** How one value is encoded on the calling thread. */
export interface EncodeSyncOptions<Options = object, Schema = unknown> {
  /** The format's own options. */
  options?: Options | undefined;
  /** What `compileSchema` made of a schema. */
  schema?: Schema | undefined;
  /** What the value may have: of the limits, `depth`. */
  limits?: Partial<Pick<Limits, 'depth'>> | undefined;
}

/**
 * Encodes a value on the calling thread, at once, into one array of bytes whose buffer is its own. Throws what
 * `Encoder.encode` rejects with.
 *
 * @param writer a module of `unspool/encoders/*`
 *
 * @example
 * import { encodeSync } from 'unspool/sync';
 * import messagepack from 'unspool/encoders/messagepack';
 *
 * await writeFile('trips.msgpack', encodeSync(messagepack, trips));
 */
export function encodeSync<Options = object, Schema = unknown>(
  writer: FormatWriter<Options, Schema>,
  value: unknown,
  options?: EncodeSyncOptions<Options, Schema>,
): Uint8Array<ArrayBuffer> {
  return joined(encodeChunks(writer, value, options));
}

/**
 * As `encodeSync`, but the chunks that the bytes were written into, in order, each with a buffer of its own: for sockets,
 * files and Blobs, which take several, so that large results are not copied.
 */
export function encodeChunks<Options = object, Schema = unknown>(
  writer: FormatWriter<Options, Schema>,
  value: unknown,
  { options, schema, limits }: EncodeSyncOptions<Options, Schema> = {},
): Uint8Array<ArrayBuffer>[] {
  const any = writer as AnyFormatWriter;
  const given = withRecords(value);
  const writing = options ?? NO_OPTIONS;
  const resolved = resolveLimits(limits);
  const small = any.encodeSmall?.(given, writing, resolved);
  if (small !== undefined) return [small];
  const create = (): Writer => any.createWriter(writing, resolved, schema);
  const made = create();
  const session = made.session(writer.id);
  if (isSource(given)) writeItems(given, session, made.takesItems || (writing as { sequence?: boolean }).sequence === true, writer.id);
  else session.write(given).run();
  writers.keep(made.constructor, () => create().keepAliveInstance());
  return session.take();
}

/**
 * Compiles a schema, as `docs/guides/schemas.md` has it for the format, for any number of calls of `decodeSync`. Rejects with a
 * SchemaError.
 */
export async function compileSchema<Schema>(format: Pick<Format<never, Schema>, 'compileSchema'>, schema: unknown): Promise<Schema> {
  if (!format.compileSchema) throw new SchemaError('this format takes no schema');
  return await format.compileSchema(schema);
}

/** Loads what a payload needs beyond its format's code: what decompresses the blocks of an Avro container. */
export async function prepare(format: Pick<AnyFormat, 'prepare'>, source: ArrayBufferLike | ArrayBufferView): Promise<void> {
  await format.prepare?.(viewOf(source));
}

export { DecodeError, EncodeError, LimitError, SchemaError } from '../core/errors.ts';
export type { EncodeErrorCode, ErrorPlace, PlacedError } from '../core/errors.ts';
export type { Format } from '../core/formats/format.ts';
export type { FormatWriter } from '../core/writing/writer.ts';
export type { Limits } from '../core/limits.ts';
export type { Revive } from '../core/reading/revive.ts';

/** The records of `Rows`; other values as they are. */
function withRecords(value: unknown): unknown {
  try {
    return recordsOf(value) ?? value;
  } catch {
    // A proxy has thrown: the writer says so.
    return value;
  }
}

/** Writes the items of an iterator as a list. */
function writeItems(source: Source, session: EncodeSession, takesItems: boolean, format: string): void {
  if (!(Symbol.iterator in source)) throw new EncodeError('unsupported', 'items that come later: use an Encoder of unspool/encode', { format });
  if (!takesItems) throw new EncodeError('unsupported', UNKNOWN_LENGTH, { format });
  let count = 0;
  try {
    for (const item of source) {
      count += 1;
      session.add([item]);
      session.run();
    }
  } catch (cause) {
    if (cause instanceof EncodeError) throw cause;
    throw thrown(cause, 'the source', { format, path: [count] });
  }
  session.close();
  session.run();
}

function viewOf(source: ArrayBufferLike | ArrayBufferView): Uint8Array {
  if (!ArrayBuffer.isView(source)) {
    if (!isBuffer(source)) throw notASource(source, 'an ArrayBuffer or a view of one');
    return new Uint8Array(source);
  }
  return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
}
