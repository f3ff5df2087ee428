/**
 * Optional methods of sinks. A reader checks once whether the sink has one, and otherwise sends events. Columns
 * implement most of them, objects some, and spans, which record where each value is, hardly any.
 */

import type { RowSteps } from './rows/steps.ts';

/** A growing list of strings as consecutive UTF-8. An index always refers to the same string. */
export interface KeyList {
  readonly view: DataView;
  text(index: number): string;
  start(index: number): number;
  end(index: number): number;
}

/** A fixed list of strings that a reader sends repeatedly. */
export type ConstantList = KeyList;

/** Ranges outside a value that it is read by, in formats of columns. */
export const BESIDE = ['validity', 'offsets', 'index', 'view', 'type id'] as const;
export type Beside = (typeof BESIDE)[number];

/** Items of a list follow one another without a byte between them. */
export const NO_SEPARATOR = -1;

/** Cells of a key in `RowCells`; each may also be null. This one is always null. */
export const CELL_NULL = 1;
/** Any number, in `numbers`. */
export const CELL_NUMBER = 2;
/** A 32-bit integer, in `words`. */
export const CELL_INT32 = 3;
/** 0 or 1, in `words`. */
export const CELL_BOOLEAN = 4;
/** UTF-8 in the window, not yet validated: two `words`, its start and end. */
export const CELL_STRING = 5;

/** Rows with a cell for each key of a record, which a reader fills instead of sending events for objects of a list. */
export interface RowCells {
  /** Cell kind of each key. */
  readonly kinds: Uint8Array;
  /** How many more rows fit. */
  readonly room: number;
  /** The first row, as an index into `numbers` and `words`. */
  readonly row: number;
  /** The first row for cells of two words, which are at twice its index. */
  readonly range: number;
  /** Columns by key. */
  readonly numbers: readonly Float64Array[];
  readonly words: readonly Int32Array[];
  setNull(key: number, row: number): void;
}

/** Encodings of records that a sink may be able to read. */
export type RowGrammar =
  | 'json'
  | 'messagepack'
  | 'messagepackRecords'
  | 'cbor'
  | 'cborRecords'
  | 'avro'
  | 'protobuf'
  | 'bebop'
  | 'jsbinary'
  | 'bson'
  | 'sia';

/** The keys of a list's records, of which only some become columns. */
export interface RowLayout {
  /** Keys in the order of the records; for records of a definition or a schema, all of its keys. */
  readonly keys: readonly string[];
  /** By key: false if its values are validated and then dropped. */
  readonly kept: readonly boolean[];
}

/** The parts of values at one place that are kept. */
export interface KeptParts {
  /** True if the values are kept as a whole. */
  readonly isWhole: boolean;
  /** Parts of the values of each key of an object; other keys are dropped. A list is kept, with these parts of each item. */
  readonly children: ReadonlyMap<string, KeptParts>;
}

/** Arguments and results of `readRows`. */
export interface RowRequest {
  readonly grammar: RowGrammar;
  /** See `rows/flags.ts`. */
  readonly flags: number;
  /** Length limit of strings, in bytes. */
  readonly longest: number;
  /** Length limit of binaries, in bytes. */
  readonly longestBinary: number;
  /** How many containers may be open in an object, itself included. */
  depth: number;
  /** How many values an object itself counts for. */
  readonly objectValues: 0 | 1;
  /** How many values and items may still come; reduced by those read. */
  values: number;
  items: number;
  /** For records without written keys: the handle of their record, and the byte or tag that each begins with. */
  record: number;
  head: number;
  /** One bit for each of the bytes 0x40 to 0x7f: set for those that begin a record; the others are integers. */
  readonly ids: Int32Array;
  /** Steps for each value of the record, if a schema defines it. */
  readonly steps: RowSteps | undefined;
  /**
   * Encodes a key as the input writes it; undefined if that is not known, so that tables with this key are not used.
   */
  keyBytes(key: string): Uint8Array | undefined;
  /** Set if some keys are dropped: see `PickSink`. Undefined if the records have the keys of their table. */
  layout: RowLayout | undefined;
  /** The same for items whose bytes are kept. */
  parts: KeptParts | undefined;
  /** How many values of the objects read are defaults and not part of the input. Set by the sink. */
  defaults: number;
  /** How many objects to read one by one before the next request. Set by the sink. */
  skipRecords: number;
}

/** Optional methods of a sink. */
export interface OptionalSinkMethods {
  /** True if a string that the reader can slice from a longer one is best sent as `text`. */
  readonly prefersText?: boolean;
  /**
   * The text of UTF-8 that may be broken; takes the arguments of `decodeUtf8`. With it, the sink takes such text in `string` and `key`, and readers do not refuse it in what
   * they decode themselves: see `textFor`.
   */
  readonly repairedText?: ((bytes: Uint8Array, from: number, end: number, base: number) => string) | undefined;
  /**
   * Throws if text of a length exceeds the limit of strings. Set by the reader; a sink that does not check by itself calls it
   * with the length of each `text`.
   */
  checkText?: ((length: number, start: number) => void) | undefined;
  /**
   * Called before the window's bytes are discarded: a sink that holds ranges must copy them now. Also called after the
   * reader has thrown, since a held range may contain an earlier error, which is then thrown instead.
   */
  flush?(): void;

  /** Counts the bytes of a container in the innermost open object that were validated and dropped. */
  dropped?(bytes: number): void;

  /**
   * The items of the open array are objects with the keys of a record, by a schema. Sent before the end of an array that may be
   * empty, so that a table without rows has its columns.
   */
  itemRecord?: ((record: number) => void) | undefined;

  /** Bytes of the innermost container that belong to none of its items: the head of a block of items. */
  between?(start: number, end: number): void;

  /** A range of the window outside the next value that it is read by: see `BESIDE`. For a bit of validity, `length` is its number. */
  beside?(kind: Beside, start: number, length: number): void;

  /** A string of a list. Without this method, the sink receives a window of the list's bytes. */
  constant?(list: ConstantList, index: number): void;
  /** The first `count` of `values` are the next items of the open array, as if sent by `float`. */
  addNumbers?(values: Float64Array, count: number): void;
  /**
   * A complete array of the first `count` of `values`, which are all integers or not: `beginArray`, `float` for each,
   * and `endArray`.
   */
  numberArray?(values: Float64Array, count: number, integers: boolean): void;
  /** `count` complete arrays of `size` numbers each, one after the other in `values`, such as points. */
  numberLists?(values: Float64Array, size: number, count: number): void;
  /** A value that is complete, as it is. */
  made?(value: object): void;
  /** A key of a list, as UTF-8. Without this method, the sink receives a window of the list's bytes. */
  listedKey?(list: KeyList, index: number): void;

  /**
   * Cells for the next items of the open list, if they are objects with all of a record's keys; undefined if they are
   * best sent as events.
   */
  rows?(record: number): RowCells | undefined;
  /** Appends the first `count` rows of the latest cells to the list. Must be called before any other event. */
  addRows?(count: number): void;

  /**
   * Reads the next items of the open list from `at..to` of the window (for JSON, from after an item): objects that look
   * like the last one, or objects of a record. Returns the position of the first item that is different or cut, which
   * the reader then reads. Absent if objects are sent as events.
   */
  readRows?: ((request: RowRequest, bytes: Uint8Array, at: number, to: number) => number) | undefined;

  /**
   * Set by a reader whose items are self-contained: the byte to put between two of them, so that several are parsed as
   * one text, or `NO_SEPARATOR`. Undefined, or reset to undefined, if an item depends on earlier input.
   */
  itemSeparator?: number | undefined;
  /** True if objects of the innermost open list may become lazy rows, their bytes. Absent if the sink has none. */
  readonly acceptsRawItems?: boolean | undefined;
}

/**
 * Consecutive numbers of an array on their way from a reader to a sink: see `OptionalSinkMethods.addNumbers`. The sink
 * reads them before the next are stored.
 */
export const NUMBERS = new Float64Array(512);

/** End of the latest run, and whether it contains integers only. */
export const numberRun: { end: number; integers: boolean } = { end: 0, integers: false };
