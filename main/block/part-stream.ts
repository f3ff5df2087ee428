import type { ErrorRecord } from '../../worker/error-record.ts';
import { NetworkError } from '../../worker/errors.ts';
import { reviveError } from '../pool/revive-error.ts';

/**
 * The parts of a block as a stream, for a response that begins before the payload has ended:
 *
 *     stream  = frame…, trailer or failure
 *     frame   = length of the part as float64, the part
 *     trailer = −1 as float64
 *     failure = −2 as float64, length of the text as float64, an ErrorRecord as JSON
 *
 * All little-endian. A stream without an end of one of these kinds was broken off.
 */
const HEADER_BYTES = 8;
const TRAILER = -1;
const FAILURE = -2;

/** What comes before a part. */
export function frameHeader(length: number): ArrayBuffer {
  return new Float64Array([length]).buffer;
}

/** What comes after the last. */
export function frameTrailer(): ArrayBuffer {
  return frameHeader(TRAILER);
}

/** What comes in the place of what could not be decoded. */
export function frameFailure(record: ErrorRecord): ArrayBuffer {
  const text = new TextEncoder().encode(JSON.stringify(record));
  const frame = new Uint8Array(2 * HEADER_BYTES + text.length);
  frame.set(new Uint8Array(new Float64Array([FAILURE, text.length]).buffer));
  frame.set(text, 2 * HEADER_BYTES);
  return frame.buffer;
}

/** The parts in a stream, each in a buffer of its own, as they come. Throws what the stream says went wrong. */
export async function* readParts({ body, status }: Response): AsyncGenerator<ArrayBuffer, void> {
  const reader = body!.getReader();
  let received = 0;
  let chunk: Uint8Array = new Uint8Array(0);
  let at = 0;
  const fill = async (target: Uint8Array): Promise<void> => {
    for (let filled = 0; filled < target.length;) {
      if (at === chunk.length) {
        const { value } = await reader.read();
        if (!value) throw new NetworkError('the response broke off', received, { status });
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
    const header = new Float64Array(1);
    const next = async (): Promise<Uint8Array<ArrayBuffer>> => {
      const [length] = header;
      if (!Number.isSafeInteger(length) || length! < 0) throw new TypeError('not the parts of a block');
      const bytes = new Uint8Array(length!);
      await fill(bytes);
      return bytes;
    };
    for (;;) {
      await fill(new Uint8Array(header.buffer));
      if (header[0] === TRAILER) return;
      if (header[0] === FAILURE) {
        await fill(new Uint8Array(header.buffer));
        throw revive(JSON.parse(new TextDecoder().decode(await next())) as ErrorRecord, received, status);
      }
      yield (await next()).buffer;
    }
  } catch (error) {
    if (error instanceof NetworkError || !(error instanceof TypeError) || received === 0) throw error;
    throw new NetworkError(`the response broke off: ${error.message}`, received, { cause: error, status });
  } finally {
    reader.cancel().catch(() => {});
  }
}

function revive(record: ErrorRecord, received: number, status: number): Error {
  return record.name === 'NetworkError' ? new NetworkError(record.reason, received, { status }) : reviveError(record);
}
