import { WorkerCrashError } from '../../core/errors.ts';
import type { CompressorMessage, CompressorRequest } from '../../worker/compress.ts';
import { createWorker } from '../pool/create-worker.ts';
import { byteStream } from './byte-stream.ts';
import type { Compression } from './options.ts';
import type { ChunkSource } from './encode-slices.ts';

type Chunk = Uint8Array<ArrayBuffer>;

/** Bytes sent to the worker before it has taken the previous ones. */
const AHEAD_BYTES = 2 << 20;

/** Compresses bytes in one worker, which starts with the first call. */
export class Compressor {
  readonly #createWorker: () => Worker;
  #worker: Worker | undefined;
  /** Functions that end the running streams. */
  readonly #running = new Set<(reason: unknown) => void>();

  constructor(create: () => Worker = createWorker) {
    this.#createWorker = create;
  }

  /** Compresses the bytes of a source, which is read as the result is read. */
  compress(bytes: ChunkSource, format: Compression): ChunkSource {
    // Node's streams compress in threads of their own.
    if (this.#createWorker === createWorker && typeof Worker === 'undefined') return compressHere(bytes, format);
    let call: Call | undefined;
    return {
      next: async () => await (call ??= this.#call(format, bytes)).next(),
      cancel: async (reason) => {
        call?.end(reason);
        await bytes.cancel(reason);
      },
    };
  }

  close(): void {
    this.#end(new DOMException('The encoder was closed', 'AbortError'));
  }

  #call(format: Compression, bytes: ChunkSource): Call {
    this.#worker ??= this.#start();
    const { port1, port2 } = new MessageChannel();
    const request: CompressorRequest = { kind: 'compress', format, port: port2 };
    this.#worker.postMessage(request, [port2]);
    const call: Call = new Call(port1, bytes, () => this.#running.delete(end));
    const end = (reason: unknown): void => call.end(reason);
    this.#running.add(end);
    return call;
  }

  #start(): Worker {
    const worker = this.#createWorker();
    worker.onerror = (event) => {
      event.preventDefault();
      this.#end(new WorkerCrashError(`the compression worker failed: ${event.message || 'its script could not be loaded'}`));
    };
    return worker;
  }

  #end(reason: unknown): void {
    for (const end of this.#running) end(reason);
    this.#worker?.terminate();
    this.#worker = undefined;
  }
}

/** Compresses the bytes of a source on this thread. */
function compressHere(source: ChunkSource, format: Compression): ChunkSource {
  const reader = byteStream(async () => source)
    .pipeThrough(new CompressionStream(format))
    .getReader();
  return {
    next: async () => (await reader.read()).value,
    cancel: async (reason) => {
      await reader.cancel(reason);
      await source.cancel(reason);
    },
  };
}

/** One compressed stream. */
class Call {
  readonly #port: MessagePort;
  readonly #source: ChunkSource;
  readonly #ended: () => void;
  #chunks: Chunk[] = [];
  #ahead = 0;
  #state: 'open' | 'complete' | 'failed' = 'open';
  #reason: unknown;
  #sleepers: (() => void)[] = [];

  constructor(port: MessagePort, source: ChunkSource, ended: () => void) {
    this.#port = port;
    this.#source = source;
    this.#ended = ended;
    port.onmessage = ({ data }: MessageEvent<CompressorMessage>) => {
      if (data.kind === 'chunk') this.#chunks.push(data.bytes);
      else if (data.kind === 'taken') this.#ahead -= data.bytes;
      else if (data.kind === 'end') this.#settle('complete');
      else this.end(new Error(`compression failed: ${data.message}`));
      this.#wake();
    };
    void this.#send();
  }

  async next(): Promise<Chunk | undefined> {
    while (this.#chunks.length === 0 && this.#state === 'open') await this.#woken();
    if (this.#state === 'failed') throw this.#reason;
    const chunk = this.#chunks.shift();
    this.#wake();
    return chunk;
  }

  end(reason: unknown): void {
    if (this.#state !== 'open') return;
    this.#reason = reason;
    this.#settle('failed');
    this.#wake();
    this.#source.cancel(reason).catch(() => {});
  }

  #settle(state: 'complete' | 'failed'): void {
    this.#state = state;
    this.#port.close();
    this.#ended();
  }

  async #send(): Promise<void> {
    try {
      for (;;) {
        // Unread output applies backpressure to the source.
        while (this.#state === 'open' && (this.#ahead > AHEAD_BYTES || this.#chunks.length > 2)) await this.#woken();
        if (this.#state !== 'open') return;
        const bytes = await this.#source.next();
        if (bytes === undefined) return this.#port.postMessage({ kind: 'end' });
        // Only this encode uses the bytes, so they can be transferred.
        this.#ahead += bytes.length;
        this.#port.postMessage({ kind: 'chunk', bytes }, [bytes.buffer]);
      }
    } catch (error) {
      this.end(error);
    }
  }

  /** Wakes everything that waits for a change. */
  #wake(): void {
    const sleepers = this.#sleepers;
    this.#sleepers = [];
    for (const wake of sleepers) wake();
  }

  #woken(): Promise<void> {
    return new Promise((resolve) => this.#sleepers.push(resolve));
  }
}
