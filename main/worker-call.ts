import { type Remote, transfer } from 'comlink';
import { reviveError, WorkerCrashError } from '../worker/errors.ts';
import {
  CANCEL,
  CHUNKS_AHEAD,
  type DecodeJob,
  type BatchGrant,
  END,
  FAILED,
  type PartPort,
  type ToPage,
  type ToWorker,
  type WorkerService,
  type WorkerStats,
} from '../worker/protocol.ts';
import { detached } from './sources.ts';

/** Copying this many bytes at once takes no more than a few milliseconds. */
const COPY_BYTES = 4 * 1024 * 1024;
const CHUNK_BYTES = 2 * 1024 * 1024;
/** More small chunks than CHUNKS_AHEAD may be on the way, up to this many bytes. */
const BYTES_AHEAD = 256 * 1024;

/** Input that comes in pieces while the worker decodes. */
export interface ChunkInput {
  /** How many bytes come in all, as far as that is known. */
  readonly size: number;
  /** How many rows the decode has given so far, for those who watch. */
  rows: () => number;
  /** When the last byte came, as `performance.now()`. */
  readonly endedAt: number | undefined;
  /** The next chunk, whose buffer is to be transferred; undefined after the last. */
  next(): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /** No more is wanted. */
  cancel(reason: unknown): void;
}

/** A decode that a worker is to do. */
export interface WorkerTask {
  readonly job: DecodeJob;
  /** The payload. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The payload's buffer may be transferred; otherwise the worker gets a copy. */
  readonly own: boolean;
  /** What the payload comes from in the place of `bytes`. */
  readonly input: ChunkInput | undefined;
  /** The compiled schema that `job.schema` names. */
  readonly schema: { readonly id: number; readonly compiled: unknown } | undefined;
  /** The task was given to a worker. */
  started(): void;
  /** A part of the result. */
  part(part: ArrayBuffer): void;
  /** All parts have come. */
  end(stats: WorkerStats): void;
  /** The task failed; there is nothing more to come. */
  fail(error: unknown): void;
}

/** One task in one worker: sends the input, receives the parts. */
export class WorkerCall {
  /** Bytes of the payload. */
  readonly size: number;
  readonly #task: WorkerTask;
  readonly #settled: () => void;
  #port: MessagePort | undefined;
  #cancelled = false;
  #over = false;
  /** How far the input was sent, and how many chunks the worker has not taken yet. */
  #sent = 0;
  #ahead = 0;
  /** Of an input: the sizes of those chunks, the call that waits for them to be taken, and why it could not be read. */
  readonly #sizes: number[] = [];
  #taken: (() => void) | undefined;
  #failure: { error: unknown } | undefined;

  /** `settled` is called when the worker is done with the task. */
  constructor(task: WorkerTask, settled: () => void) {
    this.#task = task;
    this.#settled = settled;
    this.size = task.input?.size ?? task.bytes.length;
  }

  /** Hands the task to the worker: with its bytes, or, where a large payload must be copied, ahead of them. */
  send(service: Remote<WorkerService>): void {
    const { bytes, own, job, input } = this.#task;
    this.#task.started();
    if (input) {
      service.decode(job).then(
        (port) => this.#open(port),
        (error: unknown) => this.fail(error),
      );
    } else if (bytes.length === 0) this.fail(detached(job.format));
    else this.#send(service, own);
  }

  #send(service: Remote<WorkerService>, own: boolean): void {
    const { bytes, job } = this.#task;
    let input: Uint8Array<ArrayBuffer> | undefined;
    if (own || bytes.length <= COPY_BYTES) {
      input = own ? bytes : bytes.slice();
      transfer(input, [input.buffer]);
      this.#sent = this.size;
    }
    service.decode(job, input).then(
      (port) => this.#open(port),
      (error: unknown) => {
        // Some buffers cannot be transferred: those of a WebAssembly memory.
        if (!own || bytes.length === 0) this.fail(error);
        else {
          this.#sent = 0;
          this.#send(service, false);
        }
      },
    );
  }

  /** Asks the worker to stop. */
  cancel(): void {
    this.#cancelled = true;
    this.#post(CANCEL);
    this.#taken?.();
  }

  /** Lets the worker decode one more batch. */
  grant(grant: BatchGrant): void {
    this.#post(grant);
  }

  /** The task failed on this side. */
  fail(error: unknown): void {
    if (this.#over) return;
    this.cancel();
    this.#finish();
    this.#task.fail(error);
  }

  /** The worker is gone. */
  drop(): void {
    this.#over = true;
    this.#port?.close();
    this.#taken?.();
  }

  #finish(): void {
    this.drop();
    this.#settled();
  }

  #open({ port }: PartPort): void {
    this.#port = port;
    if (this.#over) {
      this.#post(CANCEL);
      port.close();
      return;
    }
    port.onmessageerror = () => this.fail(new WorkerCrashError('a part of the result could not be received'));
    port.onmessage = ({ data }: MessageEvent<ToPage>) => this.#receive(data);
    if (this.#cancelled) this.#post(CANCEL);
    else if (this.#task.input) void this.#pump(this.#task.input);
    else if (this.#sent < this.size) this.#sendChunks();
  }

  #receive(message: ToPage): void {
    if (message instanceof ArrayBuffer) {
      if (!this.#cancelled) this.#task.part(message);
    } else if (typeof message === 'number') {
      this.#ahead -= message;
      if (this.#task.input) {
        this.#sizes.splice(0, message);
        this.#taken?.();
      } else this.#sendChunks();
    } else {
      this.#finish();
      if (this.#failure) this.#task.fail(this.#failure.error);
      else if (message.error) this.#task.fail(reviveError(message.error));
      else this.#task.end(message.stats);
    }
  }

  /** Copies the next chunks of the input, as many as the worker may have ahead. */
  #sendChunks(): void {
    const { bytes } = this.#task;
    while (!this.#cancelled && this.#sent < this.size && this.#ahead < CHUNKS_AHEAD) {
      if (bytes.length !== this.size) {
        this.fail(detached(this.#task.job.format));
        return;
      }
      const chunk = bytes.slice(this.#sent, this.#sent + CHUNK_BYTES);
      this.#sent += chunk.length;
      this.#ahead += 1;
      this.#post(chunk, [chunk.buffer]);
      if (this.#sent === this.size) this.#post(END);
    }
  }

  /** Sends what the input gives, as fast as the worker takes it. */
  async #pump(input: ChunkInput): Promise<void> {
    const idle = (): boolean => this.#ahead < CHUNKS_AHEAD || this.#sizes.reduce((sum, size) => sum + size, 0) < BYTES_AHEAD;
    for (;;) {
      while (!idle() && !this.#over && !this.#cancelled) await new Promise<void>((resolve) => (this.#taken = resolve));
      if (this.#over || this.#cancelled) return;
      let chunk: Uint8Array<ArrayBuffer> | undefined;
      try {
        chunk = await input.next();
      } catch (error) {
        // The worker still gives what it can make of the bytes that it has.
        this.#failure = { error };
        this.#post(FAILED);
        return;
      }
      if (this.#over || this.#cancelled) return;
      if (!chunk) {
        this.#post(END);
        return;
      }
      this.#ahead += 1;
      this.#sizes.push(chunk.length);
      this.#post(chunk, [chunk.buffer]);
    }
  }

  #post(message: ToWorker, transfers: Transferable[] = []): void {
    this.#port?.postMessage(message, transfers);
  }
}
