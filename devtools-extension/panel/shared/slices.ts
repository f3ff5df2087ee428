const SLICE = 8;

/** Runs a generator in slices so that the panel stays responsive. Returns undefined if stopped. */
export async function runSliced<T>(work: Generator<undefined, T>, signal: AbortSignal): Promise<T | undefined> {
  for (;;) {
    const end = performance.now() + SLICE;
    do {
      const step = work.next();
      if (step.done) return step.value;
    } while (performance.now() < end);
    await new Promise((resolve) => setTimeout(resolve));
    if (signal.aborted) return undefined;
  }
}
