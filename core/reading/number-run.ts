/**
 * Consecutive numbers of an array on their way from a reader to a sink: see `OptionalSinkMethods.addNumbers`. The sink
 * reads them before the next are stored.
 */
export const NUMBERS = new Float64Array(512);

/** End of the latest run, and whether it contains integers only. */
export const numberRun: { end: number; integers: boolean } = { end: 0, integers: false };
