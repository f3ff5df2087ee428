import type { Budget } from '../../../budget.ts';
import { LimitError } from '../../../errors.ts';
import type { Limits } from '../../../limits.ts';
import type { Table } from '../../flatbuffers/read/table.ts';
import { decompressBody } from './compression.ts';
import { type Column, failAt, runEnd, type Source, VIEW_BYTES } from './column.ts';
import type { Dictionary } from './dictionary.ts';
import { codecOf, type Message } from './framing.ts';
import {
  BINARY,
  BINARY_VIEW,
  BOOL,
  DENSE_UNION,
  DICTIONARY,
  type Field,
  FIXED_LIST,
  LIST,
  LIST_VIEW,
  MAP,
  NULL,
  RUN_ENDS,
  SPARSE_UNION,
  STRUCT,
  UTF8,
  UTF8_VIEW,
} from './schema.ts';

const NO_COLUMNS: readonly Column[] = [];
const NO_BUFFERS: readonly number[] = [];

/** Opens the columns of record batches and dictionary batches, without reading their values. */
export class BatchOpener {
  readonly dictionaries = new Map<bigint, Dictionary>();
  readonly #limits: Limits;
  readonly #budget: Budget;
  #values = 0;
  // The batch that is being opened.
  #batch!: Table;
  #message!: Message;
  #source!: Source;
  #ranges = new Float64Array(0);
  #nodes = { from: 0, length: 0 };
  #variadic = { from: 0, length: 0 };
  #node = 0;
  #buffer = 0;
  #views = 0;

  constructor(limits: Limits, budget: Budget) {
    this.#limits = limits;
    this.#budget = budget;
  }

  /**
   * Opens the column of a field: `batch`, a table RecordBatch { length, nodes, buffers, compression,
   * variadicBufferCounts }, holds its nodes and buffers. The rows of a record batch are a struct, which has none of its
   * own. `copies` if the column must outlive the window.
   */
  open(field: Field, batch: Table, message: Message, window: Source, { isRows, copies }: { isRows: boolean; copies: boolean }): Column {
    this.#batch = batch;
    this.#message = message;
    this.#nodes = batch.vector(1, 16);
    this.#variadic = batch.vector(4, 8);
    this.#node = this.#buffer = this.#views = 0;
    this.#readRanges(window.base);
    const codec = codecOf(batch);
    if (codec !== undefined) {
      const bytes = decompressBody(window.bytes, window.view, this.#ranges, codec, this.#budget, window.base);
      this.#source = sourceOf(bytes, window.base + message.metadataEnd);
    } else if (copies) {
      this.#source = sourceOf(window.bytes.slice(message.metadataEnd, message.bodyEnd), window.base + message.metadataEnd);
      for (let at = 0; at < this.#ranges.length; at++) this.#ranges[at]! -= message.metadataEnd;
    } else this.#source = window;
    if (!isRows) return this.#open(field);
    const length = this.#count(batch.int64(0), field);
    const children = field.children.map((child) => this.#open(child));
    this.#atLeast(children, length);
    return this.#column(field, length, -1, { children });
  }

  #readRanges(base: number): void {
    const { metadataEnd, bodyEnd } = this.#message;
    const { from, length } = this.#batch.vector(2, 16);
    let bytes = metadataEnd - bodyEnd;
    const ranges = (this.#ranges = new Float64Array(length * 2));
    for (let index = 0; index < length; index++) {
      const start = metadataEnd + Number(this.#batch.int64At(from + index * 16));
      const end = start + Number(this.#batch.int64At(from + index * 16 + 8));
      if (start < metadataEnd || end < start || end > bodyEnd) this.#message.fail(`buffer ${index} extends past the body`, from + index * 16);
      ranges[index * 2] = start;
      ranges[index * 2 + 1] = end;
      bytes += end - start;
    }
    // Buffers that share bytes hold more than the body: columns may copy them, and values are made of each.
    if (bytes > 0) this.#budget.spendBytes(bytes, base + this.#message.from);
  }

  #open(field: Field): Column {
    const { kind, width } = field;
    // struct FieldNode { length, null_count }
    const at = this.#nodes.from + this.#node * 16;
    if (this.#node++ === this.#nodes.length) this.#fail(`the field ${field.name} has no node`);
    const length = this.#count(this.#batch.int64At(at), field);
    const nulls = this.#batch.int64At(at + 8);
    if (kind === NULL) return this.#column(field, length, -1, {});
    const hasValidity = kind !== RUN_ENDS && ((kind !== SPARSE_UNION && kind !== DENSE_UNION) || this.#message.version < 4);
    const validity = hasValidity ? this.#validity(field, length, nulls) : -1;
    switch (kind) {
      case BOOL:
        return this.#column(field, length, validity, { values: this.#next(field, Math.ceil(length / 8)) });
      case BINARY:
      case UTF8: {
        const values = this.#next(field, this.#offsetsLength(length, width));
        const data = this.#next(field, 0);
        return this.#column(field, length, validity, { values, data, dataEnd: this.#ranges[this.#buffer * 2 - 1]! });
      }
      case LIST:
      case MAP: {
        const values = this.#next(field, this.#offsetsLength(length, width));
        return this.#column(field, length, validity, { values, children: [this.#open(field.children[0]!)] });
      }
      case BINARY_VIEW:
      case UTF8_VIEW:
        return this.#openViews(field, length, validity);
      case LIST_VIEW: {
        const values = this.#next(field, length * width);
        const data = this.#next(field, length * width);
        return this.#column(field, length, validity, { values, data, children: [this.#open(field.children[0]!)] });
      }
      case FIXED_LIST: {
        const children = [this.#open(field.children[0]!)];
        this.#atLeast(children, length * field.unit);
        return this.#column(field, length, validity, { children });
      }
      case STRUCT: {
        const children = field.children.map((child) => this.#open(child));
        this.#atLeast(children, length);
        return this.#column(field, length, validity, { children });
      }
      case SPARSE_UNION:
      case DENSE_UNION:
        return this.#openUnion(field, length, validity);
      case RUN_ENDS:
        return this.#openRuns(field, length);
      case DICTIONARY: {
        const dictionary = this.dictionaries.get(field.dictionary!.id);
        const values = this.#next(field, length * width);
        return this.#column(field, length, validity, { values, dictionary, entries: dictionary?.length ?? 0 });
      }
      default:
        return this.#column(field, length, validity, { values: this.#next(field, length * width) });
    }
  }

  #openViews(field: Field, length: number, validity: number): Column {
    const values = this.#next(field, length * VIEW_BYTES);
    if (this.#views === this.#variadic.length) this.#fail(`the field ${field.name} has no number of buffers`);
    const count = Number(this.#batch.int64At(this.#variadic.from + this.#views++ * 8));
    if (count < 0 || count > this.#ranges.length / 2 - this.#buffer) this.#fail(`the field ${field.name} has fewer than ${count} buffers`);
    const buffers = [...this.#ranges.subarray(this.#buffer * 2, (this.#buffer + count) * 2)];
    this.#buffer += count;
    return this.#column(field, length, validity, { values, buffers });
  }

  #openUnion(field: Field, length: number, validity: number): Column {
    const values = this.#next(field, length);
    const isDense = field.kind === DENSE_UNION;
    const data = isDense ? this.#next(field, length * 4) : 0;
    const children = field.children.map((child) => this.#open(child));
    if (!isDense) this.#atLeast(children, length);
    return this.#column(field, length, validity, { values, data, children });
  }

  #openRuns(field: Field, length: number): Column {
    const children = field.children.map((child) => this.#open(child));
    const [ends, values] = children as [Column, Column];
    this.#atLeast([values], ends.length);
    let last = 0;
    for (let run = 0; run < ends.length; run++) {
      const end = runEnd(ends, run);
      if (end <= last) failAt(ends, ends.values + run * ends.field.width, `run ${run} of the field ${field.name} ends at ${end}, after ${last}`);
      last = end;
    }
    if (last < length) this.#fail(`the runs of the field ${field.name} have ${last} rows, not ${length}`);
    return this.#column(field, length, -1, { children });
  }

  #validity(field: Field, length: number, nulls: bigint): number {
    const index = this.#buffer;
    const at = this.#next(field, 0);
    if (nulls === 0n || length === 0) return -1;
    const bytes = this.#ranges[index * 2 + 1]! - this.#ranges[index * 2]!;
    if (bytes * 8 >= length) return at;
    return bytes === 0 && nulls < 0n ? -1 : this.#fail(`${bytes} bytes of validity for the field ${field.name}, not ${Math.ceil(length / 8)}`);
  }

  /** Writers leave out the offsets of no values. */
  #offsetsLength(length: number, width: number): number {
    return length === 0 ? 0 : (length + 1) * width;
  }

  /** Position of the next buffer, which must have some bytes. */
  #next(field: Field, bytes: number): number {
    const index = this.#buffer++;
    if (index * 2 >= this.#ranges.length) this.#fail(`the field ${field.name} has no buffer`);
    const from = this.#ranges[index * 2]!;
    const length = this.#ranges[index * 2 + 1]! - from;
    if (length < bytes) this.#fail(`a buffer of the field ${field.name} has ${length} bytes, not ${bytes}`);
    return from;
  }

  /** Counts the values of a column, before anything is done for them. */
  #count(length: bigint, field: Field): number {
    if (length < 0n || length > 0x7fffffffn) this.#fail(`the field ${field.name} has ${length} values`);
    const values = Number(length);
    const offset = this.#source.base + this.#message.from;
    this.#values += values;
    if (this.#values > this.#limits.values) throw new LimitError('values', `values limit exceeded (${this.#limits.values})`, { offset });
    this.#budget.spend(values, offset);
    return values;
  }

  #atLeast(columns: readonly Column[], length: number): void {
    for (const column of columns) {
      if (column.length < length) this.#fail(`the field ${column.field.name} has ${column.length} values, not ${length}`);
    }
  }

  #column(field: Field, length: number, validity: number, more: Partial<Column>): Column {
    return {
      field,
      length,
      validity,
      source: this.#source,
      values: 0,
      data: 0,
      dataEnd: 0,
      children: NO_COLUMNS,
      dictionary: undefined,
      entries: 0,
      buffers: NO_BUFFERS,
      ...more,
    };
  }

  #fail(reason: string): never {
    return this.#message.fail(reason, 0);
  }
}

function sourceOf(bytes: Uint8Array, base: number): Source {
  return { bytes, view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), base };
}
