import { DecodeError } from '../errors.ts';

/**
 * The bytes of a buffer or of a view of one, also of another realm; undefined for other values. Without a copy, unless the memory is
 * shared or resizable: it may change while it is read, and Chromium's TextDecoder refuses it. Throws a DecodeError for a detached
 * buffer.
 */
export function bytesIn(source: unknown): Uint8Array<ArrayBuffer> | undefined {
  // Most sources are ready. A subclass, such as Node's Buffer, has methods of its own.
  if (source instanceof Uint8Array && source.constructor === Uint8Array && source.length > 0 && isPlain(source)) return source;
  const isView = ArrayBuffer.isView(source);
  if (!isView && !isBuffer(source)) return undefined;
  let bytes: Uint8Array;
  try {
    bytes = isView ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength) : new Uint8Array(source);
  } catch {
    throw detached();
  }
  return isPlain(bytes) ? bytes : bytes.slice();
}

/** The same; throws a TypeError that names a value without bytes. */
export function bytesFrom(source: unknown, expected: string): Uint8Array<ArrayBuffer> {
  const bytes = bytesIn(source);
  if (!bytes) throw notASource(source, expected);
  return bytes;
}

/** The error for a detached buffer. */
export function detached(format?: string): DecodeError {
  return new DecodeError('detached', 'the buffer is detached: it was transferred before', { format });
}

/** The error for a value that is no source of bytes. */
export function notASource(value: unknown, expected = 'bytes, a Blob, a Response, or a stream or iterator of bytes'): TypeError {
  return new TypeError(`cannot decode ${kindOf(value)}: expected ${expected}`);
}

function kindOf(value: unknown): string {
  if ((value as Partial<Promise<unknown>> | null)?.then) return 'a Promise (await it first)';
  if (typeof value === 'string') return 'a string (use TextEncoder)';
  return typeof value === 'object' && value ? `an object (${value.constructor?.name})` : String(value);
}

/** True for buffers. */
function isBuffer(source: unknown): source is ArrayBufferLike {
  return /^\[object (Shared)?ArrayBuffer\]$/.test(nameOf(source));
}

/** False for shared memory, which a page may have without the class, and for resizable memory. */
function isPlain(bytes: Uint8Array): bytes is Uint8Array<ArrayBuffer> {
  const { buffer } = bytes as { readonly buffer: ArrayBufferLike & { readonly resizable?: boolean } };
  return (buffer instanceof ArrayBuffer || nameOf(buffer) === '[object ArrayBuffer]') && !buffer.resizable;
}

/** `[object …]` with the name of a value's class, also of another realm. */
function nameOf(value: unknown): string {
  return Object.prototype.toString.call(value);
}
