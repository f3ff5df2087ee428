import { TAG_OBJECT } from '../../block/block.ts';
import { ItemBatches } from './batches.ts';
import type { Column } from './column.ts';
import { Frame, FRAME_LIST, FRAME_OBJECT, FRAME_ROW, NO_LIMIT } from './output/frame.ts';
import { appendRows, unwind } from './items.ts';
import type { BlockOutput } from './output/output.ts';
import type { Table } from './table.ts';
import type { Tape } from './output/tape.ts';

export const NO_COLUMNS: readonly Column[] = [];

/** Write position in a block: the open containers, and the destination of the next value. */
export class Cursor {
  protected readonly out: BlockOutput;
  protected readonly batches: ItemBatches;
  protected readonly frames: Frame[];
  protected depth = 0;
  /** `frames[depth]`, and the parts of its state that every event needs. */
  protected frame: Frame;
  protected tape: Tape;
  /** Destination of the value whose key was read last; null for the tape. */
  protected column: Column | null = null;
  /** Columns of the row being written, else none; the index of the expected column, and the row. */
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
   * Emits the items of the list at a path, keys from the root, in batches of `items`, and whenever `cut` is called.
   * Called before any event.
   */
  batch(path: readonly string[], items?: number): void {
    this.batches.choose(path, items);
  }

  /** Complete items of the list not emitted yet; −1 if it is not open. */
  get waiting(): number {
    return this.batches.waiting(this.frame);
  }

  /** Emits the items so far as a batch: now, or before the next item begins if one is open. */
  cut(): void {
    this.batches.cut(this.frame);
  }

  /** Emits the complete items after an error. Nothing may follow. */
  salvage(): void {
    this.batches.salvage(this.frame);
  }

  /**
   * The tape that receives the next value. Counts the value as an item, or makes the row's VARIANT column refer to it.
   */
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

  /** The column that receives the current value. */
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
    frame.emitted = 0;
    frame.limit = NO_LIMIT;
    frame.innerBytes = 0;
    frame.droppedBytes = 0;
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
    frame.nestedItems = 0;
  }

  protected openObject(): void {
    const outer = this.frame;
    const frame = this.open(FRAME_OBJECT, TAG_OBJECT);
    // After the call, which may end a batch.
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

  /** Continues the row being written as an object on the list's tape, because it has another shape. */
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
