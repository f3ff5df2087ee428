import { EncodeError } from '../../../core/errors.ts';
import { Slicer } from '../../../core/slicing/slicer.ts';
import type { ChunkSource } from '../encode-slices.ts';
import type { SentPart } from './pack.ts';
import type { FromRowsWorker, RowsJob, ToRowsWorker } from '../../../worker/rows-writing/protocol.ts';

type Chunk = Uint8Array<ArrayBuffer>;

/** Silence after which a worker with a pending request is considered dead, in milliseconds. */
const SILENCE_MS = 10_000;

/** Parameters of one encode in a worker. */
export interface RowsCallSetting {
  readonly port: MessagePort;
  readonly job: RowsJob;
  readonly parts: Iterable<SentPart>;
  readonly signal: AbortSignal;
  /** Called with the number of bytes written. */
  readonly onWritten: (bytes: number) => void;
  /** Writes the same value on this thread. */
  readonly onThisThread: () => ChunkSource;
  /** Called when the worker is no longer needed; `isAlive` tells whether it can be reused. */
  readonly onEnd: (isAlive: boolean) => void;
}

/** One encode in a worker. If it fails for a reason other than the value, this thread writes the rest. */
export class RowsCall implements ChunkSource {
  readonly #setting: RowsCallSetting;
  readonly #chunks: Chunk[] = [];
  #state: 'open' | 'complete' | 'failed' | 'lost' = 'open';
  #error: unknown;
  #isBegun = false;
  /** Bytes emitted. */
  #emitted = 0;
  #written = 0;
  /** Source that continues on this thread once the worker is lost. */
  #rest: ChunkSource | undefined;
  #wake: (() => void) | undefined;

  constructor(setting: RowsCallSetting) {
    this.#setting = setting;
    const { port, signal } = setting;
    port.onmessage = ({ data }: MessageEvent<FromRowsWorker>) => this.#receive(data);
    port.onmessageerror = () => this.lose();
    signal.addEventListener('abort', this.#abort);
  }

  /** True once the worker has begun to write. */
  get isBegun(): boolean {
    return this.#isBegun;
  }

  async next(): Promise<Chunk | undefined> {
    for (;;) {
      this.#setting.signal.throwIfAborted();
      const chunk = this.#chunks.shift();
      if (chunk !== undefined) return this.#emit(chunk);
      if (this.#state === 'complete') return undefined;
      if (this.#state === 'failed') throw this.#error;
      if (this.#state === 'lost') return await this.#nextOnThisThread();
      await this.#woken();
    }
  }

  async cancel(): Promise<void> {
    this.#abort();
    await this.#rest?.cancel();
  }

  /** Treats the worker as gone. */
  lose(): void {
    this.#settle('lost', false);
  }

  /** Reports the number of bytes written, unless a higher number was reported. */
  report(bytes: number): void {
    if (bytes <= this.#written) return;
    this.#written = bytes;
    this.#setting.onWritten(bytes);
  }

  #receive(message: FromRowsWorker): void {
    this.#isBegun ||= message.kind === 'chunk' || message.kind === 'written';
    if (message.kind === 'chunk') this.#chunks.push(message.bytes);
    else if (message.kind === 'written') this.report(message.bytes);
    else if (message.kind === 'end') this.#settle('complete');
    else if (message.kind === 'failed' && message.error.name === 'EncodeError') {
      const { code, reason, format, path } = message.error;
      this.#error = new EncodeError(code as EncodeError['code'], reason, { format, path });
      this.#settle('failed');
    } else this.lose();
    this.#wake?.();
  }

  #emit(chunk: Chunk): Chunk {
    this.#emitted += chunk.length;
    this.#post({ kind: 'taken', bytes: chunk.length });
    return chunk;
  }

  /** Writes again from the start on this thread, and skips the bytes already emitted. */
  async #nextOnThisThread(): Promise<Chunk | undefined> {
    this.#rest ??= this.#setting.onThisThread();
    for (;;) {
      const chunk = await this.#rest.next();
      if (chunk === undefined || this.#emitted === 0) return chunk;
      const left = Math.min(this.#emitted, chunk.length);
      this.#emitted -= left;
      if (left < chunk.length) return chunk.slice(left);
    }
  }

  /** Sends the value, in slices. */
  async send(): Promise<void> {
    const slicer = new Slicer(this.#setting.signal);
    try {
      slicer.begin();
      this.#post({ kind: 'job', job: this.#setting.job });
      for (const { message, buffer } of this.#setting.parts) {
        if (this.#state !== 'open') return;
        this.#post(message, [buffer]);
        if (slicer.due()) await slicer.pause();
      }
      slicer.end();
      this.#post({ kind: 'write' });
    } catch {
      // Values that cannot be cloned are written on this thread. After an abort, the caller already knows.
      this.#abort();
    }
  }

  readonly #abort = (): void => {
    if (this.#state === 'open') this.#post({ kind: 'cancel' });
    this.#settle('lost');
  };

  #settle(state: 'complete' | 'failed' | 'lost', isAlive = true): void {
    const { port, signal, onEnd } = this.#setting;
    if (this.#state !== 'open') return;
    this.#state = state;
    signal.removeEventListener('abort', this.#abort);
    port.onmessage = null;
    port.close();
    this.#wake?.();
    onEnd(isAlive);
  }

  #post(message: ToRowsWorker, buffers: ArrayBuffer[] = []): void {
    this.#setting.port.postMessage(message, buffers);
  }

  /** Resolves when something has changed. */
  async #woken(): Promise<void> {
    const timer = setTimeout(() => this.lose(), SILENCE_MS);
    await new Promise<void>((resolve) => (this.#wake = resolve));
    clearTimeout(timer);
  }
}
