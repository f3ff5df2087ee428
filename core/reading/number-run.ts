/**
 * Numbers of an array that come one right after the other, on their way from a reader to a sink: see `OptionalSinkMethods.addNumbers`.
 * Each is read before the next are put here.
 */
export const NUMBERS = new Float64Array(512);

/** Where the run that a reader read last ends, and whether there are but integers in it. */
export const numberRun: { end: number; integers: boolean } = { end: 0, integers: false };
