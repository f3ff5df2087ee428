import type { ErrorRecord } from '../../core/error-record.ts';
import { MAX_PART_BYTES } from '../../core/block/block.ts';
import { DecodeError, NetworkError } from '../../core/errors.ts';
import { reviveError } from '../pool/revive-error.ts';
import { roomFor } from './room.ts';

/**
 * Stream of a block's parts, for a response that begins before the payload has ended:
 *
 *     stream  = frame…, trailer or failure
 *     frame   = length of the part as float64, the part
 *     trailer = −1 as float64
 *     failure = −2 as float64, length of the text as float64, an ErrorRecord as JSON
 *
 * All little-endian. A stream that ends otherwise was interrupted.
 */
const HEADER_BYTES = 8;
const TRAILER = -1;
const FAILURE = -2;
/** Maximum bytes of a failure's text. */
const MAX_FAILURE_BYTES = 1024 * 1024;

/** Header before a part. */
export function frameHeader(length: number): ArrayBuffer {
  return new Float64Array([length]).buffer;
}

/** Trailer after the last part. */
export function frameTrailer(): ArrayBuffer {
  return frameHeader(TRAILER);
}

/** Failure that ends the stream if the decode failed. */
export function frameFailure(record: ErrorRecord): ArrayBuffer {
  const text = new TextEncoder().encode(JSON.stringify(record));
  const frame = new Uint8Array(2 * HEADER_BYTES + text.length);
  frame.set(new Uint8Array(new Float64Array([FAILURE, text.length]).buffer));
  frame.set(text, 2 * HEADER_BYTES);
  return frame.buffer;
}

/** Yields the parts of a stream as they arrive, each in a buffer of its own. Throws the error that the stream reports. */
export async function* readParts({ body, status }: Response): AsyncGenerator<ArrayBuffer, void> {
  const reader = body!.getReader();
  let received = 0;
  let chunk: Uint8Array = new Uint8Array(0);
  let at = 0;
  const read = async (length: number): Promise<ArrayBuffer> => {
    let target = roomFor(length);
    for (let filled = 0; filled < length;) {
      if (filled === target.length) target = roomFor(length, target);
      if (at === chunk.length) {
        const { value } = await reader.read();
        if (!value) throw new NetworkError('the response was interrupted', received, { status });
        received += value.length;
        chunk = value;
        at = 0;
      }
      const piece = chunk.subarray(at, at + target.length - filled);
      target.set(piece, filled);
      filled += piece.length;
      at += piece.length;
    }
    return target.buffer;
  };
  const readLength = async (): Promise<number> => new Float64Array(await read(HEADER_BYTES))[0]!;
  try {
    for (;;) {
      const length = await readLength();
      if (length === TRAILER) return;
      if (length === FAILURE) throw revive(await read(checked(await readLength(), MAX_FAILURE_BYTES)), received, status);
      yield await read(checked(length, MAX_PART_BYTES));
    }
  } catch (error) {
    if (error instanceof NetworkError || (error as Error | undefined)?.name !== 'TypeError' || received === 0) throw error;
    throw new NetworkError(`the response was interrupted: ${(error as Error).message}`, received, { cause: error, status });
  } finally {
    reader.cancel().catch(() => {});
  }
}

function checked(length: number, max: number): number {
  if (Number.isInteger(length) && length >= 0 && length <= max) return length;
  throw new DecodeError('malformed', `not the parts of a block: invalid length ${length}`);
}

function revive(text: ArrayBuffer, received: number, status: number): Error {
  try {
    const record = JSON.parse(new TextDecoder().decode(text)) as ErrorRecord;
    return record.name === 'NetworkError' ? new NetworkError(record.reason, received, { status }) : reviveError(record);
  } catch (cause) {
    return new NetworkError('the response was interrupted without a reason', received, { status, cause });
  }
}
