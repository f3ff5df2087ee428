import { NetworkError } from '../worker/errors.ts';

/**
 * The parts of a block as a stream, for a response that begins before the payload has ended:
 *
 *     stream = frame…, trailer
 *     frame  = length of the part as float64, the part
 *     trailer = −1 as float64
 *
 * All little-endian. A stream without a trailer was broken off.
 */
const HEADER_BYTES = 8;
const TRAILER = -1;

/** What comes before a part. */
export function frameHeader(length: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(new Float64Array([length]).buffer);
}

/** What comes after the last. */
export function frameTrailer(): Uint8Array<ArrayBuffer> {
  return frameHeader(TRAILER);
}

/** The parts in a stream, each in a buffer of its own, as they come. */
export async function* readParts(body: ReadableStream<Uint8Array>): AsyncGenerator<ArrayBuffer, void> {
  const reader = body.getReader();
  let received = 0;
  let chunk: Uint8Array = new Uint8Array(0);
  let at = 0;
  const fill = async (target: Uint8Array): Promise<void> => {
    for (let filled = 0; filled < target.length; ) {
      if (at === chunk.length) {
        const { value } = await reader.read();
        if (!value) throw new NetworkError('the response has broken off', received);
        received += value.length;
        chunk = value;
        at = 0;
      }
      const piece = chunk.subarray(at, at + target.length - filled);
      target.set(piece, filled);
      filled += piece.length;
      at += piece.length;
    }
  };
  try {
    const header = new Uint8Array(HEADER_BYTES);
    for (;;) {
      await fill(header);
      const length = new Float64Array(header.buffer)[0]!;
      if (length === TRAILER) return;
      if (!Number.isSafeInteger(length) || length < 0) throw new TypeError('not the parts of a block');
      const part = new Uint8Array(length);
      await fill(part);
      yield part.buffer;
    }
  } catch (error) {
    if (error instanceof NetworkError || (error as Partial<Error>).name !== 'TypeError' || received === 0) throw error;
    throw new NetworkError(`the response has broken off: ${(error as Error).message}`, received, { cause: error });
  } finally {
    reader.cancel().catch(() => {});
  }
}
