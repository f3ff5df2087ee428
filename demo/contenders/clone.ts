import { formatOf } from '../models/catalogue.ts';
import { tripsOf } from '../models/trips.ts';
import type { CloneReply, CloneRequest } from '../workers/clone-protocol.ts';
// oxlint-disable-next-line import/default -- the bundler's query makes it
import cloneWorkerUrl from '../workers/clone-worker.ts?worker&url';
import { startWorker } from '../workers/start-worker.ts';
import type { Contender, DecodeRequest } from './contender.ts';

/** The usual way off the main thread: decode in a worker, post the objects back. */
export function createCloneContender(): Contender {
  let worker: Promise<Worker> | undefined;

  function stop(): void {
    void worker?.then((started) => started.terminate());
    worker = undefined;
  }

  return {
    id: 'clone',
    title: 'Worker, objects posted back',
    how: 'A worker decodes as above; the objects come back by structured clone.',
    encodingFor: (chosen) => chosen,
    async prepare() {
      worker ??= start();
      await worker;
    },
    async decode(request) {
      worker ??= start();
      try {
        const started = performance.now();
        const rows = tripsOf(await ask(await worker, request));
        const ms = performance.now() - started;
        return { rows, started, readyMs: ms, totalMs: ms };
      } finally {
        // A fresh worker for every run: what the last one left in memory slows no other run down.
        stop();
      }
    },
  };
}

function start(): Promise<Worker> {
  return new Promise((resolve, reject) => {
    const worker = startWorker(cloneWorkerUrl, 'structured clone');
    worker.addEventListener('message', () => resolve(worker), { once: true });
    worker.addEventListener('error', ({ message }) => reject(new Error(message || 'The worker could not be loaded.')));
  });
}

function ask(worker: Worker, { payload, encoding, signal, onProgress }: DecodeRequest): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason as Error);
    signal.throwIfAborted();
    signal.addEventListener('abort', onAbort, { once: true });
    const settle = (): void => signal.removeEventListener('abort', onAbort);
    worker.onmessage = ({ data: reply }: MessageEvent<CloneReply>) => {
      switch (reply.type) {
        case 'decoded':
          return onProgress('Copying the objects to the page');
        case 'value':
          settle();
          return resolve(reply.value);
        case 'failed':
          settle();
          return reject(Object.assign(new Error(reply.message), { name: reply.name }));
        case 'ready':
          return undefined;
      }
    };
    worker.onmessageerror = () => reject(new Error('The worker’s answer could not be read.'));
    worker.onerror = ({ message }) => reject(new Error(message || 'The worker stopped.'));
    onProgress('Decoding in the worker');
    worker.postMessage({ format: formatOf(encoding), payload } satisfies CloneRequest, [payload]);
  });
}
