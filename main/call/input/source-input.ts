import { announced, ByteInput, type ByteSource, readBody } from '../../../core/bytes/byte-input.ts';
import { detached, notASource } from '../../../core/bytes/bytes-in.ts';
import type { DecodeProgress, DecodeSource } from '../options/options.ts';
import type { WorkerInput } from '../../pool/task.ts';
import { bytesOf, iterate, requestEnds } from './sources.ts';

/** Bytes of a buffer copied in one step, if it is read as a stream. */
const PIECE_BYTES = 256 * 1024;

/** Options for reading a source. */
export interface InputOptions {
  /** Milliseconds without a byte after which reading fails. */
  stallTimeout?: number | undefined;
  onProgress?: ((progress: DecodeProgress) => void) | undefined;
  /** True if the chunks of a stream may be transferred. */
  transfer?: boolean | undefined;
}

/** The bytes of a source as they arrive. */
export class SourceInput extends ByteInput implements WorkerInput {
  readonly #end: ((reason: unknown) => void) | undefined;

  /** `rows` returns the number of rows decoded so far, for `onProgress`. */
  constructor(source: DecodeSource, { stallTimeout, onProgress, transfer }: InputOptions = {}, rows?: () => number) {
    const { from, size, own, status } = open(source);
    super(from, { size, own: own || transfer === true, status, stallTimeout });
    this.#end = requestEnds.get(source);
    if (onProgress) this.onBytes = () => onProgress(this.#progress(rows!()));
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

/** Throws if a call has ended before its source is opened, which is cancelled: a body would keep its connection. */
export function checkBeforeOpening(operation: { check(): void }, source: DecodeSource): void {
  try {
    operation.check();
  } catch (reason) {
    try {
      new SourceInput(source).cancel(reason);
    } catch {
      // It is not a source, or someone else reads it.
    }
    throw reason;
  }
}

/** Opens a source for reading. */
function open(source: DecodeSource): { from: ByteSource; size: number; own: boolean; status?: number } {
  const bytes = bytesOf(source);
  if (bytes) return { from: pieces(bytes), size: bytes.length, own: true };
  const { body, url, status } = source as Response;
  const response = body === null || typeof body?.getReader === 'function';
  const blob = !response && typeof (source as Blob | undefined)?.stream === 'function';
  const stream = response ? body : blob ? (source as Blob).stream() : (source as ReadableStream<Uint8Array>);
  if (response && (source as Response).bodyUsed) throw new TypeError('the body of the response was already read');
  const reader = (): ByteSource => (response ? readBody(body as ReadableStream<Uint8Array<ArrayBuffer>>) : stream!.getReader());
  const from = stream === null ? pieces(new Uint8Array(0)) : typeof stream?.getReader === 'function' ? reader() : iterate(source);
  if (!from) throw notASource(source);
  return {
    from,
    size: blob ? (source as Blob).size : response ? announced(source as Response) : 0,
    // The chunks of a response that was not fetched may be in use elsewhere, such as in its clone.
    own: blob || (response && !!url),
    status,
  };
}

/** A payload whose bytes are all in memory. */
export interface MemoryBytes {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Its format, for errors. */
  readonly format?: string | undefined;
}

/** Copies a payload piece by piece. Throws a DecodeError if its buffer was detached since the first piece. */
export function* copies({ bytes, format }: MemoryBytes, size: number): Generator<Uint8Array<ArrayBuffer>, void> {
  const { length } = bytes;
  for (let at = 0; at < length; at += size) {
    if (bytes.length !== length) throw detached(format);
    yield bytes.slice(at, at + size);
  }
}

/** Reads a buffer as copies of its bytes, piece by piece. */
function pieces(bytes: Uint8Array<ArrayBuffer>): ByteSource {
  const all = copies({ bytes }, PIECE_BYTES);
  return { read: async () => all.next() as ReadableStreamReadResult<Uint8Array>, cancel: async () => {} };
}
