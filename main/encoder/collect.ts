import { Slicer } from '../slicing/slicer.ts';

type Chunk = Uint8Array<ArrayBuffer>;

/** One array of all chunks, copied in slices. The memory of each goes when it is copied, so that both are never there as a whole. */
export async function join(chunks: readonly Chunk[], signal?: AbortSignal): Promise<Chunk> {
  if (chunks.length === 1) return chunks[0]!;
  const slicer = new Slicer(signal);
  const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  slicer.begin();
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
    free(chunk);
    if (slicer.due()) await slicer.pause();
  }
  return bytes;
}

/**
 * Gives the memory of a chunk back at once: nobody else has it. A buffer that is sent to nobody goes; `transfer(0)` leaves what
 * a TextEncoder has written to until garbage is collected.
 */
export function free({ buffer }: Chunk): void {
  const { port1, port2 } = new MessageChannel();
  // Closes the other one, too. A message that is sent before stays in Chromium until garbage is collected.
  port2.close();
  port1.postMessage(0, [buffer]);
}
