import { joined } from '../core/bytes/byte-input.ts';
import { DecodeError } from '../core/errors.ts';
import type { ZstdUnpacker } from '../core/bytes/zstd/zstd.ts';

/** Chunks that wait are decoded together, up to this many bytes: each by itself takes a turn, and few rows. */
const JOINED_BYTES = 256 * 1024;

/** The bytes of a job: chunks as they come, and out of them what they were compressed from. */
export class JobInput {
  /** Decompresses the chunks. */
  unpacker: ZstdUnpacker | undefined;
  /** Bytes that wait to be decoded. */
  left = 0;
  readonly #taken: (chunks: number) => void;
  readonly #chunks: Uint8Array<ArrayBuffer>[] = [];
  #ended = false;
  #failed = false;
  #wake: (() => void) | undefined;

  /** `taken` is called when so many chunks are taken and more may come. */
  constructor(taken: (chunks: number) => void) {
    this.#taken = taken;
  }

  /** Nothing comes after the chunk that was given last. */
  get whole(): boolean {
    return this.#ended && this.#chunks.length === 0 && !this.unpacker;
  }

  /** Takes a chunk. */
  add(chunk: Uint8Array<ArrayBuffer>): void {
    this.#chunks.push(chunk);
    this.left += chunk.length;
    this.wake();
  }

  /** No more chunks come. */
  end(): void {
    this.#ended = true;
    this.wake();
  }

  /** No more chunks come, though the input has not ended. */
  fail(): void {
    this.#failed = true;
    this.wake();
  }

  /** Something has happened: lets `message` go on. */
  wake(): void {
    this.#wake?.();
  }

  /** Lets go of what has come: nothing more is wanted. */
  drop(): void {
    this.#chunks.length = 0;
  }

  /**
   * The next bytes to decode, when they are there; undefined after the last. Where none are there, `wait` is awaited until
   * there are; it resolves after something has happened. `received` is how many have been decoded.
   */
  async next(received: number, wait: () => Promise<void>): Promise<Uint8Array | undefined> {
    const { unpacker } = this;
    if (!unpacker) return await this.#next(received, wait);
    for (let ended = false; ;) {
      const bytes = unpacker.next();
      if (bytes) this.left += bytes.length;
      if (bytes || ended) return bytes;
      const chunk = await this.#next(received, wait);
      if (chunk) {
        this.left -= chunk.length;
        unpacker.feed(chunk);
      } else {
        unpacker.end();
        ended = true;
      }
    }
  }

  async #next(received: number, wait: () => Promise<void>): Promise<Uint8Array | undefined> {
    while (this.#chunks.length === 0 && !this.#ended) {
      if (this.#failed) throw new DecodeError('truncated', 'the input broke off', { offset: received });
      await wait();
    }
    const chunks = this.#chunks;
    if (chunks.length === 0) return undefined;
    let count = 1;
    for (let bytes = chunks[0]!.length; count < chunks.length; count += 1) {
      bytes += chunks[count]!.length;
      if (bytes > JOINED_BYTES) break;
    }
    const chunk = joined(chunks.splice(0, count));
    if (!this.#ended) this.#taken(count);
    return chunk;
  }

  /** Resolves to true when something happens, or to false after some milliseconds. */
  async message(patience?: number): Promise<boolean> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const came = await new Promise<boolean>((resolve) => {
      this.#wake = () => resolve(true);
      if (patience !== undefined) timer = setTimeout(() => resolve(false), patience);
    });
    this.#wake = undefined;
    clearTimeout(timer);
    return came;
  }
}
