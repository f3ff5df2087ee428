export { ARRAY, MAP, OBJECT, RECORD, ROOT, SET } from '../../../reading/containers.ts';

/** An error or a regular expression of msgpackr's: one value. */
export const TAGGED = 7;
/** An extension whose content is a value. */
export const EXTENSION = 8;
/** The keys of a record, which becomes a RECORD once they are complete. */
export const DEFINITION = 9;
