import { DecodeError, LimitError } from '../../errors.ts';
import { Budget } from '../../budget.ts';
import type { Limits } from '../../limits.ts';
import { type MakeDecompress, ZstdFrames } from './frames.ts';

/** Compressed bytes that are worked off in one go: what they may give is bounded by the limit of expansion. */
const PIECE_BYTES = 16 * 1024;

/** Decompresses Zstandard (RFC 8878) piece by piece. Frames may follow one another; checksums are not looked at. */
export class ZstdUnpacker {
  readonly #frames: ZstdFrames;
  readonly #budget: Budget;
  readonly #longest: number;
  readonly #ready: Uint8Array[] = [];
  #waiting: Uint8Array = new Uint8Array(0);
  /** Compressed bytes before those that wait. */
  #offset = 0;

  private constructor(make: MakeDecompress, limits: Limits) {
    const budget = new Budget(limits);
    this.#budget = budget;
    this.#longest = limits.inputLength;
    this.#frames = new ZstdFrames(
      make,
      (data) => {
        budget.spendInput(data.length, this.#offset);
        this.#ready.push(data);
      },
      (bytes) => budget.spendBytes(bytes, this.#offset),
    );
  }

  /** Loads the library that decompresses. */
  static async load(limits: Limits): Promise<ZstdUnpacker> {
    const { Decompress } = await import('fzstd');
    return new ZstdUnpacker((onData) => new Decompress(onData), limits);
  }

  /** Takes more compressed bytes; `next` must have given undefined. The chunk is kept until it does so again. */
  feed(chunk: Uint8Array): void {
    this.#waiting = chunk;
  }

  /** No more compressed bytes come; `next` must have given undefined. Throws where they end in the middle. */
  end(): void {
    if (this.#frames.whole) return;
    throw new DecodeError('truncated', 'the compressed payload ends in the middle of a Zstandard frame', { offset: this.#offset });
  }

  /** The next bytes; undefined where more has to be fed. */
  next(): Uint8Array | undefined {
    while (this.#ready.length === 0 && this.#waiting.length > 0) {
      const piece = this.#waiting.subarray(0, PIECE_BYTES);
      this.#waiting = this.#waiting.subarray(piece.length);
      this.#push(piece);
    }
    return this.#ready.shift();
  }

  #push(piece: Uint8Array): void {
    this.#budget.receive(piece.length);
    if (this.#offset + piece.length > this.#longest) {
      throw new LimitError('inputLength', `inputLength limit exceeded (${this.#longest})`, { offset: this.#longest });
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
