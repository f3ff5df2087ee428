import { NetworkError, TimeoutError } from '../../worker/errors.ts';
import { type DecodeProgress, type DecodeSource } from '../options.ts';
import { bytesOf, requestEnds } from '../sources.ts';
import type { ChunkInput } from '../worker-call.ts';

/** Bytes of a buffer that are copied for the worker at once. */
const COPY_BYTES = 256 * 1024;
const MOST_TIMEOUT = 2 ** 31 - 1;

/** How an input is read. */
export interface InputOptions {
  /** Milliseconds without a byte after which reading fails. */
  stallTimeout?: number | undefined;
  onProgress?: ((progress: DecodeProgress) => void) | undefined;
  /** The chunks of a stream, or the buffer, may be transferred away. */
  transfer?: boolean | undefined;
}

/** The bytes of any source as they come: at most one chunk is read ahead of those that were asked for. */
export class ByteInput implements ChunkInput {
  /** Bytes that the source announces, 0 where it does not or where they may be those of a compressed body. */
  readonly size: number;
  /** Bytes that have come. */
  received = 0;
  endedAt: number | undefined;
  /** Rows that the decode has given so far. */
  rows: () => number = () => 0;
  readonly #options: InputOptions;
  readonly #source: { read(): Promise<ReadableStreamReadResult<Uint8Array>>; cancel(reason: unknown): Promise<void> };
  /** The chunks are nobody else's. */
  readonly #own: boolean;
  /** Chunks that were read ahead. */
  #ahead: Uint8Array<ArrayBuffer>[] = [];
  #cancelled = false;
  readonly #end: ((reason: unknown) => void) | undefined;

  constructor(source: DecodeSource, options: InputOptions) {
    this.#options = options;
    this.#end = requestEnds.get(source);
    const bytes = bytesOf(source);
    if (bytes) {
      this.#source = sliced(bytes);
      this.#own = true;
      this.size = bytes.length;
      return;
    }
    const { body } = source as Response;
    const response = body === null || typeof body?.getReader === 'function';
    const blob = !response && typeof (source as Blob | undefined)?.stream === 'function';
    const stream = response ? body : blob ? (source as Blob).stream() : (source as ReadableStream<Uint8Array>);
    if (stream !== null && typeof stream?.getReader !== 'function') {
      throw new TypeError('What is to be decoded must be an ArrayBuffer, a view of one, a Blob, a Response or a ReadableStream');
    }
    if (response && (source as Response).bodyUsed) throw new TypeError('The body of the response was read already');
    this.#source = stream === null ? sliced(new Uint8Array(0)) : stream.getReader();
    this.#own = response || blob || options.transfer === true;
    this.size = blob ? (source as Blob).size : response ? announced(source as Response) : 0;
  }

  /** All bytes have come. */
  get ended(): boolean {
    return this.endedAt !== undefined;
  }

  /** Reads ahead: the first bytes, at least so many unless there are fewer. */
  async head(bytes: number): Promise<Uint8Array<ArrayBuffer>> {
    const chunks = this.#ahead;
    while (this.received < bytes) {
      const chunk = await this.#read();
      if (!chunk) break;
      chunks.push(chunk);
    }
    const head = joined(chunks);
    this.#ahead = head.length > 0 ? [head] : [];
    return head;
  }

  async next(): Promise<Uint8Array<ArrayBuffer> | undefined> {
    return this.#ahead.shift() ?? (await this.#read());
  }

  cancel(reason: unknown): void {
    if (this.#cancelled || this.ended) return;
    this.#cancelled = true;
    this.#ahead = [];
    this.#source.cancel(reason).catch(() => {});
    this.#end?.(reason);
  }

  async #read(): Promise<Uint8Array<ArrayBuffer> | undefined> {
    while (!this.ended) {
      const { done, value } = await this.#inTime();
      if (this.#cancelled) return undefined;
      if (done) {
        this.endedAt = performance.now();
        if (this.size > 0 && this.received !== this.size) {
          throw new NetworkError(`${this.received} bytes came where ${this.size} were announced`, this.received);
        }
        this.#progress();
      } else {
        if (!ArrayBuffer.isView(value)) throw new TypeError('The chunks of a stream to decode must be Uint8Arrays');
        if (value.length === 0) continue;
        this.received += value.length;
        this.#progress();
        // A part of a larger buffer cannot be transferred by itself.
        const whole = this.#own && value.buffer instanceof ArrayBuffer && value.byteLength === value.buffer.byteLength;
        return whole ? (value as Uint8Array<ArrayBuffer>) : new Uint8Array(value);
      }
    }
    return undefined;
  }

  /** The source's next chunk. Where it comes too late, or not at all, the source is cancelled. */
  async #inTime(): Promise<ReadableStreamReadResult<Uint8Array>> {
    const { stallTimeout } = this.#options;
    let timer: ReturnType<typeof setTimeout> | undefined;
    try {
      if (stallTimeout === undefined || stallTimeout > MOST_TIMEOUT) return await this.#source.read();
      return await new Promise((resolve, reject) => {
        timer = setTimeout(() => reject(new TimeoutError(`no bytes came for ${stallTimeout} ms`)), stallTimeout);
        this.#source.read().then(resolve, reject);
      });
    } catch (error) {
      if (error instanceof TimeoutError) this.cancel(error);
      const { name, message } = (error ?? {}) as Partial<Error>;
      // What the caller has aborted, and what a stream of the caller's throws, stays as it is.
      if (name !== 'TypeError') throw error;
      throw new NetworkError(`the payload could not be read to its end: ${message}`, this.received, { cause: error });
    } finally {
      clearTimeout(timer);
    }
  }

  #progress(): void {
    const { onProgress } = this.#options;
    if (!onProgress) return;
    const { received, size, ended } = this;
    const percent = ended ? 1 : size > 0 ? Math.min(received / size, 1) : 0;
    onProgress({ percent, transferredBytes: received, totalBytes: ended ? received : size, rows: this.rows() });
  }
}

/**
 * What `Content-Length` says, where it speaks of the bytes that are read: not of a compressed body, nor of a response
 * from another origin, which may hide that it is compressed.
 */
function announced({ headers, type }: Response): number {
  if ((type !== 'basic' && type !== 'default') || headers.has('content-encoding')) return 0;
  const length = Number(headers.get('content-length') ?? 0);
  return Number.isSafeInteger(length) && length > 0 ? length : 0;
}

/** Copies of a buffer's bytes, piece by piece. */
function sliced(bytes: Uint8Array<ArrayBuffer>): { read(): Promise<ReadableStreamReadResult<Uint8Array>>; cancel(): Promise<void> } {
  let at = 0;
  return {
    read: async () => {
      if (at >= bytes.length) return { done: true, value: undefined };
      const value = bytes.slice(at, at + COPY_BYTES);
      at += value.length;
      return { done: false, value };
    },
    cancel: async () => {},
  };
}

/** Chunks as one. */
export function joined(chunks: readonly Uint8Array<ArrayBuffer>[]): Uint8Array<ArrayBuffer> {
  if (chunks.length === 1) return chunks[0]!;
  const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}
