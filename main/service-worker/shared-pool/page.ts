import { VERSION } from '../../../core/block/block.ts';
import { recordError } from '../../../core/error-record.ts';
import type { WorkerStats } from '../../../worker/protocol.ts';
import { CORE } from '../../call/decoder-state.ts';
import type { Decoder } from '../../decoder/decoder.ts';
import type { Pool } from '../../pool/pool.ts';
import type { WorkerInput, WorkerTask } from '../../pool/task.ts';
import { type BridgeRequest, CANCEL, END, PING, READY, type ShareMessage, type ToPool, WANT } from './protocol.ts';

/** Milliseconds between two checks for pings of the service worker, and of silence after which it is considered stopped. */
const WATCH_MS = 500;
const SILENCE_MS = 15_000;
/** Negative ids for schemas from a service worker; those of the page are positive. */
const schemaIds = new Map<string, number>();

/** Lets the page's service worker decode in a decoder's pool. */
export function answerPoolRequests(decoder: Decoder): void {
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
    // Answers before the first worker has started.
    port.postMessage(READY);
    const pool = await decoder[CORE].pool.load();
    pool.closed.throwIfAborted();
    const task = new BridgeTask(request, pool);
    task.watch();
    pool.submit(task);
  } catch (error) {
    port.postMessage({ error: recordError(error) });
  }
}

/** A decode for the service worker: passes its chunks to a worker, and the parts back. */
class BridgeTask implements WorkerTask, WorkerInput {
  readonly input = this;
  readonly job: WorkerTask['job'];
  readonly schema: WorkerTask['schema'];
  readonly size: number;
  readonly #port: MessagePort;
  readonly #pool: Pool;
  #lastMessage = performance.now();
  #watch: ReturnType<typeof setInterval> | undefined;
  #ended = false;
  #resolve: ((chunk: Uint8Array<ArrayBuffer> | undefined) => void) | undefined;

  constructor({ port, job, schema, size }: BridgeRequest, pool: Pool) {
    this.#port = port;
    this.#pool = pool;
    this.size = size;
    this.schema = schema && { id: idOf(schema.key), compiled: schema.compiled };
    this.job = { ...job, schema: this.schema?.id };
    port.onmessage = ({ data }: MessageEvent<ToPool>) => {
      this.#lastMessage = performance.now();
      if (data === PING) return;
      if (data === CANCEL) this.#stop();
      else if (typeof data === 'object' && 'items' in data) this.#pool.credit(this, data);
      else {
        if (data === END) this.#ended = true;
        this.#resolve?.(data === END ? undefined : data);
      }
    };
  }

  /** Detects that the pool is closed, or that the service worker was stopped, which is not announced. */
  watch(): void {
    this.#pool.closed.addEventListener('abort', this.#onClosed);
    this.#watch = setInterval(() => {
      if (performance.now() - this.#lastMessage > SILENCE_MS) this.#stop();
    }, WATCH_MS);
  }

  next(): Promise<Uint8Array<ArrayBuffer> | undefined> {
    if (this.#ended) return Promise.resolve(undefined);
    this.#port.postMessage(WANT);
    return new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  cancel(): void {
    this.#unwatch();
    this.#resolve?.(undefined);
    this.#port.close();
  }

  started(): void {}

  part(part: ArrayBuffer): void {
    this.#port.postMessage(part, [part]);
  }

  end(_stats: WorkerStats): void {
    this.#unwatch();
    this.#port.postMessage({});
  }

  fail(error: unknown): void {
    this.#unwatch();
    this.#port.postMessage({ error: recordError(error) });
  }

  readonly #onClosed = (): void => this.fail(this.#pool.closed.reason);

  #unwatch(): void {
    clearInterval(this.#watch);
    this.#pool.closed.removeEventListener('abort', this.#onClosed);
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
