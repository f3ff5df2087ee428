import { NetworkError, TimeoutError } from '../errors.ts';

const MOST_TIMEOUT = 2 ** 31 - 1;
/** Bytes of a body that are read at once. Chromium has up to 2 MB of it ready where nobody has come for it. */
const PIECE_BYTES = 128 * 1024;

/** What bytes are read from, chunk by chunk. */
export interface ByteSource {
  read(): Promise<ReadableStreamReadResult<Uint8Array>>;
  cancel(reason: unknown): Promise<void>;
}

/** How bytes are read. */
export interface ByteInputSetting {
  /** Bytes that the source announces, 0 where it does not or where they may be those of a compressed body. */
  size: number;
  /** The chunks are nobody else's: their buffers may be transferred. */
  own: boolean;
  /** The HTTP status, where the source is a response. */
  status?: number | undefined;
  /** Milliseconds without a byte after which reading fails. */
  stallTimeout?: number | undefined;
  /** Called whenever bytes have come, and at the end. */
  onBytes?: (() => void) | undefined;
}

/** The bytes of a source as they come: at most one chunk is read ahead of those that were asked for. */
export class ByteInput {
  /** Bytes that the source announces, 0 where it does not. */
  readonly size: number;
  /** Bytes that have come. */
  received = 0;
  /** When the last byte came, as `performance.now()`. */
  endedAt: number | undefined;
  stallTimeout: number | undefined;
  onBytes: (() => void) | undefined;
  readonly #source: ByteSource;
  readonly #own: boolean;
  readonly #status: number | undefined;
  /** Chunks that were read ahead. */
  #ahead: Uint8Array<ArrayBuffer>[] = [];
  #cancelled = false;

  constructor(source: ByteSource, { size, own, status, stallTimeout, onBytes }: ByteInputSetting) {
    this.#source = source;
    this.size = size;
    this.#own = own;
    this.#status = status;
    this.stallTimeout = stallTimeout;
    this.onBytes = onBytes;
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

  /** The next chunk; undefined after the last. */
  async next(): Promise<Uint8Array<ArrayBuffer> | undefined> {
    return this.#ahead.shift() ?? (await this.#read());
  }

  /** No more is wanted. */
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
        if (this.size > 0 && this.received !== this.size) {
          throw new NetworkError(`received ${this.received} bytes of ${this.size} announced`, this.received, { status: this.#status });
        }
        this.onBytes?.();
      } else {
        if (!ArrayBuffer.isView(value)) throw new TypeError('the chunks of the stream must be Uint8Arrays');
        if (value.length === 0) continue;
        this.received += value.length;
        this.onBytes?.();
        // A part of a larger buffer cannot be transferred by itself.
        const whole = this.#own && value.buffer instanceof ArrayBuffer && value.byteLength === value.buffer.byteLength;
        return whole ? (value as Uint8Array<ArrayBuffer>) : new Uint8Array(value);
      }
    }
    return undefined;
  }

  /** The source's next chunk. Where it comes too late, or not at all, the source is cancelled. */
  async #inTime(): Promise<ReadableStreamReadResult<Uint8Array>> {
    const { stallTimeout } = this;
    let timer: ReturnType<typeof setTimeout> | undefined;
    try {
      if (stallTimeout === undefined || stallTimeout > MOST_TIMEOUT) return await this.#source.read();
      return await new Promise((resolve, reject) => {
        timer = setTimeout(() => reject(new TimeoutError(`no byte arrived for ${stallTimeout} ms`)), stallTimeout);
        this.#source.read().then(resolve, reject);
      });
    } catch (error) {
      if (error instanceof TimeoutError) this.cancel(error);
      const { name, message } = (error ?? {}) as Partial<Error>;
      // What the caller has aborted, and what a stream of the caller's throws, stays as it is.
      if (name !== 'TypeError') throw error;
      const status = this.#status;
      throw new NetworkError(`the payload could not be read to its end: ${message}`, this.received, { cause: error, status });
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Reads a body in pieces that are not too long to wait behind each other, where the engine can. */
export function readBody(body: ReadableStream<Uint8Array<ArrayBuffer>>): ByteSource {
  let reader: ReadableStreamBYOBReader;
  try {
    reader = body.getReader({ mode: 'byob' });
  } catch {
    return body.getReader();
  }
  let spare: ArrayBuffer | undefined;
  return {
    async read() {
      const buffer = spare ?? new ArrayBuffer(PIECE_BYTES);
      spare = undefined;
      const { done, value } = await reader.read(new Uint8Array(buffer));
      if (done) return { done: true, value: undefined };
      if (value.length === PIECE_BYTES) return { done: false, value };
      spare = value.buffer;
      return { done: false, value: value.slice() };
    },
    cancel: (reason) => reader.cancel(reason),
  };
}

/**
 * What `Content-Length` says, where it speaks of the bytes that are read: not of a compressed body, nor of a response
 * from another origin, which may hide that it is compressed.
 */
export function announced({ headers, type }: Response): number {
  if ((type !== 'basic' && type !== 'default') || headers.has('content-encoding')) return 0;
  const length = Number(headers.get('content-length') ?? 0);
  return Number.isSafeInteger(length) && length > 0 ? length : 0;
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
