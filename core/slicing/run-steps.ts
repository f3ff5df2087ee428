import type { Slicer } from './slicer.ts';

/** Runs a generator in slices. Resolves to its result; rejects with the reason of the signal, or of the slicer's. */
export async function inSlices<Result>(steps: Generator<undefined, Result, undefined>, slicer: Slicer, signal?: AbortSignal): Promise<Result> {
  signal?.throwIfAborted();
  slicer.begin();
  try {
    for (;;) {
      const { done, value } = steps.next();
      if (slicer.due()) await slicer.pause();
      if (done) return value;
    }
  } finally {
    slicer.end();
  }
}
