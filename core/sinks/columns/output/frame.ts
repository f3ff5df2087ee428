import type { Key } from '../key.ts';
import type { KeyShape, Table } from '../table.ts';
import type { Tape } from './tape.ts';

export const FRAME_ROOT = 0;
export const FRAME_LIST = 1;
export const FRAME_MAP = 2;
export const FRAME_OBJECT = 3;
export const FRAME_ROW = 4;
export const FRAME_TAGGED = 5;

/** More items than are given out at a time of a list that is not. */
export const NO_LIMIT = 2 ** 30 - 1;

/** The keys that records share. */
export interface RecordKeys {
  keys: Key[];
  /** None where a key stands twice. */
  shape: KeyShape | undefined;
  /** How often it was an item of a list. */
  uses: number;
}

/** What is open at one depth. Frames are used again, so every field is set when one opens. */
export class Frame {
  kind = FRAME_ROOT;
  /** Where the values inside go. */
  tape: Tape;
  /** Position of the container's header on the tape. */
  start = 0;
  /** Values inside so far, the one being read included. */
  count = 0;
  /** Index of the first string that this object may have written. */
  text = 0;
  /** An object's keys so far. */
  shape: KeyShape;
  /** List: how many of its items were given out before those that `count` counts, and how many are to be at a time. */
  given = 0;
  limit = NO_LIMIT;
  /** Keys that the shape does not tell. */
  extra = 0;
  /** Row: its table. List: the table that the next item is expected to belong to. */
  table: Table | undefined;
  /** Row: the table of the row around it. */
  outer: Table | undefined;
  /** Row: index of the column after the one set last. */
  next = 0;
  /** List: how many of its items are objects. */
  records = 0;
  /** List: position of the ROWS entry written last, −1 for none. */
  run = -1;
  /** List: the object written last, if it stands on the tape: its shape, where it and its strings start and end. */
  lastShape: KeyShape | undefined;
  lastStart = 0;
  lastEnd = 0;
  lastText = 0;
  lastTextEnd = 0;
  /** Offset in the input at which the container begins, and how many bytes containers in it take. */
  from = 0;
  inner = 0;
  /** List: its first objects, how many bytes they take, and how many of those are in containers or on the tape. */
  sampled = 0;
  sampledBytes = 0;
  nestedBytes = 0;
  /** List: its objects are kept as bytes. */
  raw = false;
  /** Record on the tape: its keys, which of them came so far, and whether they came in another order. */
  record: RecordKeys | undefined;
  readonly fields: number[] = [];
  disordered = false;

  constructor(tape: Tape, shape: KeyShape) {
    this.tape = tape;
    this.shape = shape;
  }

  /** This object has the keys of a record. */
  beRecord(record: RecordKeys): void {
    this.record = record;
    this.fields.length = 0;
  }

  /** The next value belongs to the record's key `index`. */
  come(index: number): void {
    const { fields } = this;
    if (fields.length > 0 && index < fields[fields.length - 1]!) this.disordered = true;
    fields.push(index);
  }

  /** Whether the value at hand belongs to a key of this object. */
  isAt(key: string): boolean {
    return this.kind === FRAME_OBJECT && this.extra === 0 && this.shape.key?.toString() === key;
  }
}
