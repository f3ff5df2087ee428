import { recordError } from '../../core/error-record.ts';
import type { EncodeSession } from '../../core/writing/encode.ts';
import type { AnyFormatWriter } from '../../core/writing/writer.ts';
import type { LoadModule } from '../load-service.ts';
import { nextTask } from '../../core/platform/platform.ts';
import { AHEAD_BYTES, type FromRowsWorker, type RowsJob, type ToRowsWorker } from './protocol.ts';
import { Unpacked } from './unpack.ts';

/** Milliseconds after which the worker handles messages and reports progress. */
const SLICE_MS = 30;

/** Writes one value that contains `Rows`, received over a port. */
export function serve(port: MessagePort, load: LoadModule): void {
  let encode: RowsEncode | undefined;
  port.onmessage = ({ data }: MessageEvent<ToRowsWorker>) => {
    if (data.kind === 'job') encode = new RowsEncode(port, data.job, load);
    else if (data.kind === 'write') void encode?.run();
    else if (data.kind === 'taken') encode?.taken(data.bytes);
    else if (data.kind === 'cancel') encode?.cancel();
    else encode?.value.add(data);
  };
}

class RowsEncode {
  readonly value: Unpacked;
  readonly #port: MessagePort;
  readonly #job: RowsJob;
  readonly #format: Promise<AnyFormatWriter>;
  #ahead = 0;
  #cancelled = false;
  #wake: (() => void) | undefined;

  constructor(port: MessagePort, job: RowsJob, load: LoadModule) {
    this.#port = port;
    this.#job = job;
    this.value = new Unpacked(job);
    this.#format = load(`encoders/${job.id}`, job.url).then((module) => (module as { default: AnyFormatWriter }).default);
    // A failure to load is reported when the writer is needed.
    this.#format.catch(() => {});
  }

  taken(bytes: number): void {
    this.#ahead -= bytes;
    this.#wake?.();
  }

  cancel(): void {
    this.#cancelled = true;
    this.#port.close();
    this.#wake?.();
  }

  async run(): Promise<void> {
    try {
      const { id, options, schema, limits } = this.#job;
      const format = await this.#format;
      await format.prepare?.(options);
      let end = 0;
      let most = 0;
      const session: EncodeSession = format
        .createWriter(options, limits, schema)
        .session(id, () => session.written >= most || performance.now() >= end);
      session.write(this.value.value());
      while (!session.isWhole && !this.#cancelled) {
        end = performance.now() + SLICE_MS;
        most = session.written + AHEAD_BYTES - this.#ahead;
        session.run();
        this.#send(session);
        await nextTask();
        while (this.#ahead > AHEAD_BYTES && !this.#cancelled) await new Promise<void>((resolve) => (this.#wake = resolve));
      }
      this.#say({ kind: 'end' });
    } catch (error) {
      this.#say({ kind: 'failed', error: recordError(error) });
    }
  }

  #send(session: EncodeSession): void {
    for (const bytes of session.take()) {
      this.#ahead += bytes.length;
      this.#say({ kind: 'chunk', bytes }, [bytes.buffer]);
    }
    this.#say({ kind: 'written', bytes: session.written });
  }

  #say(message: FromRowsWorker, buffers: ArrayBuffer[] = []): void {
    this.#port.postMessage(message, buffers);
  }
}
