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

/** Opens a source, which `signal` cancels from now on. Returns its chunks, until it ends or `signal` aborts. */
export function chunksOf(source: ChunkSource, options: ChunkOptions, signal: AbortSignal): AsyncGenerator<string | Uint8Array, void> {
  return chunksFrom(nextOf(source as AsyncIterable<unknown>, signal) ?? nextBytes(source, options, signal), signal);
}

async function* chunksFrom(next: () => Promise<Read<unknown>>, signal: AbortSignal): AsyncGenerator<string | Uint8Array, void> {
  for (let read = await next(); !read.done && !signal.aborted; read = await next()) {
    yield typeof read.value === 'string' ? read.value : bytesFrom(read.value, 'chunks of text or bytes');
  }
}

function nextBytes(source: ChunkSource, { stallTimeout }: ChunkOptions, signal: AbortSignal): () => Promise<Read<Uint8Array>> {
  if (typeof source === 'string') throw notASource(source, 'a Response, a stream or an async iterable of text or bytes');
  const input = new SourceInput(source as DecodeSource, { stallTimeout }, () => 0);
  onAbort(signal, () => input.cancel(signal.reason));
  return async () => {
    const value = await input.next();
    return value ? { value } : { done: true };
  };
}

/** Returns a function that reads the next item of a stream or an iterable, which `signal` cancels; undefined for other sources. */
export function nextOf<T>(source: ReadableStream<T> | AsyncIterable<T>, signal: AbortSignal): (() => Promise<Read<T>>) | undefined {
  const onStop = (cancel: () => Promise<unknown> | undefined): void => onAbort(signal, () => void cancel()?.catch(() => {}));
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

/** Calls a function once a signal aborts, which may have been before. */
function onAbort(signal: AbortSignal, step: () => void): void {
  if (signal.aborted) step();
  else signal.addEventListener('abort', step);
}
