import {
  KIND_DICTIONARY,
  LIST_BINARY,
  LIST_DICTIONARY,
  LIST_KEYS,
  LIST_TAGS,
  LIST_TEXT,
  PART_BATCH,
  PART_LAST,
  PART_LIST,
  TAG_BIGINT,
} from '../../../block/block.ts';
import { LimitError } from '../../../errors.ts';
import type { Limits } from '../../../limits.ts';
import type { Tag } from '../../../reading/sink.ts';
import { ByteList } from '../../../bytes/byte-list.ts';
import type { ColumnHost } from '../column.ts';
import { PartWriter } from './part-writer.ts';
import { StringSource } from '../ranges.ts';
import { LazyTable } from '../lazy-table.ts';
import { Shapes } from '../shapes.ts';
import { type KeyShape, Table } from '../table.ts';
import { Tape } from './tape.ts';

/** Maximum number of tables; records of further shapes stay on the tape. */
const MAX_TABLES = 256;

/** Rows after which a dictionary is evaluated; more in batches, which may have few rows each. */
const TRIAL_ROWS = 64;
const TRIAL_ROWS_OF_LIST = 4096;
/** Bytes of all dictionaries after which a batched list starts new ones. */
const MAX_DICTIONARY_BYTES = 16 * 1024 * 1024;

const encoder = new TextEncoder();

/** Counters at the start of a batched list. */
interface ListMark {
  strings: number;
  binary: number;
  rows: number[];
  values: number;
}

/** The content of a block, emitted in parts. */
export class BlockOutput implements ColumnHost {
  /** The root value. */
  readonly tape = new Tape();
  readonly source = new StringSource();
  readonly strings = new ByteList(4096, 64);
  readonly binary = new ByteList(64, 4);
  readonly shapes: Shapes;
  readonly tables: Table[] = [];
  readonly #keys = new ByteList();
  readonly #tags = new ByteList(64, 4);
  readonly #tagIds = new Map<Tag, number>();
  readonly #part = new PartWriter();
  readonly #limits: Limits;
  readonly #emit: (part: ArrayBuffer) => void;
  #values = 0;
  #tagsSent = 0;
  #dictionaries = 0;
  trialRows = TRIAL_ROWS;
  /** Set by the first anchor: identity matters from then on, so no further object goes into a table. */
  references = false;
  #mark: ListMark | undefined;
  /** The table of objects kept as raw bytes. */
  raw: LazyTable | undefined;

  constructor(emit: (part: ArrayBuffer) => void, limits: Limits) {
    this.#emit = emit;
    this.#limits = limits;
    this.shapes = new Shapes(this.#keys, (from, to) => this.source.checkEvent(from, to));
  }

  readonly shapeLength = (shape: number): number => this.shapes.all[shape]!.length;

  /** Counts values. Throws if they exceed the limit. */
  count(values: number): void {
    this.#values += values;
    if (this.#values <= this.#limits.values) return;
    throw new LimitError('values', `values limit exceeded (${this.#limits.values})`, { offset: this.source.base });
  }

  /** Creates the table for objects of a shape; undefined if there are too many tables. */
  createTable(shape: KeyShape): Table | undefined {
    if (this.tables.length >= MAX_TABLES) return undefined;
    const table = new Table(this.tables.length, shape, this);
    this.tables.push(table);
    return (shape.table = table);
  }

  /** The table of objects kept as raw bytes; `separator` is the byte between two of them, or −1. */
  lazyTable(separator: number): LazyTable {
    if (this.raw === undefined) {
      this.raw = new LazyTable(this.tables.length, this.shapes.root, this, separator);
      this.tables.push(this.raw);
    }
    return this.raw;
  }

  tagId(tag: Tag): number {
    let id = this.#tagIds.get(tag);
    if (id === undefined) {
      const bytes = encoder.encode(tag);
      this.#tags.append(new DataView(bytes.buffer), 0, bytes.length);
      id = this.#tags.last;
      this.#tagIds.set(tag, id);
    }
    return id;
  }

  bigintTo(tape: Tape, value: bigint): void {
    const digits = encoder.encode(String(value));
    this.strings.append(new DataView(digits.buffer), 0, digits.length);
    tape.pushTwo(TAG_BIGINT, this.strings.last);
  }

  /** Begins a batched list. None of it may share a part with earlier data. */
  beginList(): void {
    this.flush(PART_LIST);
    const { strings, binary, tables } = this;
    this.#mark = { strings: strings.first, binary: binary.first, rows: tables.map(({ first }) => first), values: this.#values };
    this.trialRows = TRIAL_ROWS_OF_LIST;
    this.#restart(0, 0, []);
  }

  /**
   * Emits a batch: a list of the items on the tape after the header. The values of the next batch are counted from 0
   * again.
   */
  flushBatch(flags: number, header: number): void {
    this.flush(flags | PART_BATCH, header);
    this.#values = this.#mark!.values;
    this.#restart(0, 0, []);
    const dictionaries = this.tables.flatMap(({ columns }) => columns.map(({ dictionary }) => dictionary?.list.length ?? 0));
    if (dictionaries.reduce((sum, bytes) => sum + bytes, 0) < MAX_DICTIONARY_BYTES) return;
    for (const { columns } of this.tables) for (const column of columns) column.forget();
  }

  /** Restores the counters for the data after the list. */
  endList(): void {
    const { strings, binary, rows } = this.#mark!;
    this.#restart(strings, binary, rows);
    this.trialRows = TRIAL_ROWS;
  }

  #restart(strings: number, binary: number, rows: readonly number[]): void {
    this.strings.first = strings;
    this.binary.first = binary;
    for (const [index, table] of this.tables.entries()) table.first = rows[index] ?? 0;
  }

  /**
   * Emits a part with all complete rows and the definitions they use; the last part and batches also contain the tape.
   */
  flush(flags: number, header = 0): void {
    const { shapes, strings, binary } = this;
    const part = this.#part;
    const full = this.tables.filter((table) => table.count > 0 && !table.open);
    // Rows must follow the rows they refer to.
    full.sort((a, b) => b.level - a.level);
    // May throw, so nothing of the part may be written before.
    for (const table of full) table.settle();
    part.strings(LIST_KEYS, this.#keys, shapes.sent - 1);
    part.shapes(shapes.all, shapes.sent);
    part.strings(LIST_TAGS, this.#tags, this.#tagsSent);
    part.strings(LIST_TEXT, strings, 0);
    part.strings(LIST_BINARY, binary, 0);
    for (const table of full) this.#write(table);
    if (flags & (PART_LAST | PART_BATCH)) part.tape(this.tape, header);
    this.#emit(part.finish(flags));
    shapes.sent = shapes.all.length;
    this.#tagsSent = this.#tags.count;
    strings.clear();
    binary.clear();
    for (const table of full) table.reset();
    if (flags & PART_LAST) this.raw?.release();
  }

  #write(table: Table): void {
    if (!table.sent) this.#part.table(table);
    table.sent = true;
    for (const column of table.columns) {
      const { dictionary } = column;
      if (column.kind !== KIND_DICTIONARY || dictionary === undefined) continue;
      if (column.list < 0) column.list = LIST_DICTIONARY + this.#dictionaries++;
      this.#part.strings(column.list, dictionary.list, dictionary.sent);
      dictionary.sent = dictionary.list.count;
    }
    if (table === this.raw) this.#part.raw(this.raw);
    else this.#part.group(table);
  }
}
