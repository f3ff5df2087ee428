import { DecodeError } from '../../worker/errors.ts';
import type { DecodeSource } from '../decoder/options.ts';
import type { ChunkInput } from '../pool/call.ts';

/** The payload's bytes, and whether they are the decoder's own, to do with as it likes. */
export interface SourceBytes {
  bytes: Uint8Array<ArrayBuffer>;
  own: boolean;
}

/** Ends the request that a response of `decoder.fetch` belongs to: not every engine does when its body is cancelled. */
export const requestEnds = new WeakMap<object, (reason: unknown) => void>();

/** What goes to a worker: the bytes, or what they come from, in which case `bytes` are the first of them. */
export interface Payload extends SourceBytes {
  input?: ChunkInput | undefined;
  /** What the input is compressed with; `bytes` are not. */
  compression?: 'zstd' | undefined;
}

/** The bytes of a buffer or view as they lie there; undefined for other sources. Throws where they are detached. */
export function bytesOf(source: DecodeSource): Uint8Array<ArrayBuffer> | undefined {
  let bytes: Uint8Array;
  if (ArrayBuffer.isView(source)) {
    if (source.byteLength === 0) assertAttached(source.buffer);
    bytes = new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
  } else if (isBuffer(source)) {
    assertAttached(source);
    bytes = new Uint8Array(source);
  } else {
    return undefined;
  }
  return isPrivate(bytes) ? bytes : bytes.slice();
}

/** The error for a buffer that was transferred away. */
export function detached(format?: string): DecodeError {
  return new DecodeError('detached', 'the buffer is detached: it was transferred away', { format });
}

/** Also for buffers of another realm. */
function isBuffer(source: unknown): source is ArrayBufferLike {
  return source instanceof ArrayBuffer || /^\[object (Shared)?ArrayBuffer\]$/.test(Object.prototype.toString.call(source));
}

/** Shared memory, which a page may have without the class, may change while it is read. */
function isPrivate(bytes: Uint8Array): bytes is Uint8Array<ArrayBuffer> {
  const { buffer } = bytes;
  return buffer instanceof ArrayBuffer || Object.prototype.toString.call(buffer) === '[object ArrayBuffer]';
}

function assertAttached(buffer: ArrayBufferLike): void {
  if (buffer.byteLength > 0) return;
  try {
    // A detached buffer takes no view.
    void new Uint8Array(buffer);
  } catch {
    throw detached();
  }
}
