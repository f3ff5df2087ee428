/**
 * The contract between readers and sinks. A reader turns bytes into the events below, in document order; a sink turns
 * the events into columns, objects or spans. Events are method calls, so that each thread makes one monomorphic call
 * per value. Optional methods are in `sink-methods.ts`.
 *
 * Positions (`start`, `from`, `end`) are indices into the window last announced by `window()`. A value's header
 * (type, length) is `start..from`, its payload `from..end`; without `from`, `start..end` covers both.
 */
import type { OptionalSinkMethods } from './sink-methods.ts';

/** JavaScript classes for the bytes of a `binary` event, which carries the index. */
export const BINARY_KINDS = [
  'Uint8Array',
  'ArrayBuffer',
  'Int8Array',
  'Uint8ClampedArray',
  'Int16Array',
  'Uint16Array',
  'Int32Array',
  'Uint32Array',
  'Float32Array',
  'Float64Array',
  'BigInt64Array',
  'BigUint64Array',
  'DataView',
] as const;

/** Index into `BINARY_KINDS`. Multi-byte elements are little-endian; `0` is a Uint8Array. */
export type BinaryKind = number;

/**
 * A value that JSON lacks, made from one inner value when the result is materialised. Tags without a colon are the
 * core's (`RegExp` from `[source, flags]`, `Error` from `[name, message, cause]`, `URL` from a string). A format's own
 * tags are named `format:name` and revived by the format's `revive`: `messagepack:ext` from `[type, data]`.
 */
export type Tag = string;

/** A handle that `defineRecord` returned. */
export type RecordId = number;

/** Events that every sink takes. */
export interface Events {
  /**
   * Announces the bytes that the positions of the following events refer to. `base` is the offset of `bytes[0]` in the
   * complete input; `-1` if the bytes are not part of the input (an unescaped copy). In that case only the next event
   * refers to them, and the previous window is announced again after it.
   */
  window(bytes: Uint8Array, view: DataView, base: number): void;
  null(start: number, end: number): void;
  undefined(start: number, end: number): void;
  boolean(value: boolean, start: number, end: number): void;
  /** An integer within ±(2⁵³ − 1); never −0. */
  integer(value: number, start: number, end: number): void;
  /** Any number, including NaN, −0 and the infinities. It may be integral. */
  float(value: number, start: number, end: number): void;
  bigint(value: bigint, start: number, end: number): void;
  /** UTF-8 in `from..end`, not yet validated: the sink reports `invalid-utf8` with an offset. */
  string(start: number, from: number, end: number): void;
  /**
   * A string that the reader had to build: one that UTF-8 cannot represent, that is not contiguous, or that is made of
   * another value. The sink checks its length; a reader that makes long text of few bytes charges it to its `Budget`.
   */
  text(value: string, start: number, end: number): void;
  binary(kind: BinaryKind, start: number, from: number, end: number): void;
  /** Milliseconds since the epoch; NaN is an invalid Date. */
  date(milliseconds: number, start: number, end: number): void;

  /** `count` is the declared number of items, −1 if the format does not declare it. It is only a hint. */
  beginArray(count: number, start: number, end: number): void;
  endArray(end: number): void;
  beginSet(count: number, start: number, end: number): void;
  endSet(end: number): void;

  /** A plain object: `key` or `keyText` before each value. A repeated key keeps its place and takes the last value. */
  beginObject(count: number, start: number, end: number): void;
  endObject(end: number): void;
  /** A key as UTF-8 in `from..end`, not yet validated. */
  key(start: number, from: number, end: number): void;
  keyText(value: string, start: number, end: number): void;
  /**
   * Registers a list of keys that records will share. Returns its handle for this sink, which may be `unused`: the handle of a record
   * that is not begun again, though some may be open.
   */
  defineRecord(keys: readonly string[], unused?: RecordId): RecordId;
  /**
   * A plain object whose keys were defined: `field` before each value, in any order; a field never announced is absent.
   * The object has its keys in the order of the definition, which names each once.
   */
  beginRecord(record: RecordId, start: number, end: number): void;
  /**
   * The next value belongs to the record's key `index`, which occurs at most once. The range is that of the field's
   * header, empty if it has none.
   */
  field(index: number, start: number, end: number): void;
  endRecord(end: number): void;

  /** A `Map`: its values alternate between keys and values, each of any type. */
  beginMap(count: number, start: number, end: number): void;
  endMap(end: number): void;

  /** Exactly one value follows, then `endTagged`. */
  beginTagged(tag: Tag, start: number, end: number): void;
  endTagged(end: number): void;

  /**
   * The next value may be referred to by `reference(id)`: an object, record, array, map or set also from within itself,
   * a date, binary or tagged value only after it. An id is anchored once.
   */
  anchor(id: number, start: number, end: number): void;
  reference(id: number, start: number, end: number): void;

  /** Path of the value now being read, outermost first; for error messages. */
  path(): (string | number)[];
}

/** A sink as readers see it: all events, and the optional methods. */
export interface Sink extends Events, OptionalSinkMethods {}
