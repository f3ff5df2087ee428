import { recordError } from '../../worker/errors.ts';
import type { WorkerStats } from '../../worker/protocol.ts';
import { CORE } from '../core.ts';
import type { Decoder } from '../decoder.ts';
import type { Pool } from '../pool.ts';
import type { ChunkInput, WorkerTask } from '../worker-call.ts';
import { type BridgeRequest, CANCEL, END, READY, type ShareMessage, type ToPool, WANT } from './bridge-protocol.ts';

const NO_BYTES = new Uint8Array(0);
/** Ids of schemas that come from a service worker; those of the page are positive. */
const schemaIds = new Map<string, number>();

/** Lets the page's service worker decode in a decoder's pool. */
export function sharePool(decoder: Decoder): void {
  const { serviceWorker } = navigator;
  serviceWorker.addEventListener('message', ({ data }: MessageEvent<BridgeRequest | undefined>) => {
    if (data?.unspool === 'decode') void serve(decoder, data);
  });
  serviceWorker.startMessages();
  const tell = (): void => serviceWorker.controller?.postMessage({ unspool: 'share' } satisfies ShareMessage);
  serviceWorker.addEventListener('controllerchange', tell);
  tell();
}

async function serve(decoder: Decoder, request: BridgeRequest): Promise<void> {
  const { port } = request;
  try {
    // The service worker is not to wait for the first worker to start.
    port.postMessage(READY);
    const { pool } = await decoder[CORE].workers.get();
    pool.submit(new BridgeTask(request, pool));
  } catch (error) {
    port.postMessage({ error: recordError(error) });
  }
}

/** A decode for the service worker: its chunks go to a worker, the parts to the service worker. */
class BridgeTask implements WorkerTask, ChunkInput {
  readonly bytes = NO_BYTES;
  readonly own = true;
  readonly input = this;
  readonly job: WorkerTask['job'];
  readonly schema: WorkerTask['schema'];
  readonly size: number;
  endedAt: number | undefined;
  rows: () => number = () => 0;
  readonly #port: MessagePort;
  #resolve: ((chunk: Uint8Array<ArrayBuffer> | undefined) => void) | undefined;

  constructor({ port, job, schema, size }: BridgeRequest, pool: Pool) {
    this.#port = port;
    this.size = size;
    this.schema = schema && { id: idOf(schema.key), compiled: schema.compiled };
    this.job = { ...job, schema: this.schema?.id };
    port.onmessage = ({ data }: MessageEvent<ToPool>) => {
      if (data === CANCEL) {
        pool.cancel(this);
        this.cancel();
      } else {
        if (data === END) this.endedAt = performance.now();
        this.#resolve?.(data === END ? undefined : data);
      }
    };
  }

  next(): Promise<Uint8Array<ArrayBuffer> | undefined> {
    if (this.endedAt !== undefined) return Promise.resolve(undefined);
    this.#port.postMessage(WANT);
    return new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  cancel(): void {
    this.#resolve?.(undefined);
    this.#port.close();
  }

  started(): void {}

  part(part: ArrayBuffer): void {
    this.#port.postMessage(part, [part]);
  }

  end(_stats: WorkerStats): void {
    this.#port.postMessage({});
  }

  fail(error: unknown): void {
    this.#port.postMessage({ error: recordError(error) });
  }
}

function idOf(key: string): number {
  let id = schemaIds.get(key);
  if (id === undefined) schemaIds.set(key, (id = -1 - schemaIds.size));
  return id;
}
