import { createTrusted } from './trusted-worker.ts';

/** Starts a worker from `worker.js`, the file beside the library's. */
export function createWorker(): Worker {
  // Bundlers know a worker by this expression: it must stay as it is.
  return createTrusted(() => new Worker(new URL('./worker.js', import.meta.url), { type: 'module' }));
}
