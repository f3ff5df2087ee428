import { free } from './collect.ts';
import type { ChunkSource } from './encode-slices.ts';

type Chunk = Uint8Array<ArrayBuffer>;
type Controller = ReadableStreamDefaultController<Chunk> | ReadableByteStreamController;

/**
 * Creates a stream of a source, which is opened on the first read, or, if `opensToCancel` is set, on cancellation.
 * Readers receive the chunks. For a reader with its own buffer (`getReader({ mode: 'byob' })`), the bytes are copied
 * there and each chunk's memory is released immediately. Engines without byte streams (Safari before 26.4) only deliver
 * chunks.
 */
export function byteStream(open: () => Promise<ChunkSource>, opensToCancel?: boolean): ReadableStream<Chunk> {
  let source: Promise<ChunkSource> | undefined;
  /** Unread rest of the last chunk. */
  let rest: Chunk | undefined;
  const opened = (): Promise<ChunkSource> => (source ??= open());
  return new ReadableStream<Chunk>(
    {
      type: typeof ReadableByteStreamController === 'function' ? ('bytes' as never) : undefined,
      async pull(controller: Controller) {
        const chunks = await opened();
        // Byte streams reject empty chunks.
        while (!rest?.length) if ((rest = await chunks.next()) === undefined) break;
        const request = (controller as Partial<ReadableByteStreamController>).byobRequest;
        if (rest === undefined) {
          controller.close();
          request?.respond(0);
        } else if (request) {
          const { buffer, byteOffset, byteLength } = request.view!;
          const length = Math.min(byteLength, rest.length);
          new Uint8Array(buffer, byteOffset).set(rest.subarray(0, length));
          rest = rest.subarray(length);
          if (rest.length === 0) free(rest);
          request.respond(length);
        } else {
          controller.enqueue(rest);
          rest = undefined;
        }
      },
      async cancel(reason) {
        // A source that failed to open has nothing to cancel.
        const chunks = await (opensToCancel ? opened() : source)?.catch(() => undefined);
        await chunks?.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
