/** Maximum number of decodes, the first half of which warm up the code, and milliseconds for them. */
const RUNS = 10;
const MAX_TIME = 60;

/** Median time of a few decodes in milliseconds, after warm-up. */
export async function warmTime(decode: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  const began = performance.now();
  do {
    const start = performance.now();
    await decode();
    times.push(performance.now() - start);
  } while (times.length < RUNS && performance.now() - began < MAX_TIME);
  const warm = times.length > 1 ? times.slice(times.length >> 1) : times;
  return warm.toSorted((a, b) => a - b)[warm.length >> 1]!;
}
