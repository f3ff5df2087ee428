import { Slicer } from '../../core/slicing/slicer.ts';

type Chunk = Uint8Array<ArrayBuffer>;

/**
 * Joins chunks into one array, in slices. Releases each chunk once it is copied, so that memory never holds both
 * copies.
 */
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
 * Releases the memory of a chunk immediately, by transferring its buffer to a closed port. `transfer(0)` does not
 * release a buffer that a TextEncoder has written to until garbage collection.
 */
export function free({ buffer }: Chunk): void {
  // jsdom has no messages.
  if (typeof MessageChannel === 'undefined') return;
  const { port1, port2 } = new MessageChannel();
  // Also closes `port1`. Chromium keeps messages sent before the close until garbage collection.
  port2.close();
  try {
    port1.postMessage(0, [buffer]);
  } catch {
    // The channels of Cloudflare's runtime transfer nothing: its collector releases the memory.
  }
}
