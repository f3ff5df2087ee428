// oxlint-disable-next-line import/default -- the bundler's query makes it
import workerUrl from './panel-worker.ts?worker&url';
import { CallQueue } from './call-queue.ts';
import type { ReadingClient } from './protocol.ts';
import { startWorker } from './start-worker.ts';

/** Starts the worker that reads bodies. */
export function createReadingClient(): ReadingClient {
  return new CallQueue(() => startWorker(workerUrl, 'Unspool panel'));
}
