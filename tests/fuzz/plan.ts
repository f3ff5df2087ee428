import type { FuzzResult } from './fuzz.ts';
import { laterSeed } from './mutate.ts';

/** What one process does at a time. */
export interface Slice {
  /** The index of the target. */
  target: number;
  count: number;
  seed: number;
}

/** Few enough that a slice takes seconds, and that its seed's random numbers last: see `laterSeed`. */
const MOST_INPUTS = 10_000;

/**
 * Cuts the inputs of some targets into slices. The slices, and so the inputs, depend on the counts and the seed alone, and not
 * on how many processes share them. At any time, about the same part of each target is done.
 */
export function slicesOf(counts: readonly number[], seed: number): Slice[] {
  const slices = counts.flatMap((count, target) =>
    Array.from({ length: Math.ceil(count / MOST_INPUTS) }, (_, index) => ({
      target,
      count: Math.min(MOST_INPUTS, count - index * MOST_INPUTS),
      seed: laterSeed(seed, index),
      done: ((index + 1) * MOST_INPUTS) / count,
    })),
  );
  return slices.sort((a, b) => a.done - b.done).map(({ target, count, seed }) => ({ target, count, seed }));
}

/** Something that does one slice after another, as a process does. */
export interface Runner {
  /** Rejects where it has come to an end. */
  run: (slice: Slice) => Promise<FuzzResult>;
  end: () => void;
}

export interface Sharing {
  runners: number;
  start: () => Runner;
  /** Whether a slice is left out, as there is no more time for it, or the target has enough findings. */
  skip: (slice: Slice) => boolean;
  done: (slice: Slice, result: FuzzResult) => void;
}

/** Shares slices among runners. One that ends in the middle of a slice is a finding, and another takes its place. */
export async function share(slices: readonly Slice[], { runners, start, skip, done }: Sharing): Promise<void> {
  const left = [...slices];
  const work = async (): Promise<void> => {
    let runner: Runner | undefined;
    for (let slice = left.shift(); slice !== undefined; slice = left.shift()) {
      if (skip(slice)) continue;
      runner ??= start();
      try {
        done(slice, await runner.run(slice));
      } catch (error) {
        runner.end();
        runner = undefined;
        const fault = `${String(error)}, with --count ${slice.count} --seed ${slice.seed}`;
        done(slice, { good: 0, refused: 0, faults: [fault] });
      }
    }
    runner?.end();
  };
  await Promise.all(Array.from({ length: runners }, work));
}
