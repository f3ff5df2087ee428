import { KIND_BOOLEAN, KIND_DICTIONARY, KIND_EMPTY, KIND_FLOAT64, KIND_INT32, KIND_TEXT, STATE_NULL, STATE_VALUE } from '../block/block.ts';
import { ColumnSink, type ColumnSinkOptions } from '../sinks/columns/columns.ts';
import { type Limits, resolveLimits } from '../limits.ts';
import type { Kernel } from './kernel.ts';
import { KernelRuns } from './kernel-runs.ts';
import { FRAME_LIST } from '../sinks/columns/output/frame.ts';
import { admits, appendRows, rowsOf } from '../sinks/columns/items.ts';
import { RANGE_MASK, RANGE_ROWS } from '../sinks/columns/ranges.ts';
import type { Table } from '../sinks/columns/table.ts';
import { CELL_BOOLEAN, CELL_INT32, CELL_NULL, CELL_NUMBER, CELL_STRING, type RowRequest, type RowCells } from '../reading/sink-methods.ts';
import type { RecordId, Sink } from '../reading/sink.ts';

const NO_NUMBERS = new Float64Array(0);
const NO_WORDS = new Int32Array(0);

/** By kind of column: the kind of its cells; 0 if its values must arrive as events. */
const CELLS: number[] = [];
CELLS[KIND_EMPTY] = CELL_NULL;
CELLS[KIND_BOOLEAN] = CELL_BOOLEAN;
CELLS[KIND_INT32] = CELL_INT32;
CELLS[KIND_FLOAT64] = CELL_NUMBER;
CELLS[KIND_DICTIONARY] = CELLS[KIND_TEXT] = CELL_STRING;

/** A ColumnSink that also accepts objects as rows, without a call per value. */
export class RowSink extends ColumnSink {
  readonly #tables = new Map<Table, TableRows>();
  #filling: TableRows | undefined;
  readonly #runs: KernelRuns | undefined;
  readRows: Sink['readRows'];

  /** `kernel` reads the objects that it supports. */
  constructor(emit: (part: ArrayBuffer) => void, limits: Limits, options?: ColumnSinkOptions, kernel?: Kernel) {
    super(emit, limits, options);
    if (kernel === undefined) return;
    const runs = new KernelRuns(kernel);
    this.#runs = runs;
    this.readRows = (request, bytes, at, to) => this.#readRows(runs, request, bytes, at, to);
  }

  /** Number of rows read by a kernel. */
  get kernelRows(): number {
    return this.#runs?.rows ?? 0;
  }

  #readRows(runs: KernelRuns, request: RowRequest, bytes: Uint8Array, from: number, to: number): number {
    const { frame, out } = this;
    const table = this.#tableFor(request);
    // Lists in an object that may become a lazy row say nothing about those outside.
    if (table === undefined && out.raw?.begun) return from;
    // Where parts are picked, the reader's objects are never lazy rows.
    if (table === undefined || (!(this.picked && frame.raw) && rowsOf(frame, table) < runs.least)) {
      request.skipRecords = runs.postpone();
      return from;
    }
    const { objectValues, layout } = request;
    const values = Math.max((frame.raw ? 0 : (layout?.keys.length ?? table.columns.length)) + objectValues, 1);
    if (!runs.begin(table, request, bytes, from, to)) return from;
    do {
      const room = Math.min(table.capacity - table.count, frame.limit - frame.count, request.items, Math.floor(request.values / values));
      if (room <= 0) break;
      const rows = runs.read(room);
      if (rows === 0) continue;
      request.values -= runs.values + rows * objectValues;
      request.items -= rows;
      request.defaults += runs.defaults;
      frame.count += rows;
      frame.records += rows;
      appendRows(out, frame, table, rows);
    } while (runs.continues);
    return runs.end(request);
  }

  /** The table that the next items of the list are expected in; undefined if it accepts none now. */
  #tableFor({ record }: RowRequest): Table | undefined {
    const { frame, out } = this;
    if (frame.kind !== FRAME_LIST) return undefined;
    if (frame.raw) return this.itemSeparator === undefined || out.raw!.begun || out.references ? undefined : out.raw;
    const table = record < 0 ? frame.table : this.records[record]!.shape?.table;
    return table !== undefined && admits(out, table, this.table) ? table : undefined;
  }

  rows(record: RecordId): RowCells | undefined {
    const { frame, out } = this;
    const { table } = this.records[record]!.shape ?? {};
    if (table === undefined || frame.kind !== FRAME_LIST || frame.count >= frame.limit) return undefined;
    if (!admits(out, table, this.table)) return undefined;
    let rows = this.#tables.get(table);
    if (rows === undefined) this.#tables.set(table, (rows = new TableRows(table)));
    this.#filling = rows;
    return rows.open(frame.limit - frame.count) ? rows : undefined;
  }

  addRows(count: number): void {
    const { frame } = this;
    const { table } = this.#filling!;
    this.#filling!.close(count);
    if (count === 0) return;
    frame.count += count;
    frame.records += count;
    appendRows(this.out, frame, table, count);
  }
}

/** The rows of a table, written straight to its columns. */
class TableRows implements RowCells {
  readonly table: Table;
  readonly kinds: Uint8Array;
  readonly numbers: Float64Array[];
  readonly words: Int32Array[];
  row = 0;
  range = 0;
  room = 0;
  #hasNulls = false;

  constructor(table: Table) {
    const { columns } = table;
    this.table = table;
    this.kinds = new Uint8Array(columns.length);
    this.numbers = columns.map(() => NO_NUMBERS);
    this.words = columns.map(() => NO_WORDS);
  }

  /** Prepares for at most `most` rows. Returns false if they must arrive as events. */
  open(most: number): boolean {
    const { columns, count, capacity } = this.table;
    for (let index = 0; index < columns.length; index++) {
      const column = columns[index]!;
      const cell = CELLS[column.kind] ?? 0;
      if (cell === 0) return false;
      this.kinds[index] = cell;
      this.numbers[index] = column.floats;
      this.words[index] = cell === CELL_STRING ? column.ranges!.words : column.ints;
    }
    this.row = count;
    this.range = count & RANGE_MASK;
    this.room = Math.min(RANGE_ROWS - this.range, capacity - count, most);
    return true;
  }

  setNull(index: number, row: number): void {
    this.#hasNulls = true;
    this.table.columns[index]!.state(row, STATE_NULL);
  }

  /** Ends a run of `count` complete rows; the states of a partial row are discarded. */
  close(count: number): void {
    if (!this.#hasNulls) return;
    this.#hasNulls = false;
    const row = this.row + count;
    if (count < this.room) for (const { states } of this.table.columns) states[row] = STATE_VALUE;
  }
}

/** A sink for `keepAlive`, with one instance of each class that it uses for records. */
export function keepAliveSink(): RowSink {
  const sink = new RowSink(() => {}, resolveLimits());
  const record = sink.defineRecord(['text', 'number']);
  sink.beginArray(-1, 0);
  for (let row = 0; row < 2; row++) {
    sink.beginRecord(record, 0);
    sink.field(0);
    sink.text('text', 0);
    sink.field(1);
    sink.float(0.5);
    sink.endRecord(0);
  }
  sink.flush();
  return sink;
}
