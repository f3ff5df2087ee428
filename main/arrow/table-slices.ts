import { KIND_DICTIONARY, KIND_VARIANT } from '../../core/block/block.ts';
import { joined } from '../../core/bytes/byte-input.ts';
import type { DictionaryValues } from '../../core/formats/arrow/read/column.ts';
import type { TableColumn } from '../../core/formats/arrow/table/convert.ts';
import type { TableBatch, TableReader } from '../../core/formats/arrow/table/table.ts';
import { DecodeError, LimitError } from '../../core/errors.ts';
import type { SessionSetting } from '../../core/reading/decode.ts';
import { Block, type ColumnData, type Group, type TableData } from '../rows/block.ts';
import type { ResultForm } from '../rows/form.ts';
import { RunList } from '../rows/row-list.ts';
import { Rows } from '../rows/rows.ts';
import { RowBuilder } from '../rows/table.ts';
import { StringList } from '../rows/text.ts';
import type { ItemConsumer, SlicedDecode } from '../slicing/sliced-decode.ts';
import type { Slicer } from '../slicing/slicer.ts';

/** The bytes belong to the payload, and are never released before it. */
const PART = { buffer: new ArrayBuffer(0), base: 0, groups: 0, taped: false, isReleasable: false };
const NO_WORDS = new Int32Array(0);

/** Decodes a payload to columns that are views of its bytes where these agree, in slices. Objects are built of them. */
export class TableSlices implements SlicedDecode {
  readonly #setting: SessionSetting;
  readonly #slicer: Slicer;
  readonly #as: ResultForm;
  readonly #reader: TableReader;
  readonly #table: TableData = { keys: [], groups: [], rows: 0, objects: [] };
  readonly #lists = new Map<DictionaryValues, StringList>();
  /** Chunks of a message that is not complete, and how many bytes it needs. */
  #held: Uint8Array<ArrayBuffer>[] = [];
  #length = 0;
  #needed = 0;
  #isFirst = true;
  readonly #builder: RowBuilder;
  /** Takes the rows of each batch; only their list is at the root. */
  readonly #items: ItemConsumer | undefined;

  constructor(setting: SessionSetting, slicer: Slicer, as: ResultForm, items: ItemConsumer | undefined) {
    const { format, options, limits } = setting;
    this.#setting = setting;
    this.#reader = format.openTable!(options, limits);
    this.#items = items?.path.length === 0 ? items : undefined;
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
    this.#held.push(chunk as Uint8Array<ArrayBuffer>);
    this.#length += chunk.length;
    if (this.#length < this.#needed) return;
    const bytes = joined(this.#held);
    this.#held = [];
    this.#length = this.#needed = 0;
    await this.#work(() => this.#messages(bytes));
  }

  async end(): Promise<unknown> {
    await this.#work(async () => await this.#add(this.#reader.end(joined(this.#held))));
    if (this.#items) return [];
    this.#table.keys = this.#reader.keys;
    const list = new RunList([{ table: this.#table, first: 0, count: this.#table.rows, builder: this.#builder }]);
    if (this.#as === 'rows') return new Rows(list);
    if (this.#as === 'columns') return new Rows(list).columns();
    return await this.#build(list);
  }

  async #build(list: RunList): Promise<unknown> {
    const steps = list.build();
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
      await this.#add(this.#reader.push(isWhole ? bytes : bytes.subarray(at, at + length)));
      at += length;
      await this.#pause();
    }
  }

  async #add(batches: readonly TableBatch[]): Promise<void> {
    const table = this.#table;
    for (const batch of batches) {
      const columns: ColumnData[] = [];
      for (const column of batch.columns()) {
        if (column) columns.push(this.#column(column, batch, columns.length));
        await this.#pause();
      }
      const group: Group = { table, first: table.rows, rows: batch.rows, columns, tape: NO_WORDS, raw: undefined, part: PART };
      if (batch.rows === 0) continue;
      table.rows += batch.rows;
      if (this.#items) await this.#emit(group, this.#items);
      else table.groups.push(group);
    }
  }

  /** Builds the rows of a batch, and gives them to the consumer. */
  async #emit(group: Group, items: ItemConsumer): Promise<void> {
    this.#table.keys = this.#reader.keys;
    for (let from = 0; from < group.rows;) {
      const to = Math.min(from + this.#builder.chunk(group, from), group.rows);
      const records = this.#builder.build(group, from, to);
      from = to;
      await this.#pause();
      this.#slicer.end();
      await items.take(records);
      this.#slicer.begin();
    }
  }

  #column({ kind, states, data, dictionary, bytes, ascii }: TableColumn, batch: TableBatch, index: number): ColumnData {
    return {
      kind,
      states,
      data,
      list: kind === KIND_DICTIONARY ? this.#listOf(dictionary!) : undefined,
      bytes,
      ascii,
      text: undefined,
      read: kind === KIND_VARIANT ? (from, to) => batch.values(index, from, to) : undefined,
    };
  }

  /** The values of a dictionary as a list, to which new ones are appended. */
  #listOf(dictionary: DictionaryValues): StringList {
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
