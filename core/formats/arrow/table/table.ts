import { Budget } from '../../../budget.ts';
import { KIND_VARIANT } from '../../../block/block.ts';
import type { Limits } from '../../../limits.ts';
import { ObjectSink } from '../../../sinks/objects/objects.ts';
import type { ArrowOptions } from '../options.ts';
import type { Column } from '../read/column.ts';
import { FILE_HEAD, isFile, isMarked, messageAt } from '../read/framing.ts';
import { BINARY_VIEW, DENSE_UNION, DICTIONARY, type Field, LIST_VIEW, RUN_ENDS, UTF8_VIEW } from '../read/schema.ts';
import { ValueSender } from '../read/values.ts';
import { ArrowReader } from '../reader.ts';
import { convertColumn } from './convert.ts';
import type { TableBatch, TableReader } from '../../../format/table-reader.ts';

/** Reads the columns of a payload without making objects. The columns keep the bytes that are pushed. */
export class ArrowTableReader implements TableReader {
  readonly #reader: ArrowReader;
  readonly #options: ArrowOptions;
  readonly #limits: Limits;
  readonly #budget: Budget;
  readonly #picked: ReadonlySet<string> | undefined;
  #batches: TableBatch[] = [];
  #keys: readonly string[] = [];
  /** Bytes of the messages so far. */
  #pushed = 0;
  #isBegun = false;
  #isFile = false;
  /** After the last message: what follows is read at the end. */
  #isEnded = false;

  /** `picked`: the keys of the columns that are wanted; undefined for all. */
  constructor(options: ArrowOptions, limits: Limits, picked?: ReadonlySet<string>) {
    this.#picked = picked;
    this.#options = options;
    this.#limits = limits;
    this.#budget = new Budget(limits);
    this.#reader = new ArrowReader(new ObjectSink(), options, limits, (batch) => this.#batches.push(this.#batch(batch)));
  }

  /** The keys of the columns that are wanted. */
  get keys(): readonly string[] {
    return this.#keys;
  }

  /**
   * Bytes of the message that begins at `at`; more than there are if it is cut. The number may grow once more bytes are
   * there.
   */
  lengthAt(bytes: Uint8Array, at: number): number {
    const left = bytes.length - at;
    if (this.#isEnded) return left;
    if (!this.#isBegun && (left < FILE_HEAD || isFile(bytes, at))) {
      this.#isFile = left >= FILE_HEAD;
      return FILE_HEAD;
    }
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const message = this.#isFile && left >= 4 && !isMarked(view, at) ? 'end' : messageAt(bytes, view, at, bytes.length, this.#pushed);
    if (message === 'end') {
      this.#isEnded = true;
      return left;
    }
    return typeof message === 'number' ? message : message.bodyEnd - at;
  }

  /** Takes the batches of a whole message. */
  push(message: Uint8Array): TableBatch[] {
    this.#isBegun = true;
    this.#pushed += message.length;
    this.#budget.receive(this.#pushed);
    this.#reader.push(message);
    return this.#take();
  }

  /** Ends the input. */
  end(rest: Uint8Array): TableBatch[] {
    this.#budget.receive(this.#pushed + rest.length);
    this.#reader.end(rest);
    return this.#take();
  }

  #take(): TableBatch[] {
    const batches = this.#batches;
    this.#batches = [];
    if (this.#keys.length === 0) this.#keys = this.#reader.keys.filter((key) => this.#isPicked(key));
    return batches;
  }

  #isPicked(key: string): boolean {
    return this.#picked?.has(key) ?? true;
  }

  #batch(batch: Column): TableBatch {
    const options = this.#options;
    const limits = this.#limits;
    const shared = this.#budget;
    const columns = batch.field.keyed.map((index) => batch.children[index]!);
    const children = columns.filter(({ field }) => this.#isPicked(field.name));
    const setting = { options, longest: limits.stringLength, budget: shared };
    const values = (column: number, from: number, to: number, budget: Budget): unknown[] => {
      const sink = new ObjectSink();
      const { bytes, view, base } = batch.source;
      sink.window(bytes, view, base);
      new ValueSender(sink, options, limits, budget).list(children[column]!, from, to);
      return sink.result as unknown[];
    };
    return {
      rows: batch.length,
      convert: (index, from, to) => {
        const column = children[index]!;
        const converted = convertColumn(column, from, to, setting);
        // Rows may share values: all of them count once.
        if (converted.kind === KIND_VARIANT && mayShare(column.field)) values(index, from, to, shared);
        return converted;
      },
      values: (index, from, to) => {
        const own = new Budget(limits);
        own.receive(this.#pushed);
        return values(index, from, to, own);
      },
    };
  }
}

/** True if a value of a column may occur in any number of rows. */
function mayShare({ kind, children }: Field): boolean {
  return SHARING.includes(kind) || children.some(mayShare);
}

const SHARING = [BINARY_VIEW, UTF8_VIEW, LIST_VIEW, DENSE_UNION, RUN_ENDS, DICTIONARY];
