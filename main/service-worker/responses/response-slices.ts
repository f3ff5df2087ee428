import type { DecodeSession } from '../../../core/format/decode-session.ts';
import { NetworkError, WorkerCrashError } from '../../../core/errors.ts';
import type { JobScheduler } from '../../../worker/job-scheduler.ts';

const FIRST_SLICE = 64 * 1024;
const MIN_SLICE = 16 * 1024;
const MAX_SLICE = 4 * 1024 * 1024;
/** Target time of a slice, and time after which other decodes run, in milliseconds. */
const SLICE_MS = 8;

/** Options for decoding a body. */
export interface SliceOptions {
  /** Shared by all decodes of the service worker. */
  turns: JobScheduler;
  /** Bytes according to `Content-Length`, 0 if unknown. */
  size: number;
  signal: AbortSignal | undefined;
  /** Called after each slice; reading waits for it. */
  sent?: () => Promise<void> | undefined;
}

/**
 * Decodes a body on this thread while it arrives, in short slices, between which the service worker handles other
 * events.
 */
export async function decodeInSlices(
  body: ReadableStream<Uint8Array>,
  session: DecodeSession,
  { turns, size, signal, sent }: SliceOptions,
): Promise<void> {
  const reader = body.getReader();
  let slice = FIRST_SLICE;
  let begun = performance.now();
  try {
    for (let chunk = await next(reader, session); chunk; chunk = await next(reader, session)) {
      if (session.received === 0) await prepare(session, chunk);
      for (let at = 0; at < chunk.length;) {
        signal?.throwIfAborted();
        const piece = chunk.subarray(at, at + slice);
        const start = performance.now();
        session.push(piece);
        const now = performance.now();
        at += piece.length;
        slice = nextSlice(slice, piece.length, now - start);
        await sent?.();
        if (now - begun >= SLICE_MS) {
          await turns.wait(Math.max(0, size - session.received));
          begun = performance.now();
        }
      }
    }
    signal?.throwIfAborted();
    session.end();
  } catch (error) {
    reader.cancel(error).catch(() => {});
    throw error;
  }
}

async function next(reader: ReadableStreamDefaultReader<Uint8Array>, { received }: DecodeSession): Promise<Uint8Array | undefined> {
  try {
    return (await reader.read()).value;
  } catch (error) {
    const { name, message } = (error ?? {}) as Partial<Error>;
    if (name === 'AbortError') throw error;
    throw new NetworkError(`the payload could not be read to its end: ${message}`, received, { cause: error });
  }
}

async function prepare(session: DecodeSession, head: Uint8Array): Promise<void> {
  try {
    await session.prepare(head);
  } catch (error) {
    throw codeMissing(error);
  }
}

/**
 * Converts a failed `import()` to an error with advice: service workers cannot load code after they start, so they must
 * be built into one file.
 */
export function codeMissing(error: unknown): unknown {
  if (!(error instanceof TypeError)) return error;
  const advice = 'build the service worker into one file, without code splitting';
  return new WorkerCrashError(`code that the payload needs could not be loaded: ${advice}`, { cause: error });
}

function nextSlice(slice: number, read: number, took: number): number {
  const fit = took > 0 ? (read * SLICE_MS) / took : MAX_SLICE;
  return Math.max(MIN_SLICE, Math.min(MAX_SLICE, slice * 2, fit)) | 0;
}
