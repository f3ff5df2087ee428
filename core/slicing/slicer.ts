import { nextTask } from '../platform/platform.ts';
import { SLICE_MS } from './tuning.ts';

/** Keeps garbage collection pauses short while many surviving objects are built: see `minor-gc.ts`. */
export interface Building {
  /** Adds to the number of values built since the last collection. */
  count(values: number): void;
  /** Called when work begins. */
  collect(): void;
  /** Resolves once more objects can be built. */
  room(): Promise<void>;
}

/** A signal, or what throws like one. */
type Stop = Pick<AbortSignal, 'throwIfAborted'>;

/** Divides work on the page into slices, and measures them. */
export class Slicer {
  /** Total milliseconds of work, and of the longest slice. */
  total = 0;
  longest = 0;
  #start = 0;
  #working = false;
  readonly #signal: Stop | undefined;
  readonly #limit: number;
  readonly building: Building | undefined;

  /** `building`: hooks for work that creates many surviving objects. */
  constructor(signal?: Stop, { limit = SLICE_MS, building }: { limit?: number; building?: Building | undefined } = {}) {
    this.#signal = signal;
    this.#limit = limit;
    this.building = building;
  }

  /** Begins work in the current task. */
  begin(): void {
    if (this.#working) return;
    this.#working = true;
    this.#start = performance.now();
    this.building?.collect();
  }

  /** Pauses or ends work. */
  end(): void {
    if (!this.#working) return;
    this.#working = false;
    const time = performance.now() - this.#start;
    this.total += time;
    if (time > this.longest) this.longest = time;
  }

  /** True once the slice has used its time budget. */
  due(): boolean {
    return performance.now() - this.#start >= this.#limit;
  }

  /** Ends the slice and begins the next one in another task. Throws the signal's reason if it was aborted. */
  async pause(): Promise<void> {
    this.end();
    await nextTask();
    await this.building?.room();
    this.#signal?.throwIfAborted();
    this.begin();
  }
}

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
