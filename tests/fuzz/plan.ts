import type { FuzzResult } from './fuzz.ts';
import { laterSeed } from './mutate.ts';

/** Inputs of one target for one process. */
export interface Slice {
  /** The index of the target. */
  target: number;
  count: number;
  seed: number;
}

/** Upper bound for the inputs of a slice, which takes seconds, and fewer random numbers than `laterSeed` reserves. */
const MAX_INPUTS = 10_000;

/**
 * Cuts the inputs of targets into slices, which depend only on the counts and the seed, not on the number of processes. All
 * targets progress at about the same rate. `skipped` is the fraction that an earlier run has had: 0 to 1.
 */
export function slicesOf(counts: readonly number[], seed: number, skipped = 0): Slice[] {
  const slices = counts.flatMap((count, target) =>
    Array.from({ length: Math.ceil(count / MAX_INPUTS) }, (_, index) => ({
      target,
      count: Math.min(MAX_INPUTS, count - index * MAX_INPUTS),
      seed: laterSeed(seed, index),
      done: ((index + 1) * MAX_INPUTS) / count,
    })),
  );
  const left = slices.filter(({ done }) => done > skipped);
  return left.sort((a, b) => a.done - b.done).map(({ target, count, seed }) => ({ target, count, seed }));
}

/** Runs one slice after another: a process, or a test's substitute. */
export interface Runner {
  /** Rejects if the process ends before the slice does. */
  run: (slice: Slice) => Promise<FuzzResult>;
  end: () => void;
}

export interface Sharing {
  runners: number;
  start: () => Runner;
  /** True if a slice is left out, because time is up or the target has enough findings. */
  skip: (slice: Slice) => boolean;
  done: (slice: Slice, result: FuzzResult) => void;
}

/** Shares slices among runners. A runner that ends during a slice is a finding, and is replaced. */
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
