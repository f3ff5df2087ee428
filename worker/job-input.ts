import { joined } from '../core/bytes/byte-input.ts';
import { DecodeError } from '../core/errors.ts';
import type { ZstdUnpacker } from '../core/bytes/zstd/zstd.ts';

/** Maximum bytes of pending chunks that are decoded together: each chunk alone takes a slice and yields few rows. */
const JOINED_BYTES = 256 * 1024;

/** The input of a job: chunks as they arrive, decompressed if necessary. */
export class JobInput {
  /** Decompresses the chunks. */
  unpacker: ZstdUnpacker | undefined;
  /** Bytes not decoded yet. */
  left = 0;
  readonly #taken: (chunks: number) => void;
  readonly #chunks: Uint8Array<ArrayBuffer>[] = [];
  #ended = false;
  #failed = false;
  #wake: (() => void) | undefined;

  /** `taken` is called with the number of chunks taken, if more may come. */
  constructor(taken: (chunks: number) => void) {
    this.#taken = taken;
  }

  /** True if nothing follows the chunk returned last. */
  get isComplete(): boolean {
    return this.#ended && this.#chunks.length === 0 && !this.unpacker;
  }

  add(chunk: Uint8Array<ArrayBuffer>): void {
    this.#chunks.push(chunk);
    this.left += chunk.length;
    this.wake();
  }

  /** Ends the input. */
  end(): void {
    this.#ended = true;
    this.wake();
  }

  /** Ends the input early. */
  fail(): void {
    this.#failed = true;
    this.wake();
  }

  /** Resumes a pending call of `message`. */
  wake(): void {
    this.#wake?.();
  }

  /** Discards pending chunks. */
  drop(): void {
    this.#chunks.length = 0;
  }

  /**
   * The next bytes to decode, once they are available; undefined after the last. `wait` is awaited while there are
   * none; it resolves after any event. `received` is the number of bytes decoded so far.
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

  /** Resolves to true at the next event, or to false after `patience` milliseconds. */
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
