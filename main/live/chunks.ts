import type { DecodeSource } from '../decoder/options/options.ts';
import { SourceInput } from '../input/source-input.ts';
import { notASource } from '../input/sources.ts';

/** A source of text or bytes, cut anywhere. A `Response` or a stream is consumed. */
export type ChunkSource = DecodeSource | ReadableStream<string | Uint8Array> | AsyncIterable<string | ArrayBufferView | ArrayBuffer>;

/** Options for reading a `ChunkSource`. */
export interface ChunkOptions {
  /** Milliseconds without a byte from a response or blob until reading rejects with a `TimeoutError`. Default: no limit. */
  stallTimeout?: number | undefined;
}

/** Chunks of a source, until it ends or `signal` aborts, which cancels it. */
export async function* chunksOf(
  source: ChunkSource,
  { stallTimeout }: ChunkOptions,
  signal: AbortSignal,
): AsyncGenerator<string | ArrayBufferView | ArrayBuffer, void> {
  if (typeof (source as Partial<ReadableStream>).getReader === 'function') {
    const reader = (source as ReadableStream<string | Uint8Array>).getReader();
    signal.addEventListener('abort', () => void reader.cancel(signal.reason).catch(() => {}));
    for (;;) {
      const { done, value } = await reader.read();
      if (done || signal.aborted) return;
      yield value;
    }
  } else if (typeof (source as Partial<AsyncIterable<unknown>>)[Symbol.asyncIterator] === 'function') {
    const iterator = (source as AsyncIterable<string | Uint8Array>)[Symbol.asyncIterator]();
    signal.addEventListener('abort', () => void iterator.return?.()?.catch(() => {}));
    for (;;) {
      const { done, value } = await iterator.next();
      if (done || signal.aborted) return;
      yield value;
    }
  } else {
    if (typeof source === 'string') throw notASource(source, 'a Response, a stream or an async iterable of text or bytes');
    const input = new SourceInput(source as DecodeSource, { stallTimeout }, () => 0);
    signal.addEventListener('abort', () => input.cancel(signal.reason));
    for (let chunk = await input.next(); chunk; chunk = await input.next()) yield chunk;
  }
}
