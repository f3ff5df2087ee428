import type { RowRequest } from '../reading/sink-methods.ts';
import type { LazyTable } from '../sinks/columns/lazy-table.ts';
import {
  CONTEXT_BINARY,
  CONTEXT_COLUMNS,
  CONTEXT_DEPTH,
  CONTEXT_FLAGS,
  CONTEXT_IDS,
  CONTEXT_LONGEST,
  CONTEXT_MOST,
  CONTEXT_POSITION,
  CONTEXT_STATUS,
  CONTEXT_VALUES,
  RUN_ROWS,
  WINDOW_BYTES,
} from './assembly/layout.ts';
import type { Kernel, ReadRows, ReadsRows } from './kernel.ts';

/** Maximum number of values counted in one run. */
const MOST_VALUES = 2 ** 30;

/** Validates items of a list with a kernel, and keeps their bytes as rows. */
export class LazyKernel implements ReadsRows {
  status = 0;
  position = 0;
  values = 0;
  readonly defaults = 0;
  readonly request: RowRequest;
  readonly dead: boolean;
  readonly #kernel: Kernel;
  readonly #table: LazyTable;
  readonly #check: ReadRows | undefined;
  /** Address of the range of each item, as stored by the kernel. */
  readonly #spans: number;

  constructor(kernel: Kernel, table: LazyTable, request: RowRequest) {
    this.#kernel = kernel;
    this.#table = table;
    this.request = request;
    this.#check = kernel.itemsOf(request.grammar);
    this.#spans = kernel.slot(0, false)?.cells ?? 0;
    this.dead = this.#check === undefined || this.#spans === 0;
  }

  run(from: number, to: number, room: number): number {
    const { words, bytes, context } = this.#kernel;
    const { longest, longestBinary, flags, depth, values, objectValues, ids } = this.request;
    words.set(ids, (context + CONTEXT_IDS) >> 2);
    words[(context + CONTEXT_COLUMNS) >> 2] = this.#spans;
    words[(context + CONTEXT_LONGEST) >> 2] = Math.min(longest, WINDOW_BYTES);
    words[(context + CONTEXT_BINARY) >> 2] = Math.min(longestBinary, WINDOW_BYTES);
    words[(context + CONTEXT_FLAGS) >> 2] = flags;
    words[(context + CONTEXT_DEPTH) >> 2] = Math.min(depth, MOST_VALUES);
    words[(context + CONTEXT_MOST) >> 2] = Math.min(values, MOST_VALUES);
    const rows = this.#check!(from, to, Math.min(room, RUN_ROWS));
    this.status = words[(context + CONTEXT_STATUS) >> 2]!;
    this.position = words[(context + CONTEXT_POSITION) >> 2]!;
    this.values = words[(context + CONTEXT_VALUES) >> 2]! - rows * objectValues;
    this.#table.appendAll(bytes, words.subarray(this.#spans >> 2, (this.#spans >> 2) + 2 * rows));
    return rows;
  }
}
