import { KIND_DICTIONARY } from '../../block/block.ts';
import type { ByteList } from './output/byte-list.ts';
import { Column, type ColumnHost } from './column.ts';
import type { Key } from './key.ts';
import { Tape } from './output/tape.ts';

const FIRST_CAPACITY = 64;
/** Row groups aim at this many bytes, taking a column for 8 bytes a row. */
const GROUP_BYTES = 768 * 1024;

/** An ordered list of keys: a node of the transition tree, made of its parent's keys and one more. */
export class KeyShape {
  readonly id: number;
  readonly parent: KeyShape | undefined;
  readonly key: Key | undefined;
  /** How many keys. */
  readonly length: number;
  /** The transition taken last: the prediction. */
  next: KeyShape | undefined;
  /** Where the objects of this shape go when they repeat as items of a list. */
  table: Table | undefined;

  constructor(id: number, parent?: KeyShape, key?: Key) {
    this.id = id;
    this.parent = parent;
    this.key = key;
    this.length = parent ? parent.length + 1 : 0;
  }

  /** The keys in order. */
  keys(): Key[] {
    const keys: Key[] = new Array<Key>(this.length);
    let shape: KeyShape = this;
    for (let at = this.length - 1; at >= 0; at--) {
      keys[at] = shape.key!;
      shape = shape.parent!;
    }
    return keys;
  }
}

/** Records of one shape that repeat as items of lists: columns, in row groups that are written out when full. */
export class Table {
  readonly id: number;
  readonly shape: KeyShape;
  readonly columns: Column[];
  /** Values of VARIANT columns of the group at hand. */
  readonly tape = new Tape();
  /** How many rows were written out in earlier groups. */
  first = 0;
  /** Rows of the group at hand. */
  count = 0;
  capacity = FIRST_CAPACITY;
  /** Higher than that of every table whose rows have held rows of this one. */
  level = 0;
  /** No row of this table has held rows of another. */
  leaf = true;
  /** A row is being written. */
  open = false;
  /** The table has been announced in a part. */
  sent = false;
  readonly #groupRows: number;

  constructor(id: number, shape: KeyShape, host: ColumnHost) {
    this.id = id;
    this.shape = shape;
    this.columns = shape.keys().map((key) => new Column(key, FIRST_CAPACITY, this.tape, host));
    const rows = 2 ** Math.round(Math.log2(GROUP_BYTES / (8 * shape.length)));
    this.#groupRows = Math.min(Math.max(rows, 256), 16_384);
  }

  /** Makes room for the next row. Returns false where the group is full and has to be written out. */
  makeRoom(): boolean {
    if (this.count < this.capacity) return true;
    if (this.capacity >= this.#groupRows) return false;
    this.capacity = Math.min(this.capacity * 4, this.#groupRows);
    for (const column of this.columns) column.grow(this.capacity);
    return true;
  }

  /** Takes in the strings of all whole rows. */
  settle(): void {
    let before: Column | undefined;
    for (const column of this.columns) {
      column.settle(this.count, before);
      if (column.kind === KIND_DICTIONARY) before = column;
    }
  }

  /**
   * The window changes: the strings of whole rows are taken in, and those of a row being written, of which the columns
   * before `next` are set, move to `copies`.
   */
  leave(next: number, copies: ByteList): void {
    this.settle();
    for (let index = 0; index < next; index++) this.columns[index]!.moveString(this.count, copies);
  }

  /** Begins the next group. */
  reset(): void {
    for (const column of this.columns) column.reset(this.count);
    this.tape.clear();
    this.first += this.count;
    this.count = 0;
  }
}
