import { CONTEXT_SEED, ENTRY_BYTES, MAX_POWER, MIN_POWER, RUN_ROWS, RUN_TEXT, WINDOW_BYTES, WINDOW_SLACK } from './assembly/layout.ts';
import type { RowGrammar, RowRequest } from '../reading/sink-methods.ts';

/** Reads up to `room` rows from `from..to` of the window. Returns their number. */
export type ReadRows = (from: number, to: number, room: number) => number;

/** A kernel for one table. */
export interface ReadsRows {
  /** The request that its records belong to. */
  readonly request: RowRequest;
  /** True if it cannot run any more. */
  readonly dead: boolean;
  /** Results of `run`: the reason for stopping, the position in the window, and the number of values read. */
  readonly status: number;
  readonly position: number;
  readonly values: number;
  /** Number of values that are not in the input. */
  readonly defaults: number;
  /**
   * Reads up to `room` rows from `from..to` of the window into the table, without counting them there. Returns their
   * number.
   */
  run(from: number, to: number, room: number): number;
}

/** Exports of a compiled module: see `assembly/driver.ts`. */
interface Exports extends Partial<Record<RowGrammar | `${RowGrammar}Items`, ReadRows>> {
  memory: WebAssembly.Memory;
  contextAddress(): number;
  /** Exported by modules that read numbers as text. */
  powersAddress?(): number;
  powersAreFilled?(): void;
  freeAddress(): number;
  enterEntries(column: number, first: number): void;
}

/** Addresses of a column's cells, states and text during a run, for any table. */
export interface Slot {
  cells: number;
  states: number;
  /** 0 until requested. */
  text: number;
}

/** Settings of a kernel. Tests use them to read short inputs and to cut windows. */
export interface KernelSetting {
  /** Shorter inputs, in bytes, are left to the reader. Default 2 KB. */
  leastBytes: number;
  /** Bytes of a window, initially or after unexpected rows, and at most. Default 16 and 256 KB. */
  firstWindow: number;
  window: number;
  /** Maximum memory in bytes. Default 32 MB. */
  memory: number;
  /** Tries every object, even after failures. Default false. */
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
/** Bits of a power of ten. */
const BITS = 128n;

/**
 * The row kernels and their memory, for one decode at a time. Memory is allocated in order and released as a whole by
 * `reset`: see `assembly/layout.ts` for the layout.
 */
export class Kernel {
  readonly setting: KernelSetting;
  readonly context: number;
  /** Address of the window. */
  readonly window: number;
  /** Views of the memory, replaced by each `allocate`. */
  bytes!: Uint8Array<ArrayBuffer>;
  words!: Int32Array<ArrayBuffer>;
  doubles!: Float64Array<ArrayBuffer>;
  readonly #exports: Exports;
  readonly #slots: Slot[] = [];
  #powers = false;
  /** Address of the next allocation, and of the first. */
  #top: number;
  readonly #free: number;

  /** `imports` are for modules instrumented by tests; built modules have none. */
  constructor(module: WebAssembly.Module, setting?: Partial<KernelSetting>, imports?: WebAssembly.Imports) {
    this.setting = { ...SETTING, ...setting };
    this.#exports = new WebAssembly.Instance(module, imports).exports as unknown as Exports;
    this.#view();
    this.context = this.#exports.contextAddress();
    // Payloads must not know the seed, or their strings could be chosen to collide.
    const seed = (this.context + CONTEXT_SEED) >> 2;
    crypto.getRandomValues(this.words.subarray(seed, seed + 2));
    this.#top = this.#exports.freeAddress();
    this.window = this.allocate(WINDOW_BYTES + WINDOW_SLACK);
    this.#free = this.#top;
  }

  /** Bytes of memory. */
  get size(): number {
    return this.bytes.length;
  }

  /** The kernel that reads records of a grammar; undefined if the module has none. */
  rowsOf(grammar: RowGrammar): ReadRows | undefined {
    return this.#exports[grammar];
  }

  /**
   * The kernel that validates items of a grammar, of which only the bytes are kept; undefined if the module has none.
   */
  itemsOf(grammar: RowGrammar): ReadRows | undefined {
    return this.#exports[`${grammar}Items`];
  }

  /**
   * Allocates bytes, with a few more after them, zeroed if `clear` is set. Returns 0 if the memory limit is reached.
   */
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

  /** Releases all allocations, for the next decode. */
  reset(): void {
    this.#slots.length = 0;
    this.#top = this.#free;
  }

  /** Slot for the cells of a column; undefined if the memory limit is reached. */
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

  /** Fills in the powers of ten, which few numbers need. */
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

/**
 * Writes the powers of ten for numbers with many digits: the highest 128 bits of each, rounded down, or rounded up for
 * powers below one.
 */
function fillPowers(memory: DataView, address: number): void {
  for (let power = MIN_POWER; power <= MAX_POWER; power++) {
    const bits = power >= 0 ? highBits(10n ** BigInt(power)) : highBitsOfInverse(10n ** BigInt(-power));
    const at = address + 16 * (power - MIN_POWER);
    memory.setBigUint64(at, bits >> 64n, true);
    memory.setBigUint64(at + 8, BigInt.asUintN(64, bits), true);
  }
}

function bitLength(value: bigint): bigint {
  return BigInt(value.toString(2).length);
}

function highBits(value: bigint): bigint {
  const bits = bitLength(value);
  return bits <= BITS ? value << (BITS - bits) : value >> (bits - BITS);
}

function highBitsOfInverse(value: bigint): bigint {
  const bits = (1n << (bitLength(value) + BITS - 1n)) / value + 1n;
  return bits >> BITS ? bits >> 1n : bits;
}
