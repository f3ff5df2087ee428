import { NetworkError, TimeoutError } from '../errors.ts';
import { bytesFrom } from './bytes-in.ts';

const MAX_TIMEOUT = 2 ** 31 - 1;
/** Bytes read from a body at a time. Chromium may have up to 2 MB ready if the body was not read for a while. */
const PIECE_BYTES = 128 * 1024;

/** A source of bytes, read chunk by chunk. */
export interface ByteSource {
  /** True if no one else uses the chunks; default: the input's setting. */
  readonly own?: boolean;
  read(): Promise<ReadableStreamReadResult<Uint8Array>>;
  cancel(reason: unknown): Promise<void>;
}

/** Options of `ByteInput`. */
export interface ByteInputSetting {
  /** Size announced by the source; 0 if unknown or if it may be the size of a compressed body. */
  size: number;
  /** True if no one else uses the chunks, so their buffers may be transferred. */
  own: boolean;
  /** HTTP status, if the source is a response. */
  status?: number | undefined;
  /** Milliseconds without a byte after which reading fails. */
  stallTimeout?: number | undefined;
}

/** Reads a source chunk by chunk. At most one chunk is read ahead of the requested bytes. */
export class ByteInput {
  /** Size announced by the source; 0 if unknown. */
  readonly size: number;
  /** Bytes received so far. */
  received = 0;
  /** Time of the last byte, as `performance.now()`. */
  endedAt: number | undefined;
  stallTimeout: number | undefined;
  /** Called whenever bytes arrive, and at the end. */
  onBytes: (() => void) | undefined;
  readonly #source: ByteSource;
  readonly #own: boolean;
  readonly #status: number | undefined;
  /** Chunks read ahead. */
  #ahead: Uint8Array<ArrayBuffer>[] = [];
  #cancelled = false;

  constructor(source: ByteSource, { size, own, status, stallTimeout }: ByteInputSetting) {
    this.#source = source;
    this.size = size;
    this.#own = source.own ?? own;
    this.#status = status;
    this.stallTimeout = stallTimeout;
  }

  /** True once all bytes have arrived. */
  get ended(): boolean {
    return this.endedAt !== undefined;
  }

  /** Reads ahead and returns the first bytes: at least `bytes` of them unless the source is shorter. */
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

  /** The next chunk; undefined after the last. */
  async next(): Promise<Uint8Array<ArrayBuffer> | undefined> {
    return this.#ahead.shift() ?? (await this.#read());
  }

  /** Stops reading. */
  cancel(reason: unknown): void {
    if (this.#cancelled || this.ended) return;
    this.#cancelled = true;
    this.#ahead = [];
    this.#source.cancel(reason).catch(() => {});
  }

  async #read(): Promise<Uint8Array<ArrayBuffer> | undefined> {
    while (!this.ended) {
      const { done, value } = await this.#inTime();
      if (this.#cancelled) return undefined;
      if (done) {
        this.endedAt = performance.now();
        checkLength(this.received, this.size, this.#status);
        this.onBytes?.();
      } else {
        const bytes = bytesFrom(value, 'chunks of bytes');
        if (bytes.length === 0) continue;
        this.received += bytes.length;
        this.onBytes?.();
        // Part of a larger buffer cannot be transferred alone.
        return this.#own && bytes.length === bytes.buffer.byteLength ? bytes : bytes.slice();
      }
    }
    return undefined;
  }

  /** Reads the source's next chunk. Cancels the source if the chunk takes longer than the stall timeout. */
  async #inTime(): Promise<ReadableStreamReadResult<Uint8Array>> {
    const { stallTimeout } = this;
    let timer: ReturnType<typeof setTimeout> | undefined;
    try {
      if (stallTimeout === undefined || stallTimeout > MAX_TIMEOUT) return await this.#source.read();
      return await new Promise((resolve, reject) => {
        timer = setTimeout(() => reject(new TimeoutError(`no byte arrived for ${stallTimeout} ms`)), stallTimeout);
        this.#source.read().then(resolve, reject);
      });
    } catch (error) {
      if (error instanceof TimeoutError) this.cancel(error);
      throw readError(error, this.received, this.#status);
    } finally {
      clearTimeout(timer);
    }
  }
}

/** The error for one that reading has thrown: an abort by the caller, or an error from the caller's own stream, stays unchanged. */
export function readError(cause: unknown, receivedBytes: number, status: number | undefined): unknown {
  const { name, message } = (cause ?? {}) as Partial<Error>;
  return name === 'TypeError' ? new NetworkError(`the payload could not be read to its end: ${message}`, receivedBytes, { cause, status }) : cause;
}

/** Reads a body in pieces of bounded size, if the engine supports BYOB readers. */
export function readBody(body: ReadableStream<Uint8Array<ArrayBuffer>>): ByteSource {
  let reader: ReadableStreamBYOBReader;
  try {
    reader = body.getReader({ mode: 'byob' });
  } catch {
    return body.getReader();
  }
  let freeBuffer: ArrayBuffer | undefined;
  return {
    own: true,
    async read() {
      const buffer = freeBuffer ?? new ArrayBuffer(PIECE_BYTES);
      freeBuffer = undefined;
      const read = await reader.read(new Uint8Array(buffer));
      if (read.done || read.value.length === PIECE_BYTES) return read;
      freeBuffer = read.value.buffer;
      return { done: false, value: read.value.slice() };
    },
    cancel: (reason) => reader.cancel(reason),
  };
}

/** Throws if fewer bytes came than announced. None at all answer HEAD, and more are unpacked from a body that hides its compression. */
export function checkLength(received: number, size: number, status: number | undefined): void {
  if (received > 0 && received < size) throw new NetworkError(`received ${received} bytes of ${size} announced`, received, { status });
}

/**
 * `Content-Length`, if it is the size of the bytes that will be read; otherwise 0. It is not for a compressed body, nor reliably
 * for a response of another origin, which may hide its compression: also from a service worker that copies its headers.
 */
export function announced({ headers, url }: Response): number {
  return !url || url.includes(globalThis.origin ?? '') ? lengthOf(headers) : 0;
}

/** `Content-Length`, unless it is that of a compressed body; otherwise 0. */
export function lengthOf(headers: Headers): number {
  const length = headers.has('content-encoding') ? 0 : Number(headers.get('content-length'));
  return Number.isSafeInteger(length) && length > 0 ? length : 0;
}

/** Concatenates chunks. One alone is returned as it is. */
export function joined<Kind extends Uint8Array>(chunks: readonly Kind[]): Kind | Uint8Array<ArrayBuffer> {
  if (chunks.length === 1) return chunks[0]!;
  const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}
