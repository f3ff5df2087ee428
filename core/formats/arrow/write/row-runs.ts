import type { ColumnRows, ColumnSegment } from '../../../writing/column-rows.ts';

/** Runs of consecutive rows of one segment, in a range of the rows of a list. */
export class RowRuns {
  readonly segments: readonly ColumnSegment[];
  /** Number of rows, and of runs. */
  total = 0;
  count = 0;
  /** Segment of each run, its first row in the group, and its number of rows. */
  readonly segment: Uint32Array;
  readonly row: Uint32Array;
  readonly rows: Uint32Array;
  readonly #index: Uint32Array | undefined;
  readonly #firsts: Uint32Array;

  /** `most`: rows of the longest range. */
  constructor({ index, source: { segments } }: ColumnRows, most: number) {
    this.segments = segments;
    this.#index = index;
    this.#firsts = Uint32Array.from(segments, ({ first }) => first);
    const runs = index ? most : Math.min(most, segments.length);
    this.segment = new Uint32Array(runs);
    this.row = new Uint32Array(runs);
    this.rows = new Uint32Array(runs);
  }

  /** Finds the runs of the rows `from..to`. */
  fill(from: number, to: number): this {
    const index = this.#index;
    this.total = to - from;
    this.count = 0;
    let first = 0;
    let end = 0;
    let segment = 0;
    let shift = 0;
    for (let at = from; at < to;) {
      const position = index ? index[at]! : at;
      if (position < first || position >= end) {
        segment = this.#segmentAt(position);
        ({ first, end } = this.segments[segment]!);
        shift = this.segments[segment]!.offset - first;
      }
      const start = at;
      if (index) for (at += 1; at < to && index[at] === position + at - start && position + at - start < end;) at += 1;
      else at = Math.min(to, end);
      this.segment[this.count] = segment;
      this.row[this.count] = position + shift;
      this.rows[this.count] = at - start;
      this.count += 1;
    }
    return this;
  }

  #segmentAt(position: number): number {
    const firsts = this.#firsts;
    let low = 0;
    for (let high = firsts.length - 1; low < high;) {
      const middle = (low + high + 1) >> 1;
      if (firsts[middle]! <= position) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
