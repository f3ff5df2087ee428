import { KIND_DICTIONARY } from '../../block/block.ts';
import type { ByteList } from '../../bytes/byte-list.ts';
import { Column, type ColumnHost } from './column.ts';
import type { Key } from './key.ts';
import { Tape } from './output/tape.ts';

const FIRST_CAPACITY = 64;
/** Target bytes of a row group, assuming 8 bytes per value. */
const GROUP_BYTES = 768 * 1024;

/** An ordered list of keys: a node of the transition tree, which adds one key to its parent's. */
export class KeyShape {
  readonly id: number;
  readonly parent: KeyShape | undefined;
  readonly key: Key | undefined;
  /** Number of keys. */
  readonly length: number;
  /** The last transition, which predicts the next one. */
  next: KeyShape | undefined;
  /** Table of objects of this shape that repeat as items of a list. */
  table: Table | undefined;

  constructor(id: number, parent?: KeyShape, key?: Key) {
    this.id = id;
    this.parent = parent;
    this.key = key;
    this.length = parent ? parent.length + 1 : 0;
  }

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

/** Records of one shape that repeat as items of lists, as columns in row groups, which are emitted when full. */
export class Table {
  readonly id: number;
  readonly shape: KeyShape;
  readonly columns: Column[];
  /** Values of VARIANT columns of the current group. */
  readonly tape = new Tape();
  /** Rows emitted in earlier groups. */
  first = 0;
  /** Rows of the current group. */
  count = 0;
  capacity = FIRST_CAPACITY;
  /** Higher than the level of every table whose rows have contained rows of this one. */
  level = 0;
  /** True if no row of this table has contained rows of another. */
  leaf = true;
  /** True while a row is being written. */
  open = false;
  /** True once a part has declared the table. */
  sent = false;
  readonly #groupRows: number;

  constructor(id: number, shape: KeyShape, host: ColumnHost) {
    this.id = id;
    this.shape = shape;
    this.columns = shape.keys().map((key) => new Column(key, FIRST_CAPACITY, this.tape, host));
    const rows = 2 ** Math.round(Math.log2(GROUP_BYTES / (8 * shape.length)));
    this.#groupRows = Math.min(Math.max(rows, 256), 16_384);
  }

  /** Makes room for the next row. Returns false if the group is full and must be emitted. */
  makeRoom(): boolean {
    if (this.count < this.capacity) return true;
    if (this.capacity >= this.#groupRows) return false;
    this.capacity = Math.min(this.capacity * 4, this.#groupRows);
    for (const column of this.columns) column.grow(this.capacity);
    return true;
  }

  /** Encodes the strings of all complete rows. */
  settle(): void {
    let before: Column | undefined;
    for (const column of this.columns) {
      column.settle(this.count, before);
      if (column.kind === KIND_DICTIONARY) before = column;
    }
  }

  /**
   * Prepares for another window: encodes the strings of complete rows, and copies those of a row being written, whose
   * columns before `next` are set, to `copies`.
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
