/**
 * The contract between readers and sinks. A reader turns bytes into the events below, in document order; a sink turns
 * the events into columns, objects or spans. Events are method calls, so that each thread pays one monomorphic call a
 * value. This file imports nothing.
 *
 * Positions (`start`, `from`, `end`) are indices into the window last announced by `window()`. A value's header
 * (type, length) lies in `start..from`, its payload in `from..end`; where there is no `from`, header and payload are one.
 */

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

/** Items of a list follow one another without a byte between them. */
export const NO_SEPARATOR = -1;

/** A handle that `defineRecord` returned. */
export type RecordId = number;

/** Strings as UTF-8, one behind the other. More may come; an index stands for the same string for ever. */
export interface KeyList {
  readonly view: DataView;
  text(index: number): string;
  start(index: number): number;
  end(index: number): number;
}

/** Strings that a reader knows, and sends again and again: a list to which nothing comes. */
export type ConstantList = KeyList;

/** What a key's cells take in `Rows`; null in any case. Nothing but null: */
export const CELL_NULL = 1;
/** Any number, in `numbers`. */
export const CELL_NUMBER = 2;
/** An integer of 32 bits, in `words`. */
export const CELL_INT32 = 3;
/** 0 or 1, in `words`. */
export const CELL_BOOLEAN = 4;
/** UTF-8 in the window, not yet validated: two `words`, where it starts and ends. */
export const CELL_STRING = 5;

/** Where a reader puts objects of a list instead of sending events for them: rows with a cell for each key of a record. */
export interface Rows {
  /** What the cells of each key take. */
  readonly kinds: Uint8Array;
  /** How many rows there is room for. */
  readonly room: number;
  /** The first row, as an index into `numbers` and `words`. */
  readonly row: number;
  /** The first row where cells take two words: these are at twice its index. */
  readonly range: number;
  /** By key. */
  readonly numbers: readonly Float64Array[];
  readonly words: readonly Int32Array[];
  setNull(key: number, row: number): void;
}

/** The forms of records that a sink may read by itself. */
export type RowGrammar = 'json' | 'messagepack' | 'messagepackRecords' | 'cbor' | 'cborRecords';

/** What a reader asks `readRows` for. */
export interface RowRequest {
  readonly grammar: RowGrammar;
  /** See `row-flags.ts`. */
  readonly flags: number;
  /** Bytes of the longest string. */
  readonly longest: number;
  /** How many values an object counts for, besides its own. */
  readonly objectValues: 0 | 1;
  /** How many values and how many items may come: those that were read are taken off. */
  values: number;
  items: number;
  /** Where no keys are written: the record of the objects, and the byte or tag that each begins with. */
  record: RecordId;
  head: number;
  /** Of the bytes 0x40 to 0x7f those that begin a record, a bit each; the others are integers. */
  readonly ids: Int32Array;
  /** How many objects had better be read one by one before the next request. Set by the sink. */
  wait: number;
}

export interface Sink {
  /** True where a string that the reader can cut from a longer one is best given as `text`. */
  readonly prefersText?: boolean;
  /**
   * Announces the bytes that the positions of the following events refer to. `base` is the offset of `bytes[0]` in the
   * whole input; `-1` where the bytes are not part of the input (an unescaped copy), in which case the next event alone
   * refers to them, and the window before is announced again after it.
   */
  window(bytes: Uint8Array, view: DataView, base: number): void;
  /**
   * The bytes of the window are about to go: a sink that kept ranges takes them in. Also called when the reader has
   * thrown, since what it kept may hold an earlier error, which is then thrown instead.
   */
  leave?(): void;

  /** The bytes belong to the innermost container, and to nothing in it: the head of a block of items. */
  between?(start: number, end: number): void;

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
  /** A string of a list. Where a sink has no such method, it gets a window of the list's bytes instead. */
  constant?(list: ConstantList, index: number): void;
  binary(kind: BinaryKind, start: number, from: number, end: number): void;
  /** Milliseconds since the epoch; NaN is an invalid Date. */
  date(milliseconds: number, start: number, end: number): void;

  /** `count` is the declared number of items, −1 where the format does not tell. It is a hint: bytes decide. */
  beginArray(count: number, start: number, end: number): void;
  endArray(end: number): void;
  /** The first of `values`, so many, are the next items of the array that is open: as `float` for each. */
  addNumbers?(values: Float64Array, count: number): void;
  /** An array of so many of the first of `values`, all `integers` or not: as `beginArray`, `float` for each, and `endArray`. */
  numberArray?(values: Float64Array, count: number, integers: boolean): void;
  beginSet(count: number, start: number, end: number): void;
  endSet(end: number): void;

  /** A plain object: `key` or `keyText` before each value. A key seen twice keeps its place and takes the last value. */
  beginObject(count: number, start: number, end: number): void;
  endObject(end: number): void;
  /** A key as UTF-8 in `from..end`, not yet validated. */
  key(start: number, from: number, end: number): void;
  keyText(value: string, start: number, end: number): void;
  /** A key of a list, which is UTF-8. Where a sink has no such method, it gets a window of the list's bytes instead. */
  listedKey?(list: KeyList, index: number): void;

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

  /**
   * Where the next items of the list that is open may be put if they are objects of a record's keys, all of them there;
   * undefined where they are best sent as events.
   */
  rows?(record: RecordId): Rows | undefined;
  /** Of the rows given last, the list has so many as its next items. To be called before any other event. */
  addRows?(count: number): void;

  /**
   * Reads the next items of the list that is open from `at..to` of the window (of JSON, from behind an item): objects that
   * look as the last one did, or of a record. Returns where the first begins that is anything else, or cut: the reader reads
   * that one. Absent where objects come as events.
   */
  readRows?: ((request: RowRequest, bytes: Uint8Array, at: number, to: number) => number) | undefined;

  /**
   * Set by a reader whose items can each be read by themselves: the byte that is put between two of them, so that several
   * are read in one go, or `NO_SEPARATOR`. Undefined, or set so again, where an item needs what came before it.
   */
  itemSeparator?: number | undefined;
  /**
   * The items of the innermost open list, where they are objects, are best given as bytes: the reader only checks one, and
   * calls `item` in the place of its events. Absent where a sink takes no such items.
   */
  readonly takesItems?: boolean;
  /** An object that the reader has checked, the next item of the list. */
  item?(from: number, end: number): void;

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
