import { DecodeError, LimitError } from '../../errors.ts';
import { Budget } from '../../budget.ts';
import type { Limits } from '../../limits.ts';
import { type MakeDecompress, ZstdFrames } from './frames.ts';

/** Compressed bytes processed at a time; the expansion limit bounds their output. */
const PIECE_BYTES = 16 * 1024;

/** Decompresses Zstandard (RFC 8878) piece by piece. Frames may follow one another; checksums are not verified. */
export class ZstdUnpacker {
  readonly #frames: ZstdFrames;
  readonly #budget: Budget;
  readonly #longest: number;
  readonly #ready: Uint8Array[] = [];
  #waiting: Uint8Array = new Uint8Array(0);
  /** Compressed bytes processed so far. */
  #offset = 0;

  private constructor(make: MakeDecompress, limits: Limits) {
    const budget = new Budget(limits);
    this.#budget = budget;
    this.#longest = limits.bytes;
    this.#frames = new ZstdFrames(
      make,
      (data) => {
        budget.spendInput(data.length, this.#offset);
        this.#ready.push(data);
      },
      (bytes) => budget.spendBytes(bytes, this.#offset),
    );
  }

  /** Loads the decompression library. */
  static async load(limits: Limits): Promise<ZstdUnpacker> {
    const { Decompress } = await import('fzstd');
    return new ZstdUnpacker((onData) => new Decompress(onData), limits);
  }

  /** Adds compressed bytes. `next` must have returned undefined before; the chunk is used until it does so again. */
  feed(chunk: Uint8Array): void {
    this.#waiting = chunk;
  }

  /** Ends the input. `next` must have returned undefined before. Throws if the input ends inside a frame. */
  end(): void {
    if (this.#frames.isBetweenFrames) return;
    throw new DecodeError('truncated', 'the compressed payload ends in the middle of a Zstandard frame', { offset: this.#offset });
  }

  /** The next decompressed bytes; undefined if more input is needed. */
  next(): Uint8Array | undefined {
    while (this.#ready.length === 0 && this.#waiting.length > 0) {
      const piece = this.#waiting.subarray(0, PIECE_BYTES);
      this.#waiting = this.#waiting.subarray(piece.length);
      this.#push(piece);
    }
    return this.#ready.shift();
  }

  #push(piece: Uint8Array): void {
    this.#budget.receive(this.#offset + piece.length);
    if (this.#offset + piece.length > this.#longest) {
      throw new LimitError('bytes', `bytes limit exceeded (${this.#longest})`, { offset: this.#longest });
    }
    try {
      this.#frames.push(piece);
    } catch (error) {
      if (error instanceof LimitError) throw error;
      throw new DecodeError('malformed', `invalid Zstandard data: ${(error as Error).message}`, { offset: this.#offset });
    }
    this.#offset += piece.length;
  }
}
