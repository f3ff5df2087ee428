import { encodeWtf8 } from '../bytes/text/encode-wtf8.ts';
import type { KeptParts, RowRequest } from '../reading/sink-methods.ts';
import type { LazyTable } from '../sinks/columns/lazy-table.ts';
import {
  CONTEXT_BINARY,
  CONTEXT_COLUMNS,
  CONTEXT_DEPTH,
  CONTEXT_FLAGS,
  CONTEXT_IDS,
  CONTEXT_MAX_STRING,
  CONTEXT_MAX_VALUES,
  CONTEXT_OUTPUT,
  CONTEXT_PICK,
  CONTEXT_POSITION,
  CONTEXT_STATUS,
  CONTEXT_VALUES,
  NODE_HEAD_BYTES,
  NODE_KEY_BYTES,
  RUN_ROWS,
  WINDOW_BYTES,
  WINDOW_SLACK,
} from './assembly/layout.ts';
import type { Kernel, ReadRows, ReadsRows } from './kernel.ts';

/** Maximum number of values counted in one run. */
const MAX_VALUES = 2 ** 30;

/** Validates items of a list with a kernel, and keeps their bytes as rows: all, or those of some parts. */
export class LazyKernel implements ReadsRows {
  status = 0;
  position = 0;
  values = 0;
  readonly defaults = 0;
  readonly request: RowRequest;
  dead: boolean;
  readonly #kernel: Kernel;
  readonly #table: LazyTable;
  readonly #check: ReadRows | undefined;
  /** Address of the range of each item, as stored by the kernel. */
  readonly #spans: number;
  /** Addresses of the nodes of parts that are kept, and of the kernel's output: 0 until there are some. */
  readonly #nodes = new Map<KeptParts, number>();
  #output = 0;

  constructor(kernel: Kernel, table: LazyTable, request: RowRequest) {
    this.#kernel = kernel;
    this.#table = table;
    this.request = request;
    this.#check = kernel.itemsOf(request.grammar);
    this.#spans = kernel.slot(0, false)?.cells ?? 0;
    this.dead = this.#check === undefined || this.#spans === 0;
  }

  run(from: number, to: number, room: number): number {
    const { longest, longestBinary, flags, depth, values, objectValues, ids, parts } = this.request;
    const pick = parts === undefined ? 0 : this.#nodeOf(parts);
    if (pick < 0) {
      this.dead = true;
      this.position = from;
      return 0;
    }
    const { words, bytes, context } = this.#kernel;
    words[(context + CONTEXT_PICK) >> 2] = pick;
    words[(context + CONTEXT_OUTPUT) >> 2] = this.#output;
    words.set(ids, (context + CONTEXT_IDS) >> 2);
    words[(context + CONTEXT_COLUMNS) >> 2] = this.#spans;
    words[(context + CONTEXT_MAX_STRING) >> 2] = Math.min(longest, WINDOW_BYTES);
    words[(context + CONTEXT_BINARY) >> 2] = Math.min(longestBinary, WINDOW_BYTES);
    words[(context + CONTEXT_FLAGS) >> 2] = flags;
    words[(context + CONTEXT_DEPTH) >> 2] = Math.min(depth, MAX_VALUES);
    words[(context + CONTEXT_MAX_VALUES) >> 2] = Math.min(values, MAX_VALUES);
    const rows = this.#check!(from, to, Math.min(room, RUN_ROWS));
    this.status = words[(context + CONTEXT_STATUS) >> 2]!;
    this.position = words[(context + CONTEXT_POSITION) >> 2]!;
    this.values = words[(context + CONTEXT_VALUES) >> 2]! - rows * objectValues;
    this.#table.appendAll(bytes, words.subarray(this.#spans >> 2, (this.#spans >> 2) + 2 * rows));
    return rows;
  }

  /** The address of a node, which is copied to the kernel on first use; −1 if the memory limit is reached. */
  #nodeOf(parts: KeptParts): number {
    const known = this.#nodes.get(parts);
    if (known !== undefined) return known;
    const kernel = this.#kernel;
    this.#output ||= kernel.allocate(WINDOW_BYTES + WINDOW_SLACK);
    const keys = parts.isWhole ? [] : [...parts.children].map(([text, inner]) => ({ key: encodeWtf8(text), inner: this.#nodeOf(inner) }));
    const text = NODE_HEAD_BYTES + NODE_KEY_BYTES * keys.length;
    const node = kernel.allocate(keys.reduce((sum, { key }) => sum + key.length, text));
    if (this.#output === 0 || node === 0 || keys.some(({ inner }) => inner < 0)) return -1;
    kernel.words[node >> 2] = parts.isWhole ? -1 : keys.length;
    let at = node + text;
    for (const [index, { key, inner }] of keys.entries()) {
      kernel.words.set([at, key.length, inner], (node + NODE_HEAD_BYTES + NODE_KEY_BYTES * index) >> 2);
      kernel.bytes.set(key, at);
      at += key.length;
    }
    this.#nodes.set(parts, node);
    return node;
  }
}
