/**
 * Timeout of Playwright in milliseconds, which only ends hanging tests: ten times what a busy machine needs, and more if
 * `UNSPOOL_PATIENCE` says that the machine is kept busy.
 */
export const PATIENCE_MS = 100_000 * Number(process.env['UNSPOOL_PATIENCE'] ?? 1);
