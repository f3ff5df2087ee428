import { COMMA } from '../bytes/text/json-bytes.ts';
import {
  COLUMN_WORDS,
  ENTRY_GROUP,
  ENTRY_RAW,
  ENTRY_SHAPES,
  ENTRY_STRINGS,
  ENTRY_TABLE,
  ENTRY_TAPE,
  KIND_BIGINT64,
  KIND_BOOLEAN,
  KIND_DATE,
  KIND_DICTIONARY,
  KIND_EMPTY,
  KIND_FLOAT64,
  KIND_INT32,
  KIND_TEXT,
  LIST_BINARY,
  LIST_DICTIONARY,
  LIST_KEYS,
  LIST_TAGS,
  MAGIC,
  PART_REFERENCES,
  VERSION,
} from '../block/block.ts';
import { internalized } from '../engine/internalized.ts';
import { StringList } from './text.ts';

/** Values of one column in one row group. Its kind determines which fields are set (see block.ts). */
export interface ColumnData {
  kind: number;
  /** STATE of each row; undefined if all are plain values. */
  states: Uint8Array | undefined;
  data: Uint8Array | Uint16Array | Uint32Array | Int32Array | Float64Array | BigInt64Array;
  /** DICTIONARY: its strings. */
  list: StringList | undefined;
  /** TEXT: the bytes that `data` divides into strings. */
  bytes: Uint8Array;
  ascii: boolean;
  /** TEXT: all of it, once decoded. */
  text: string | undefined;
  /**
   * Makes the values of a range, instead of the tape. Only in columns of another library's layout that are VARIANT, or that
   * are opened once another field is read (`main/slices/lazy-column.ts`). All their rows have the key.
   */
  read?: ((from: number, to: number) => unknown[]) | undefined;
}

/** Rows stored as the bytes of objects (see RAW in block.ts). */
export interface RawRows {
  ends: Uint32Array;
  bytes: Uint8Array;
  /** Byte between two rows; negative for none. */
  separator: number;
}

/** Consecutive rows of a table. */
export interface Group {
  table: TableData;
  first: number;
  rows: number;
  columns: ColumnData[];
  tape: Int32Array;
  /** Source of the rows if they are not columns. */
  raw: RawRows | undefined;
  part: Part;
  /** Columns that tables made of the records, by key or path; undefined for values that have none. */
  made?: Map<string, ColumnData | undefined>;
}

/** The part of a table that has arrived. */
export interface TableData {
  /** Keys of its columns; those of a schema, or none, if all rows are objects. */
  keys: readonly string[];
  groups: Group[];
  /** Number of rows in its groups. */
  rows: number;
  /** Rows built as objects so far: row `i` at index `i`. */
  objects: object[];
  /** Columns of the objects, as those of a group. */
  made?: Map<string, ColumnData | undefined>;
  /** Keys and paths that are known though perhaps no record has them. */
  known?: Set<string>;
}

/** Objects of one shape. */
export interface ShapeData {
  keys: readonly string[];
  /** Number of objects built; a template pays off after some. */
  uses: number;
  template: object | undefined;
  /** Shape without the last key; undefined for the shape without keys. */
  readonly parent?: ShapeData;
}

/** A part in a buffer. */
export interface Part {
  buffer: ArrayBuffer;
  base: number;
  /** Groups of the part whose rows are not all built yet. */
  groups: number;
  /** True while the part holds the tape of a branch that is not built yet. */
  taped: boolean;
  /** True if nothing else needs the buffer. */
  isReleasable: boolean;
}

/** Declares `transfer`, which engines before 2024 lack. */
type Detachable = ArrayBuffer & { transfer?: (length: number) => ArrayBuffer };

const NO_BYTES = new Uint8Array(0);
const NO_WORDS = new Int32Array(0);
/** Separator of rows that are JSON. */

/** The opened parts of one block: views of their buffers, without copies. */
export class Block {
  readonly lists: StringList[] = [];
  readonly tables: TableData[] = [];
  readonly shapes: ShapeData[];
  readonly #dictionaries: StringList[];
  /** True for a branch: data shared with other blocks is copied, so that it does not keep parts in memory. */
  readonly #copies: boolean;
  /** The part with the tape of this branch. */
  #taped: Part | undefined;
  /** Tape of the root value, once the last part has arrived. */
  tape: Int32Array | undefined;
  /** True if the block contains references. */
  references = false;
  /** True if some rows are bytes of a format other than JSON. */
  foreign = false;

  /**
   * Creates a block, or a branch of `from`: it shares shapes, keys, tags and dictionaries, but has rows and text of its
   * own, so that it can be released as a unit.
   */
  constructor(from?: Block) {
    this.#copies = from !== undefined;
    this.shapes = from?.shapes ?? [{ keys: [], uses: 0, template: undefined }];
    this.#dictionaries = from ? from.#dictionaries : [];
    if (!from) return;
    for (const shared of [LIST_KEYS, LIST_TAGS]) this.lists[shared] = from.list(shared);
    this.adopt(from);
  }

  /** Adds the tables of another block with the same shapes, without their rows. */
  adopt({ tables }: Block): void {
    tables.forEach(({ keys }, id) => (this.tables[id] ??= { keys, groups: [], rows: 0, objects: [] }));
  }

  /**
   * Opens the part that begins at `base` of a buffer. Returns its row groups. Throws if it is not a part of this
   * version.
   */
  add(buffer: ArrayBuffer, base = 0): Group[] {
    const words = new Int32Array(buffer, base, 8);
    if (words[0] !== MAGIC || words[1] !== VERSION) throw new TypeError('not a block, or a block of another version');
    if (words[2]! & PART_REFERENCES) this.references = true;
    const directory = new Int32Array(buffer, base + words[3]!, words[4]);
    const groups: Group[] = [];
    const part: Part = { buffer, base, groups: 0, isReleasable: base === 0, taped: false };
    for (let at = 0; at < directory.length;) at = this.#entry(part, directory, at, groups);
    part.groups = groups.length;
    return groups;
  }

  /** Releases the columns of a group whose rows are all built, and the memory of its part once nothing else needs it. */
  static release(group: Group): void {
    const { part } = group;
    group.columns = [];
    group.raw = undefined;
    part.groups -= 1;
    Block.#free(part);
  }

  /** Releases the tape of a branch once it is built, and the memory of its part. */
  releaseTape(): void {
    const part = this.#taped;
    if (!part) return;
    part.taped = false;
    Block.#free(part);
  }

  static #free(part: Part): void {
    if (part.groups === 0 && part.isReleasable && !part.taped) (part.buffer as Detachable).transfer?.(0);
  }

  list(id: number): StringList {
    if (id >= LIST_DICTIONARY) return (this.#dictionaries[id - LIST_DICTIONARY] ??= new StringList());
    return (this.lists[id] ??= new StringList());
  }

  /** Creates the shape with one more key than its parent: item `name` of `names`. */
  static shape(parent: ShapeData, names: StringList, name: number): ShapeData {
    return new Shape(parent, names, name);
  }

  #entry(part: Part, words: Int32Array, at: number, groups: Group[]): number {
    switch (words[at]) {
      case ENTRY_STRINGS: {
        const [list, first, count, ends, offset, length, ascii] = words.subarray(at + 1, at + 8) as unknown as number[];
        let ending = new Uint32Array(part.buffer, part.base + ends!, count);
        let bytes = new Uint8Array(part.buffer, part.base + offset!, length);
        if (list! <= LIST_BINARY) part.isReleasable = false;
        else if (this.#copies || part.isReleasable) {
          ending = ending.slice();
          bytes = bytes.slice();
        }
        if (first === 0 && list! >= LIST_DICTIONARY) this.#dictionaries[list! - LIST_DICTIONARY] = new StringList();
        this.list(list!).append(first!, ending, bytes, ascii === 1);
        return at + 8;
      }
      case ENTRY_SHAPES: {
        const [first, count, offset] = words.subarray(at + 1, at + 4) as unknown as number[];
        const names = this.list(LIST_KEYS);
        for (const [index, parent] of new Int32Array(part.buffer, part.base + offset!, count).entries()) {
          const id = first! + index;
          this.shapes[id] = Block.shape(this.shapes[parent]!, names, id - 1);
        }
        return at + 4;
      }
      case ENTRY_TABLE:
        this.tables[words[at + 1]!] = { keys: this.shapes[words[at + 2]!]!.keys, groups: [], rows: 0, objects: [] };
        return at + 3;
      case ENTRY_GROUP: {
        const group = this.#group(part, words, at + 1);
        Block.#push(groups, group);
        return at + 7 + COLUMN_WORDS * group.columns.length;
      }
      case ENTRY_RAW: {
        const [table, first, rows, ends, offset, length, separator] = words.subarray(at + 1, at + 8) as unknown as number[];
        const raw: RawRows = {
          ends: new Uint32Array(part.buffer, part.base + ends!, rows),
          bytes: new Uint8Array(part.buffer, part.base + offset!, length),
          separator: separator!,
        };
        this.foreign ||= separator !== COMMA;
        Block.#push(groups, { table: this.tables[table!]!, first: first!, rows: rows!, columns: [], tape: NO_WORDS, raw, part });
        return at + 8;
      }
      case ENTRY_TAPE:
        part.taped = this.#copies;
        part.isReleasable &&= this.#copies;
        this.#taped = part;
        this.tape = new Int32Array(part.buffer, part.base + words[at + 1]!, words[at + 2]);
        return at + 3;
      default:
        throw new TypeError('unknown entry in a block');
    }
  }

  static #push(groups: Group[], group: Group): void {
    groups.push(group);
    group.table.groups.push(group);
    group.table.rows += group.rows;
  }

  #group(part: Part, words: Int32Array, at: number): Group {
    const rows = words[at + 2]!;
    const columns: ColumnData[] = [];
    for (let column = 0, entry = at + 6; column < words[at + 5]!; column++, entry += COLUMN_WORDS) {
      columns.push(this.#column(part, rows, words.subarray(entry, entry + COLUMN_WORDS)));
    }
    const tape = new Int32Array(part.buffer, part.base + words[at + 3]!, words[at + 4]);
    return { table: this.tables[words[at]!]!, first: words[at + 1]!, rows, columns, tape, raw: undefined, part };
  }

  #column(part: Part, rows: number, words: Int32Array): ColumnData {
    const [kind, stateOffset, offset, first, second] = words as unknown as [number, number, number, number, number];
    const column: ColumnData = {
      kind,
      states: stateOffset > 0 ? new Uint8Array(part.buffer, part.base + stateOffset, rows) : undefined,
      data: NO_BYTES,
      list: undefined,
      bytes: NO_BYTES,
      ascii: true,
      text: undefined,
    };
    switch (kind) {
      case KIND_EMPTY:
        break;
      case KIND_BOOLEAN:
        column.data = new Uint8Array(part.buffer, part.base + offset, rows);
        break;
      case KIND_INT32:
        column.data = new Int32Array(part.buffer, part.base + offset, rows);
        break;
      case KIND_FLOAT64:
      case KIND_DATE:
        column.data = new Float64Array(part.buffer, part.base + offset, rows);
        break;
      case KIND_BIGINT64:
        column.data = new BigInt64Array(part.buffer, part.base + offset, rows);
        break;
      case KIND_DICTIONARY:
        column.data = new (second === 1 ? Uint8Array : second === 2 ? Uint16Array : Uint32Array)(part.buffer, part.base + offset, rows);
        column.list = this.list(first);
        break;
      case KIND_TEXT:
        column.data = new Uint32Array(part.buffer, part.base + offset, rows);
        column.ascii = second >= 0;
        column.bytes = new Uint8Array(part.buffer, part.base + first, second >= 0 ? second : ~second);
        break;
      default:
        column.data = new Uint32Array(part.buffer, part.base + offset, rows);
    }
    return column;
  }
}

/** A shape whose keys are created on first use. */
class Shape implements ShapeData {
  uses = 0;
  template: object | undefined = undefined;
  readonly parent: ShapeData;
  readonly #names: StringList;
  readonly #name: number;
  #keys: readonly string[] | undefined;

  constructor(parent: ShapeData, names: StringList, name: number) {
    this.parent = parent;
    this.#names = names;
    this.#name = name;
  }

  get keys(): readonly string[] {
    return (this.#keys ??= this.#collect());
  }

  #collect(): string[] {
    const keys: string[] = [];
    let shape: ShapeData = this;
    while (shape instanceof Shape && shape.#keys === undefined) {
      keys.push(internalized(shape.#names.at(shape.#name)));
      shape = shape.parent;
    }
    return [...shape.keys, ...keys.reverse()];
  }
}
