import { free } from './collect.ts';
import type { ChunkSource } from './slices.ts';

type Chunk = Uint8Array<ArrayBuffer>;
type Controller = ReadableStreamDefaultController<Chunk> | ReadableByteStreamController;

/**
 * A stream of a source that is opened when it is first read from, or where `opensToCancel` says so, when it is cancelled. A
 * reader gets the chunks; one with memory of its own (`getReader({ mode: 'byob' })`) has the bytes copied there, and the
 * memory of each chunk is given back at once. Engines without byte streams (Safari before 26.4) only give chunks.
 */
export function byteStream(open: () => Promise<ChunkSource>, opensToCancel?: boolean): ReadableStream<Chunk> {
  let source: Promise<ChunkSource> | undefined;
  /** What has not been read of the last chunk. */
  let rest: Chunk | undefined;
  const opened = (): Promise<ChunkSource> => (source ??= open());
  return new ReadableStream<Chunk>(
    {
      type: typeof ReadableByteStreamController === 'function' ? ('bytes' as never) : undefined,
      async pull(controller: Controller) {
        const chunks = await opened();
        // A stream of bytes takes no empty chunk.
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
        // One that cannot be opened has nothing to cancel.
        const chunks = await (opensToCancel ? opened() : source)?.catch(() => undefined);
        await chunks?.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
