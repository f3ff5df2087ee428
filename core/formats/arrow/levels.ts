/**
 * Most levels of containers in a table, whatever the limit of depth: types are part of the schema, and a column that
 * nests deeper has as many buffers for its few values.
 */
export const MAX_LEVELS = 1_000;
