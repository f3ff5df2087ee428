import { TAG_OBJECT } from '../../block/block.ts';
import { ItemBatches } from './batches.ts';
import type { Column } from './column.ts';
import { Frame, FRAME_LIST, FRAME_OBJECT, FRAME_ROW, NO_LIMIT } from './output/frame.ts';
import { appendRows, unwind } from './items.ts';
import type { BlockOutput } from './output/output.ts';
import type { Table } from './table.ts';
import type { Tape } from './output/tape.ts';

export const NO_COLUMNS: readonly Column[] = [];

/** Where a block is being written: what is open, and where the next value goes. */
export class Cursor {
  protected readonly out: BlockOutput;
  protected readonly batches: ItemBatches;
  protected readonly frames: Frame[];
  protected depth = 0;
  /** `frames[depth]`, and of its state what each event needs. */
  protected frame: Frame;
  protected tape: Tape;
  /** Where the value goes whose key was announced last; null for the tape. */
  protected column: Column | null = null;
  /** Columns of the row being written, none elsewhere; the one expected next, and the row. */
  protected columns: readonly Column[] = NO_COLUMNS;
  protected next = 0;
  protected row = 0;
  /** The table of the innermost row being written. */
  protected table: Table | undefined;

  constructor(out: BlockOutput) {
    this.out = out;
    this.batches = new ItemBatches(out);
    this.tape = out.tape;
    this.frame = new Frame(out.tape, out.shapes.root);
    this.frames = [this.frame];
  }

  /**
   * Lets the items of the list at a path, keys from the root, go out in batches of so many, and otherwise when `cut` is
   * called. To be called before any event.
   */
  batch(path: readonly string[], items?: number): void {
    this.batches.choose(path, items);
  }

  /** How many whole items the list has that were not given out yet; −1 where it is not open. */
  get waiting(): number {
    return this.batches.waiting(this.frame);
  }

  /** Gives the items so far out as a batch: at once, or, where one is open, before the next one begins. */
  cut(): void {
    this.batches.cut(this.frame);
  }

  /** After an error: gives out the items that are whole. Nothing may follow. */
  salvage(): void {
    this.batches.salvage(this.frame);
  }

  /** The tape that takes the next value: the row's VARIANT column points to it, or it counts as one more item. */
  protected place(): Tape {
    if (this.column !== null) {
      this.column.variant(this.row);
      this.column = null;
    } else {
      if (this.frame.count >= this.frame.limit) this.batches.cutHere(this.frame);
      this.frame.count++;
    }
    return this.tape;
  }

  /** The column that takes the value at hand. */
  protected take(): Column {
    const column = this.column!;
    this.column = null;
    return column;
  }

  protected enter(kind: number): Frame {
    this.frame.next = this.next;
    const frame = (this.frames[++this.depth] ??= new Frame(this.out.tape, this.out.shapes.root));
    frame.kind = kind;
    frame.tape = this.tape;
    frame.count = 0;
    frame.given = 0;
    frame.limit = NO_LIMIT;
    frame.inner = 0;
    frame.raw = false;
    this.frame = frame;
    this.columns = NO_COLUMNS;
    this.next = 0;
    return frame;
  }

  protected leaveFrame(): void {
    const frame = this.frames[--this.depth]!;
    this.frame = frame;
    this.tape = frame.tape;
    this.column = null;
    if (frame.kind === FRAME_ROW) {
      const table = frame.table!;
      this.columns = table.columns;
      this.next = frame.next;
      this.row = table.count;
    } else this.columns = NO_COLUMNS;
  }

  protected open(kind: number, tag: number): Frame {
    const tape = this.place();
    const frame = this.enter(kind);
    frame.start = tape.length;
    tape.pushTwo(tag, 0);
    return frame;
  }

  protected close(): void {
    const { tape, start, count } = this.frame;
    tape.words[start + 1] = count;
    this.out.count(count);
    this.leaveFrame();
  }

  protected openList(tag: number): void {
    const frame = this.open(FRAME_LIST, tag);
    frame.run = -1;
    frame.records = 0;
    frame.lastShape = undefined;
    frame.sampled = 0;
    frame.sampledBytes = 0;
    frame.nestedBytes = 0;
  }

  protected openObject(): void {
    const outer = this.frame;
    const frame = this.open(FRAME_OBJECT, TAG_OBJECT);
    // Not before, when a batch may end.
    outer.records++;
    this.#beginObject(frame);
  }

  #beginObject(frame: Frame): void {
    const { strings, shapes } = this.out;
    frame.text = strings.first + strings.count;
    frame.shape = shapes.root;
    frame.extra = 0;
    frame.record = undefined;
  }

  protected openRow(table: Table): void {
    if (this.frame.count >= this.frame.limit) this.batches.cutHere(this.frame);
    this.frame.count++;
    this.frame.records++;
    const frame = this.enter(FRAME_ROW);
    frame.outer = this.table;
    this.table = table;
    frame.table = table;
    frame.tape = table.tape;
    table.open = true;
    this.tape = table.tape;
    this.columns = table.columns;
    this.row = table.count;
  }

  protected closeRow(): void {
    const table = this.frame.table!;
    table.open = false;
    this.table = this.frame.outer;
    this.leaveFrame();
    appendRows(this.out, this.frame, table);
  }

  /** The row being written has another shape: it goes on as an object on the tape of the list. */
  protected unwindRow(): void {
    const { frame } = this;
    const { tape } = this.frames[this.depth - 1]!;
    const table = frame.table!;
    table.open = false;
    this.table = frame.outer;
    frame.kind = FRAME_OBJECT;
    frame.tape = tape;
    frame.start = tape.length;
    this.#beginObject(frame);
    tape.pushTwo(TAG_OBJECT, 0);
    unwind(this.out, frame, tape, table, this.next);
    frame.count = frame.shape.length + frame.extra;
    this.tape = tape;
    this.column = null;
    this.columns = NO_COLUMNS;
    this.next = 0;
  }
}
