import { createTrusted } from './trusted-worker.ts';

/** Starts a worker from `worker.js`, in the folder of the library's file. */
export function createWorker(): Worker {
  // Bundlers recognise a worker by this exact expression: do not change it.
  return createTrusted(() => new Worker(new URL('./worker.js', import.meta.url), { type: 'module' }));
}
