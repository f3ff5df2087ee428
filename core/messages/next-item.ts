/** An item of a stream or an iterable, or its end. */
export type Read<T> = { readonly done?: false; readonly value: T } | { readonly done: true };

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
export function onAbort(signal: AbortSignal, step: () => void): void {
  if (signal.aborted) step();
  else signal.addEventListener('abort', step);
}
