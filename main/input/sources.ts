import { DecodeError } from '../../core/errors.ts';
import type { DecodeSource } from '../decoder/options/options.ts';

/** Ends the request that a response of `decoder.fetch` belongs to: not every engine does when its body is cancelled. */
export const requestEnds = new WeakMap<object, (reason: unknown) => void>();

/** The bytes of a buffer or view as they lie there; undefined for other sources. Throws if they are detached, or
 * there are none. */
export function bytesOf(source: DecodeSource): Uint8Array<ArrayBuffer> | undefined {
  let bytes: Uint8Array;
  if (ArrayBuffer.isView(source)) {
    if (source.byteLength === 0) assertAttached(source.buffer);
    bytes = new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
  } else if (isBuffer(source)) {
    assertAttached(source);
    bytes = new Uint8Array(source);
  } else {
    if (typeof source !== 'object' || source === null) throw notASource(source);
    return undefined;
  }
  return isPrivate(bytes) ? bytes : bytes.slice();
}

/** The error for a buffer that was transferred away. */
export function detached(format?: string): DecodeError {
  return new DecodeError('detached', 'the buffer is detached: it was transferred before', { format });
}

/** The error for a value that no bytes can be read from. */
export function notASource(value: unknown, expected = 'an ArrayBuffer, a view of one, a Blob, a Response or a ReadableStream'): TypeError {
  return new TypeError(`cannot decode ${kindOf(value)}: expected ${expected}`);
}

function kindOf(value: unknown): string {
  if (value instanceof Promise) return 'a Promise (await it first)';
  if (typeof value === 'string') return 'a string';
  return typeof value === 'object' && value ? `an object (${value.constructor?.name})` : String(value);
}

/** The URL that a response came from. */
export function urlOf(source: DecodeSource): string | undefined {
  return (source as Partial<Response> | undefined)?.url || undefined;
}

/** The media type of a response or a blob. */
export function mediaTypeOf(source: DecodeSource): string | null | undefined {
  const { headers, type } = (source ?? {}) as Partial<Response> & Partial<Blob>;
  return headers ? headers.get('content-type') : type;
}

/** Also for buffers of another realm. */
export function isBuffer(source: unknown): source is ArrayBufferLike {
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
