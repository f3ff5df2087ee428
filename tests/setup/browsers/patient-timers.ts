/**
 * Multiplies the library's own limits of ten seconds or more, such as that for the start of a worker, by `UNSPOOL_PATIENCE`,
 * as the limits of the tests are: on a machine that is kept busy, they would change which way a call takes.
 */
const patience = Number((import.meta as { env?: Record<string, unknown> }).env?.['UNSPOOL_PATIENCE'] ?? 1);
const LIMIT_MS = 10_000;

if (patience !== 1) {
  const start = globalThis.setTimeout;
  const startPatiently = (run: () => void, ms = 0, ...values: []): unknown => start(run, ms < LIMIT_MS ? ms : ms * patience, ...values);
  globalThis.setTimeout = startPatiently as typeof setTimeout;
}
