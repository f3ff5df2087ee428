import { joined } from '../core/bytes/byte-input.ts';
import { bytesFrom } from '../core/bytes/bytes-in.ts';
import { locateError } from '../core/format/decode-session.ts';
import type { EncodeSession } from '../core/writing/encode.ts';
import { EncodeError, SchemaError } from '../core/errors.ts';
import type { AnyFormat, Format } from '../core/format/format.ts';
import type { FormatId } from '../core/format/format-id.ts';
import { type FormatOptions, WITH_SCHEMA } from '../core/formats/registry.ts';
import type { JsonOptions } from '../core/formats/json/options.ts';
import { isSource, type Source, UNKNOWN_LENGTH } from '../core/values/sources.ts';
import type { AnyFormatWriter, FormatWriter, Writer } from '../core/writing/writer.ts';
import { type Limits, resolveLimits } from '../core/limits.ts';
import { checkOptions } from '../core/option-table.ts';
import { WRITING } from '../core/formats/write-options.ts';
import type { Reader } from '../core/reading/reader.ts';
import type { Sink } from '../core/reading/sink.ts';
import { wrapper } from '../core/shaping.ts';
import { recordsOf } from '../core/values/record-list.ts';
import type { ReviveTag } from '../core/reading/revive.ts';
import { ObjectSink, shapeOf } from '../core/sinks/objects/objects.ts';
import { keepAlive } from '../core/engine/keep-alive.ts';
import { thrown } from '../core/writing/thrown.ts';
import type { SchemaDefinition } from './call/options/options.ts';
import type { SchemaValue } from './call/options/typed-schemas.ts';
import { formatRevive } from '../core/reading/format-revive.ts';
import type { EncodableValue } from './encoder/encodable.ts';
import { checkLimits, checkModule, checkNames } from '../core/check-names.ts';
import { NOT_PLAIN, parseJson } from '../core/slicing/json/values.ts';
import { decodeAgainSync } from './previous/decode-again-sync.ts';

const NO_OPTIONS = Object.freeze({});

/** Names of the options of `decodeSync`, and of `encodeSync`. */
const DECODE = ['options', 'schema', 'limits', 'reviveTag', 'previous', 'key', 'checkPrevious', 'pick', 'numbers', 'invalidText'];
const ENCODE = ['options', 'schema', 'limits'];

/** Options of `decodeSync`. */
export interface SyncOptions<Options = object, Schema = unknown, T = unknown> {
  /** Options of the format. */
  options?: Options | undefined;
  /** Result of `compileSchema`. */
  schema?: Schema | CompiledSchema<Schema, T> | undefined;
  /** Limits for the payload. */
  limits?: Partial<Limits> | undefined;
  /**
   * Converts the format's own tagged values, like the format's `createReviveTag`. Return undefined to use the format's
   * conversion.
   */
  reviveTag?: ReviveTag | undefined;
  /**
   * A value that an earlier call with this option has returned. Parts of the payload whose bytes are the same become the same
   * objects in the result; if all bytes are the same, the result is the value itself. Set it, also to undefined, to have a copy of
   * the bytes kept for the next call, as long as the result is referenced. For JSON, MessagePack, CBOR, BSON, Protocol Buffers and
   * Avro; throws a TypeError for other formats. See `DecodeOptions.previous`.
   */
  previous?: unknown;
  /** With `previous`: the key whose value identifies the records of a list, such as `id`. */
  key?: string | undefined;
  /** With `previous`, for development: throws a TypeError if the application has changed it. See `DecodeOptions.checkPrevious`. */
  checkPrevious?: boolean | undefined;
  /**
   * The parts of the payload to decode, as paths from the root; everything else is checked and skipped. Not with `previous`. See
   * `DecodeSettings.pick`.
   */
  pick?: readonly (string | readonly string[])[] | undefined;
  /** Makes lists of numbers typed arrays, and lists of points flat coordinates. Not with `previous`. See `DecodeSettings.numbers`. */
  numbers?: 'typed' | undefined;
  /** How text that is not valid UTF-8 is decoded. Not with `previous`. Default `error`. See `DecodeSettings.invalidText`. */
  invalidText?: 'error' | 'replace' | 'bytes' | undefined;
}

/**
 * Decodes a payload synchronously on the calling thread: in Node, Deno, Bun or a worker of your own. Loads no code and
 * starts no worker. Throws the errors that `Decoder.decode` rejects with.
 *
 * @param format a module of `unspool/formats/*`
 *
 * @example
 * import { decodeSync } from 'unspool/sync';
 * import messagepack from 'unspool/formats/messagepack';
 *
 * const trips = decodeSync<Trip[]>(messagepack, await readFile('trips.msgpack'));
 */
export function decodeSync<T = unknown, Options = FormatOptions[FormatId], Schema = unknown>(
  format: Format<Options, Schema>,
  source: ArrayBufferLike | ArrayBufferView,
  given: SyncOptions<Options, NoInfer<Schema>, T> = {},
): T {
  checkModule(format, 'createReader');
  const any = format as AnyFormat;
  const bytes = viewOf(source);
  if (any.prepare?.(bytes)) throw new TypeError('the payload needs code that is not loaded: call await prepare(format, bytes) first');
  checkNames(given, DECODE);
  checkLimits(given.limits);
  const { schema, reviveTag, previous, key, checkPrevious, pick, numbers, invalidText: asked = 'error' } = given;
  const invalidText = asked === 'error' ? undefined : asked;
  const isShaped = (pick ?? numbers) !== undefined;
  const wrap = isShaped || invalidText ? wrapper({ pick, numbers, invalidText }, given) : undefined;
  const options: object = given.options ?? NO_OPTIONS;
  const limits = resolveLimits(given.limits);
  const decode = (payload: Uint8Array, reading: object, within: Limits): unknown =>
    decodeNow(any, payload, reading, within, schema, reviveTag, wrap, isShaped);
  if ('previous' in given)
    return decodeAgainSync(any, bytes, { options, limits, schema, revive: reviveTag, previous, key, checkPrevious }, decode) as T;
  return decode(bytes, options, limits) as T;
}

function decodeNow(
  format: AnyFormat,
  bytes: Uint8Array,
  options: object,
  limits: Limits,
  schema: unknown,
  reviveTag: ReviveTag | undefined,
  wrap: ((sink: Sink) => Sink) | undefined,
  isShaped: boolean,
): unknown {
  checkOptions(options, format.options);
  // A payload that is read at once is valid; otherwise, the reader finds the error.
  const value = isShaped
    ? undefined
    : format.id === 'json'
      ? parsePlain(bytes, options, limits)
      : format.decodeAtOnce?.(bytes, options, limits, schema, shapeOf);
  if (value !== undefined) return value;
  const sink = new ObjectSink(formatRevive(format, reviveTag));
  const outer = wrap?.(sink) ?? sink;
  const read = (into: Sink): Reader => format.createReader(into, options, limits, schema);
  try {
    read(outer).end(bytes);
    keepAlive(format, () => read(new ObjectSink()));
  } catch (error) {
    throw locateError(error, undefined, outer, bytes.subarray(0, 64));
  }
  return sink.result;
}

/** Parses JSON by the engine. Undefined for what the reader must read: sequences, exact integers, invalid texts. */
function parsePlain(bytes: Uint8Array, { bigints, sequence, ranges }: JsonOptions, limits: Limits): unknown {
  if (sequence || ranges || bigints === 'bigint') return undefined;
  const value = parseJson(bytes, limits);
  return value === NOT_PLAIN ? undefined : value;
}

/** Options of `encodeSync` and `encodeChunks`. */
export interface EncodeSyncOptions<Options = object, Schema = unknown, T = unknown> {
  /** Options of the format. */
  options?: Options | undefined;
  /** Result of `compileSchema`. */
  schema?: Schema | CompiledSchema<Schema, T> | undefined;
  /** Limits for the value; only `depth` applies. */
  limits?: Partial<Pick<Limits, 'depth'>> | undefined;
}

/**
 * Encodes a value synchronously into one array of bytes that owns its buffer. Throws the errors that `Encoder.encode`
 * rejects with.
 *
 * @param writer a module of `unspool/encoders/*`
 *
 * @example
 * import { encodeSync } from 'unspool/sync';
 * import messagepackEncoder from 'unspool/encoders/messagepack';
 *
 * await writeFile('trips.msgpack', encodeSync(messagepackEncoder, trips));
 */
export function encodeSync<Options = object, Schema = unknown, T = unknown>(
  writer: FormatWriter<Options, Schema>,
  value: EncodableValue<NoInfer<T>>,
  options?: EncodeSyncOptions<Options, NoInfer<Schema>, T>,
): Uint8Array<ArrayBuffer> {
  return joined(encodeChunks(writer, value, options));
}

/**
 * Encodes like `encodeSync`, but returns the chunks in order, each with a buffer of its own. Avoids copying large
 * results for sockets, files and Blobs, which accept several chunks.
 */
export function encodeChunks<Options = object, Schema = unknown, T = unknown>(
  writer: FormatWriter<Options, Schema>,
  value: EncodableValue<NoInfer<T>>,
  given: EncodeSyncOptions<Options, NoInfer<Schema>, T> = {},
): Uint8Array<ArrayBuffer>[] {
  checkModule(writer, 'createWriter');
  checkNames(given, ENCODE);
  checkLimits(given.limits);
  const { options, schema, limits } = given;
  const any = writer as AnyFormatWriter;
  const input = withRecords(value);
  const writing = options ?? NO_OPTIONS;
  checkOptions(writing, WRITING[writer.id]);
  const resolved = resolveLimits(limits);
  const small = any.encodeSmall?.(input, writing, resolved);
  if (small !== undefined) return [small];
  const create = (): Writer => any.createWriter(writing, resolved, schema);
  const made = create();
  const session = made.session(writer.id);
  if (isSource(input)) writeItems(input, session, made.takesItems || (writing as { sequence?: boolean }).sequence === true, writer.id);
  else session.write(input).run();
  keepAlive(made.constructor, () => create().keepAliveInstance());
  return session.take();
}

/** A compiled schema, which carries the type of its values if it was made from a schema of `defineSchema`. */
export type CompiledSchema<Schema, T = unknown> = Schema & { readonly '~type'?: T };

/**
 * Compiles a schema once for any number of `decodeSync` and `encodeSync` calls; `docs/guides/schemas.md` lists the accepted
 * schemas of each format. A schema of `defineSchema` gives its type to their values. Rejects with a SchemaError.
 */
export async function compileSchema<Schema, S>(
  format: Format<never, Schema> | FormatWriter<never, Schema>,
  schema: S,
): Promise<CompiledSchema<Schema, SchemaValue<S>>> {
  if (!format.compileSchema) throw new SchemaError('this format takes no schema');
  return (await format.compileSchema(isDefinition(schema) ? schema.schema : schema)) as CompiledSchema<Schema, SchemaValue<S>>;
}

/** True for a schema with its format. A js-binary type may have fields of these names, but not of such a type. */
function isDefinition(schema: unknown): schema is SchemaDefinition {
  return Object.hasOwn(WITH_SCHEMA, String((schema as Partial<SchemaDefinition> | null | undefined)?.format));
}

/** Loads code that a payload needs beyond its format's own, such as the decompressor for an Avro container. */
export async function prepare(format: Format<never, unknown>, source: ArrayBufferLike | ArrayBufferView): Promise<void> {
  await format.prepare?.(viewOf(source));
}

export { DecodeError, EncodeError, LimitError, SchemaError } from '../core/errors.ts';
export type { DecodeErrorCode, EncodeErrorCode, ErrorPlace, LimitName } from '../core/errors.ts';
export type { Format } from '../core/format/format.ts';
export type { FormatWriter } from '../core/writing/writer.ts';
export type { Limits } from '../core/limits.ts';
export type { ReviveTag } from '../core/reading/revive.ts';

/** Returns the records of `Rows`, and other values unchanged. */
function withRecords(value: unknown): unknown {
  try {
    return recordsOf(value) ?? value;
  } catch {
    // A proxy threw; the writer reports the error.
    return value;
  }
}

/** Writes an iterator's items as a list. */
function writeItems(source: Source, session: EncodeSession, takesItems: boolean, format: string): void {
  if (!(Symbol.iterator in source)) throw new EncodeError('unsupported', 'asynchronous items need an Encoder of unspool/encode', { format });
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
  return bytesFrom(source, 'an ArrayBuffer or a view of one');
}
