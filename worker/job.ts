import { DecodeSession, type SessionSetting } from './decode.ts';
import { recordError } from './errors.ts';
import { CANCEL, END, type Outcome, type ToPage, type ToWorker, type WorkerStats } from './protocol.ts';
import { ColumnSink } from './sinks/columns.ts';
import type { Turns } from './turns.ts';

/** Bytes of the first slice; later ones follow the speed. */
const FIRST_SLICE = 256 * 1024;
const LEAST_SLICE = 64 * 1024;
const MOST_SLICE = 8 * 1024 * 1024;
/** How long a slice should take, in milliseconds. */
const SLICE_MS = 8;

/** One decode in a worker: from the bytes, whole or in chunks, to the parts and the outcome, all over one port. */
export class Job {
  readonly #port: MessagePort;
  readonly #turns: Turns;
  readonly #chunks: Uint8Array[] = [];
  #whole = false;
  #cancelled = false;
  #wake: (() => void) | undefined;
  #left = 0;
  readonly #stats: WorkerStats = { decodeMs: 0, arrived: now(), sent: 0, bytes: 0, blockBytes: 0, parts: 0 };

  /** Without `bytes`, the input comes as chunks over `port`. */
  constructor(port: MessagePort, turns: Turns, bytes?: Uint8Array) {
    this.#port = port;
    this.#turns = turns;
    if (bytes) {
      this.#add(bytes);
      this.#whole = true;
    }
    port.onmessage = ({ data }: MessageEvent<ToWorker>) => {
      if (data === CANCEL) this.#cancelled = true;
      else if (data === END) this.#whole = true;
      else this.#add(data);
      this.#wake?.();
    };
  }

  /** Decodes with what `setting` resolves to. Never rejects: what goes wrong is the outcome. */
  async run(setting: Promise<SessionSetting> | SessionSetting): Promise<void> {
    let outcome: Outcome;
    try {
      const resolved = await setting;
      await this.#decode(resolved);
      outcome = { stats: this.#stats };
    } catch (error) {
      outcome = { error: recordError(error) };
    }
    this.#chunks.length = 0;
    this.#stats.sent = now();
    this.#post(outcome);
  }

  async #decode(setting: SessionSetting): Promise<void> {
    const stats = this.#stats;
    const sink = new ColumnSink((part) => {
      stats.parts += 1;
      stats.blockBytes += part.byteLength;
      this.#post(part, [part]);
    }, setting.limits);
    const session = new DecodeSession(setting, sink);
    let size = FIRST_SLICE;
    for (let chunk = await this.#nextChunk(); chunk; chunk = await this.#nextChunk()) {
      if (stats.bytes === 0) await session.prepare(chunk);
      for (let at = 0; at < chunk.length; ) {
        if (stats.bytes > 0) await this.#turn();
        const slice = chunk.subarray(at, at + size);
        const begun = performance.now();
        session.push(slice);
        const took = performance.now() - begun;
        stats.decodeMs += took;
        stats.bytes += slice.length;
        at += slice.length;
        this.#left -= slice.length;
        size = nextSize(size, slice.length, took);
      }
    }
    const begun = performance.now();
    session.end();
    sink.finish();
    stats.decodeMs += performance.now() - begun;
  }

  /** Gives way to other jobs and to messages. */
  async #turn(): Promise<void> {
    await this.#turns.wait(this.#left);
    this.#check();
  }

  #check(): void {
    if (this.#cancelled) throw new DOMException('The decode was cancelled', 'AbortError');
  }

  /** The next chunk, when it is there; undefined after the last. */
  async #nextChunk(): Promise<Uint8Array | undefined> {
    this.#check();
    while (this.#chunks.length === 0 && !this.#whole) {
      await new Promise<void>((resolve) => (this.#wake = resolve));
      this.#wake = undefined;
      this.#check();
    }
    const chunk = this.#chunks.shift();
    if (chunk && !this.#whole) this.#post(1);
    return chunk;
  }

  #add(chunk: Uint8Array): void {
    this.#chunks.push(chunk);
    this.#left += chunk.length;
  }

  #post(message: ToPage, transfer: Transferable[] = []): void {
    this.#port.postMessage(message, transfer);
  }
}

function now(): number {
  return performance.timeOrigin + performance.now();
}

/** Bytes of the next slice, so that it takes about as long as a slice should. */
function nextSize(size: number, read: number, took: number): number {
  const fit = took > 0 ? (read * SLICE_MS) / took : MOST_SLICE;
  return Math.max(LEAST_SLICE, Math.min(MOST_SLICE, size * 4, fit)) | 0;
}
