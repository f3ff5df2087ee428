/**
 * What a sink may offer readers besides the events that each sink takes. A reader looks for it once, and without it sends
 * events. Columns offer most; objects some; spans, which tell where each value lies, next to nothing.
 */

import type { RowSteps } from './rows/steps.ts';

/** Strings as UTF-8, one behind the other. More may come; an index stands for the same string for ever. */
export interface KeyList {
  readonly view: DataView;
  text(index: number): string;
  start(index: number): number;
  end(index: number): number;
}

/** Strings that a reader knows, and sends again and again: a list to which nothing comes. */
export type ConstantList = KeyList;

/** Items of a list follow one another without a byte between them. */
export const NO_SEPARATOR = -1;

/** What a key's cells take in `RowCells`; null in any case. Nothing but null: */
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
export interface RowCells {
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

/** What a reader asks `readRows` for. */
export interface RowRequest {
  readonly grammar: RowGrammar;
  /** See `row-flags.ts`. */
  readonly flags: number;
  /** Bytes of the longest string. */
  readonly longest: number;
  /** Bytes of the longest binary. */
  readonly longestBinary: number;
  /** How many containers may be open in an object, itself included. */
  depth: number;
  /** How many values an object counts for, besides its own. */
  readonly objectValues: 0 | 1;
  /** How many values and how many items may come: those that were read are taken off. */
  values: number;
  items: number;
  /** Where no keys are written: the handle of the objects' record, and the byte or tag that each begins with. */
  record: number;
  head: number;
  /** Of the bytes 0x40 to 0x7f those that begin a record, a bit each; the others are integers. */
  readonly ids: Int32Array;
  /** Where a schema tells what comes: what is done for each value of the record. */
  readonly steps: RowSteps | undefined;
  /** Where keys are written: what stands for one in the input; undefined where that is not known, so that a table with it is left alone. */
  keyBytes(key: string): Uint8Array | undefined;
  /** How many values of the objects that were read are not in the input, but defaults. Set by the sink. */
  defaults: number;
  /** How many objects had better be read one by one before the next request. Set by the sink. */
  wait: number;
}

/** What a sink may offer. Each is absent where a sink does without. */
export interface OptionalSinkMethods {
  /** True where a string that the reader can cut from a longer one is best given as `text`. */
  readonly prefersText?: boolean;
  /**
   * The bytes of the window are about to go: a sink that kept ranges takes them in. Also called when the reader has
   * thrown, since what it kept may hold an earlier error, which is then thrown instead.
   */
  leave?(): void;

  /** The bytes belong to the innermost container, and to nothing in it: the head of a block of items. */
  between?(start: number, end: number): void;

  /** A string of a list. Where a sink has no such method, it gets a window of the list's bytes instead. */
  constant?(list: ConstantList, index: number): void;
  /** The first of `values`, so many, are the next items of the array that is open: as `float` for each. */
  addNumbers?(values: Float64Array, count: number): void;
  /** An array of so many of the first of `values`, all `integers` or not: as `beginArray`, `float` for each, and `endArray`. */
  numberArray?(values: Float64Array, count: number, integers: boolean): void;
  /** A key of a list, which is UTF-8. Where a sink has no such method, it gets a window of the list's bytes instead. */
  listedKey?(list: KeyList, index: number): void;

  /**
   * Where the next items of the list that is open may be put if they are objects of a record's keys, all of them there;
   * undefined where they are best sent as events.
   */
  rows?(record: number): RowCells | undefined;
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
}
