import { DecodeError, LimitError } from '../errors.ts';
import { Budget, type Limits } from '../limits.ts';

/** Compressed bytes that are worked off in one go: what they may give is bounded by the limit of expansion. */
const PIECE_BYTES = 16 * 1024;

interface Decompress {
  push(chunk: Uint8Array, final?: boolean): void;
}

/** Decompresses Zstandard (RFC 8878) piece by piece. Frames may follow one another; checksums are not looked at. */
export class ZstdUnpacker {
  readonly #decompress: Decompress;
  readonly #budget: Budget;
  readonly #ready: Uint8Array[] = [];
  #waiting: Uint8Array = new Uint8Array(0);
  /** Compressed bytes before those that wait. */
  #offset = 0;
  #ended = false;

  private constructor(make: (onData: (data: Uint8Array) => void) => Decompress, limits: Limits) {
    this.#budget = new Budget(limits);
    this.#decompress = make((data) => {
      if (data.length === 0) return;
      this.#budget.spend(data.length, this.#offset);
      this.#ready.push(data);
    });
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

  /** No more compressed bytes come. Throws where they end in the middle; what is left is given by `next`. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#push(this.#waiting, true);
    this.#waiting = new Uint8Array(0);
  }

  /** The next bytes; undefined where more has to be fed. */
  next(): Uint8Array | undefined {
    while (this.#ready.length === 0 && this.#waiting.length > 0) {
      // The library keeps what it has not used up.
      const piece = this.#waiting.slice(0, PIECE_BYTES);
      this.#waiting = this.#waiting.subarray(piece.length);
      this.#push(piece, false);
    }
    return this.#ready.shift();
  }

  #push(piece: Uint8Array, final: boolean): void {
    this.#budget.receive(piece.length);
    try {
      this.#decompress.push(piece, final);
    } catch (error) {
      if (error instanceof LimitError) throw error;
      const place = { offset: this.#offset };
      if (final) throw new DecodeError('truncated', 'the compressed payload ends in the middle of a Zstandard frame', place);
      throw new DecodeError('malformed', `invalid Zstandard data: ${(error as Error).message}`, place);
    }
    this.#offset += piece.length;
  }
}
