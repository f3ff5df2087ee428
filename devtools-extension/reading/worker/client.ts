import { trustedWorkerUrl } from './trusted.ts';
import { CallQueue } from './call-queue.ts';
import type { ReadingClient } from '../protocol.ts';

/**
 * Starts the worker that reads bodies. Searches for schemas have a worker of their own while they last: the scripts of a page
 * may take seconds, for which no body would be read.
 */
export function createReadingClient(): ReadingClient {
  const start = (): CallQueue => new CallQueue(() => new Worker(trustedWorkerUrl(), { type: 'module', name: 'Unspool panel' }));
  const bodies = start();
  const searches = new Set<CallQueue>();
  return {
    call(name, request, options) {
      if (name !== 'findSchemas') return bodies.call(name, request, options);
      const search = start();
      searches.add(search);
      return search.call(name, request, options).finally(() => {
        searches.delete(search);
        search.close();
      });
    },
    close() {
      for (const queue of [bodies, ...searches]) queue.close();
    },
  };
}
