import { Compressor } from './compressor.ts';
import type { Compression } from './options.ts';
import { type RowsRequest, RowsWriter } from './rows/rows-writer.ts';
import type { ChunkSource } from './encode-slices.ts';

/** Workers of an encoder: one that compresses, and one that writes `Rows`. */
export class EncoderWorkers {
  readonly #compressor: Compressor;
  readonly #rows: RowsWriter;

  /** The signal ends both. Throws its reason if it has already aborted. */
  constructor(closed: AbortSignal, create?: () => Worker) {
    closed.throwIfAborted();
    this.#compressor = new Compressor(create);
    this.#rows = new RowsWriter(create);
    closed.addEventListener('abort', () => {
      this.#compressor.close();
      this.#rows.close();
    });
  }

  /** See `Compressor`. */
  compress(bytes: ChunkSource, format: Compression): ChunkSource {
    return this.#compressor.compress(bytes, format);
  }

  /** See `RowsWriter`. */
  write(request: RowsRequest): ChunkSource | undefined {
    return this.#rows.write(request);
  }
}
