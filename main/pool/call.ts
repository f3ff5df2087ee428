import { transfer } from 'comlink';
import { WorkerCrashError } from '../../core/errors.ts';
import { type BatchCredit, CHUNKS_AHEAD, type ToPage, type ToWorker } from '../../worker/protocol.ts';
import { plainCopy } from './plain-copy.ts';
import { reviveError } from './revive-error.ts';
import type { DecodeService, WorkerTask } from './task.ts';

/** Bytes up to which more chunks than CHUNKS_AHEAD may be on their way. */
const BYTES_AHEAD = 256 * 1024;

/** One task in one worker: sends the input and receives the parts. */
export class WorkerCall {
  readonly #task: WorkerTask;
  readonly #settled: () => void;
  #port: MessagePort | undefined;
  #cancelled = false;
  #over = false;
  /** Sizes of the chunks that the worker has not taken yet, and the function that resumes sending when it takes some. */
  readonly #ahead: number[] = [];
  /** Sum of these sizes. */
  #bytesAhead = 0;
  #taken: (() => void) | undefined;
  /** The error that ended the input early. */
  #failure: { error: unknown } | undefined;

  constructor(task: WorkerTask, settled: () => void) {
    this.#task = task;
    this.#settled = settled;
  }

  /** Hands the task to the worker: with all its bytes if they can be transferred, otherwise ahead of them. */
  send(service: DecodeService): void {
    this.#task.started();
    let whole: Uint8Array<ArrayBuffer> | undefined;
    try {
      whole = this.#task.input.whole?.();
    } catch (error) {
      this.fail(error);
      return;
    }
    this.#call(service, whole).catch((error: unknown) => {
      // The buffer of a WebAssembly memory cannot be transferred.
      if (!whole || whole.length === 0) this.fail(error);
      else this.#call(service, whole.slice()).catch((again: unknown) => this.fail(again));
    });
    if (!whole) void this.#pump();
  }

  /** Asks the worker to stop. */
  cancel(): void {
    this.#cancelled = true;
    this.#post({ kind: 'cancel' });
    this.#taken?.();
  }

  /** Lets the worker decode one more batch. */
  credit(credit: BatchCredit): void {
    this.#post({ kind: 'credit', ...credit });
  }

  /** Fails the task from this side. */
  fail(error: unknown): void {
    if (this.#over) return;
    this.cancel();
    this.#finish();
    this.#task.fail(error);
  }

  /** Drops the task: the worker is gone. */
  drop(): void {
    this.#over = true;
    this.#port?.close();
    this.#taken?.();
  }

  #finish(): void {
    this.drop();
    this.#settled();
  }

  async #call(service: DecodeService, whole: Uint8Array<ArrayBuffer> | undefined): Promise<void> {
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    port1.onmessageerror = () => this.fail(new WorkerCrashError('a message of the worker could not be read'));
    port1.onmessage = ({ data }: MessageEvent<ToPage>) => this.#receive(data);
    const { job: given } = this.#task;
    // A copy has no symbols; `KEPT` is the only one.
    const job = { ...plainCopy(given), isMessage: Object.getOwnPropertySymbols(given.options).length > 0 };
    await (whole ? service.decode(job, transfer(port2, [port2]), transfer(whole, [whole.buffer])) : service.decode(job, transfer(port2, [port2])));
  }

  #receive(message: ToPage): void {
    const task = this.#task;
    switch (message.kind) {
      case 'part':
        if (!this.#cancelled) task.part(message.part);
        break;
      case 'taken':
        for (const size of this.#ahead.splice(0, message.chunks)) this.#bytesAhead -= size;
        this.#taken?.();
        break;
      default:
        this.#finish();
        if (this.#failure) task.fail(this.#failure.error);
        else if (message.error) task.fail(reviveError(message.error));
        else task.end(message.stats);
    }
  }

  /** Sends the chunks of the input as fast as the worker takes them. */
  async #pump(): Promise<void> {
    const { input } = this.#task;
    const full = (): boolean => this.#ahead.length >= CHUNKS_AHEAD && this.#bytesAhead >= BYTES_AHEAD;
    for (;;) {
      while (full() && !this.#over && !this.#cancelled) await new Promise<void>((resolve) => (this.#taken = resolve));
      if (this.#over || this.#cancelled) return;
      let bytes: Uint8Array<ArrayBuffer> | undefined;
      try {
        bytes = await input.next();
      } catch (error) {
        // The worker still decodes the bytes that it has.
        this.#failure = { error };
        this.#post({ kind: 'failed' });
        return;
      }
      if (this.#over || this.#cancelled) return;
      if (!bytes) {
        this.#post({ kind: 'end' });
        return;
      }
      this.#ahead.push(bytes.length);
      this.#bytesAhead += bytes.length;
      this.#post({ kind: 'chunk', bytes }, [bytes.buffer]);
    }
  }

  #post(message: ToWorker, transfers: Transferable[] = []): void {
    this.#port?.postMessage(message, transfers);
  }
}
