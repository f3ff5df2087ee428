import { blockHead, blockParts, type PartRange } from '../../core/block/block-file.ts';
import { readBlock } from './stream.ts';
import { KEPT_HEADER } from './type.ts';
import { isChromium } from '../../core/engine/chromium.ts';
import { hasOwnBlock } from './key.ts';

/** A part, and its position in a buffer. */
export interface PlacedPart {
  buffer: ArrayBuffer;
  base: number;
  length: number;
}

/** Enough for the header and the index, except for very large blocks. */
const HEAD_BYTES = 64 * 1024;
/** Number of pieces read concurrently, and minimum and maximum bytes of a piece that holds several parts. */
const CONCURRENT_PIECES = 8;
const MIN_PIECE = 1024 * 1024;
const MAX_PIECE = 16 * 1024 * 1024;

/**
 * Yields the parts of the serialised block in a response's body. Reads a block that a service worker found in a cache
 * from that cache, so that its bytes need not pass through the service worker. Falls back to the response if the entry
 * is gone or cannot be read to its end. `sharesBuffers`: all parts stay in use together, so several may share a buffer.
 */
export async function* readBlockOf(response: Response, sharesBuffers: boolean): AsyncGenerator<PlacedPart, void> {
  const id = response.headers.get(KEPT_HEADER);
  let taken = 0;
  if (id !== null && response.body && !response.bodyUsed) {
    // Locks the body against other readers.
    const reader = response.body.getReader();
    let isRead = true;
    try {
      const entry = await findEntry(response.url, id);
      for await (const part of entry ? readEntry(entry, sharesBuffers) : []) {
        yield part;
        taken += 1;
      }
      isRead = entry !== undefined;
    } catch {
      isRead = false;
    } finally {
      if (isRead) reader.cancel().catch(() => {});
      else reader.releaseLock();
    }
    if (isRead) return;
  }
  for await (const buffer of readBlock(response)) {
    if (taken-- <= 0) yield { buffer, base: 0, length: buffer.byteLength };
  }
}

/** Finds a cache entry by its address and name; another entry may have replaced it. */
async function findEntry(url: string, id: string): Promise<Response | undefined> {
  const entry = await globalThis.caches?.match(url, { ignoreVary: true });
  return entry?.headers.get(KEPT_HEADER) === id && (await hasOwnBlock(entry)) ? entry : undefined;
}

async function* readEntry(entry: Response, sharesBuffers: boolean): AsyncGenerator<PlacedPart, void> {
  // Only Chromium returns a blob without reading the entry into memory.
  if (sharesBuffers && isChromium) yield* readPieces(await entry.blob());
  else for await (const buffer of readBlock(entry)) yield { buffer, base: 0, length: buffer.byteLength };
}

/**
 * Yields the parts of a serialised block, read in large pieces, several concurrently. Faster than a stream, with
 * shorter tasks.
 */
async function* readPieces(file: Blob): AsyncGenerator<PlacedPart, void> {
  const first = await file.slice(0, HEAD_BYTES).arrayBuffer();
  const head = blockHead(first);
  const parts = blockParts(head > HEAD_BYTES ? await file.slice(0, head).arrayBuffer() : first, file.size);
  const pieces = pieceTogether(parts, Math.max(MIN_PIECE, Math.min(MAX_PIECE, file.size / CONCURRENT_PIECES)));
  const reading: Promise<ArrayBuffer>[] = [];
  let begun = 0;
  const readNext = (): void => {
    const piece = pieces[begun++];
    if (!piece) return;
    const { offset, length } = piece.at(-1)!;
    const read = file.slice(piece[0]!.offset, offset + length).arrayBuffer();
    // Rejections are handled when the piece is awaited.
    read.catch(() => {});
    reading.push(read);
  };
  for (let count = 0; count < CONCURRENT_PIECES; count += 1) readNext();
  for (const piece of pieces) {
    const buffer = await reading.shift()!;
    readNext();
    for (const { offset, length } of piece) yield { buffer, base: offset - piece[0]!.offset, length };
  }
}

/** Groups consecutive parts into pieces of about `size` bytes. */
function pieceTogether(parts: readonly PartRange[], size: number): PartRange[][] {
  const pieces: PartRange[][] = [];
  let end = 0;
  for (const part of parts) {
    if (pieces.length === 0 || part.offset + part.length > end) {
      pieces.push([]);
      end = part.offset + size;
    }
    pieces.at(-1)!.push(part);
  }
  return pieces;
}
