import type { RowRequest } from '../reading/sink-methods.ts';
import { RawTable } from '../sinks/columns/lazy-table.ts';
import type { Table } from '../sinks/columns/table.ts';
import { STATUS_OTHER, STATUS_TEXT, WINDOW_SLACK } from './assembly/layout.ts';
import type { Kernel, ReadsRows } from './kernel.ts';
import { RawKernel } from './lazy-kernel.ts';
import { TableKernel } from './table-kernel.ts';

/** So many rows in a row are worth the trouble. */
const ENOUGH = 32;
/** After so many rows of one table the next is likely to be another: where shapes are many, no kernel is tried. */
const SEVERAL = 4;
/** Where there never are so many, at most so many objects are read one by one. */
const LONGEST_PAUSE = 64;
/** After requests that gave fewer, at most so many objects are read one by one. */
const LONGEST_WAIT = 1024;
/** So many objects are read one by one where their table has what no kernel reads. */
const DEAD_WAIT = 32;
/** What is left of a window is taken for a row that it cuts where it is no longer than so many rows are on average. */
const CUT_ROWS = 4;

/** Items that are kept as bytes take more of them. */
const RAW_WINDOW = 4;

/** What is known of a table, besides what the kernel knows. */
interface Known {
  kernel: ReadsRows;
  /** Bytes of the next window, and of the least. */
  window: number;
  readonly least: number;
}

/** Takes a kernel over the bytes of a decode, window by window, and gives up for a while where it keeps stopping. */
export class KernelRuns {
  /** Rows read so far. */
  rows = 0;
  /** Values of the rows read last, the rows not counted. */
  values = 0;
  /** How many of them are not in the input. */
  defaults = 0;
  /** Whether there may be more. */
  goesOn = false;
  /** So many rows of one table must lie one behind the other before it is worth trying to read more of them. */
  least: number;
  readonly #kernel: Kernel;
  readonly #tables = new Map<Table, Known>();
  /** Objects to wait for when the next request fails, whatever its table: where shapes are many, all fail. */
  #penalty = 1;
  /** Objects to wait for where there are not enough rows of one table one behind the other, and the first time. */
  #pause: number;
  readonly #firstPause: number;
  #known!: Known;
  #bytes!: Uint8Array;
  /** The window's end in `#bytes`, and that of what may be read. */
  #end = 0;
  #last = 0;
  /** Where the kernel stands and where the window ends, in its memory. */
  #position = 0;
  #windowEnd = 0;
  /** Rows and bytes of this window, and rows of this request. */
  #windowRows = 0;
  #windowStart = 0;
  #rows = 0;
  /** Where the request begins. */
  #from = 0;

  constructor(kernel: Kernel) {
    this.#kernel = kernel;
    this.least = this.#pause = this.#firstPause = kernel.setting.eager ? 0 : SEVERAL;
  }

  /** How many objects to wait for where there are fewer than `least` rows: more each time, until rows are read. */
  postpone(): number {
    const pause = this.#pause;
    this.#pause = Math.min(pause * 2, LONGEST_PAUSE);
    return pause;
  }

  /** Begins to read rows of a table. Returns false where that is not worth it. */
  begin(table: Table, request: RowRequest, bytes: Uint8Array, from: number, to: number): boolean {
    const { setting } = this.#kernel;
    request.wait = 0;
    if (to - from < setting.leastBytes) return false;
    let known = this.#tables.get(table);
    if (known === undefined) {
      const raw = table instanceof RawTable;
      const kernel = raw ? new RawKernel(this.#kernel, table, request) : new TableKernel(this.#kernel, table, request);
      const least = Math.min(setting.firstWindow * (raw ? RAW_WINDOW : 1), setting.window);
      known = { kernel, window: least, least };
      this.#tables.set(table, known);
    }
    if (known.kernel.dead || known.kernel.request !== request) {
      request.wait = DEAD_WAIT;
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

  /** Reads at most `room` rows into the table, which is to count them. Returns how many. */
  read(room: number): number {
    const { kernel } = this.#known;
    const rows = kernel.run(this.#position, this.#windowEnd, room);
    this.#position = kernel.position;
    this.values = kernel.values;
    this.defaults = kernel.defaults;
    this.#windowRows += rows;
    this.#rows += rows;
    this.rows += rows;
    this.goesOn = !kernel.dead && this.#mayGoOn(rows);
    return rows;
  }

  /** Ends a request: returns where the next object begins, and decides how many objects are not tried. */
  end(request: RowRequest): number {
    const known = this.#known;
    const at = this.#end - (this.#windowEnd - this.#position);
    if (known.kernel.dead) request.wait = DEAD_WAIT;
    else if (this.#kernel.setting.eager || this.#rows >= ENOUGH || (this.#rows > 0 && this.#isCut())) {
      this.#penalty = 1;
      this.least = this.#pause = this.#firstPause;
    } else {
      request.wait = this.#penalty;
      this.#penalty = Math.min(this.#penalty * 2, LONGEST_WAIT);
      this.least = Math.min(this.least * 2, LONGEST_WAIT);
    }
    // Where it stops early, most of a long window would be copied for nothing.
    if (this.#end < this.#last) known.window = Math.max(known.least, Math.min(known.window, 2 * (at - this.#from)));
    return at;
  }

  #mayGoOn(rows: number): boolean {
    const { status } = this.#known.kernel;
    if (status === STATUS_TEXT) return rows > 0;
    if (status !== STATUS_OTHER) return true;
    if (this.#end === this.#last || this.#windowRows === 0 || !this.#isCut()) return false;
    this.#known.window = Math.min(this.#known.window * 4, this.#kernel.setting.window);
    this.#fill(this.#end - (this.#windowEnd - this.#position));
    return true;
  }

  /** Whether what is left of the window may be a row that the window cuts. */
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
