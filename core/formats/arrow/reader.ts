import { Budget } from '../../budget.ts';
import { DecodeError, LimitError } from '../../errors.ts';
import type { Limits } from '../../limits.ts';
import { Reader } from '../../reading/reader.ts';
import type { Sink } from '../../reading/sink.ts';
import { MAX_LEVELS } from './levels.ts';
import type { ArrowOptions } from './options.ts';
import type { Column, Source } from './read/column.ts';
import { Dictionary } from './read/dictionary.ts';
import {
  DICTIONARY_BATCH,
  endMarkLength,
  FILE_HEAD,
  type Footer,
  isFile,
  isMarked,
  type Message,
  messageAt,
  readFooter,
  RECORD_BATCH,
  SCHEMA,
  skipPadding,
  type SchemaTable,
} from './read/framing.ts';
import { BatchOpener } from './read/open.ts';
import { type ArrowSchema, DICTIONARY, type Field, readSchema } from './read/schema.ts';
import { ValueSender } from './read/values.ts';

/** Reads all record batches. */
const ALL = [0, Number.POSITIVE_INFINITY] as const;

/**
 * Reads a stream or a file, message by message, and sends the rows of each record batch. The messages of most files are
 * those of a stream, so that the list of them in the footer is not needed. Where anything else stands between them, the rest
 * of the file waits for the footer. So do record batches whose dictionaries follow them, or whose schema only the footer has.
 */
export class ArrowReader extends Reader {
  readonly #options: ArrowOptions;
  /** The budget that values are charged to. */
  readonly budget: Budget;
  readonly #opener: BatchOpener;
  readonly #rows: (batch: Column, place: number) => void;
  /** True if the bytes of the columns are kept. */
  readonly #isTable: boolean;
  #file: boolean | undefined;
  /** Offset of the file in the input. */
  #origin = 0;
  /** Record batches so far. */
  #batches = 0;
  #schema: ArrowSchema | undefined;
  /** After the mark at the end. */
  #ended = false;
  /** After the footer of a file. */
  #complete = false;
  /** Position after the dictionaries that were read ahead. */
  #ahead = 0;

  /** `take` takes the record batches, each with a position of it, instead of the sink their rows, and keeps the bytes of all columns. */
  constructor(sink: Sink, options: ArrowOptions, limits: Limits, take?: (batch: Column, place: number) => void) {
    super(sink, limits);
    this.#options = options;
    const range = options.recordBatches;
    if (range && !(range.length === 2 && range.every((index) => index >= 0)))
      throw new TypeError(
        `invalid format option recordBatches: ${String(range)}; expected the indices of the first record batch and of the one after the last`,
      );
    this.#isTable = take !== undefined;
    this.budget = new Budget(limits);
    this.#opener = new BatchOpener(limits, this.budget);
    const sender = new ValueSender(sink, options, limits, this.budget);
    this.#rows = take ?? ((batch, place) => sender.rows(batch, place));
  }

  /** The keys of the rows; none before the schema is read. */
  get keys(): readonly string[] {
    return this.#schema?.rows.keys ?? [];
  }

  protected read(bytes: Uint8Array, view: DataView, from: number, to: number, last: boolean): number {
    if (to > 0x7fffffff) this.fail('unsupported', 'the message has more than 2 GiB', 0);
    this.budget.receive(this.received);
    let at = from;
    if (this.#file === undefined) {
      if (to - at < FILE_HEAD && !last) {
        this.needed = FILE_HEAD;
        return at;
      }
      this.#file = isFile(bytes, at);
      this.#origin = this.base + at;
      if (this.#file) at += FILE_HEAD;
    }
    const window: Source = { bytes, view, base: this.base };
    while (at < to) {
      if (this.#ended) return this.#end(window, at, to, last);
      if (this.#file && to - at >= 4 && !isMarked(view, at)) {
        const next = skipPadding(view, at, to);
        // The footer, without a mark before it, or what only the footer tells to skip.
        if (next === at) this.#ended = true;
        at = next;
        if (to - at >= 8 || last) continue;
        this.needed = 8;
        return at;
      }
      const message = messageAt(bytes, view, at, to, this.base);
      if (message === 'end') {
        at += endMarkLength(view, at);
        this.#ended = true;
        continue;
      }
      const length = typeof message === 'number' ? message : message.bodyEnd - at;
      if (at + length > to) {
        this.needed = length;
        if (last) this.fail('truncated', 'the input ends inside a message', to);
        return at;
      }
      if (!this.#message(message as Message, window, at, to, last)) {
        this.needed = Number.MAX_SAFE_INTEGER;
        return at;
      }
      at += length;
    }
    return at;
  }

  /** Reads what follows the mark at the end. */
  #end(window: Source, at: number, to: number, last: boolean): number {
    const { bytes, view } = window;
    if (!this.#file) this.fail('trailing-bytes', 'unexpected bytes after the end of the stream', at);
    if (!last) {
      this.needed = Number.MAX_SAFE_INTEGER;
      return at;
    }
    const footer = readFooter(bytes, view, at, to, this.base);
    if (this.#schema === undefined) this.#useSchema(footer, at);
    this.#readListed(footer, window, at, to);
    this.#complete = true;
    return to;
  }

  /** Reads the batches that the footer lists from `at` on. Those before `at` have been read. */
  #readListed(footer: Footer, window: Source, at: number, to: number): void {
    const open = (type: number, blocks: readonly number[]): void => {
      let free = at;
      for (const offset of blocks) {
        const from = offset + this.#origin - this.base;
        if (from < at) continue;
        // Ranges that overlap would make many rows of few bytes.
        if (!(from >= free && from + 8 <= footer.from)) this.fail('malformed', `invalid footer: a batch at byte ${offset} of the file`, footer.from);
        const message = messageAt(window.bytes, window.view, from, footer.from, this.base);
        if (message === 'end' || typeof message === 'number' || message.type !== type || message.bodyEnd > footer.from)
          return this.fail('malformed', `invalid footer: no such batch at byte ${offset} of the file`, from);
        this.#message(message, window, from, to, true);
        free = message.bodyEnd;
      }
    };
    open(DICTIONARY_BATCH, footer.dictionaries);
    this.#ahead = this.base + to;
    open(RECORD_BATCH, footer.batches);
    if (footer.batches.length !== this.#batches)
      this.fail('malformed', `the footer lists ${footer.batches.length} record batches, but the file has ${this.#batches}`, footer.from);
  }

  /** Reads a message. Returns false if it needs dictionaries that are further on. */
  #message(message: Message, window: Source, at: number, to: number, last: boolean): boolean {
    const { type, header } = message;
    if (type === SCHEMA) this.#readSchema(message, at);
    else if (this.#schema === undefined) {
      if (!this.#file) this.fail('malformed', 'a batch precedes the schema', at);
      if (!last) return false;
      this.#useSchema(readFooter(window.bytes, window.view, at, to, this.base), at);
      return this.#message(message, window, at, to, last);
    } else if (type === DICTIONARY_BATCH) {
      if (window.base + at >= this.#ahead) this.#readDictionary(message, window, at);
    } else if (type === RECORD_BATCH) {
      const index = this.#batches++;
      const { recordBatches = ALL } = this.#options;
      if (index < recordBatches[0] || index >= recordBatches[1]) return true;
      if (this.#file && this.#lacks(this.#schema.rows)) {
        if (!last) return false;
        this.#readAhead(window, message.bodyEnd, to);
      }
      const rows = this.#opener.open(this.#schema.rows, header, message, window, { isRows: true, copies: false });
      const { sink } = this;
      const isOther = rows.source !== window;
      if (isOther) {
        sink.flush?.();
        sink.window(rows.source.bytes, rows.source.view, rows.source.base);
      }
      try {
        this.#rows(rows, isOther ? 0 : message.metadataEnd);
      } finally {
        if (isOther) sink.flush?.();
      }
      if (isOther) sink.window(window.bytes, window.view, window.base);
    } else this.fail('unsupported', `a message of type ${type}, which is no part of a table`, at);
    return true;
  }

  #readSchema({ header, from, metadataEnd, fail }: Message, at: number): void {
    if (this.#schema !== undefined) this.fail('malformed', 'duplicate schema message', at);
    this.#useSchema({ schema: header, bytes: metadataEnd - from, fail }, at);
  }

  #useSchema({ schema, bytes, fail }: SchemaTable, at: number): void {
    const most = Math.min(this.limits.depth, MAX_LEVELS);
    const exceed = (): never => {
      throw new LimitError('depth', `depth limit exceeded (${most})`, { offset: this.base + at });
    };
    try {
      this.#schema = readSchema(schema, this.#options, { depth: most, bytes, fail, exceed });
    } catch (error) {
      throw error instanceof DecodeError && error.offset === undefined ? error.locate({ offset: this.base + at }) : error;
    }
    this.sink.beginArray(-1, at, at);
  }

  // table DictionaryBatch { id, data, isDelta }
  #readDictionary(message: Message, window: Source, at: number): void {
    const { dictionaries } = this.#opener;
    const id = message.header.int64(0);
    const values = this.#schema!.dictionaries.get(id);
    const batch = message.header.table(1);
    if (!values || !batch) return this.fail('malformed', `no field has the dictionary ${id}`, at);
    const column = this.#opener.open(values, batch, message, window, { isRows: false, copies: !this.#isTable });
    const known = message.header.boolean(2) ? dictionaries.get(id) : undefined;
    const dictionary = known ?? new Dictionary(values, this.budget, this.sink);
    dictionary.add(column);
    dictionaries.set(id, dictionary);
  }

  /** Reads the dictionaries in the rest of a file, `at..to` of the window. */
  #readAhead(window: Source, from: number, to: number): void {
    let at = from;
    while (at < to) {
      const message = isMarked(window.view, at) ? messageAt(window.bytes, window.view, at, to, this.base) : 'end';
      if (message === 'end' || typeof message === 'number' || message.bodyEnd > to) break;
      if (message.type === DICTIONARY_BATCH) this.#readDictionary(message, window, at);
      at = message.bodyEnd;
    }
    this.#ahead = this.base + at;
  }

  /** True if a field refers to a dictionary that has not been read. */
  #lacks(field: Field): boolean {
    if (this.#ahead > 0) return false;
    if (field.kind !== DICTIONARY) return field.children.some((child) => this.#lacks(child));
    return !this.#opener.dictionaries.has(field.dictionary!.id) || this.#lacks(field.dictionary!.values);
  }

  protected finish(): void {
    if (this.#schema === undefined || (this.#file && !this.#complete)) this.fail('truncated', 'the input ends before the end of the table', 0);
    this.sink.itemRecord?.(this.sink.defineRecord(this.keys));
    this.sink.endArray(0);
  }
}
