import type { ByteSource } from '../../../core/bytes/byte-input.ts';
import { bytesIn, notASource } from '../../../core/bytes/bytes-in.ts';
import type { DecodeSource } from '../options/options.ts';

/** Functions that end the request of a response of `decoder.fetch`: not every engine does when the body is cancelled. */
export const requestEnds = new WeakMap<object, (reason: unknown) => void>();

/** The bytes of a source that is a buffer or a view; undefined for other sources. Throws for detached buffers and for values that are no source. */
export function bytesOf(source: DecodeSource): Uint8Array<ArrayBuffer> | undefined {
  const bytes = bytesIn(source);
  if (!bytes && (typeof source !== 'object' || source === null)) throw notASource(source);
  return bytes;
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

/** The media type of a response or a blob. */
export function mediaTypeOf(source: DecodeSource): string | null | undefined {
  const { headers, type } = (source ?? {}) as Partial<Response> & Partial<Blob>;
  // Node's requests and responses have plain objects as headers.
  return headers ? (headers.get?.('content-type') ?? (headers as unknown as Record<string, string>)['content-type']) : type;
}
