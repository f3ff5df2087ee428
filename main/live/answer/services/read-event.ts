import type { ErrorBody } from '../service-error.ts';
import type { Take } from '../parts.ts';

/** Throws the error of a service. */
export type Fail = (error: ErrorBody | string) => never;

/**
 * Reads the JSON of an event, which is an object. Returns the piece of the answer's text that it contains, if any, and gives the
 * other parts to `take`.
 */
export type ReadEvent = (data: never, take: Take, fail: Fail) => string | null | undefined;
