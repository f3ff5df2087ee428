/**
 * Numbers of an array that come one right after the other, on their way from a reader to a sink: see `Sink.addNumbers`.
 * Each is read before the next are put here.
 */
export const NUMBERS = new Float64Array(512);
