import { ROWS_FLOAT32 } from '../../../reading/rows/flags.ts';
import { int64Flags, MIN_ROWS, readRows, rowRequest } from '../../../reading/rows/request.ts';
import type { RowRequest } from '../../../reading/sink-methods.ts';
import type { Sink } from '../../../reading/sink.ts';
import type { Input } from './input.ts';
import type { Records } from './records.ts';
import type { CborOptions } from '../options.ts';
import { ARRAY, type Stack } from './stack.ts';

/** Lets the sink read objects of a list: maps with text keys, and cbor-x's records. */
export class RowReading {
  readonly #sink: Sink;
  readonly #stack: Stack;
  readonly #maps: RowRequest | undefined;
  readonly #records: RowRequest | undefined;

  constructor(
    sink: Sink,
    stack: Stack,
    { int64 = 'auto', float32, maps, cborx }: CborOptions,
    { stringLength: longest, binaryLength: longestBinary }: Input,
  ) {
    this.#sink = sink;
    this.#stack = stack;
    const flags = int64Flags(int64) | (float32 === 'decimal' ? 0 : ROWS_FLOAT32);
    if (maps !== 'map') this.#maps = rowRequest('cbor', flags, longest, { longestBinary });
    if (cborx !== false) this.#records = rowRequest('cborRecords', flags, longest);
  }

  /** True if the next map is best read without asking the sink. */
  leavesMaps(): boolean {
    const request = this.#maps;
    if (request === undefined) return true;
    if (request.skipRecords === 0) return false;
    request.skipRecords -= 1;
    return true;
  }

  /** Reads maps from the head of one. Returns the position after the last one read. */
  readMaps(bytes: Uint8Array, at: number, to: number): number {
    return this.#maps ? this.#read(this.#maps, bytes, at, to) : at;
  }

  /** Reads records from the tag of one. Returns the position after the last one read. */
  readRecords(records: Records, bytes: Uint8Array, at: number, to: number): number {
    const request = this.#records;
    if (!request || at + 4 > to || bytes[at] !== 0xd9 || bytes[at + 1]! < 0xe0) return at;
    const tag = (bytes[at + 1]! << 8) | bytes[at + 2]!;
    const record = records.find(tag);
    if (record < 0) return at;
    request.record = records.id(record, this.#sink);
    request.head = tag;
    return this.#read(request, bytes, at, to);
  }

  #read(request: RowRequest, bytes: Uint8Array, at: number, to: number): number {
    const stack = this.#stack;
    if (stack.kind !== ARRAY || stack.left < MIN_ROWS || stack.depth >= stack.mostDepth) return at;
    const values = stack.mostValues - stack.values;
    request.depth = stack.mostDepth - stack.depth;
    const next = readRows(this.#sink, request, bytes, at, to, values, stack.left);
    stack.values += values - request.values;
    stack.left = request.items;
    return next;
  }
}
