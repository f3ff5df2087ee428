import { align, blockHead, blockParts, HEADER_BYTES, incomplete } from '../../core/block/block-file.ts';
import { NetworkError } from '../../core/errors.ts';
import { Slicer } from '../../core/slicing/slicer.ts';
import { roomFor } from './room.ts';

/**
 * Yields the parts of a serialised block (`core/block/block-file.ts`) in a response, each in a buffer of its own.
 * `arrayBuffer()` would return the bytes later, and join them in a long task. Throws a DecodeError if the bytes are no
 * such block.
 */
export async function* readBlock({ body, status }: Response): AsyncGenerator<ArrayBuffer, void> {
  const source = new ByteSource(body!, status);
  try {
    const first = await source.read(HEADER_BYTES);
    const index = await source.read(blockHead(first) - HEADER_BYTES);
    const head = new Uint8Array(HEADER_BYTES + index.byteLength);
    head.set(new Uint8Array(first));
    head.set(new Uint8Array(index), HEADER_BYTES);
    // Includes the padding before the next part.
    for (const { length } of blockParts(head.buffer, Infinity)) yield await source.read(align(length));
  } finally {
    source.cancel();
  }
}

/** Reads an exact number of bytes from a stream, directly into the target buffer if the browser supports it. */
class ByteSource {
  received = 0;
  readonly #byob: ReadableStreamBYOBReader | undefined;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  readonly #slicer = new Slicer();
  readonly #status: number;
  /** Read-ahead: bytes read beyond the current request, without a BYOB reader. */
  #ahead: Uint8Array = new Uint8Array(0);

  constructor(body: ReadableStream<Uint8Array>, status: number) {
    this.#status = status;
    try {
      this.#byob = body.getReader({ mode: 'byob' });
    } catch {
      this.#reader = body.getReader();
    }
    this.#slicer.begin();
  }

  async read(length: number): Promise<ArrayBuffer> {
    let bytes = roomFor(length);
    for (let filled = 0; filled < length;) {
      if (filled === bytes.length) bytes = roomFor(length, bytes);
      let count: number;
      if (this.#byob) {
        const { value, done } = await this.#next(this.#byob.read(bytes.subarray(filled)));
        if (done) throw incomplete();
        count = value.length;
        bytes = new Uint8Array(value.buffer);
      } else {
        if (this.#ahead.length === 0) {
          const { value, done } = await this.#next(this.#reader!.read());
          if (done) throw incomplete();
          this.#ahead = value;
        }
        const piece = this.#ahead.subarray(0, bytes.length - filled);
        bytes.set(piece, filled);
        this.#ahead = this.#ahead.subarray(piece.length);
        count = piece.length;
      }
      filled += count;
      this.received += count;
      // Bytes that have already arrived are read without yielding.
      if (this.#slicer.due()) await this.#slicer.pause();
    }
    return bytes.buffer;
  }

  cancel(): void {
    (this.#byob ?? this.#reader!).cancel().catch(() => {});
  }

  async #next<Result>(reading: Promise<Result>): Promise<Result> {
    try {
      return await reading;
    } catch (error) {
      throw new NetworkError(`the response was interrupted: ${(error as Partial<Error> | undefined)?.message}`, this.received, {
        cause: error,
        status: this.#status,
      });
    }
  }
}
