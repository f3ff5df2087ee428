/**
 * The contract between readers and sinks. A reader turns bytes into the events below, in document order; a sink turns
 * the events into columns, objects or spans. Events are method calls, so that each thread pays one monomorphic call a
 * value. What a sink may offer besides is in `offers.ts`.
 *
 * Positions (`start`, `from`, `end`) are indices into the window last announced by `window()`. A value's header
 * (type, length) lies in `start..from`, its payload in `from..end`; where there is no `from`, header and payload are one.
 */

import type { OptionalSinkMethods } from './sink-methods.ts';

/** What the bytes of a `binary` event are, as the JavaScript class that holds them. The event carries the index. */
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
 * A value that is more than JSON has, made from one inner value when the result is materialised. Tags without a colon
 * are the core's (`RegExp` from `[source, flags]`, `Error` from `[name, message, cause]`, `URL` from a string); a
 * format's own are named `format:name` and revived by the format's `revive`, for example `messagepack:ext` from
 * `[type, data]`.
 */
export type Tag = string;

/** A handle that `defineRecord` returned. */
export type RecordId = number;

/** What every sink takes. */
export interface Events {
  /**
   * Announces the bytes that the positions of the following events refer to. `base` is the offset of `bytes[0]` in the
   * whole input; `-1` where the bytes are not part of the input (an unescaped copy), in which case the next event alone
   * refers to them, and the window before is announced again after it.
   */
  window(bytes: Uint8Array, view: DataView, base: number): void;
  null(start: number, end: number): void;
  undefined(start: number, end: number): void;
  boolean(value: boolean, start: number, end: number): void;
  /** An integer within ±(2⁵³ − 1); never −0. */
  integer(value: number, start: number, end: number): void;
  /** Any number: NaN, −0 and the infinities included. It may be integral. */
  float(value: number, start: number, end: number): void;
  bigint(value: bigint, start: number, end: number): void;
  /** UTF-8 in `from..end`, not yet validated: the sink reports `invalid-utf8` with an offset. */
  string(start: number, from: number, end: number): void;
  /** A string the reader had to build itself: one that UTF-8 cannot carry, or that lies in no one range. */
  text(value: string, start: number, end: number): void;
  binary(kind: BinaryKind, start: number, from: number, end: number): void;
  /** Milliseconds since the epoch; NaN is an invalid Date. */
  date(milliseconds: number, start: number, end: number): void;

  /** `count` is the declared number of items, −1 where the format does not tell. It is a hint: bytes decide. */
  beginArray(count: number, start: number, end: number): void;
  endArray(end: number): void;
  beginSet(count: number, start: number, end: number): void;
  endSet(end: number): void;

  /** A plain object: `key` or `keyText` before each value. A key seen twice keeps its place and takes the last value. */
  beginObject(count: number, start: number, end: number): void;
  endObject(end: number): void;
  /** A key as UTF-8 in `from..end`, not yet validated. */
  key(start: number, from: number, end: number): void;
  keyText(value: string, start: number, end: number): void;
  /** Registers a list of keys that records will share. Returns its handle for this sink. */
  defineRecord(keys: readonly string[]): RecordId;
  /**
   * A plain object whose keys were defined: `field` before each value, in any order; a field never announced is absent.
   * The object has its keys in the order of the definition, which names none twice.
   */
  beginRecord(record: RecordId, start: number, end: number): void;
  /** The next value belongs to the record's key `index`, which comes once at most. The range is that of the field's header, empty where it has none. */
  field(index: number, start: number, end: number): void;
  endRecord(end: number): void;

  /** A `Map`: its values alternate, key then value, each any value. */
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

  /** Where the value now being read stands, outermost first; for error messages. */
  path(): (string | number)[];
}

/** A sink as readers know it: it takes all events, and may offer more. */
export interface Sink extends Events, OptionalSinkMethods {}
