import { blockHead, blockParts, type PartRange } from '../../core/block/block-file.ts';
import { readBlock } from './stream.ts';
import { KEPT_HEADER } from './type.ts';
import { isChromium } from './engine.ts';
import { hasOwnBlock } from './key.ts';

/** A part, and where in a buffer it lies. */
export interface PlacedPart {
  buffer: ArrayBuffer;
  base: number;
  length: number;
}

/** What holds the header and, but of very large blocks, the index. */
const HEAD_BYTES = 64 * 1024;
/** Pieces that are read at the same time, and the least and the greatest size of one that has several parts. */
const AT_ONCE = 8;
const LEAST_PIECE = 1024 * 1024;
const MOST_PIECE = 16 * 1024 * 1024;

/**
 * The parts of the serialised block that is a response's body. A block that a service worker has found in a cache is read
 * from that cache, so that its bytes need not pass through the service worker; where it has gone from there, or cannot be
 * read to its end, the response has it still. `whole`: all parts stay in use together, so several may share a buffer.
 */
export async function* readBlockOf(response: Response, whole: boolean): AsyncGenerator<PlacedPart, void> {
  const id = response.headers.get(KEPT_HEADER);
  let taken = 0;
  if (id !== null && response.body && !response.bodyUsed) {
    // Nobody else is to read it meanwhile.
    const reader = response.body.getReader();
    let isRead = true;
    try {
      const entry = await findEntry(response.url, id);
      for await (const part of entry ? readEntry(entry, whole) : []) {
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

/** The entry of a cache by its address and the name that it was given; another may have taken its place. */
async function findEntry(url: string, id: string): Promise<Response | undefined> {
  const entry = await globalThis.caches?.match(url, { ignoreVary: true });
  return entry?.headers.get(KEPT_HEADER) === id && (await hasOwnBlock(entry)) ? entry : undefined;
}

async function* readEntry(entry: Response, whole: boolean): AsyncGenerator<PlacedPart, void> {
  // Only Chromium gives out a blob without reading it; Firefox took 590 ms for pieces of what it read in 405 as a stream.
  if (whole && isChromium) yield* readPieces(await entry.blob());
  else for await (const buffer of readBlock(entry)) yield { buffer, base: 0, length: buffer.byteLength };
}

/**
 * The parts of a serialised block, read in large pieces, some at the same time: 120 MB of Chromium's cache took 112 to
 * 142 ms so, with a longest block of 11, and 155 to 177 ms as a stream, with one of 30 to 38.
 */
async function* readPieces(file: Blob): AsyncGenerator<PlacedPart, void> {
  const first = await file.slice(0, HEAD_BYTES).arrayBuffer();
  const head = blockHead(first);
  const parts = blockParts(head > HEAD_BYTES ? await file.slice(0, head).arrayBuffer() : first, file.size);
  const pieces = pieceTogether(parts, Math.max(LEAST_PIECE, Math.min(MOST_PIECE, file.size / AT_ONCE)));
  const reading: Promise<ArrayBuffer>[] = [];
  let begun = 0;
  const readNext = (): void => {
    const piece = pieces[begun++];
    if (!piece) return;
    const { offset, length } = piece.at(-1)!;
    const read = file.slice(piece[0]!.offset, offset + length).arrayBuffer();
    // It is looked at in its turn.
    read.catch(() => {});
    reading.push(read);
  };
  for (let count = 0; count < AT_ONCE; count += 1) readNext();
  for (const piece of pieces) {
    const buffer = await reading.shift()!;
    readNext();
    for (const { offset, length } of piece) yield { buffer, base: offset - piece[0]!.offset, length };
  }
}

/** Consecutive parts, in pieces of about a size. */
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
