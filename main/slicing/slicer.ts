/** Time after which a slice gives the main thread back, in milliseconds. */
const SLICE_MS = 4;

/**
 * Lets the browser do other work: input, rendering, timers. By a message, not by `scheduler.yield`, whose continuations
 * Chromium runs before any timer and nearly always before the next frame: a second of slices of 4 ms kept timers waiting
 * for the whole second and each frame for about 100 ms; with messages 30 to 45 ms, and the sum was 2 to 5 % longer.
 */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

/** Keeps the garbage collector's pauses short where many objects are built that stay: see `minor-gc.ts`. */
export interface Building {
  /** So many values of objects that stay were built. */
  count(values: number): void;
  /** Work begins. */
  collect(): void;
  /** Resolves when there is room for more objects. */
  room(): Promise<void>;
}

/** Cuts work on the main thread into slices, and measures them. */
export class Slicer {
  /** Milliseconds of work in sum, and of the longest slice. */
  total = 0;
  longest = 0;
  #start = 0;
  #working = false;
  readonly #signal: AbortSignal | undefined;
  readonly #limit: number;
  /** For work that makes many objects that stay. */
  readonly building: Building | undefined;

  /** `building`: the work makes many objects that stay. */
  constructor(signal?: AbortSignal, { limit = SLICE_MS, building }: { limit?: number; building?: Building | undefined } = {}) {
    this.#signal = signal;
    this.#limit = limit;
    this.building = building;
  }

  /** Work begins in the current task. */
  begin(): void {
    if (this.#working) return;
    this.#working = true;
    this.#start = performance.now();
    this.building?.collect();
  }

  /** Work pauses or is done. */
  end(): void {
    if (!this.#working) return;
    this.#working = false;
    const time = performance.now() - this.#start;
    this.total += time;
    if (time > this.longest) this.longest = time;
  }

  /** Whether the slice is used up. */
  due(): boolean {
    return performance.now() - this.#start >= this.#limit;
  }

  /** Ends the slice and begins the next in another task. Throws the signal's reason when it was aborted. */
  async pause(): Promise<void> {
    this.end();
    await nextTask();
    await this.building?.room();
    this.#signal?.throwIfAborted();
    this.begin();
  }
}
