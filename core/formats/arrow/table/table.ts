import { Budget } from '../../../budget.ts';
import { KIND_VARIANT } from '../../../block/block.ts';
import { DEFAULT_LIMITS, type Limits } from '../../../limits.ts';
import { ObjectSink } from '../../../sinks/objects/objects.ts';
import type { ArrowOptions } from '../options.ts';
import type { Column } from '../read/column.ts';
import { FILE_HEAD, isFile, isMarked, messageAt } from '../read/framing.ts';
import { ValueSender } from '../read/values.ts';
import { ArrowReader } from '../reader.ts';
import { convertColumn, type TableColumn } from './convert.ts';

/** Limits for values that were made once already. */
const CHECKED: Limits = { ...DEFAULT_LIMITS, expansion: Infinity };

/** Rows whose values are made in one go to check them. */
const STEP = 1024;

/** A record batch. */
export interface TableBatch {
  readonly rows: number;
  /** Converts its columns, in the order of the table's keys, in steps: undefined stands for a part of a column. */
  columns(): Generator<TableColumn | undefined, void, undefined>;
  /** Makes the values of a column of the kind KIND_VARIANT. */
  values(column: number, from: number, to: number): unknown[];
}

/** Reads the columns of a payload without making objects. The columns keep the bytes that are pushed. */
export class TableReader {
  readonly #reader: ArrowReader;
  readonly #options: ArrowOptions;
  readonly #limits: Limits;
  readonly #budget: Budget;
  #batches: TableBatch[] = [];
  #keys: readonly string[] = [];
  /** Bytes of the messages so far. */
  #pushed = 0;
  #isBegun = false;
  #isFile = false;
  /** After the last message: what follows is read at the end. */
  #isEnded = false;

  constructor(options: ArrowOptions, limits: Limits) {
    this.#options = options;
    this.#limits = limits;
    this.#budget = new Budget(limits);
    this.#reader = new ArrowReader(new ObjectSink(), options, limits, (batch) => this.#batches.push(this.#batch(batch)));
  }

  /** The keys of the columns. */
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
    this.#budget.receive(message.length);
    this.#reader.push(message);
    return this.#take();
  }

  /** Ends the input. */
  end(rest: Uint8Array): TableBatch[] {
    this.#budget.receive(rest.length);
    this.#reader.end(rest);
    return this.#take();
  }

  #take(): TableBatch[] {
    const batches = this.#batches;
    this.#batches = [];
    this.#keys = this.#reader.keys;
    return batches;
  }

  #batch(batch: Column): TableBatch {
    const options = this.#options;
    const children = batch.field.keyed.map((index) => batch.children[index]!);
    const sender = (limits: Limits, budget: Budget) => (column: number, from: number, to: number) => {
      const sink = new ObjectSink();
      const { bytes, view, base } = batch.source;
      sink.window(bytes, view, base);
      new ValueSender(sink, options, limits, budget).list(children[column]!, from, to);
      return sink.result as unknown[];
    };
    const limits = this.#limits;
    const check = sender(limits, this.#budget);
    return {
      rows: batch.length,
      *columns() {
        for (const [index, column] of children.entries()) {
          const converted = convertColumn(column, options, limits.stringLength);
          if (converted.kind === KIND_VARIANT) {
            // Finds what is wrong with them now rather than when they are read.
            for (let from = 0; from < batch.length; from += STEP) {
              check(index, from, Math.min(from + STEP, batch.length));
              yield undefined;
            }
          }
          yield converted;
        }
      },
      values: sender(CHECKED, new Budget(CHECKED)),
    };
  }
}
