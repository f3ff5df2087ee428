import type { Slicer } from '../../core/slicing/slicer.ts';

/** Compares two rows: negative, zero or positive. */
type Compare = (one: number, other: number) => number;

/** Rows sorted by insertion before they are merged. */
const RUN = 16;

/** Comparisons between two looks at the clock. */
const STEP = 256;

/** Sorts rows by comparison, stably and in slices. May change `rows`. */
export async function mergeSort(rows: Uint32Array, compare: Compare, slicer: Slicer): Promise<Uint32Array> {
  const { length } = rows;
  for (let from = 0; from < length; from += RUN) {
    insertionSort(rows, from, Math.min(from + RUN, length), compare);
    if (slicer.due()) await slicer.pause();
  }
  let source = rows;
  let target: Uint32Array = new Uint32Array(length);
  for (let width = RUN; width < length; width *= 2) {
    for (let from = 0; from < length; from += 2 * width) {
      const merge = new Merge(source, target, from, Math.min(from + width, length), Math.min(from + 2 * width, length));
      while (!merge.run(compare, STEP)) if (slicer.due()) await slicer.pause();
      if (slicer.due()) await slicer.pause();
    }
    [source, target] = [target, source];
  }
  return source;
}

/** Sorts a short range of rows by comparison, stably. */
export function insertionSort(rows: Uint32Array, from: number, to: number, compare: Compare): void {
  for (let at = from + 1; at < to; at++) {
    const row = rows[at]!;
    let place = at;
    while (place > from && compare(rows[place - 1]!, row) > 0) {
      rows[place] = rows[place - 1]!;
      place -= 1;
    }
    rows[place] = row;
  }
}

/** Merges two sorted ranges that follow each other, in steps. */
class Merge {
  #left: number;
  #right: number;
  #at: number;
  readonly #middle: number;
  readonly #end: number;
  readonly #source: Uint32Array;
  readonly #target: Uint32Array;

  constructor(source: Uint32Array, target: Uint32Array, from: number, middle: number, end: number) {
    this.#source = source;
    this.#target = target;
    this.#left = this.#at = from;
    this.#right = this.#middle = middle;
    this.#end = end;
  }

  /** Takes up to `steps` steps. Returns true once the ranges are merged. */
  run(compare: Compare, steps: number): boolean {
    const source = this.#source;
    const target = this.#target;
    const middle = this.#middle;
    const end = this.#end;
    let left = this.#left;
    let right = this.#right;
    let at = this.#at;
    for (let step = 0; step < steps && left < middle && right < end; step++) {
      target[at++] = compare(source[left]!, source[right]!) <= 0 ? source[left++]! : source[right++]!;
    }
    this.#left = left;
    this.#right = right;
    this.#at = at;
    if (left < middle && right < end) return false;
    target.set(source.subarray(left, middle), at);
    target.set(source.subarray(right, end), at + middle - left);
    return true;
  }
}
