import { KIND_BIGINT64, KIND_DATE, KIND_DICTIONARY, KIND_EMPTY, KIND_FLOAT64, KIND_TEXT, KIND_VARIANT } from '../block/block.ts';
import type { Column } from '../sinks/columns/column.ts';
import type { Table } from '../sinks/columns/table.ts';
import {
  COLUMN_BEFORE,
  COLUMN_BYTES,
  COLUMN_CELLS,
  COLUMN_HAS_STATES,
  COLUMN_HIT,
  COLUMN_KEY,
  COLUMN_KEY_LENGTH,
  COLUMN_KIND,
  COLUMN_NOT_ASCII,
  COLUMN_PATTERN,
  COLUMN_STATES,
  COLUMN_TEXT,
  COLUMN_TEXT_BASE,
  COLUMN_TEXT_CAPACITY,
  COLUMN_TEXT_LENGTH,
  COLUMN_TRIED,
  CONTEXT_BINARY,
  CONTEXT_COLUMN,
  CONTEXT_COLUMNS,
  CONTEXT_DEFAULTS,
  CONTEXT_DEPTH,
  CONTEXT_FLAGS,
  CONTEXT_HEAD,
  CONTEXT_IDS,
  CONTEXT_MAX_STRING,
  CONTEXT_MAX_VALUES,
  CONTEXT_POSITION,
  CONTEXT_STATUS,
  CONTEXT_STEP_COUNT,
  CONTEXT_STEPS,
  CONTEXT_SYMBOLS,
  CONTEXT_VALUES,
  CONTEXT_WIDTH,
  ENTRY_BYTES,
  PATTERN_BYTES,
  RUN_ROWS,
  RUN_TEXT,
  STATUS_DICTIONARY,
  STATUS_POWERS,
  SYMBOL_BYTES,
  WINDOW_BYTES,
} from './assembly/layout.ts';
import type { RowRequest } from '../reading/sink-methods.ts';
import type { RowSteps } from '../reading/rows/steps.ts';
import type { Kernel, ReadRows, ReadsRows } from './kernel.ts';
import { KernelDictionary } from './kernel-dictionary.ts';

/** Kind of a column whose values are validated and not stored: `KIND_SKIP` of `assembly/cells.ts`. */
const KIND_SKIP = 9;
/** Most values that one run counts. */
const MAX_VALUES = 2 ** 30;
/** Records with more keys are left to the reader. */
const MAX_COLUMNS = 128;
/** Rows after which a dictionary is first evaluated. */
const FIRST_LOOK = 256;
/** Predictions after which they are evaluated: three of four must be correct. */
const FIRST_TRIES = 256;

/**
 * One table in a kernel's memory: holds the kernel's state of the columns, and copies rows from there into the table.
 */
export class TableKernel implements ReadsRows {
  status = 0;
  position = 0;
  values = 0;
  defaults = 0;
  readonly request: RowRequest;
  dead = false;
  readonly #kernel: Kernel;
  readonly #table: Table;
  /** The columns as the kernel sees them: by key of the records, undefined if its values are dropped. */
  readonly #fields: readonly (Column | undefined)[];
  readonly #read: ReadRows | undefined;
  /** Addresses of the columns, of the steps, and of the symbols that the steps name. */
  readonly #columns: number;
  readonly #steps: number;
  readonly #symbols: number;
  readonly #dictionaries: KernelDictionary[];
  /** True if the preceding dictionary predicts the column. */
  readonly #predicted: boolean[];

  constructor(kernel: Kernel, table: Table, request: RowRequest) {
    this.#kernel = kernel;
    this.#table = table;
    this.request = request;
    this.#read = kernel.rowsOf(request.grammar);
    const { names, fields: columns } = fieldsOf(table, request);
    this.#fields = columns;
    const keys = names.flatMap((name) => request.keyBytes(name) ?? []);
    const bytes = keys.reduce((sum, key) => sum + key.length + 16, 0);
    this.#columns = columns.length > MAX_COLUMNS ? 0 : kernel.allocate(columns.length * (COLUMN_BYTES + PATTERN_BYTES + 16) + bytes, true);
    this.#steps = request.steps ? kernel.allocate(sizeOf(request.steps)) : 0;
    this.#symbols = request.steps ? this.#steps + 4 * request.steps.words.length : 0;
    const hasRoom = this.#columns !== 0 && (request.steps === undefined || this.#steps !== 0);
    const isWhole = keys.length === columns.length && columns.length >= table.columns.length;
    this.dead = this.#read === undefined || !isWhole || !hasRoom;
    this.#dictionaries = columns.map((_, index) => new KernelDictionary(kernel, (this.#columns + index * COLUMN_BYTES) >> 2));
    this.#predicted = columns.map(() => true);
    if (this.dead) return;
    this.#place(keys);
    if (request.steps) this.#placeSteps(request.steps);
  }

  #place(keys: readonly Uint8Array[]): void {
    let at = this.#columns + keys.length * COLUMN_BYTES;
    for (const [index, key] of keys.entries()) {
      this.#set(index, COLUMN_PATTERN, at);
      at += PATTERN_BYTES + 16;
      this.#set(index, COLUMN_KEY, at);
      this.#set(index, COLUMN_KEY_LENGTH, key.length);
      this.#kernel.bytes.set(key, at);
      at += key.length + 16;
    }
  }

  #placeSteps({ words, symbols }: RowSteps): void {
    const memory = this.#kernel.words;
    const steps = this.#steps >> 2;
    for (const [index, word] of words.entries()) {
      // The second word of a step is its column.
      memory[steps + index] = index % 4 === 1 ? (word < 0 ? 0 : this.#columns + word * COLUMN_BYTES) : word;
    }
    let at = this.#symbols + symbols.length * SYMBOL_BYTES;
    for (const [index, symbol] of symbols.entries()) {
      memory.set([at, symbol.length, 0], (this.#symbols + index * SYMBOL_BYTES) >> 2);
      this.#kernel.bytes.set(symbol, at);
      at += symbol.length;
    }
  }

  run(from: number, to: number, room: number): number {
    const kernel = this.#kernel;
    const { context } = kernel;
    // May throw: validates strings of earlier rows.
    this.#table.settle();
    if (!this.#load()) {
      this.dead = true;
      this.position = from;
      return 0;
    }
    const words = kernel.words;
    words[(context + CONTEXT_COLUMNS) >> 2] = this.#columns;
    words[(context + CONTEXT_WIDTH) >> 2] = this.#fields.length;
    const { longest, flags, head, ids, steps } = this.request;
    words[(context + CONTEXT_MAX_STRING) >> 2] = Math.min(longest, RUN_TEXT);
    words[(context + CONTEXT_FLAGS) >> 2] = flags;
    words[(context + CONTEXT_HEAD) >> 2] = head;
    words.set(ids, (context + CONTEXT_IDS) >> 2);
    if (steps) {
      words[(context + CONTEXT_STEP_COUNT) >> 2] = steps.count;
      words[(context + CONTEXT_STEPS) >> 2] = this.#steps;
      words[(context + CONTEXT_SYMBOLS) >> 2] = this.#symbols;
    }
    if (this.request.layout !== undefined) this.#loadLimits(Math.min(room, RUN_ROWS));
    const rows = this.#read!(from, to, Math.min(room, RUN_ROWS));
    this.status = words[(context + CONTEXT_STATUS) >> 2]!;
    this.position = words[(context + CONTEXT_POSITION) >> 2]!;
    this.values = words[(context + CONTEXT_VALUES) >> 2]!;
    this.defaults = words[(context + CONTEXT_DEFAULTS) >> 2]!;
    this.#store(rows);
    if (this.status === STATUS_DICTIONARY) this.#enlarge(words[(context + CONTEXT_COLUMN) >> 2]!, rows);
    if (this.status === STATUS_POWERS) kernel.fillPowers();
    return rows;
  }

  /** Sets the limits for values inside those that are dropped. */
  #loadLimits(room: number): void {
    const { words, context } = this.#kernel;
    const { depth, longestBinary, values, objectValues } = this.request;
    const inner = values - room * (this.#fields.length + objectValues);
    words[(context + CONTEXT_DEPTH) >> 2] = Math.min(depth, MAX_VALUES) - 1;
    words[(context + CONTEXT_BINARY) >> 2] = Math.min(longestBinary, WINDOW_BYTES);
    words[(context + CONTEXT_MAX_VALUES) >> 2] = Math.max(0, Math.min(inner, MAX_VALUES));
  }

  /** Copies the state of the columns to the kernel. Returns false if it cannot read this table. */
  #load(): boolean {
    const { count } = this.#table;
    const columns = this.#fields;
    let before = 0;
    for (let index = 0; index < columns.length; index++) {
      const column = columns[index];
      if (column === undefined) {
        if (!this.#loadDropped(index)) return false;
        continue;
      }
      if (column.kind === KIND_VARIANT) return false;
      if (column.kind === KIND_DICTIONARY) {
        const dictionary = this.#dictionaries[index]!;
        if (!dictionary.load(column.dictionary!)) column.becomeText(count);
        if (dictionary.isFresh) this.#forgetSymbols();
      }
      const { kind } = column;
      const slot = this.#kernel.slot(index, kind === KIND_TEXT);
      if (slot === undefined) return false;
      this.#set(index, COLUMN_KIND, kind);
      this.#set(index, COLUMN_CELLS, slot.cells);
      this.#set(index, COLUMN_STATES, slot.states);
      this.#set(index, COLUMN_NOT_ASCII, 0);
      if (kind === KIND_TEXT) {
        this.#set(index, COLUMN_TEXT, slot.text);
        this.#set(index, COLUMN_TEXT_CAPACITY, RUN_TEXT + ENTRY_BYTES);
        this.#set(index, COLUMN_TEXT_LENGTH, 0);
        this.#set(index, COLUMN_TEXT_BASE, column.text!.length);
      } else if (kind === KIND_DICTIONARY) {
        this.#set(index, COLUMN_BEFORE, this.#isPredicted(index) ? before : 0);
        before = this.#columns + index * COLUMN_BYTES;
      }
    }
    return true;
  }

  /** Prepares a column whose values are dropped. Returns false if there is no memory for it. */
  #loadDropped(index: number): boolean {
    const slot = this.#kernel.slot(index, false);
    if (slot === undefined) return false;
    this.#set(index, COLUMN_KIND, KIND_SKIP);
    this.#set(index, COLUMN_CELLS, slot.cells);
    this.#set(index, COLUMN_STATES, slot.states);
    return true;
  }

  /** Clears the symbols' indices, which belong to another dictionary. */
  #forgetSymbols(): void {
    const count = this.request.steps?.symbols.length ?? 0;
    for (let index = 0; index < count; index++) this.#kernel.words[(this.#symbols + index * SYMBOL_BYTES + 8) >> 2] = 0;
  }

  #isPredicted(index: number): boolean {
    const tried = this.#get(index, COLUMN_TRIED);
    if (this.#predicted[index] && tried >= FIRST_TRIES) {
      this.#predicted[index] = this.#get(index, COLUMN_HIT) * 4 >= tried * 3;
      this.#set(index, COLUMN_TRIED, 0);
      this.#set(index, COLUMN_HIT, 0);
    }
    return this.#predicted[index]!;
  }

  /** Appends the rows that were read to the columns. */
  #store(rows: number): void {
    const { count } = this.#table;
    const columns = this.#fields;
    for (let index = 0; index < columns.length; index++) {
      const column = columns[index];
      if (column === undefined) continue;
      const { kind } = column;
      if (this.#get(index, COLUMN_HAS_STATES)) this.#storeStates(index, column, rows);
      if (rows === 0 || kind === KIND_EMPTY) {
        if (kind === KIND_DICTIONARY) this.#dictionaries[index]!.store();
        continue;
      }
      const cells = this.#get(index, COLUMN_CELLS);
      const { words, doubles } = this.#kernel;
      if (kind === KIND_FLOAT64 || kind === KIND_DATE) column.floats.set(doubles.subarray(cells >> 3, (cells >> 3) + rows), count);
      else if (kind === KIND_BIGINT64) column.bigints.set(new BigInt64Array(words.buffer, cells, rows), count);
      else if (kind === KIND_TEXT) this.#storeText(index, column, rows);
      else {
        column.ints.set(words.subarray(cells >> 2, (cells >> 2) + rows), count);
        if (kind === KIND_DICTIONARY) {
          this.#dictionaries[index]!.store();
          column.settled = count + rows;
          if (count < FIRST_LOOK && count + rows >= FIRST_LOOK && column.looksUnique(count + rows)) column.becomeText(count + rows);
        }
      }
    }
  }

  #storeStates(index: number, column: Column, rows: number): void {
    const { bytes } = this.#kernel;
    const states = this.#get(index, COLUMN_STATES);
    column.states.set(bytes.subarray(states, states + rows), this.#table.count);
    column.hasStates ||= rows > 0;
    bytes.fill(0, states, states + rows + 1);
    this.#set(index, COLUMN_HAS_STATES, 0);
  }

  #storeText(index: number, column: Column, rows: number): void {
    const { bytes, words } = this.#kernel;
    const { count } = this.#table;
    const cells = this.#get(index, COLUMN_CELLS);
    const start = this.#get(index, COLUMN_TEXT);
    const text = column.text!;
    text.write(bytes, start, start + this.#get(index, COLUMN_TEXT_LENGTH));
    text.ends.set(words.subarray(cells >> 2, (cells >> 2) + rows), count);
    if (this.#get(index, COLUMN_NOT_ASCII)) text.ascii = false;
    column.settled = count + rows;
  }

  /** Enlarges a full dictionary. */
  #enlarge(index: number, rows: number): void {
    const column = this.#fields[index];
    if (column?.kind === KIND_DICTIONARY && !this.#dictionaries[index]!.grow()) column.becomeText(this.#table.count + rows);
  }

  #get(index: number, field: number): number {
    return this.#kernel.words[(this.#columns + index * COLUMN_BYTES + field) >> 2]!;
  }

  #set(index: number, field: number, value: number): void {
    this.#kernel.words[(this.#columns + index * COLUMN_BYTES + field) >> 2] = value;
  }
}

/**
 * The keys that records of a request may have, and the column of each. Fewer than the table's columns if those are in
 * another order than the keys.
 */
function fieldsOf({ columns }: Table, { layout, steps }: RowRequest): { names: string[]; fields: (Column | undefined)[] } {
  const names: string[] = [];
  const fields: (Column | undefined)[] = [];
  if (layout === undefined) {
    for (const column of columns) {
      names.push(column.key.toString());
      fields.push(column);
    }
    return { names, fields };
  }
  let next = 0;
  for (const [index, name] of layout.keys.entries()) {
    const column = layout.kept[index] ? columns[next] : undefined;
    const isColumn = column?.key.toString() === name;
    if (layout.kept[index] && !isColumn) {
      // A key that the table lacks ends a run; steps have all keys.
      if (steps === undefined) continue;
      return { names: [], fields: [] };
    }
    if (isColumn) next += 1;
    names.push(name);
    fields.push(isColumn ? column : undefined);
  }
  return next === columns.length ? { names, fields } : { names: [], fields: [] };
}

function sizeOf({ words, symbols }: RowSteps): number {
  return 4 * words.length + symbols.reduce((sum, symbol) => sum + symbol.length + SYMBOL_BYTES, 16);
}
