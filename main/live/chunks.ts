import { bytesFrom, notASource } from '../../core/bytes/bytes-in.ts';
import { nextOf, onAbort, type Read } from '../../core/messages/next-item.ts';
import type { DecodeSource } from '../call/options/options.ts';
import { SourceInput } from '../call/input/source-input.ts';

/** A source of text or bytes, cut anywhere. A `Response` or a stream is consumed. */
export type ChunkSource = DecodeSource | ReadableStream<string | Uint8Array> | AsyncIterable<string | ArrayBufferView | ArrayBuffer>;

/** Options for reading a `ChunkSource`. */
export interface ChunkOptions {
  /** Milliseconds without a byte from a response or blob until reading rejects with a `TimeoutError`. Default: no limit. */
  stallTimeout?: number | undefined;
}

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
