import type { FormatId } from '../../../core/formats/registry.ts';
import type { AnyFormatWriter } from '../../../core/writing/writer.ts';
import type { Limits } from '../../../core/limits.ts';
import type { ServeRequest } from '../../../worker/serve.ts';
import { createWorker } from '../../pool/create-worker.ts';
import type { MadeWriter } from '../make-writer.ts';
import type { EncodeOptions, EncodeProgress } from '../options.ts';
import { type ChunkSource, type EncodeInput, EncodeSlices } from '../slices.ts';
import { pack } from './pack.ts';
import { RowsCall } from './rows-call.ts';
import { writerFile } from './writer-files.ts';

/** Milliseconds until a worker that has nothing to do is stopped. */
const IDLE_MS = 30_000;

/** What an encode is made of. */
export interface PreparedEncode {
  readonly writing: MadeWriter;
  readonly format: AnyFormatWriter;
  readonly options: object;
  readonly limits: Limits;
  readonly signal: AbortSignal;
}

/** A value with `Rows` that is to be written in a worker. */
export interface RowsRequest extends PreparedEncode {
  readonly value: unknown;
  /** The same as it is written on this thread. */
  readonly input: EncodeInput;
  readonly onProgress?: EncodeOptions['onProgress'];
}

/** Has values with `Rows` written in one worker, which starts with the first of them. */
export class RowsWriter {
  readonly #createWorker: () => Worker;
  #worker: Worker | undefined;
  /** The last worker has not begun to write anything: there is no other. */
  #isRefused = false;
  readonly #calls = new Set<RowsCall>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(create: () => Worker = createWorker) {
    this.#createWorker = create;
  }

  /** Begins to write a value. Undefined where that is to be done on this thread. */
  write(request: RowsRequest): ChunkSource | undefined {
    const { value, input, format, limits, signal, writing } = request;
    const { id, schema } = writing;
    const options = withMarker(id, request.options);
    if (this.#isRefused || !isPlain(options)) return undefined;
    const packed = pack(value);
    if (packed === undefined) return undefined;
    const port = this.#open();
    if (port === undefined) return undefined;
    const onProgress = ({ writtenBytes }: EncodeProgress): void => call.tell(writtenBytes);
    const call: RowsCall = new RowsCall({
      port,
      job: { ...packed.content, id, url: writerFile(id), options, schema, limits },
      parts: packed.parts(),
      signal,
      onWritten: (writtenBytes) => request.onProgress?.({ writtenBytes }),
      here: () => new EncodeSlices({ ...writing, writer: format.createWriter(options, limits, schema) }, input, { signal, onProgress }),
      onOver: (isAlive) => this.#over(call, isAlive),
    });
    this.#calls.add(call);
    void call.send();
    return call;
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#worker?.terminate();
    this.#worker = undefined;
    for (const call of this.#calls) call.lose();
  }

  /** Starts the worker, unless it runs, and a call of it. Undefined where none can be had. */
  #open(): MessagePort | undefined {
    clearTimeout(this.#timer);
    try {
      if (this.#createWorker === createWorker && typeof Worker !== 'function') throw new TypeError('there are no workers here');
      this.#worker ??= this.#start();
      const { port1, port2 } = new MessageChannel();
      const request: ServeRequest = { kind: 'serve', name: 'rows-writer', url: writerFile('rows'), port: port2 };
      this.#worker.postMessage(request, [port2]);
      return port1;
    } catch {
      this.#isRefused = true;
      return undefined;
    }
  }

  #start(): Worker {
    const worker = this.#createWorker();
    worker.onerror = (event) => {
      event.preventDefault();
      this.close();
    };
    return worker;
  }

  #over(call: RowsCall, isAlive: boolean): void {
    this.#calls.delete(call);
    if (!isAlive) {
      this.#isRefused ||= !call.isBegun;
      this.close();
    } else if (this.#calls.size === 0) {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.close(), IDLE_MS);
    }
  }
}

/** Whether options are values without anything in them that a copy could lack, or that a writer changes. */
function isPlain(options: object): boolean {
  return Object.values(options).every((value) => value === null || !/function|object|symbol/.test(typeof value) || value instanceof Uint8Array);
}

/** What a container's bytes depend on by chance is chosen once: they may have to be written twice. */
function withMarker(id: FormatId, options: { framing?: string; syncMarker?: Uint8Array }): object {
  if (id !== 'avro' || options.framing !== 'container' || options.syncMarker !== undefined) return options;
  return { ...options, syncMarker: crypto.getRandomValues(new Uint8Array(16)) };
}
