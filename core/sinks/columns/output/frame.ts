import { TAG_UNDEFINED } from '../../../block/block.ts';
import type { Key } from '../key.ts';
import type { KeyShape, Table } from '../table.ts';
import type { Tape } from './tape.ts';

export const FRAME_ROOT = 0;
export const FRAME_LIST = 1;
export const FRAME_MAP = 2;
export const FRAME_OBJECT = 3;
export const FRAME_ROW = 4;
export const FRAME_TAGGED = 5;

/** Number of items per batch in a list that is not batched. */
export const NO_LIMIT = 2 ** 30 - 1;

/** The `records` of a list that contains a list: further objects do not make it positive. */
export const HAS_LISTS = -NO_LIMIT;

/** The keys that records share. */
export interface RecordKeys {
  keys: Key[];
  /** Undefined if a key is repeated. */
  shape: KeyShape | undefined;
  /** Number of these records that were items of a list. */
  uses: number;
}

/** An open container. Frames are reused, so opening one sets every field. */
export class Frame {
  kind = FRAME_ROOT;
  /** Destination of the values inside. */
  tape: Tape;
  /** Position of the container's header on the tape. */
  start = 0;
  /** Values inside so far, including the one being read. */
  count = 0;
  /** Index of the first string that this object may have written. */
  text = 0;
  /** An object's keys so far. */
  shape: KeyShape;
  /** List: items emitted before those that `count` counts, and items per batch. */
  emitted = 0;
  limit = NO_LIMIT;
  /** Keys that are not part of the shape. */
  extra = 0;
  /** Row: its table. List: the table that the next item is expected in. */
  table: Table | undefined;
  /** Row: the table of the enclosing row. */
  outer: Table | undefined;
  /** Row: index after the column set last. */
  next = 0;
  /** List: number of its items that are objects; negative if one is a list. */
  records = 0;
  /** List: position of the ROWS entry written last, −1 for none. */
  run = -1;
  /** List: the last object, if it is on the tape: its shape, and the bounds of its words and strings. */
  lastShape: KeyShape | undefined;
  lastStart = 0;
  lastEnd = 0;
  lastText = 0;
  lastTextEnd = 0;
  /** Offset of the container in the input, and bytes in containers inside it, which were kept or dropped. */
  from = 0;
  innerBytes = 0;
  droppedBytes = 0;
  /**
   * List: number of its first objects, their bytes, how many of those are in nested containers or on the tape, and the number of
   * objects for which some of these are kept.
   */
  sampled = 0;
  sampledBytes = 0;
  nestedBytes = 0;
  nestedItems = 0;
  /** List: its objects are kept as raw bytes. */
  raw = false;
  /** Record on the tape: its keys, the fields read so far, and whether those are out of order. */
  record: RecordKeys | undefined;
  readonly fields: number[] = [];
  disordered = false;

  constructor(tape: Tape, shape: KeyShape) {
    this.tape = tape;
    this.shape = shape;
  }

  /** True for a list of objects, next to which there may be other items, but no lists; also if all items are null or undefined. */
  isRowList(): boolean {
    let left = this.records === 0 ? this.count : 0;
    for (let at = this.start + 2; left > 0 && this.tape.words[at]! <= TAG_UNDEFINED; at++) left--;
    return this.records >= 0 && left === 0;
  }

  /** Gives this object the keys of a record. */
  setRecord(record: RecordKeys): void {
    this.record = record;
    this.fields.length = 0;
  }

  /** Adds the field that the next value belongs to. */
  addField(index: number): void {
    const { fields } = this;
    if (fields.length > 0 && index < fields[fields.length - 1]!) this.disordered = true;
    fields.push(index);
  }

  /** True if the current value belongs to `key` of this object. */
  isAt(key: string): boolean {
    return this.kind === FRAME_OBJECT && this.extra === 0 && this.shape.key?.toString() === key;
  }
}
