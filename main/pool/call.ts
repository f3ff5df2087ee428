import { transfer } from 'comlink';
import { reviveError } from '../../worker/error-record.ts';
import { WorkerCrashError } from '../../worker/errors.ts';
import {
  CANCEL,
  CHUNKS_AHEAD,
  type DecodeJob,
  type BatchGrant,
  type BodyNews,
  END,
  FAILED,
  type FetchRequest,
  type Joint,
  type JointQuery,
  type PartPort,
  type Splice,
  type ToPage,
  type ToWorker,
  type WorkerService,
  type WorkerStats,
} from '../../worker/protocol.ts';
import { detached } from '../input/sources.ts';

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
  /** Where a worker has the bytes already: the task that fetched them, and how they are to be read on. */
  readonly fetched?: FetchTask | undefined;
  readonly stallTimeout?: number | undefined;
  readonly progress?: boolean | undefined;
}

/** The same, with what else the worker is to be told between the chunks. */
export interface WorkerInput extends Omit<ChunkInput, 'next'> {
  next(): Promise<Uint8Array<ArrayBuffer> | JointQuery | Splice | undefined>;
  /** The worker's answer to a `JointQuery`. */
  reached?(joint: Joint): void;
}

/** A decode that a worker is to do. */
export interface WorkerTask {
  readonly job: DecodeJob;
  readonly request?: undefined;
  /** The payload. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The payload's buffer may be transferred; otherwise the worker gets a copy. */
  readonly own: boolean;
  /** What the payload comes from in the place of `bytes`. */
  readonly input: WorkerInput | undefined;
  /** The compiled schema that `job.schema` names. */
  readonly schema: { readonly id: number; readonly compiled: unknown } | undefined;
  /** The task was given to a worker. */
  started(call: WorkerCall): void;
  /** A part of the result. */
  part(part: ArrayBuffer): void;
  /** All parts have come. */
  end(stats: WorkerStats): void;
  /** The task failed; there is nothing more to come. */
  fail(error: unknown): void;
}

/** A request that a worker is to make, whose body then waits for a task that decodes it. */
export interface FetchTask extends Omit<WorkerTask, 'job' | 'request'> {
  readonly job?: undefined;
  readonly request: FetchRequest;
  /** The worker has said something of the response. */
  heard(news: BodyNews): void;
  /** The call is over, whoever had it last. */
  dropped(): void;
}

/** What of a worker's service is called here; Comlink makes promises of the answers. */
type DecodeCalls = {
  [Call in 'decode' | 'fetch']: (...parameters: Parameters<WorkerService[Call]>) => Promise<PartPort>;
};

/** One task in one worker: sends the input, receives the parts. */
export class WorkerCall {
  /** Bytes of the payload. */
  size: number;
  /** What it is for. */
  task: WorkerTask | FetchTask;
  /** What it was for at first, where that was a request. */
  readonly #fetched: FetchTask | undefined;
  readonly #settled: (call: WorkerCall) => void;
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
  constructor(task: WorkerTask | FetchTask, settled: (call: WorkerCall) => void) {
    this.task = task;
    this.#fetched = task.request && task;
    this.#settled = settled;
    this.size = task.input?.size ?? task.bytes.length;
  }

  /** Hands the task to the worker: with its bytes, or, where a large payload must be copied, ahead of them. */
  send(service: DecodeCalls): void {
    const { bytes, own, job, input, request } = this.task;
    this.task.started(this);
    if (input || request) {
      (request ? service.fetch(request) : service.decode(job)).then(
        (port) => this.#open(port),
        (error: unknown) => this.fail(error),
      );
    } else if (bytes.length === 0) this.fail(detached(job.format));
    else this.#send(service, own);
  }

  #send(service: DecodeCalls, own: boolean): void {
    const { bytes, job } = this.task;
    let input: Uint8Array<ArrayBuffer> | undefined;
    if (own || bytes.length <= COPY_BYTES) {
      input = own ? bytes : bytes.slice();
      transfer(input, [input.buffer]);
      this.#sent = this.size;
    }
    service.decode(job!, input).then(
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

  /** Says what is to be done with the body that was fetched. */
  tell(message: ToWorker): void {
    this.#post(message);
  }

  /** Goes on for another task: to decode the body that was fetched. */
  adopt(task: WorkerTask): void {
    const { stallTimeout, progress = false, size } = task.input!;
    this.task = task;
    this.size = size;
    task.started(this);
    this.#post({ decode: task.job, stallTimeout, progress });
  }

  /** It has a response that nobody decodes yet. */
  get waits(): boolean {
    return this.task.request !== undefined;
  }

  /** The task failed on this side. */
  fail(error: unknown): void {
    if (this.#over) return;
    this.cancel();
    this.#finish();
    this.task.fail(error);
  }

  /** The worker is gone. */
  drop(): void {
    this.#over = true;
    this.#port?.close();
    this.#taken?.();
    this.#fetched?.dropped();
  }

  #finish(): void {
    this.drop();
    this.#settled(this);
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
    else if (this.task.input) void this.#pump(this.task.input);
    else if (this.#sent < this.size) this.#sendChunks();
  }

  #receive(message: ToPage): void {
    if (message instanceof ArrayBuffer) {
      if (!this.#cancelled) this.task.part(message);
    } else if (typeof message === 'number') {
      this.#ahead -= message;
      if (this.task.input) {
        this.#sizes.splice(0, message);
        this.#taken?.();
      } else this.#sendChunks();
    } else if ('itemDepth' in message) this.task.input?.reached?.(message);
    else if (!('stats' in message || 'error' in message)) this.#fetched?.heard(message);
    else {
      this.#finish();
      if (this.#failure) this.task.fail(this.#failure.error);
      else if (message.error) this.task.fail(reviveError(message.error));
      else this.task.end(message.stats);
    }
  }

  /** Copies the next chunks of the input, as many as the worker may have ahead. */
  #sendChunks(): void {
    const { bytes } = this.task;
    while (!this.#cancelled && this.#sent < this.size && this.#ahead < CHUNKS_AHEAD) {
      if (bytes.length !== this.size) {
        this.fail(detached(this.task.job!.format));
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
  async #pump(input: WorkerInput): Promise<void> {
    const idle = (): boolean => this.#ahead < CHUNKS_AHEAD || this.#sizes.reduce((sum, size) => sum + size, 0) < BYTES_AHEAD;
    for (;;) {
      while (!idle() && !this.#over && !this.#cancelled) await new Promise<void>((resolve) => (this.#taken = resolve));
      if (this.#over || this.#cancelled) return;
      let chunk: Awaited<ReturnType<WorkerInput['next']>>;
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
      if (!ArrayBuffer.isView(chunk)) {
        this.#post(chunk);
        continue;
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
