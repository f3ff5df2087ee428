import { bytesFrom, notASource } from '../../core/bytes/bytes-in.ts';
import type { DecodeSource } from '../decoder/options/options.ts';
import { SourceInput } from '../input/source-input.ts';

/** A source of text or bytes, cut anywhere. A `Response` or a stream is consumed. */
export type ChunkSource = DecodeSource | ReadableStream<string | Uint8Array> | AsyncIterable<string | ArrayBufferView | ArrayBuffer>;

/** Options for reading a `ChunkSource`. */
export interface ChunkOptions {
  /** Milliseconds without a byte from a response or blob until reading rejects with a `TimeoutError`. Default: no limit. */
  stallTimeout?: number | undefined;
}

/** An item of a stream or an iterable, or its end. */
type Read<T> = { readonly done?: false; readonly value: T } | { readonly done: true };

/** Chunks of a source, until it ends or `signal` aborts, which cancels it. */
export async function* chunksOf(source: ChunkSource, { stallTimeout }: ChunkOptions, signal: AbortSignal): AsyncGenerator<string | Uint8Array, void> {
  const next = nextOf(source as AsyncIterable<unknown>, signal);
  if (next) {
    for (let read = await next(); !read.done && !signal.aborted; read = await next()) {
      yield typeof read.value === 'string' ? read.value : bytesFrom(read.value, 'chunks of text or bytes');
    }
    return;
  }
  if (typeof source === 'string') throw notASource(source, 'a Response, a stream or an async iterable of text or bytes');
  const input = new SourceInput(source as DecodeSource, { stallTimeout }, () => 0);
  signal.addEventListener('abort', () => input.cancel(signal.reason));
  for (let chunk = await input.next(); chunk; chunk = await input.next()) yield chunk;
}

/** Returns a function that reads the next item of a stream or an iterable, which `signal` cancels; undefined for other sources. */
export function nextOf<T>(source: ReadableStream<T> | AsyncIterable<T>, signal: AbortSignal): (() => Promise<Read<T>>) | undefined {
  const onStop = (cancel: () => Promise<unknown> | undefined): void => signal.addEventListener('abort', () => void cancel()?.catch(() => {}));
  if (typeof (source as Partial<ReadableStream<T>>).getReader === 'function') {
    const reader = (source as ReadableStream<T>).getReader();
    onStop(() => reader.cancel(signal.reason));
    return () => reader.read();
  }
  const iterator = (source as Partial<AsyncIterable<T>>)[Symbol.asyncIterator]?.();
  if (!iterator) return undefined;
  onStop(() => iterator.return?.());
  return () => iterator.next() as Promise<Read<T>>;
}
