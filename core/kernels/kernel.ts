import { CONTEXT_SEED, ENTRY_BYTES, RUN_ROWS, RUN_TEXT, WINDOW_BYTES, WINDOW_SLACK } from './assembly/layout.ts';
import type { RowGrammar, RowRequest } from '../reading/sink-methods.ts';
import { fillPowers } from './powers.ts';

/** Reads rows from `from..to` of the window, as many as there is room for; returns how many. */
export type ReadRows = (from: number, to: number, room: number) => number;

/** A kernel for one table. */
export interface ReadsRows {
  /** What its records are read by. */
  readonly request: RowRequest;
  /** No run any more. */
  readonly dead: boolean;
  /** After `run`: why it stopped, at which position of the window, and how many values were read. */
  readonly status: number;
  readonly position: number;
  readonly values: number;
  /** How many of these are not in the input. */
  readonly defaults: number;
  /** Reads at most `room` rows from `from..to` of the window into the table, which does not count them yet. Returns how many. */
  run(from: number, to: number, room: number): number;
}

/** What a compiled module exports: see `assembly/driver.ts`. */
interface Exports extends Partial<Record<RowGrammar | `${RowGrammar}Items`, ReadRows>> {
  memory: WebAssembly.Memory;
  contextAddress(): number;
  /** Of the modules that read numbers as text. */
  powersAddress?(): number;
  powersAreFilled?(): void;
  freeAddress(): number;
  enterEntries(column: number, first: number): void;
}

/** Where a column of the row at hand has its cells, states and text, whatever its table. */
export interface Slot {
  cells: number;
  states: number;
  /** 0 until it is asked for. */
  text: number;
}

/** How a kernel is driven. Tests have it run over few bytes, and cut its windows. */
export interface KernelSetting {
  /** Input of fewer bytes is left to the reader. Default 2 KB. */
  leastBytes: number;
  /** A window's bytes, at first and after rows that were not as expected, and when all goes well. Default 16 and 256 KB. */
  firstWindow: number;
  window: number;
  /** Bytes of memory that it may have. Default 32 MB. */
  memory: number;
  /** Tries every object, however often it fails. Default false. */
  eager: boolean;
}

const SETTING: KernelSetting = {
  leastBytes: 2048,
  firstWindow: 16 * 1024,
  window: WINDOW_BYTES,
  memory: 32 * 1024 * 1024,
  eager: false,
};
const PAGE = 65_536;

/**
 * The row kernels with their memory, for one decode at a time. Memory is taken from its start on and given back all at once,
 * by `reset`: see `assembly/layout.ts` for what lies where.
 */
export class Kernel {
  readonly setting: KernelSetting;
  readonly context: number;
  /** Where the window begins. */
  readonly window: number;
  /** The memory, as bytes and as words. A new view after each `allocate`. */
  bytes!: Uint8Array<ArrayBuffer>;
  words!: Int32Array<ArrayBuffer>;
  doubles!: Float64Array<ArrayBuffer>;
  readonly #exports: Exports;
  readonly #slots: Slot[] = [];
  #powers = false;
  /** Where the next allocation begins, and the first. */
  #top: number;
  readonly #free: number;

  /** `imports` are for modules that tests have instrumented: those that are built have none. */
  constructor(module: WebAssembly.Module, setting?: Partial<KernelSetting>, imports?: WebAssembly.Imports) {
    this.setting = { ...SETTING, ...setting };
    this.#exports = new WebAssembly.Instance(module, imports).exports as unknown as Exports;
    this.#view();
    this.context = this.#exports.contextAddress();
    // Payloads must not know the seed: their strings could be chosen to collide.
    const seed = (this.context + CONTEXT_SEED) >> 2;
    crypto.getRandomValues(this.words.subarray(seed, seed + 2));
    this.#top = this.#exports.freeAddress();
    this.window = this.allocate(WINDOW_BYTES + WINDOW_SLACK);
    this.#free = this.#top;
  }

  /** How much memory it has. */
  get size(): number {
    return this.bytes.length;
  }

  /** What reads records of a form; undefined where the module has no such kernel. */
  rowsOf(grammar: RowGrammar): ReadRows | undefined {
    return this.#exports[grammar];
  }

  /** What checks items of a form, of which only the bytes are kept; undefined where the module has no such kernel. */
  itemsOf(grammar: RowGrammar): ReadRows | undefined {
    return this.#exports[`${grammar}Items`];
  }

  /** Some bytes of memory, and a few more behind them; zero if `clear` is set. 0 where the bound is reached. */
  allocate(length: number, clear = false): number {
    const address = (this.#top + 15) & ~15;
    const end = address + length + 32;
    const missing = end - this.bytes.length;
    if (missing > 0) {
      if (end > this.setting.memory) return 0;
      this.#exports.memory.grow(Math.ceil(missing / PAGE));
      this.#view();
    }
    this.#top = end;
    if (clear) this.bytes.fill(0, address, end);
    return address;
  }

  /** Lets go of all that was allocated, for the next decode. */
  reset(): void {
    this.#slots.length = 0;
    this.#top = this.#free;
  }

  /** Where the cells of a column go; undefined where the bound of memory is reached. */
  slot(index: number, text: boolean): Slot | undefined {
    let slot = this.#slots[index];
    if (slot === undefined) {
      const cells = this.allocate(8 * RUN_ROWS);
      const states = this.allocate(RUN_ROWS + 1, true);
      if (cells === 0 || states === 0) return undefined;
      this.#slots[index] = slot = { cells, states, text: 0 };
    }
    if (text && slot.text === 0) slot.text = this.allocate(RUN_TEXT + ENTRY_BYTES);
    return text && slot.text === 0 ? undefined : slot;
  }

  /** Makes the powers of ten, which few numbers need. */
  fillPowers(): void {
    if (this.#powers) return;
    this.#powers = true;
    fillPowers(new DataView(this.bytes.buffer), this.#exports.powersAddress!());
    this.#exports.powersAreFilled!();
  }

  enterEntries(column: number, first: number): void {
    this.#exports.enterEntries(column, first);
  }

  #view(): void {
    const { buffer } = this.#exports.memory;
    this.bytes = new Uint8Array(buffer);
    this.words = new Int32Array(buffer);
    this.doubles = new Float64Array(buffer);
  }
}
