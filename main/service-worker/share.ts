import { VERSION } from '../../worker/block.ts';
import { recordError } from '../../worker/error-record.ts';
import type { WorkerStats } from '../../worker/protocol.ts';
import { CORE } from '../decoder/core.ts';
import type { Decoder } from '../decoder/decoder.ts';
import type { Pool } from '../pool/pool.ts';
import type { ChunkInput, WorkerTask } from '../pool/call.ts';
import { type BridgeRequest, CANCEL, END, PING, READY, type ShareMessage, type ToPool, WANT } from './bridge-protocol.ts';

/** How often a task looks around, and how long the service worker, which pings, may be silent, in milliseconds. */
const WATCH_MS = 500;
const SILENCE_MS = 15_000;
const NO_BYTES = new Uint8Array(0);
/** Ids of schemas that come from a service worker; those of the page are positive. */
const schemaIds = new Map<string, number>();

/** Lets the page's service worker decode in a decoder's pool. */
export function sharePool(decoder: Decoder): void {
  const { serviceWorker } = navigator;
  serviceWorker.addEventListener('message', ({ data }: MessageEvent<BridgeRequest | undefined>) => {
    if (data?.unspool === 'decode' && data.version === VERSION) void serve(decoder, data);
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
    const task = new BridgeTask(request, pool);
    task.watch();
    pool.submit(task);
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
  readonly #pool: Pool;
  #heard = performance.now();
  #watch: ReturnType<typeof setInterval> | undefined;
  #resolve: ((chunk: Uint8Array<ArrayBuffer> | undefined) => void) | undefined;

  constructor({ port, job, schema, size }: BridgeRequest, pool: Pool) {
    this.#port = port;
    this.#pool = pool;
    this.size = size;
    this.schema = schema && { id: idOf(schema.key), compiled: schema.compiled };
    this.job = { ...job, schema: this.schema?.id };
    port.onmessage = ({ data }: MessageEvent<ToPool>) => {
      this.#heard = performance.now();
      if (data === PING) return;
      if (data === CANCEL) this.#stop();
      else if (typeof data === 'object' && 'items' in data) this.#pool.grant(this, data);
      else {
        if (data === END) this.endedAt = performance.now();
        this.#resolve?.(data === END ? undefined : data);
      }
    };
  }

  /** A pool that is closed drops its tasks without a word, and a service worker that is stopped says nothing either. */
  watch(): void {
    this.#watch = setInterval(() => {
      const { running, queued } = this.#pool.stats();
      if (running + queued === 0) this.fail(new DOMException('The decoder is closed', 'AbortError'));
      else if (performance.now() - this.#heard > SILENCE_MS) this.#stop();
    }, WATCH_MS);
  }

  next(): Promise<Uint8Array<ArrayBuffer> | undefined> {
    if (this.endedAt !== undefined) return Promise.resolve(undefined);
    this.#port.postMessage(WANT);
    return new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  cancel(): void {
    clearInterval(this.#watch);
    this.#resolve?.(undefined);
    this.#port.close();
  }

  started(): void {}

  part(part: ArrayBuffer): void {
    this.#port.postMessage(part, [part]);
  }

  end(_stats: WorkerStats): void {
    clearInterval(this.#watch);
    this.#port.postMessage({});
  }

  fail(error: unknown): void {
    clearInterval(this.#watch);
    this.#port.postMessage({ error: recordError(error) });
  }

  #stop(): void {
    this.#pool.cancel(this);
    this.cancel();
  }
}

function idOf(key: string): number {
  let id = schemaIds.get(key);
  if (id === undefined) schemaIds.set(key, (id = -1 - schemaIds.size));
  return id;
}
