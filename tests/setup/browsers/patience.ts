/** Time that Playwright waits for what a test asks of a page, in milliseconds: a limit for what hangs, ten times what a busy machine needs. */
export const PATIENCE_MS = 100_000;
