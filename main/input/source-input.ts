import { announced, ByteInput, type ByteSource, readBody } from '../../core/bytes/byte-input.ts';
import type { DecodeProgress, DecodeSource } from '../decoder/options/options.ts';
import type { WorkerInput } from '../pool/task.ts';
import { copies } from './memory-input.ts';
import { bytesOf, notASource, requestEnds } from './sources.ts';

/** Bytes of a buffer that are copied at once, where it is read as if it came in pieces. */
const PIECE_BYTES = 256 * 1024;

/** How a source is read. */
export interface InputOptions {
  /** Milliseconds without a byte after which reading fails. */
  stallTimeout?: number | undefined;
  onProgress?: ((progress: DecodeProgress) => void) | undefined;
  /** The chunks of a stream may be transferred away. */
  transfer?: boolean | undefined;
}

/** The bytes of a source as they come. */
export class SourceInput extends ByteInput implements WorkerInput {
  readonly #end: ((reason: unknown) => void) | undefined;

  /** `rows` tells how many rows have been decoded so far, for who watches. */
  constructor(source: DecodeSource, { stallTimeout, onProgress, transfer }: InputOptions, rows: () => number) {
    const { from, size, own, status } = open(source);
    super(from, { size, own: own || transfer === true, status, stallTimeout });
    this.#end = requestEnds.get(source);
    if (onProgress) this.onBytes = () => onProgress(this.#progress(rows()));
  }

  override cancel(reason: unknown): void {
    if (!this.ended) this.#end?.(reason);
    super.cancel(reason);
  }

  #progress(rows: number): DecodeProgress {
    const { received, size, ended } = this;
    const percent = ended ? 1 : size > 0 ? Math.min(received / size, 1) : 0;
    return { percent, transferredBytes: received, totalBytes: ended ? received : size, rows };
  }
}

/** What a source is read from, and how. */
function open(source: DecodeSource): { from: ByteSource; size: number; own: boolean; status?: number } {
  const bytes = bytesOf(source);
  if (bytes) return { from: pieces(bytes), size: bytes.length, own: true };
  const { body } = source as Response;
  const response = body === null || typeof body?.getReader === 'function';
  const blob = !response && typeof (source as Blob | undefined)?.stream === 'function';
  const stream = response ? body : blob ? (source as Blob).stream() : (source as ReadableStream<Uint8Array>);
  if (stream !== null && typeof stream?.getReader !== 'function') throw notASource(source);
  if (response && (source as Response).bodyUsed) throw new TypeError('the body of the response was already read');
  const reader = (): ByteSource => (response ? readBody(body as ReadableStream<Uint8Array<ArrayBuffer>>) : stream!.getReader());
  return {
    from: stream === null ? pieces(new Uint8Array(0)) : reader(),
    size: blob ? (source as Blob).size : response ? announced(source as Response) : 0,
    own: response || blob,
    status: (source as Response).status,
  };
}

/** Copies of a buffer's bytes, piece by piece. */
function pieces(bytes: Uint8Array<ArrayBuffer>): ByteSource {
  const all = copies({ bytes }, PIECE_BYTES);
  return {
    read: async () => {
      const value = all.next().value ?? undefined;
      return value ? { done: false, value } : { done: true, value: undefined };
    },
    cancel: async () => {},
  };
}
