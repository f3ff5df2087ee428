import type { FormatId } from '../../../core/format/format-id.ts';
import { columnRowsOf } from '../../../core/writing/column-rows.ts';
import type { AnyFormatWriter } from '../../../core/writing/writer.ts';
import type { Limits } from '../../../core/limits.ts';
import type { ServeRequest } from '../../../worker/load-service.ts';
import { createWorker } from '../../pool/create-worker.ts';
import type { MadeWriter } from '../make-writer.ts';
import type { EncodeOptions, EncodeProgress } from '../options.ts';
import { type ChunkSource, type EncodeInput, EncodeSlices } from '../encode-slices.ts';
import { pack } from './pack.ts';
import { RowsCall } from './rows-call.ts';
import { writerFile } from './writer-files.ts';

/** Milliseconds after which an idle worker is stopped. */
const IDLE_MS = 30_000;

/** Prepared parameters of an encode. */
export interface PreparedEncode {
  readonly writing: MadeWriter;
  readonly format: AnyFormatWriter;
  readonly options: object;
  readonly limits: Limits;
  readonly signal: AbortSignal;
}

/** A value with `Rows` to write in a worker. */
export interface RowsRequest extends PreparedEncode {
  readonly value: unknown;
  /** The same value as input for this thread. */
  readonly input: EncodeInput;
  readonly onProgress?: EncodeOptions['onProgress'];
}

/** Writes values with `Rows` in one worker, which starts with the first of them. */
export class RowsWriter {
  readonly #createWorker: () => Worker;
  #worker: Worker | undefined;
  /** True if the last worker failed before writing anything; no other is started. */
  #isRefused = false;
  readonly #calls = new Set<RowsCall>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(create: () => Worker = createWorker) {
    this.#createWorker = create;
  }

  /** Starts to write a value. Undefined if this thread must write it. */
  write(request: RowsRequest): ChunkSource | undefined {
    const { value, input, format, limits, signal, writing } = request;
    const { id, schema } = writing;
    const options = withMarker(id, request.options);
    // Columns are copied in less time than a worker takes to receive them.
    if (this.#isRefused || !isPlain(options) || (id === 'arrow' && columnRowsOf(value))) return undefined;
    const packed = pack(value);
    if (packed === undefined) return undefined;
    const port = this.#open();
    if (port === undefined) return undefined;
    const onProgress = ({ writtenBytes }: EncodeProgress): void => call.report(writtenBytes);
    const call: RowsCall = new RowsCall({
      port,
      job: { ...packed.content, id, url: writerFile(id), options, schema, limits },
      parts: packed.parts(),
      signal,
      onWritten: (writtenBytes) => request.onProgress?.({ writtenBytes }),
      onThisThread: () => new EncodeSlices({ ...writing, writer: format.createWriter(options, limits, schema) }, input, { signal, onProgress }),
      onEnd: (isAlive) => this.#over(call, isAlive),
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

  /** Starts the worker if needed, and opens a call. Undefined if no worker is available. */
  #open(): MessagePort | undefined {
    clearTimeout(this.#timer);
    try {
      if (this.#createWorker === createWorker && typeof Worker !== 'function') throw new TypeError('workers are not available');
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

/** True if all options can be copied without loss, and writers do not modify them. */
function isPlain(options: object): boolean {
  return Object.values(options).every((value) => value === null || !/function|object|symbol/.test(typeof value) || value instanceof Uint8Array);
}

/** Chooses the random part of a container once, since its bytes may have to be written twice. */
function withMarker(id: FormatId, options: { framing?: string; syncMarker?: Uint8Array }): object {
  if (id !== 'avro' || options.framing !== 'container' || options.syncMarker !== undefined) return options;
  return { ...options, syncMarker: crypto.getRandomValues(new Uint8Array(16)) };
}
