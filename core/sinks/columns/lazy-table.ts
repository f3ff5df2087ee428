import { FreeList } from '../../bytes/free-list.ts';
import { ByteList } from '../../bytes/byte-list.ts';
import type { ColumnHost } from './column.ts';
import type { StringSource } from './ranges.ts';
import { type KeyShape, Table } from './table.ts';

/** Target bytes of a row group. */
const GROUP_BYTES = 1024 * 1024;

/** Largest memory kept for the next decode: allocating memory costs as much as checking. */
const MAX_KEPT = 4 * 1024 * 1024;
const memories = new FreeList(() => new ByteList(256 * 1024, 1024));

/** Objects kept as raw bytes of the input: see RAW in block.ts. */
export class LazyTable extends Table {
  /** Rows must follow the rows they refer to; raw rows refer to none. */
  override level = Infinity;
  readonly rows = memories.take();
  readonly separator: number;
  readonly #gap: number;
  readonly #source: StringSource;
  /** Offset in the input of an object on the tape that may become a row; −1 without such an object. */
  #begun = -1;
  /** The object's bytes in earlier windows. */
  readonly #held = new ByteList(64, 1);

  constructor(id: number, shape: KeyShape, host: ColumnHost, separator: number) {
    super(id, shape, host);
    this.separator = separator;
    this.#gap = separator < 0 ? 0 : 1;
    this.#source = host.source;
  }

  /** True while an object that may become a row is on the tape. */
  get begun(): boolean {
    return this.#begun >= 0;
  }

  override makeRoom(): boolean {
    if (this.rows.length >= GROUP_BYTES) return false;
    return super.makeRoom();
  }

  override reset(): void {
    super.reset();
    this.rows.clear();
  }

  /** Releases the memory. No row follows. */
  release(): void {
    this.rows.clear();
    if (this.rows.bytes.length <= MAX_KEPT) memories.give(this.rows);
  }

  /** Appends ranges of `bytes`, two words each, as the next rows, which the caller counts. */
  appendAll(bytes: Uint8Array, spans: Int32Array): void {
    const { rows } = this;
    for (let at = 0; at < spans.length;) {
      this.#separate();
      const from = spans[at]!;
      const base = rows.length - from;
      let end: number;
      do {
        end = spans[at + 1]!;
        rows.endAt(base + end);
        at += 2;
        // Ranges that follow each other just as in `rows` are copied at once.
      } while (at < spans.length && spans[at] === end + this.#gap && (this.#gap === 0 || bytes[end] === this.separator));
      rows.write(bytes, from, end);
    }
  }

  /** Begins an object on the tape that may become a row. `offset` is its position in the input. */
  begin(offset: number): void {
    this.#begun = offset;
    this.#held.clear();
  }

  /** Keeps the object on the tape. */
  cancel(): void {
    this.#begun = -1;
  }

  /** Makes the object, which ends at a position of the window, the next row. The caller counts it. */
  finish(end: number): void {
    const { bytes, base } = this.#source;
    const rest = this.#begun + this.#held.length - base;
    this.#begun = -1;
    this.#separate();
    this.rows.write(this.#held.bytes, 0, this.#held.length);
    this.rows.write(bytes, rest, end);
    this.rows.endAt(this.rows.length);
  }

  /** Copies the bytes of a begun object before the window changes. */
  hold(): void {
    if (this.#begun < 0) return;
    const { bytes, base } = this.#source;
    this.#held.write(bytes, this.#begun + this.#held.length - base, bytes.length);
  }

  /** Drops held bytes from `base` on: the reader stopped there in the last window, and the next one begins there. */
  window(base: number): void {
    if (this.#begun >= 0) this.#held.length = Math.min(this.#held.length, Math.max(base - this.#begun, 0));
  }

  #separate(): void {
    if (this.#gap > 0 && this.rows.length > 0) this.rows.writeByte(this.separator);
  }
}
