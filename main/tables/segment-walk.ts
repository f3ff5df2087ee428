import type { SegmentCells } from '../../core/rows/run.ts';
import { RecordCells } from './record-columns.ts';
import type { RunList } from '../../core/rows/row-list.ts';

/** Looks up the segments of positions, and keeps a value for the records of each group. */
export class SegmentWalk<Value> {
  /** Difference between a position and its row in the current segment. */
  shift = 0;
  /** Positions of the current segment's first row, and after its last. */
  first = 0;
  end = 0;
  readonly #source: RunList;
  readonly #open: (cells: SegmentCells) => Value;
  /** Values by group, or table of objects: a list that was refetched has many segments of each. */
  readonly #values = new Map<object, Value>();
  #value!: Value;

  constructor(source: RunList, open: (cells: SegmentCells) => Value) {
    this.#source = source;
    this.#open = open;
  }

  /** The value of the segment with a position. Sets `shift`. */
  at(position: number): Value {
    if (position < this.first || position >= this.end) this.#move(position);
    return this.#value;
  }

  #move(position: number): void {
    const at = this.#source.segmentAt(position);
    const segment = this.#source.segments[at]!;
    this.first = segment.first;
    this.end = segment.end;
    this.shift = segment.first - segment.offset;
    const { group, table } = segment;
    const holder = group ?? table;
    let value = this.#values.get(holder);
    if (value === undefined) {
      value = this.#open(RecordCells.ofHolder(segment));
      this.#values.set(holder, value);
    }
    this.#value = value;
  }
}
