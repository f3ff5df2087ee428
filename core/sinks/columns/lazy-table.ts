import { FreeList } from '../../bytes/free-list.ts';
import { ByteList } from './output/byte-list.ts';
import type { ColumnHost } from './column.ts';
import type { StringSource } from './ranges.ts';
import { type KeyShape, Table } from './table.ts';

/** Row groups aim at this many bytes. */
const GROUP_BYTES = 1024 * 1024;

/** What the rows of a decode that has ended leave for the next, unless they were long: fresh memory costs as much as checking. */
const MOST_KEPT = 4 * 1024 * 1024;
const memories = new FreeList(() => new ByteList(256 * 1024, 1024));

/** Objects that are kept as the bytes they have in the input: see RAW in block.ts. */
export class RawTable extends Table {
  /** What every row refers to comes before it: these refer to none. */
  override level = Infinity;
  readonly rows = memories.take();
  readonly separator: number;
  readonly #gap: number;
  readonly #source: StringSource;
  /** Rows that lie in the window as they will in `rows`, and wait to be copied together. */
  #from = 0;
  #end = 0;
  /** Offset in the input of the object that is being written to the tape, and may take its place; −1 for none. */
  #begun = -1;
  /** Its bytes in earlier windows. */
  readonly #held = new ByteList(64, 1);

  constructor(id: number, shape: KeyShape, host: ColumnHost, separator: number) {
    super(id, shape, host);
    this.separator = separator;
    this.#gap = separator < 0 ? 0 : 1;
    this.#source = host.source;
  }

  /** An object is being written to the tape that may become a row. */
  get begun(): boolean {
    return this.#begun >= 0;
  }

  override makeRoom(): boolean {
    if (this.rows.length + this.#end - this.#from >= GROUP_BYTES) return false;
    return super.makeRoom();
  }

  override settle(): void {
    if (this.#end === this.#from) return;
    this.rows.write(this.#source.bytes, this.#from, this.#end);
    this.#from = this.#end;
  }

  override reset(): void {
    super.reset();
    this.rows.clear();
  }

  /** No row comes any more. */
  release(): void {
    this.rows.clear();
    if (this.rows.bytes.length <= MOST_KEPT) memories.give(this.rows);
  }

  /** A range of the window is the next row, which the caller counts. */
  append(from: number, end: number): void {
    // One that follows the row before in the window as it does in `rows` is copied with it.
    const follows = from === this.#end + this.#gap && (this.#gap === 0 || this.#source.bytes[this.#end] === this.separator);
    if (!follows || this.#end === this.#from) {
      this.settle();
      this.#separate();
      this.#from = from;
    }
    this.#end = end;
    this.rows.endAt(this.rows.length + end - this.#from);
  }

  /** Ranges of other bytes, two words each, are the next rows, which the caller counts. */
  appendAll(bytes: Uint8Array, spans: Int32Array): void {
    const { rows } = this;
    this.settle();
    for (let at = 0; at < spans.length;) {
      this.#separate();
      const from = spans[at]!;
      const base = rows.length - from;
      let end: number;
      do {
        end = spans[at + 1]!;
        rows.endAt(base + end);
        at += 2;
        // Those that follow one another as they will in `rows` are copied together.
      } while (at < spans.length && spans[at] === end + this.#gap && (this.#gap === 0 || bytes[end] === this.separator));
      rows.write(bytes, from, end);
    }
  }

  /** The object that begins at an offset of the input is being written to the tape. */
  begin(offset: number): void {
    this.#begun = offset;
    this.#held.clear();
  }

  /** It stays there. */
  cancel(): void {
    this.#begun = -1;
  }

  /** It ends at a position of the window, and becomes the next row, which the caller counts. */
  finish(end: number): void {
    const { bytes, base } = this.#source;
    const rest = this.#begun + this.#held.length - base;
    this.#begun = -1;
    this.settle();
    this.#separate();
    this.rows.write(this.#held.bytes, 0, this.#held.length);
    this.rows.write(bytes, rest, end);
    this.rows.endAt(this.rows.length);
  }

  /** The window goes: keeps what it has of an object that has begun. */
  hold(): void {
    if (this.#begun < 0) return;
    const { bytes, base } = this.#source;
    this.#held.write(bytes, this.#begun + this.#held.length - base, bytes.length);
  }

  /** The next window begins at an offset: what lay behind it in the last one was not read. */
  window(base: number): void {
    if (this.#begun >= 0) this.#held.length = Math.min(this.#held.length, Math.max(base - this.#begun, 0));
  }

  #separate(): void {
    if (this.#gap > 0 && this.rows.length > 0) this.rows.writeByte(this.separator);
  }
}
