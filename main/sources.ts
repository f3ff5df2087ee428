import { DecodeError } from '../worker/errors.ts';
import type { Core } from './core.ts';
import type { DecodeOptions, DecodeSource } from './options.ts';
import type { ChunkInput } from './worker-call.ts';

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

/** What a source is compressed with, as the caller or its media type says. */
export function compressionOf(source: DecodeSource, { compression }: DecodeOptions): 'zstd' | undefined {
  const type = (source as Partial<Response>).headers?.get('content-type') ?? (source as Partial<Blob>).type;
  return compression ?? (type === 'application/zstd' ? 'zstd' : undefined);
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

/**
 * Whether a source that is no buffer is to be decoded while it comes: one that is not known to be small, or a part of
 * what somebody wants to watch or to keep.
 */
export function isStreamed({ inlineBelow, options: { keepBodies } }: Core, source: DecodeSource, options: DecodeOptions): boolean {
  if (options.onProgress || options.stallTimeout !== undefined || compressionOf(source, options)) return true;
  if (keepBodies || options.route === 'inline' || inlineBelow === Infinity || typeof (source as Blob).size === 'number') return false;
  const { headers } = source as Partial<Response>;
  const length = headers?.get('content-length');
  return !length || Number(length) >= inlineBelow;
}

/** Reads a source that is no buffer to its end. */
export async function readSource(source: Exclude<DecodeSource, ArrayBufferLike | ArrayBufferView>): Promise<SourceBytes> {
  if (typeof (source as Blob | undefined)?.arrayBuffer === 'function') {
    return { bytes: new Uint8Array(await (source as Blob | Response).arrayBuffer()), own: true };
  }
  if (typeof (source as ReadableStream | undefined)?.getReader === 'function') {
    return { bytes: new Uint8Array(await new Response(source as ReadableStream).arrayBuffer()), own: true };
  }
  throw new TypeError('What is to be decoded must be an ArrayBuffer, a view of one, a Blob, a Response or a ReadableStream');
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
