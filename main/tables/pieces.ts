import type { Slicer } from '../../core/slicing/slicer.ts';

/** Items of simple loops between two looks at the clock. */
export const PIECE = 16_384;

/** Calls a function with consecutive ranges of `length` items, in slices. */
export async function inPieces(length: number, size: number, run: (from: number, to: number) => void, slicer: Slicer): Promise<void> {
  for (let from = 0; from < length; from += size) {
    run(from, Math.min(from + size, length));
    if (slicer.due()) await slicer.pause();
  }
}

/** Runs a generator to its end, in slices. Returns its result. */
export async function stepsInSlices<Result>(steps: Generator<undefined, Result, undefined>, slicer: Slicer): Promise<Result> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    if (slicer.due()) await slicer.pause();
  }
}
