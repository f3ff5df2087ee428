import type { Budget } from '../../../budget.ts';
import { DecodeError, LimitError } from '../../../errors.ts';
import type { Limits } from '../../../limits.ts';
import type { Table } from '../../flatbuffers/read/table.ts';
import { decompressBody } from './compression.ts';
import { type Column, indexAt, INLINE, int64At, isNull, offsetAt, runEnd, type Source, VIEW_BYTES } from './column.ts';
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

/** Opens the columns of record batches and dictionary batches. */
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
    this.#readRanges();
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

  #readRanges(): void {
    const { metadataEnd, bodyEnd } = this.#message;
    const { from, length } = this.#batch.vector(2, 16);
    const ranges = (this.#ranges = new Float64Array(length * 2));
    for (let index = 0; index < length; index++) {
      const start = metadataEnd + Number(this.#batch.int64At(from + index * 16));
      const end = start + Number(this.#batch.int64At(from + index * 16 + 8));
      if (start < metadataEnd || end < start || end > bodyEnd) this.#message.fail(`buffer ${index} extends past the body`, from + index * 16);
      ranges[index * 2] = start;
      ranges[index * 2 + 1] = end;
    }
  }

  #open(field: Field): Column {
    const { kind, width } = field;
    // struct FieldNode { length, null_count }
    const at = this.#nodes.from + this.#node * 16;
    if (this.#node++ === this.#nodes.length) this.#fail(`no node for the field ${field.name}`);
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
        const index = this.#buffer;
        const column = this.#column(field, length, validity, { values, data: this.#next(field, 0) });
        this.#checkOffsets(column, this.#ranges[index * 2 + 1]! - this.#ranges[index * 2]!);
        return column;
      }
      case LIST:
      case MAP: {
        const values = this.#next(field, this.#offsetsLength(length, width));
        const column = this.#column(field, length, validity, { values, children: [this.#open(field.children[0]!)] });
        this.#checkOffsets(column, column.children[0]!.length);
        return column;
      }
      case BINARY_VIEW:
      case UTF8_VIEW:
        return this.#openViews(field, length, validity);
      case LIST_VIEW: {
        const values = this.#next(field, length * width);
        const data = this.#next(field, length * width);
        const column = this.#column(field, length, validity, { values, data, children: [this.#open(field.children[0]!)] });
        this.#checkListViews(column);
        return column;
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
      case DICTIONARY:
        return this.#openIndices(field, length, validity);
      default:
        return this.#column(field, length, validity, { values: this.#next(field, length * width) });
    }
  }

  #openViews(field: Field, length: number, validity: number): Column {
    const values = this.#next(field, length * VIEW_BYTES);
    if (this.#views === this.#variadic.length) this.#fail(`no number of buffers for the field ${field.name}`);
    const count = Number(this.#batch.int64At(this.#variadic.from + this.#views++ * 8));
    if (count < 0 || count > this.#ranges.length / 2 - this.#buffer) this.#fail(`no ${count} buffers for the field ${field.name}`);
    const buffers: number[] = [];
    const ends: number[] = [];
    for (; buffers.length < count; this.#buffer++) {
      buffers.push(this.#ranges[this.#buffer * 2]!);
      ends.push(this.#ranges[this.#buffer * 2 + 1]!);
    }
    const column = this.#column(field, length, validity, { values, buffers });
    const { view } = this.#source;
    for (let row = 0; row < length; row++) {
      const at = values + row * VIEW_BYTES;
      const size = view.getInt32(at, true);
      if ((size >= 0 && size <= INLINE) || isNull(column, row)) continue;
      const buffer = view.getInt32(at + 8, true);
      const offset = view.getInt32(at + 12, true);
      if (size < 0 || offset < 0 || !(buffer >= 0 && buffer < count) || buffers[buffer]! + offset + size > ends[buffer]!) {
        this.#failAt(at, `a view of the field ${field.name} extends past its buffer`);
      }
      // Many views may refer to the same bytes.
      this.#budget.spendBytes(size, this.#source.base + at);
    }
    return column;
  }

  #openUnion(field: Field, length: number, validity: number): Column {
    const values = this.#next(field, length);
    const isDense = field.kind === DENSE_UNION;
    const data = isDense ? this.#next(field, length * 4) : 0;
    const children = field.children.map((child) => this.#open(child));
    if (!isDense) this.#atLeast(children, length);
    const { view } = this.#source;
    for (let row = 0; row < length; row++) {
      const id = view.getInt8(values + row);
      const child = field.childOf!.get(id);
      if (child === undefined) return this.#failAt(values + row, `the union ${field.name} has no type id ${id}`);
      if (!isDense) continue;
      const offset = view.getInt32(data + row * 4, true);
      if (offset < 0 || offset >= children[child]!.length)
        this.#failAt(data + row * 4, `offset ${offset} of the union ${field.name} leads out of its member`);
    }
    return this.#column(field, length, validity, { values, data, children });
  }

  #openRuns(field: Field, length: number): Column {
    const children = field.children.map((child) => this.#open(child));
    const [ends, values] = children as [Column, Column];
    this.#atLeast([values], ends.length);
    let last = 0;
    for (let run = 0; run < ends.length; run++) {
      const end = runEnd(ends, run);
      if (end <= last) this.#failAt(ends.values + run * ends.field.width, `run ${run} of the field ${field.name} ends at ${end}, after ${last}`);
      last = end;
    }
    if (last < length) this.#fail(`the runs of the field ${field.name} have ${last} rows, not ${length}`);
    return this.#column(field, length, -1, { children });
  }

  #openIndices(field: Field, length: number, validity: number): Column {
    const values = this.#next(field, length * field.width);
    const { id } = field.dictionary!;
    const dictionary = this.dictionaries.get(id);
    const column = this.#column(field, length, validity, { values, dictionary });
    const most = dictionary?.length ?? 0;
    for (let row = 0; row < length; row++) {
      const index = indexAt(column, row);
      if (index >= 0 && index < most) continue;
      if (isNull(column, row)) continue;
      const reason = dictionary ? `dictionary ${id} has ${most} values, and not number ${index}` : `dictionary ${id} is missing`;
      this.#failAt(values + row * field.width, `${reason}, to which the field ${field.name} refers`);
    }
    return column;
  }

  #checkOffsets({ field: { width, name }, length, values, source: { view } }: Column, most: number): void {
    if (length === 0) return;
    let before = 0;
    if (width === 4) {
      for (let index = 0; index <= length; index++) {
        const offset = view.getInt32(values + index * 4, true);
        if (offset < before) this.#failAt(values + index * 4, `offset ${offset} of the field ${name} follows ${before}`);
        before = offset;
      }
    } else {
      for (let index = 0; index <= length; index++) {
        const offset = int64At(view, values + index * 8);
        if (offset < before) this.#failAt(values + index * 8, `offset ${offset} of the field ${name} follows ${before}`);
        before = offset;
      }
    }
    if (before > most) this.#failAt(values + length * width, `offset ${before} of the field ${name} leads past its ${most} values`);
  }

  #checkListViews(column: Column): void {
    const { field, length, values, data, children } = column;
    const { view } = this.#source;
    for (let row = 0; row < length; row++) {
      if (isNull(column, row)) continue;
      const offset = offsetAt(view, values, row, field.width);
      const size = offsetAt(view, data, row, field.width);
      if (offset >= 0 && size >= 0 && offset + size <= children[0]!.length) continue;
      this.#failAt(values + row * field.width, `a list of the field ${field.name} leads past its ${children[0]!.length} values`);
    }
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
    if (index * 2 >= this.#ranges.length) this.#fail(`no buffer for the field ${field.name}`);
    const from = this.#ranges[index * 2]!;
    const length = this.#ranges[index * 2 + 1]! - from;
    if (length < bytes) this.#fail(`a buffer of the field ${field.name} has ${length} bytes, not ${bytes}`);
    return from;
  }

  /** Counts the values of a column, before anything is done for them. */
  #count(length: bigint, field: Field): number {
    if (length < 0n || length > 0x7fffffffn) this.#fail(`${length} values of the field ${field.name}`);
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
      children: NO_COLUMNS,
      dictionary: undefined,
      buffers: NO_BUFFERS,
      ...more,
    };
  }

  #fail(reason: string): never {
    return this.#message.fail(reason, 0);
  }

  /** Throws for a position of the source. */
  #failAt(at: number, reason: string): never {
    throw new DecodeError('malformed', reason, { offset: this.#source.base + at });
  }
}

function sourceOf(bytes: Uint8Array, base: number): Source {
  return { bytes, view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), base };
}
