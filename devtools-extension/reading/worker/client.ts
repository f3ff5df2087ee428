import { trustedWorkerUrl } from './trusted.ts';
import { CallQueue } from './call-queue.ts';
import type { ReadingClient } from '../protocol.ts';

/** Starts the worker that reads bodies. */
export function createReadingClient(): ReadingClient {
  return new CallQueue(() => new Worker(trustedWorkerUrl(), { type: 'module', name: 'Unspool panel' }));
}
