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
