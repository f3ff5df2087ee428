import { Budget } from '../../../budget.ts';
import { PlacedError } from '../../../errors.ts';
import type { Limits } from '../../../limits.ts';
import { ObjectSink } from '../../../sinks/objects/objects.ts';
import type { ArrowOptions } from '../options.ts';
import type { Column } from '../read/column.ts';
import { FILE_HEAD, isFile, isMarked, messageAt } from '../read/framing.ts';
import { BINARY_VIEW, DECIMAL, DENSE_UNION, DICTIONARY, type Field, LIST_VIEW, RUN_ENDS, UTF8_VIEW } from '../read/schema.ts';
import { ValueSender } from '../read/values.ts';
import { ArrowReader } from '../reader.ts';
import { convertColumn } from './convert.ts';
import type { TableBatch, TableReader } from '../../../format/table-reader.ts';

/** Reads the columns of a payload without making objects. The columns keep the bytes that are pushed. */
export class ArrowTableReader implements TableReader {
  readonly #reader: ArrowReader;
  readonly #options: ArrowOptions;
  readonly #limits: Limits;
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
    this.#reader = new ArrowReader(new ObjectSink(), options, limits, (batch, place) => this.#batches.push(this.#batch(batch, place)));
  }

  /** The keys of the columns that are wanted. */
  get keys(): readonly string[] {
    return this.#keys;
  }

  get budget(): Budget {
    return this.#reader.budget;
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

  /** Reads a whole message. */
  push(message: Uint8Array): void {
    this.#isBegun = true;
    this.#pushed += message.length;
    this.#reader.push(message);
  }

  /** Ends the input. */
  end(rest: Uint8Array): void {
    this.#reader.end(rest);
  }

  /** The batches that were read since the last call, also before an error. */
  take(): TableBatch[] {
    const batches = this.#batches;
    this.#batches = [];
    if (this.#keys.length === 0) this.#keys = this.#reader.keys.filter((key) => this.#isPicked(key));
    return batches;
  }

  #isPicked(key: string): boolean {
    return this.#picked?.has(key) ?? true;
  }

  #batch(batch: Column, place: number): TableBatch {
    const options = this.#options;
    const limits = this.#limits;
    const { budget } = this;
    const columns = batch.field.keyed.map((index) => batch.children[index]!);
    const children = columns.filter(({ field }) => this.#isPicked(field.name));
    const setting = { options, longest: limits.stringLength, budget };
    return {
      rows: batch.length,
      convert: (index, from, to) => convertColumn(children[index]!, from, to, setting),
      charges: (index) => charges(children[index]!.field, options),
      values: (index, from, to, isAgain) => {
        const sink = new ObjectSink();
        const { bytes, view, base } = batch.source;
        sink.window(bytes, view, base);
        const own = isAgain ? new Budget(limits) : budget;
        own.receive(this.#reader.received);
        const { charged } = own;
        try {
          new ValueSender(sink, options, limits, own).list(children[index]!, from, to, place);
        } catch (error) {
          own.restore(charged);
          throw error instanceof PlacedError ? error.locate({ path: sink.path() }) : error;
        }
        return sink.result as unknown[];
      },
    };
  }
}

/** True if the values of a column are charged: those that may occur in any number of rows, and text that is made of numbers. */
function charges({ kind, children }: Field, options: ArrowOptions): boolean {
  return SHARING.includes(kind) || (kind === DECIMAL && options.decimals !== 'number') || children.some((child) => charges(child, options));
}

const SHARING = [BINARY_VIEW, UTF8_VIEW, LIST_VIEW, DENSE_UNION, RUN_ENDS, DICTIONARY];
