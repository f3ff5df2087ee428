import { PART_BATCH } from '../core/block/block.ts';
import { BATCHES_AHEAD, type BatchCredit, type BatchSetting } from './protocol.ts';
import type { ColumnSink } from '../core/sinks/columns/columns.ts';

/** Bytes decoded for the first batch, and minimum and maximum for a later one. */
const FIRST_BYTES = 32 * 1024;
const MIN_BYTES = 8 * 1024;
const MAX_BYTES = 2 * 1024 * 1024;
/** Milliseconds that complete items wait for more input before they are sent. */
const IDLE_MS = 20;

/**
 * Decides when the items of a list are sent as a batch, and pauses the decode while the page has enough batches. The
 * first batch is sent as early as possible; the page sets the target size of later ones.
 */
export class BatchPacer {
  /** Items sent in batches. */
  items = 0;
  readonly #sink: ColumnSink;
  readonly #exact: number | undefined;
  #credits = BATCHES_AHEAD;
  /** Target bytes of a batch, and recent bytes per item. */
  #goal = FIRST_BYTES;
  #itemBytes = 0;
  /** Complete items after the last slice, bytes since that number grew, and bytes since the last batch. */
  #complete = 0;
  #sinceItem = 0;
  #read = 0;
  /** True if a batch was sent during the current slice. */
  #sentBatch = false;
  #idle = false;

  constructor(sink: ColumnSink, { path, items }: BatchSetting) {
    this.#sink = sink;
    this.#exact = items;
    sink.batch(path, items);
  }

  /** Milliseconds to wait for more input before calling `idle`; undefined to wait without limit. */
  get patience(): number | undefined {
    if (this.#exact || this.#idle || this.#sink.waiting <= 0) return undefined;
    return this.items === 0 ? 0 : IDLE_MS;
  }

  /** True while the page has enough batches. */
  get held(): boolean {
    return this.#credits <= 0;
  }

  /** Maximum number of the `size` bytes to decode before `advance`. */
  slice(size: number): number {
    return Math.min(size, this.#goal);
  }

  /** Records that `bytes` were decoded, and cuts a batch if it is large enough. */
  advance(bytes: number): void {
    const waiting = Math.max(this.#sink.waiting, 0);
    const added = this.items + waiting - this.#complete;
    this.#sinceItem += bytes;
    if (added > 0) {
      this.#itemBytes = this.#sinceItem / added;
      this.#complete += added;
      this.#sinceItem = 0;
    }
    this.#read = this.#sentBatch ? waiting * this.#itemBytes : this.#read + bytes;
    this.#sentBatch = this.#idle = false;
    if (this.#exact) this.#aim(this.#exact);
    else if (this.#read >= this.#goal * 0.75) this.#sink.cut();
  }

  /** Sends the complete items, since no input is available. */
  idle(): void {
    this.#idle = true;
    if (this.#sink.waiting > 0) this.#sink.cut();
  }

  /** Records that the sink emitted a part. */
  sent(part: ArrayBuffer): void {
    const [, , flags, directory, length] = new Int32Array(part, 0, 5) as unknown as number[];
    if (!(flags! & PART_BATCH)) return;
    // The tape is the directory's last entry; its second word is the number of items.
    const entry = new Int32Array(part, directory, length);
    const items = new Int32Array(part, entry.at(-2), 2)[1]!;
    if (items === 0) return;
    this.items += items;
    this.#sentBatch = true;
    this.#credits -= 1;
  }

  /** Allows one more batch. */
  credit({ items }: BatchCredit): void {
    this.#credits += 1;
    if (!this.#exact) this.#aim(items);
  }

  /** Sets the bytes of a batch, or at least of a slice, from its number of items. */
  #aim(items: number): void {
    if (this.#itemBytes > 0) this.#goal = Math.max(MIN_BYTES, Math.min(MAX_BYTES, items * this.#itemBytes)) | 0;
  }
}
