import { BatchPacer } from './batch-pacer.ts';
import { checkOptions } from '../core/option-table.ts';
import { DecodeSession, type SessionSetting } from '../core/format/decode-session.ts';
import { recordError } from '../core/error-record.ts';
import { JobInput } from './job-input.ts';
import type { DecodeJob, Outcome, ToPage, ToWorker, WorkerStats } from './protocol.ts';
import type { KernelPool } from '../core/kernels/load.ts';
import { keepAliveSink, RowSink } from '../core/kernels/row-sink.ts';
import type { JsonTextSink } from '../core/sinks/json/text.ts';
import type { JsonTextOptions } from '../core/sinks/json/values.ts';
import { keepAlive } from '../core/engine/keep-alive.ts';
import type { JobScheduler } from './job-scheduler.ts';
import type { ZstdUnpacker } from '../core/bytes/zstd/zstd.ts';

/** Options of a job: those of its session, and code that few jobs need, for decompression and JSON text. */
export interface JobSetting extends SessionSetting {
  unpacker?: ZstdUnpacker | undefined;
  TextSink?: typeof JsonTextSink | undefined;
  kernels?: KernelPool | undefined;
}

/** Fields of a job that its session does not need. */
type JobForm = Pick<DecodeJob, 'batches' | 'text' | 'raw'>;

/** Bytes of the first slice; later ones adapt to the speed. */
const FIRST_SLICE = 256 * 1024;
const MIN_SLICE = 64 * 1024;
const MAX_SLICE = 8 * 1024 * 1024;
/** Target duration of a slice, in milliseconds. */
const SLICE_MS = 8;
/** Milliseconds of decoding before the job yields to others. */
const YIELD_MS = 4;

/**
 * One decode in a worker: receives the bytes, whole or in chunks, and sends the parts and the outcome, all over one
 * port.
 */
export class Job {
  readonly input: JobInput;
  readonly #port: MessagePort;
  readonly #jobScheduler: JobScheduler;
  #cancelled = false;
  /** Milliseconds of decoding since the last yield. */
  #sinceYield = 0;
  #pacer: BatchPacer | undefined;
  readonly #stats: WorkerStats = { decodeMs: 0, arrived: now(), sent: 0, bytes: 0, blockBytes: 0, parts: 0, kernel: false, kernelRows: 0 };

  /** Without `bytes`, the input arrives as chunks over `port`. */
  constructor(port: MessagePort, jobScheduler: JobScheduler, bytes?: Uint8Array<ArrayBuffer>) {
    this.#port = port;
    this.#jobScheduler = jobScheduler;
    this.input = new JobInput((chunks) => this.#post({ kind: 'taken', chunks }));
    if (bytes) {
      this.input.add(bytes);
      this.input.end();
    }
    port.onmessage = ({ data }: MessageEvent<ToWorker>) => this.#receive(data);
  }

  #receive(message: ToWorker): void {
    switch (message.kind) {
      case 'chunk':
        this.input.add(message.bytes);
        break;
      case 'end':
        this.input.end();
        break;
      case 'failed':
        this.input.fail();
        break;
      case 'cancel':
        this.#cancelled = true;
        break;
      case 'credit':
        this.#pacer?.credit(message);
    }
    this.input.wake();
  }

  /** Decodes with the resolved `setting`. Never rejects: errors become the outcome. */
  async run(setting: Promise<JobSetting> | JobSetting, job: JobForm = {}): Promise<void> {
    let outcome: Outcome;
    try {
      const resolved = await setting;
      checkOptions(resolved.options, resolved.format.options);
      this.input.unpacker = resolved.unpacker;
      await (job.text ? this.#write(resolved, job.text) : this.#decode(resolved, job));
      outcome = { stats: this.#stats };
    } catch (error) {
      outcome = { error: recordError(error) };
    }
    this.input.drop();
    this.#stats.sent = now();
    this.#post({ kind: 'outcome', ...outcome });
  }

  async #decode({ kernels, ...setting }: JobSetting, { batches, raw }: JobForm): Promise<void> {
    const stats = this.#stats;
    const kernel = kernels?.take();
    stats.kernel = kernel !== undefined;
    const give = (part: ArrayBuffer): void => {
      this.#pacer?.sent(part);
      this.#give(part);
    };
    // Lazy rows save time only if a kernel validates them.
    const sink = new RowSink(give, setting.limits, { raw: raw && kernel !== undefined, picked: setting.wrap !== undefined }, kernel);
    if (batches) this.#pacer = new BatchPacer(sink, batches);
    try {
      await this.#read(new DecodeSession(setting, sink));
    } catch (error) {
      if (batches && !this.#cancelled) salvage(sink);
      throw error;
    } finally {
      if (kernel) kernels!.give(kernel);
    }
    const begun = performance.now();
    sink.finish();
    stats.decodeMs += performance.now() - begun;
    stats.kernelRows = sink.kernelRows;
    keepAlive(setting.format, () => new DecodeSession(setting, keepAliveSink()));
  }

  /** Decodes into JSON text. */
  async #write({ TextSink, ...setting }: JobSetting, options: JsonTextOptions): Promise<void> {
    const sink = new TextSink!((tag, inner) => setting.format.revive?.(tag, inner), options, setting.limits);
    const give = (): void => {
      const piece = sink.take();
      if (piece) this.#give(piece.buffer);
    };
    await this.#read(new DecodeSession(setting, sink), give);
    give();
  }

  /** Reads the input to its end. `sliced` is called after each slice. */
  async #read(session: DecodeSession, sliced?: () => void): Promise<void> {
    const stats = this.#stats;
    const pacer = this.#pacer;
    const { input } = this;
    let size = FIRST_SLICE;
    let last: Uint8Array | undefined;
    for (let chunk = await this.#nextChunk(); chunk; chunk = await this.#nextChunk()) {
      if (stats.bytes === 0) await session.prepare(chunk);
      if (stats.bytes === 0 && session.readsWhole && input.isComplete) {
        last = chunk;
        stats.bytes = chunk.length;
        input.left -= chunk.length;
        break;
      }
      for (let at = 0; at < chunk.length;) {
        if (stats.bytes > 0) await this.#yield();
        const slice = chunk.subarray(at, at + (pacer?.slice(size) ?? size));
        const begun = performance.now();
        session.push(slice);
        const took = performance.now() - begun;
        stats.decodeMs += took;
        this.#sinceYield += took;
        stats.bytes += slice.length;
        at += slice.length;
        input.left -= slice.length;
        size = nextSize(size, slice.length, took);
        pacer?.advance(slice.length);
        sliced?.();
      }
    }
    const begun = performance.now();
    session.end(last);
    stats.decodeMs += performance.now() - begun;
  }

  /** Yields to other jobs and to messages, and waits while the page has enough batches. */
  async #yield(): Promise<void> {
    if (this.#sinceYield < YIELD_MS && !this.#pacer?.held) return;
    this.#sinceYield = 0;
    do {
      if (this.#pacer?.held) await this.input.message();
      await this.#jobScheduler.wait(this.input.left);
      this.#check();
    } while (this.#pacer?.held);
  }

  #check(): void {
    if (this.#cancelled) throw new DOMException('the decode was cancelled', 'AbortError');
  }

  /** The next bytes to decode, once they are available; undefined after the last. */
  async #nextChunk(): Promise<Uint8Array | undefined> {
    this.#check();
    return await this.input.next(this.#stats.bytes, this.#arrival);
  }

  /** Waits for input. If none arrives in time, sends the complete items. */
  readonly #arrival = async (): Promise<void> => {
    if (!(await this.input.message(this.#pacer?.patience))) this.#pacer!.idle();
    this.#check();
  };

  /** Sends a part, or a piece of text. */
  #give(part: ArrayBuffer): void {
    this.#stats.parts += 1;
    this.#stats.blockBytes += part.byteLength;
    this.#post({ kind: 'part', part }, [part]);
  }

  #post(message: ToPage, transfer: Transferable[] = []): void {
    this.#port.postMessage(message, transfer);
  }
}

/** Sends the items that were complete before an error. */
function salvage(sink: RowSink): void {
  try {
    sink.salvage();
  } catch {
    // The remaining data holds another error; the first one is the outcome.
  }
}

function now(): number {
  return performance.timeOrigin + performance.now();
}

/** Bytes of the next slice, so that it takes the target duration. */
function nextSize(size: number, read: number, took: number): number {
  const fit = took > 0 ? (read * SLICE_MS) / took : MAX_SLICE;
  return Math.max(MIN_SLICE, Math.min(MAX_SLICE, size * 4, fit)) | 0;
}
