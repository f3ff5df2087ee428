/** Timeout of Playwright in milliseconds, which only ends hanging tests: ten times what a busy machine needs. */
export const PATIENCE_MS = 100_000;
