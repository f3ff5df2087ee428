/**
 * Runs of rows in a list that was made from an earlier one: more are only allowed at one run in `ROWS_PER_RUN` rows. Columns of
 * many short runs are read slowly, so the payload is then decoded as usual. bench/refetch/run.mjs.
 */
export const MAX_RUNS = 1024;
export const ROWS_PER_RUN = 8;

/** Additional room for a payload of unknown length: a share of the earlier one, and bytes. bench/refetch/run.mjs. */
export const MORE_SHARE = 1 / 8;
export const MORE_ROOM = 64 * 1024;
