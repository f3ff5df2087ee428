import { align, blockHead, blockParts, HEADER_BYTES, incomplete } from '../../core/block/block-file.ts';
import { NetworkError } from '../../core/errors.ts';
import { Slicer } from '../slicing/slicer.ts';
import { roomFor } from './room.ts';

/**
 * The parts of a serialised block (`core/block/block-file.ts`) in a response, each in a buffer of its own. `arrayBuffer()`
 * would give the same bytes later, and join them in one long task. Throws a DecodeError where the bytes are no such block.
 */
export async function* readBlock({ body, status }: Response): AsyncGenerator<ArrayBuffer, void> {
  const source = new ByteSource(body!, status);
  try {
    const first = await source.read(HEADER_BYTES);
    const index = await source.read(blockHead(first) - HEADER_BYTES);
    const head = new Uint8Array(HEADER_BYTES + index.byteLength);
    head.set(new Uint8Array(first));
    head.set(new Uint8Array(index), HEADER_BYTES);
    // Up to where the next begins: a part is followed by less than 8 bytes that mean nothing.
    for (const { length } of blockParts(head.buffer, Infinity)) yield await source.read(align(length));
  } finally {
    source.cancel();
  }
}

/** Reads so many bytes at a time of a stream, where the browser can, straight into their place. */
class ByteSource {
  received = 0;
  readonly #byob: ReadableStreamBYOBReader | undefined;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  readonly #slicer = new Slicer();
  readonly #status: number;
  /** What was read and not asked for, where the browser says how much it reads. */
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
      // What has come already is read without a break.
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
      throw new NetworkError(`the response broke off: ${(error as Partial<Error> | undefined)?.message}`, this.received, {
        cause: error,
        status: this.#status,
      });
    }
  }
}
