import type { DecodeProgress } from '../decoder/options.ts';
import type { ChunkInput } from '../pool/call.ts';

/** How an input is read. */
export interface InputOptions {
  /** Milliseconds without a byte after which reading fails. */
  stallTimeout?: number | undefined;
  onProgress?: ((progress: DecodeProgress) => void) | undefined;
  /** The chunks of a stream, or the buffer, may be transferred away. */
  transfer?: boolean | undefined;
}

/** The bytes of a payload as they come, before it is known how they are decoded. */
export interface PayloadInput extends ChunkInput {
  /** Bytes that have come. */
  readonly received: number;
  /** All bytes have come. */
  readonly ended: boolean;
  next(): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /** Reads ahead: the first bytes, at least so many unless there are fewer. */
  head(bytes: number): Promise<Uint8Array<ArrayBuffer>>;
}

/** How far an input has come. */
export function progressOf({ received, size, ended, rows }: PayloadInput): DecodeProgress {
  const percent = ended ? 1 : size > 0 ? Math.min(received / size, 1) : 0;
  return { percent, transferredBytes: received, totalBytes: ended ? received : size, rows: rows() };
}
