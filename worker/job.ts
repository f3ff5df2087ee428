import { BatchPacer } from './batch-pacer.ts';
import { DecodeSession, type SessionSetting } from './decode.ts';
import { DecodeError, recordError } from './errors.ts';
import {
  type BatchSetting,
  CANCEL,
  type DecodeJob,
  END,
  FAILED,
  type Outcome,
  type ToPage,
  type ToWorker,
  type WorkerStats,
} from './protocol.ts';
import { ColumnSink } from './sinks/columns.ts';
import type { Turns } from './turns.ts';
import { ZstdUnpacker } from './zstd.ts';

/** What of a job is not in its session. */
type JobForm = Pick<DecodeJob, 'batches' | 'compression'>;

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
  #failed = false;
  #cancelled = false;
  #wake: (() => void) | undefined;
  #left = 0;
  #pacer: BatchPacer | undefined;
  #unpacker: ZstdUnpacker | undefined;
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
      else if (data === FAILED) this.#failed = true;
      else if ('items' in data) this.#pacer?.grant(data);
      else this.#add(data);
      this.#wake?.();
    };
  }

  /** Decodes with what `setting` resolves to. Never rejects: what goes wrong is the outcome. */
  async run(setting: Promise<SessionSetting> | SessionSetting, job: JobForm = {}): Promise<void> {
    let outcome: Outcome;
    try {
      const resolved = await setting;
      if (job.compression) this.#unpacker = await ZstdUnpacker.load(resolved.limits);
      await this.#decode(resolved, job.batches);
      outcome = { stats: this.#stats };
    } catch (error) {
      outcome = { error: recordError(error) };
    }
    this.#chunks.length = 0;
    this.#stats.sent = now();
    this.#post(outcome);
  }

  async #decode(setting: SessionSetting, batches: BatchSetting | undefined): Promise<void> {
    const stats = this.#stats;
    const sink = new ColumnSink((part) => {
      stats.parts += 1;
      stats.blockBytes += part.byteLength;
      this.#pacer?.sent(part);
      this.#post(part, [part]);
    }, setting.limits);
    if (batches) this.#pacer = new BatchPacer(sink, batches);
    try {
      await this.#read(new DecodeSession(setting, sink));
    } catch (error) {
      if (batches && !this.#cancelled) salvage(sink);
      throw error;
    }
    const begun = performance.now();
    sink.finish();
    stats.decodeMs += performance.now() - begun;
  }

  async #read(session: DecodeSession): Promise<void> {
    const stats = this.#stats;
    const pacer = this.#pacer;
    let size = FIRST_SLICE;
    let last: Uint8Array | undefined;
    for (let chunk = await this.#nextChunk(); chunk; chunk = await this.#nextChunk()) {
      if (stats.bytes === 0) await session.prepare(chunk);
      if (stats.bytes === 0 && session.readsWhole && this.#whole && this.#chunks.length === 0 && !this.#unpacker) {
        last = chunk;
        stats.bytes = chunk.length;
        this.#left -= chunk.length;
        break;
      }
      for (let at = 0; at < chunk.length; ) {
        if (stats.bytes > 0) await this.#turn();
        const slice = chunk.subarray(at, at + (pacer?.slice(size) ?? size));
        const begun = performance.now();
        session.push(slice);
        const took = performance.now() - begun;
        stats.decodeMs += took;
        stats.bytes += slice.length;
        at += slice.length;
        this.#left -= slice.length;
        size = nextSize(size, slice.length, took);
        pacer?.advance(slice.length);
      }
    }
    const begun = performance.now();
    session.end(last);
    stats.decodeMs += performance.now() - begun;
  }

  /** Gives way to other jobs and to messages, and waits while the page has enough batches. */
  async #turn(): Promise<void> {
    do {
      if (this.#pacer?.held) await this.#message();
      await this.#turns.wait(this.#left);
      this.#check();
    } while (this.#pacer?.held);
  }

  #check(): void {
    if (this.#cancelled) throw new DOMException('The decode was cancelled', 'AbortError');
  }

  /** The next bytes to decode, when they are there; undefined after the last. */
  async #nextChunk(): Promise<Uint8Array | undefined> {
    const unpacker = this.#unpacker;
    if (!unpacker) return await this.#nextInput();
    for (let ended = false; ; ) {
      const bytes = unpacker.next();
      if (bytes) this.#left += bytes.length;
      if (bytes || ended) return bytes;
      const chunk = await this.#nextInput();
      if (chunk) {
        this.#left -= chunk.length;
        unpacker.feed(chunk);
      } else {
        unpacker.end();
        ended = true;
      }
    }
  }

  /** The next chunk as it came, when it is there; undefined after the last. */
  async #nextInput(): Promise<Uint8Array | undefined> {
    this.#check();
    while (this.#chunks.length === 0 && !this.#whole) {
      if (this.#failed) throw new DecodeError('truncated', 'the input has broken off', { offset: this.#stats.bytes });
      const patience = this.#pacer?.patience;
      if (!(await this.#message(patience))) this.#pacer!.idle();
      this.#check();
    }
    const chunk = this.#chunks.shift();
    if (chunk && !this.#whole) this.#post(1);
    return chunk;
  }

  /** Resolves to true with the next message, or to false after some milliseconds. */
  async #message(patience?: number): Promise<boolean> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const came = await new Promise<boolean>((resolve) => {
      this.#wake = () => resolve(true);
      if (patience !== undefined) timer = setTimeout(() => resolve(false), patience);
    });
    this.#wake = undefined;
    clearTimeout(timer);
    return came;
  }

  #add(chunk: Uint8Array): void {
    this.#chunks.push(chunk);
    this.#left += chunk.length;
  }

  #post(message: ToPage, transfer: Transferable[] = []): void {
    this.#port.postMessage(message, transfer);
  }
}

/** Gives out what was whole before an error. */
function salvage(sink: ColumnSink): void {
  try {
    sink.salvage();
  } catch {
    // What is left holds an error of its own; that which came first is the outcome.
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
