import { PART_BATCH } from '../core/block/block.ts';
import { BATCHES_AHEAD, type BatchCredit, type BatchSetting } from './protocol.ts';
import type { ColumnSink } from '../core/sinks/columns/columns.ts';

/** Bytes that are decoded for the first batch, and at least and at most for a later one. */
const FIRST_BYTES = 32 * 1024;
const LEAST_BYTES = 8 * 1024;
const MOST_BYTES = 2 * 1024 * 1024;
/** How long whole items wait for more input before they go out, in milliseconds. */
const IDLE_MS = 20;

/**
 * Decides when the items of a list go out as a batch, and holds the decode back while the page has enough of them. The
 * first batch goes as early as can be; the page says how many items the later ones are to have.
 */
export class BatchPacer {
  /** How many items have gone out, in batches. */
  items = 0;
  readonly #sink: ColumnSink;
  readonly #exact: number | undefined;
  #credits = BATCHES_AHEAD;
  /** Bytes for a batch; how many an item took lately. */
  #goal = FIRST_BYTES;
  #itemBytes = 0;
  /** Items that were whole after the last slice, bytes since there were more of them, and since a batch. */
  #whole = 0;
  #unknown = 0;
  #read = 0;
  /** A batch has left during the slice at hand. */
  #gone = false;
  #idle = false;

  constructor(sink: ColumnSink, { path, items }: BatchSetting) {
    this.#sink = sink;
    this.#exact = items;
    sink.batch(path, items);
  }

  /** How long to wait for more input before `idle`; undefined where there is no reason to. */
  get patience(): number | undefined {
    if (this.#exact || this.#idle || this.#sink.waiting <= 0) return undefined;
    return this.items === 0 ? 0 : IDLE_MS;
  }

  /** Whether the page has enough batches. */
  get held(): boolean {
    return this.#credits <= 0;
  }

  /** How many of `size` bytes to decode at most before `advance`. */
  slice(size: number): number {
    return Math.min(size, this.#goal);
  }

  /** So many bytes were decoded. */
  advance(bytes: number): void {
    const waiting = Math.max(this.#sink.waiting, 0);
    const more = this.items + waiting - this.#whole;
    this.#unknown += bytes;
    if (more > 0) {
      this.#itemBytes = this.#unknown / more;
      this.#whole += more;
      this.#unknown = 0;
    }
    this.#read = this.#gone ? waiting * this.#itemBytes : this.#read + bytes;
    this.#gone = this.#idle = false;
    if (this.#exact) this.#aim(this.#exact);
    else if (this.#read >= this.#goal * 0.75) this.#sink.cut();
  }

  /** No more input is there at present. */
  idle(): void {
    this.#idle = true;
    if (this.#sink.waiting > 0) this.#sink.cut();
  }

  /** A part has left the sink. */
  sent(part: ArrayBuffer): void {
    const [, , flags, directory, length] = new Int32Array(part, 0, 5) as unknown as number[];
    if (!(flags! & PART_BATCH)) return;
    // The tape is the directory's last entry, and begins with the list's header: its items are the second word.
    const entry = new Int32Array(part, directory, length);
    const items = new Int32Array(part, entry.at(-2), 2)[1]!;
    if (items === 0) return;
    this.items += items;
    this.#gone = true;
    this.#credits -= 1;
  }

  /** The page takes one more. */
  credit({ items }: BatchCredit): void {
    this.#credits += 1;
    if (!this.#exact) this.#aim(items);
  }

  /** Sets how many items a batch, or at least a slice, is to have. */
  #aim(items: number): void {
    if (this.#itemBytes > 0) this.#goal = Math.max(LEAST_BYTES, Math.min(MOST_BYTES, items * this.#itemBytes)) | 0;
  }
}
