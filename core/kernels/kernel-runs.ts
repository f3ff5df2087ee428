import type { RowLayout, RowRequest } from '../reading/sink-methods.ts';
import { LazyTable } from '../sinks/columns/lazy-table.ts';
import type { Table } from '../sinks/columns/table.ts';
import { STATUS_OTHER, STATUS_TEXT, WINDOW_SLACK } from './assembly/layout.ts';
import type { Kernel, ReadsRows } from './kernel.ts';
import { LazyKernel } from './lazy-kernel.ts';
import { TableKernel } from './table-kernel.ts';

/** Rows of one request from which trying a kernel is worth its cost. */
const ENOUGH = 32;
/**
 * Consecutive rows of one table from which the next is likely in the same table: with many shapes, no kernel is tried.
 */
const SEVERAL = 4;
/** Maximum number of objects read one by one while no run of rows is long enough. */
const MAX_PAUSE = 64;
/** Maximum number of objects read one by one after requests that read fewer rows. */
const MAX_WAIT = 1024;
/** Objects read one by one if their table has values that no kernel reads. */
const DEAD_WAIT = 32;
/** The rest of a window counts as a cut row if it is not longer than this many average rows. */
const CUT_ROWS = 4;

/** Lists of keys that a table's records may have had, of which the table has some: a kernel for each takes memory. */
const MAX_LAYOUTS = 16;

/** Factor for the window of items kept as raw bytes. */
const RAW_WINDOW = 4;

/** State of a table, apart from the kernel's own. */
interface Known {
  kernel: ReadsRows;
  /** The keys that the kernel knows, and how many lists of keys there were. */
  readonly layout: RowLayout | undefined;
  readonly layouts: number;
  /** Bytes of the next window, and minimum. */
  window: number;
  readonly least: number;
}

/** Runs a kernel over the bytes of a decode, window by window, and pauses if it keeps stopping. */
export class KernelRuns {
  /** Rows read so far. */
  rows = 0;
  /** Values of the last rows read, without the rows themselves. */
  values = 0;
  /** Number of those values that are not in the input. */
  defaults = 0;
  /** True if more rows may follow. */
  continues = false;
  /** Consecutive rows of one table after which reading more of them is worth trying. */
  least: number;
  readonly #kernel: Kernel;
  readonly #tables = new Map<Table, Known>();
  /** Objects to wait for after the next failed request, for any table: with many shapes, all requests fail. */
  #penalty = 1;
  /** Objects to wait for while there are not enough consecutive rows of one table, now and initially. */
  #pause: number;
  readonly #firstPause: number;
  #known!: Known;
  #bytes!: Uint8Array;
  /** End in `#bytes` of the window, and of the readable bytes. */
  #end = 0;
  #last = 0;
  /** Position of the kernel and end of the window, in the kernel's memory. */
  #position = 0;
  #windowEnd = 0;
  /** Rows read in this window, its start, and rows read in this request. */
  #windowRows = 0;
  #windowStart = 0;
  #rows = 0;
  /** Start of the request. */
  #from = 0;

  constructor(kernel: Kernel) {
    this.#kernel = kernel;
    this.least = this.#pause = this.#firstPause = kernel.setting.eager ? 0 : SEVERAL;
  }

  /** Number of objects to wait for while there are fewer than `least` rows; doubles until rows are read. */
  postpone(): number {
    const pause = this.#pause;
    this.#pause = Math.min(pause * 2, MAX_PAUSE);
    return pause;
  }

  /** Begins to read rows of a table. Returns false if that is not worth its cost. */
  begin(table: Table, request: RowRequest, bytes: Uint8Array, from: number, to: number): boolean {
    const { setting } = this.#kernel;
    request.skipRecords = 0;
    if (to - from < setting.leastBytes) return false;
    let known = this.#tables.get(table);
    const raw = table instanceof LazyTable;
    const layout = raw ? undefined : request.layout;
    if (known === undefined || (known.layout !== layout && known.layouts < MAX_LAYOUTS)) {
      const kernel = raw ? new LazyKernel(this.#kernel, table, request) : new TableKernel(this.#kernel, table, request);
      const least = Math.min(setting.firstWindow * (raw ? RAW_WINDOW : 1), setting.window);
      known = { kernel, layout, layouts: (known?.layouts ?? 0) + 1, window: least, least };
      this.#tables.set(table, known);
    }
    if (known.kernel.dead || known.kernel.request !== request || known.layout !== layout) {
      request.skipRecords = DEAD_WAIT;
      return false;
    }
    this.#known = known;
    this.#bytes = bytes;
    this.#last = to;
    this.#rows = 0;
    this.#from = from;
    this.#fill(from);
    return true;
  }

  /** Reads at most `room` rows into the table, which the caller counts there. Returns their number. */
  read(room: number): number {
    const { kernel } = this.#known;
    const rows = kernel.run(this.#position, this.#windowEnd, room);
    this.#position = kernel.position;
    this.values = kernel.values;
    this.defaults = kernel.defaults;
    this.#windowRows += rows;
    this.#rows += rows;
    this.rows += rows;
    this.continues = !kernel.dead && this.#mayContinue(rows);
    return rows;
  }

  /** Ends a request. Returns the start of the next object, and sets the number of objects to wait for. */
  end(request: RowRequest): number {
    const known = this.#known;
    const at = this.#end - (this.#windowEnd - this.#position);
    if (known.kernel.dead) request.skipRecords = DEAD_WAIT;
    else if (this.#kernel.setting.eager || this.#rows >= ENOUGH || (this.#rows > 0 && this.#isCut())) {
      this.#penalty = 1;
      this.least = this.#pause = this.#firstPause;
    } else {
      request.skipRecords = this.#penalty;
      this.#penalty = Math.min(this.#penalty * 2, MAX_WAIT);
      this.least = Math.min(this.least * 2, MAX_WAIT);
    }
    // A run that stops early would waste most of a long window.
    if (this.#end < this.#last) known.window = Math.max(known.least, Math.min(known.window, 2 * (at - this.#from)));
    return at;
  }

  #mayContinue(rows: number): boolean {
    const { status } = this.#known.kernel;
    if (status === STATUS_TEXT) return rows > 0;
    if (status !== STATUS_OTHER) return true;
    if (this.#end === this.#last || this.#windowRows === 0 || !this.#isCut()) return false;
    this.#known.window = Math.min(this.#known.window * 4, this.#kernel.setting.window);
    this.#fill(this.#end - (this.#windowEnd - this.#position));
    return true;
  }

  /** True if the rest of the window may be a row that the window cuts. */
  #isCut(): boolean {
    const read = this.#position - this.#windowStart;
    return this.#windowEnd - this.#position <= (CUT_ROWS * read) / Math.max(this.#windowRows, 1);
  }

  /** Copies the bytes from a position on to the kernel's window. */
  #fill(from: number): void {
    const { bytes, window } = this.#kernel;
    this.#end = Math.min(this.#last, from + this.#known.window);
    bytes.set(this.#bytes.subarray(from, this.#end), window);
    this.#windowStart = this.#position = window;
    this.#windowEnd = window + this.#end - from;
    this.#windowRows = 0;
    bytes.fill(0, this.#windowEnd, this.#windowEnd + WINDOW_SLACK);
  }
}
