import type { ByteSource } from '../../core/bytes/byte-input.ts';
import { DecodeError } from '../../core/errors.ts';
import type { DecodeSource } from '../decoder/options/options.ts';

/** Functions that end the request of a response of `decoder.fetch`: not every engine does when the body is cancelled. */
export const requestEnds = new WeakMap<object, (reason: unknown) => void>();

/** The bytes of a buffer or view, without a copy unless they are shared; undefined for other sources. Throws for detached buffers and for values that are no source. */
export function bytesOf(source: DecodeSource): Uint8Array<ArrayBuffer> | undefined {
  const isView = ArrayBuffer.isView(source);
  if (!isView && !isBuffer(source)) {
    if (typeof source !== 'object' || source === null) throw notASource(source);
    return undefined;
  }
  let bytes: Uint8Array;
  try {
    bytes = isView ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength) : new Uint8Array(source);
  } catch {
    throw detached();
  }
  return isPrivate(bytes) ? bytes : bytes.slice();
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

/** The methods of an iterator, an iterable, or a stream of Node. */
interface Sequence {
  readonly [Symbol.asyncIterator]?: unknown;
  readonly [Symbol.iterator]?: unknown;
  readonly next?: unknown;
  readonly destroy?: (this: unknown) => void;
}

/** Reads an iterator of chunks, such as a generator or one of Node's streams; undefined for other values. */
export function iterate(source: DecodeSource): ByteSource | undefined {
  const { [Symbol.asyncIterator]: later, [Symbol.iterator]: now, next, destroy } = source as unknown as Sequence;
  const begin = (later ?? (next && now)) as ((this: unknown) => AsyncIterator<Uint8Array, undefined>) | undefined;
  if (!begin) return undefined;
  const iterator = begin.call(source);
  const cancel = async (): Promise<void> => {
    // The iterator of a Node stream ends after the next chunk, which may never come.
    destroy?.call(source);
    await iterator.return?.();
  };
  return { read: async () => iterator.next(), cancel };
}

/** The URL of a response. */
export function urlOf(source: DecodeSource): string | undefined {
  return (source as Partial<Response> | undefined)?.url || undefined;
}

/** The media type of a response or a blob. */
export function mediaTypeOf(source: DecodeSource): string | null | undefined {
  const { headers, type } = (source ?? {}) as Partial<Response> & Partial<Blob>;
  // Node's requests and responses have plain objects as headers.
  return headers ? (headers.get?.('content-type') ?? (headers as unknown as Record<string, string>)['content-type']) : type;
}

/** True for buffers, those of another realm too. */
export function isBuffer(source: unknown): source is ArrayBufferLike {
  return /^\[object (Shared)?ArrayBuffer\]$/.test(nameOf(source));
}

/** False for shared memory, which may change while it is read, and which a page may have without the class. */
function isPrivate(bytes: Uint8Array): bytes is Uint8Array<ArrayBuffer> {
  return nameOf(bytes.buffer) === '[object ArrayBuffer]';
}

/** `[object …]` with the name of a value's class, also of another realm. */
function nameOf(value: unknown): string {
  return Object.prototype.toString.call(value);
}
