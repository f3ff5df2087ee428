type Chunk = Uint8Array<ArrayBuffer>;

/** Receives bytes. Writing waits for the returned promise. */
export type Put = (chunk: Chunk) => Promise<void> | void;

/** Creates a stream of the bytes that `write` emits, as they are read. `unwanted` aborts once the rest is discarded. */
export function streamOf(write: (put: Put, unwanted: AbortSignal) => Promise<void>): ReadableStream<Chunk> {
  const { readable, writable } = new TransformStream<Chunk, Chunk>();
  const writer = writable.getWriter();
  const unwanted = new AbortController();
  writer.closed.catch((reason: unknown) => unwanted.abort(reason));
  void (async () => {
    try {
      await write((chunk) => writer.write(chunk), unwanted.signal);
      await writer.close();
    } catch (error) {
      await writer.abort(error).catch(() => {});
    }
  })();
  return readable;
}
