import { KIND_DICTIONARY } from '../../core/block/block.ts';
import { joined } from '../../core/bytes/byte-input.ts';
import type { TableBatch, TableDictionary, TableReader } from '../../core/format/table-reader.ts';
import { DecodeError, LimitError } from '../../core/errors.ts';
import type { SessionSetting } from '../../core/format/decode-session.ts';
import { Block, type ColumnData, type Group, type TableData } from '../../core/rows/read-block.ts';
import { listKind, type ResultForm } from '../rows/form.ts';
import { setProperty } from '../../core/values/property.ts';
import { type ColumnValues, RunList } from '../../core/rows/row-list.ts';
import { Rows } from '../rows/rows.ts';
import { RowBuilder } from '../../core/rows/table.ts';
import { StringList } from '../../core/rows/text.ts';
import type { ItemConsumer, SlicedDecode } from '../../core/slicing/sliced-decode.ts';
import type { Slicer } from '../../core/slicing/slicer.ts';
import { LazyColumn } from './lazy-column.ts';

/** The bytes belong to the payload, and are never released before it. */
const PART = { buffer: new ArrayBuffer(0), base: 0, groups: 0, taped: false, isReleasable: false };
const NO_WORDS = new Int32Array(0);

/** Rows of a group: few enough for its columns to be converted and checked within a slice. A multiple of 8. */
const GROUP_ROWS = 16_384;

/**
 * Decodes a payload to columns that are views of its bytes where these agree, in slices. Columns are opened when they are
 * first read. Objects are built of them.
 */
export class TableSlices implements SlicedDecode {
  readonly #setting: SessionSetting;
  readonly #slicer: Slicer;
  readonly #as: ResultForm;
  readonly #reader: TableReader;
  readonly #table: TableData = { keys: [], groups: [], rows: 0, objects: [] };
  readonly #lists = new Map<TableDictionary, StringList>();
  /** Chunks of a message that is not complete, and how many bytes it needs. */
  #held: Uint8Array<ArrayBuffer>[] = [];
  #length = 0;
  #needed = 0;
  #isFirst = true;
  #received = 0;
  readonly #builder: RowBuilder;
  /** Takes the rows of each batch; only their list is at the root. */
  readonly #items: ItemConsumer | undefined;
  /** The rows, if they are built as they arrive. */
  readonly #objects: object[] | undefined;
  /** Open the groups of the table again. */
  readonly #groups: (() => Group)[] = [];

  constructor(setting: SessionSetting, slicer: Slicer, as: ResultForm, items: ItemConsumer | undefined) {
    const { format, options, limits, wrap } = setting;
    this.#setting = setting;
    this.#reader = format.openTable!(options, limits, wrap?.picked);
    this.#items = items?.path.length === 0 ? items : undefined;
    this.#objects = as === 'objects' && !this.#items ? [] : undefined;
    const block = new Block();
    block.tables[0] = this.#table;
    this.#builder = new RowBuilder(block, () => undefined, new Map());
    this.#slicer = slicer;
    this.#as = as;
  }

  /** True if the list of the rows is the one that is asked for. */
  get found(): boolean {
    return this.#items !== undefined;
  }

  /** Number of rows so far. */
  get rows(): number {
    return this.#table.rows;
  }

  async push(chunk: Uint8Array): Promise<void> {
    if (this.#isFirst) await this.#setting.format.prepare?.(chunk);
    this.#isFirst = false;
    this.#received += chunk.length;
    // As a reader that is given the chunk, not message by message.
    this.#reader.budget.receive(this.#received);
    this.#held.push(chunk as Uint8Array<ArrayBuffer>);
    this.#length += chunk.length;
    if (this.#length < this.#needed) return;
    const bytes = joined(this.#held);
    this.#held = [];
    this.#length = this.#needed = 0;
    await this.#work(() => this.#messages(bytes));
  }

  async end(): Promise<unknown> {
    await this.#work(() => this.#read(() => this.#reader.end(joined(this.#held))));
    if (this.#items) return [];
    if (this.#objects) return this.#objects;
    const { keys: recordKeys } = this.#reader;
    if (this.#table.rows === 0) return Object.assign([], { recordKeys });
    this.#table.keys = recordKeys;
    const list = new RunList([{ table: this.#table, first: 0, count: this.#table.rows, builder: this.#builder }]);
    if (this.#as === 'rows') return new Rows(list);
    return await this.#run(columnsOf(list));
  }

  /** Runs a generator to its end. Resolves to its result. */
  async #run(steps: Generator<undefined, unknown, undefined>): Promise<unknown> {
    let value: unknown;
    await this.#work(async () => {
      for (let step = steps.next(); ; step = steps.next()) {
        value = step.value;
        if (step.done) return;
        await this.#pause();
      }
    });
    return value;
  }

  /** Takes the whole messages in `bytes`, and holds the rest. */
  async #messages(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    for (let at = 0; at < bytes.length;) {
      const length = this.#reader.lengthAt(bytes, at);
      if (at + length > bytes.length) {
        this.#needed = length;
        this.#held.push(bytes.subarray(at));
        this.#length = bytes.length - at;
        return;
      }
      const isWhole = at === 0 && length === bytes.length;
      const message = isWhole ? bytes : bytes.subarray(at, at + length);
      await this.#read(() => this.#reader.push(message));
      at += length;
      await this.#pause();
    }
  }

  /** Takes the batches that `read` reads. Before its error, all of them, and the first error in a row. */
  async #read(read: () => void): Promise<void> {
    try {
      read();
    } catch (error) {
      await this.#add(this.#reader.take());
      for (const open of this.#groups) await this.#build(open);
      throw error;
    }
    await this.#add(this.#reader.take());
  }

  async #add(batches: readonly TableBatch[]): Promise<void> {
    const table = this.#table;
    table.keys = this.#reader.keys;
    for (const batch of batches) {
      for (let first = 0; first < batch.rows; first += GROUP_ROWS) {
        const rows = Math.min(GROUP_ROWS, batch.rows - first);
        const at = table.rows;
        const open = (): Group => {
          const columns = table.keys.map((_, index) => this.#column(batch, index, first, rows, at));
          return { table, first: at, rows, columns, tape: NO_WORDS, raw: undefined, part: PART };
        };
        table.rows += rows;
        if (this.#items || this.#objects) await this.#build(open);
        else {
          table.groups.push(open());
          this.#groups.push(open);
        }
      }
      await this.#pause();
    }
  }

  /**
   * Builds the rows of a group, and gives them out. After an error, one by one, so that all rows before it are given, and the
   * first error in the order of the rows is thrown.
   */
  async #build(open: () => Group): Promise<void> {
    const { budget } = this.#reader;
    const { charged } = budget;
    let group = open();
    let isOneByOne = false;
    let given = 0;
    for (let from = 0; from < group.rows;) {
      const to = isOneByOne ? from + 1 : Math.min(from + this.#builder.chunk(group, from), group.rows);
      let records: object[];
      try {
        records = this.#builder.build(group, from, to);
      } catch (error) {
        if (isOneByOne) throw error;
        isOneByOne = true;
        budget.restore(charged);
        group = open();
        from = 0;
        continue;
      }
      from = to;
      await this.#pause();
      if (to <= given) continue;
      given = to;
      if (this.#items) {
        this.#slicer.end();
        await this.#items.take(records);
        this.#slicer.begin();
      } else if (this.#objects) for (const record of records) this.#objects.push(record);
    }
  }

  /** A column of the rows `first..first + rows` of a batch, the first of which is the table's row `at`. */
  #column(batch: TableBatch, index: number, first: number, rows: number, at: number): ColumnData {
    return new LazyColumn({
      open: () => {
        const { kind, states, data, dictionary, bytes, ascii } = batch.convert(index, first, first + rows);
        const list = kind === KIND_DICTIONARY ? this.#listOf(dictionary!) : undefined;
        return { kind, states, data, list, bytes, ascii };
      },
      rows,
      charges: batch.charges(index),
      read: (from, to, isAgain) => batch.values(index, first + from, first + to, isAgain),
      path: (row) => [at + row, this.#table.keys[index]!],
    });
  }

  /** The values of a dictionary as a list, to which new ones are appended. */
  #listOf(dictionary: TableDictionary): StringList {
    let list = this.#lists.get(dictionary);
    if (!list) this.#lists.set(dictionary, (list = new StringList()));
    const { list: texts } = dictionary.texts!;
    const first = list.length;
    if (first === texts.count) return list;
    const start = texts.startOf(first);
    const ends = texts.ends.slice(first, texts.count);
    for (let at = 0; at < ends.length; at++) ends[at]! -= start;
    list.append(first, ends, texts.bytes.slice(start, texts.length), texts.ascii);
    return list;
  }

  async #pause(): Promise<void> {
    if (this.#slicer.due()) await this.#slicer.pause();
  }

  async #work(work: () => Promise<void>): Promise<void> {
    this.#slicer.begin();
    try {
      await work();
    } catch (error) {
      const isPlaced = error instanceof DecodeError || error instanceof LimitError;
      throw isPlaced ? error.locate({ format: this.#setting.id, path: error.path }) : error;
    } finally {
      this.#slicer.end();
    }
  }
}

/**
 * All columns by key, in steps; all records if a column has lists, records or nothing but nulls, which the caller would
 * convert once more.
 */
function* columnsOf(list: RunList): Generator<undefined, Record<string, ColumnValues> | object[], undefined> {
  const columns: Record<string, ColumnValues> = {};
  for (const key of list.keys()) {
    const values = (yield* list.column(key))!;
    if (Array.isArray(values) && listKind(values) !== 'others') return yield* list.build();
    setProperty(columns, key, values);
  }
  return columns;
}
