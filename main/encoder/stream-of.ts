type Chunk = Uint8Array<ArrayBuffer>;

/** Takes the bytes that are written. Writing waits for what it returns. */
export type Put = (chunk: Chunk) => Promise<void> | void;

/** A stream of what `write` puts out, as it is read. The signal that `write` gets says that nobody wants the rest. */
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
