import { formatOf } from '../payloads/catalogue.ts';
import { tripsOf } from '../payloads/trips.ts';
import type { CloneReply, CloneRequest } from './clone-protocol.ts';
// oxlint-disable-next-line import/default -- the bundler's query makes it
import cloneWorkerUrl from './clone-worker.ts?worker&url';
import type { Way } from './contender.ts';

/** A worker that decodes with a library and posts the objects back. */
export interface CloneWorker {
  /** Starts the worker. */
  prepare(): Promise<void>;
  /** Rejects with the error of the library, or with the signal's reason. */
  decode(request: CloneRequest, signal: AbortSignal, onProgress?: (doing: string) => void): Promise<unknown>;
}

/** The usual way off the main thread, in the race. */
export function createCloneWay(): Way {
  const worker = createCloneWorker();
  return {
    prepare: () => worker.prepare(),
    async decode({ encoding, payload, signal, onProgress }) {
      const started = performance.now();
      const rows = tripsOf(await worker.decode({ format: formatOf(encoding), isSequence: false, payload }, signal, onProgress));
      const ms = performance.now() - started;
      return { rows, started, readyMs: ms, totalMs: ms };
    },
  };
}

export function createCloneWorker(): CloneWorker {
  let worker: Promise<Worker> | undefined;
  return {
    async prepare() {
      worker ??= start();
      await worker;
    },
    async decode(request, signal, onProgress = () => undefined) {
      const own = (worker ??= start());
      try {
        return await ask(await own, request, signal, onProgress);
      } catch (error) {
        // The worker may still be decoding.
        worker = undefined;
        void own.then((stuck) => stuck.terminate()).catch(() => undefined);
        throw error;
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

function ask(worker: Worker, request: CloneRequest, signal: AbortSignal, onProgress: (doing: string) => void): Promise<unknown> {
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
    worker.onmessageerror = () => reject(new Error('The worker’s message could not be deserialised.'));
    worker.onerror = ({ message }) => reject(new Error(message || 'The worker stopped.'));
    onProgress('Decoding in the worker');
    worker.postMessage(request, [request.payload]);
  });
}

interface ScriptPolicy {
  createScriptURL(url: string): unknown;
}
interface TrustedTypesFactory {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): ScriptPolicy;
}

/** Allows only workers of this page. */
const policy = (globalThis as { trustedTypes?: TrustedTypesFactory }).trustedTypes?.createPolicy('unspool-demo', {
  createScriptURL(url) {
    if (new URL(url, location.href).origin !== location.origin) throw new TypeError(`Not a worker of this page: ${url}`);
    return url;
  },
});

/** Starts a module worker through the page's Trusted Types policy. */
function startWorker(url: string, name: string): Worker {
  return new Worker((policy?.createScriptURL(url) ?? url) as string, { type: 'module', name });
}
