import { joined } from '../../core/bytes/byte-input.ts';
import type { SessionSetting } from '../../core/format/decode-session.ts';
import { DecodeError, EncodeError, LimitError } from '../../core/errors.ts';
import { formatEntry } from '../../core/formats/registry.ts';
import type { MadeWriter } from '../encoder/make-writer.ts';
import { rewrite } from '../encoder/transcode/rewrite.ts';
import { type Put, streamOf } from '../encoder/stream-of.ts';
import { SourceInput } from '../call/input/source-input.ts';
import { BODY_HEADERS } from './responses/responses.ts';
import type { RequestForm, WrittenForm } from './options.ts';
import { asksForData } from './policy.ts';
import { mediaTypeOf, type Writers } from './responses/writers.ts';

/**
 * Returns the request to send instead of another: with the same JSON in another format. Returns the same request if it
 * does not match, is not JSON, or cannot be represented in the format. Rejects with a SchemaError, or if the request
 * was aborted.
 */
export async function transcodeRequest(request: Request, requests: RequestForm, reading: SessionSetting, writers: Writers): Promise<Request> {
  const form: Exclude<RequestForm, string> = typeof requests === 'string' ? { format: requests } : requests;
  const { matches = hasJson, stream = false } = form;
  if (!mayChange(request) || !matches(request)) return request;
  const writing = await writers.make(form, request);
  if (stream && !request.keepalive && request.body && takesStreams()) {
    const body = streamOf((put, unwanted) => rewriteBody(request.body!, reading, writing, AbortSignal.any([request.signal, unwanted]), put));
    return withBody(request, form, body, { duplex: 'half' });
  }
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  try {
    const copy = request.clone();
    // Not every engine exposes the bodies of requests.
    const source = (copy.body as ReadableStream<Uint8Array> | undefined) ?? (await copy.blob());
    await rewriteBody(source, reading, writing, request.signal, (chunk) => void chunks.push(chunk));
  } catch (error) {
    if (request.signal.aborted || !isBodyError(error)) throw error;
    return request;
  }
  // With `keepalive`, engines require a body of known length.
  return withBody(request, form, request.keepalive ? joined(chunks) : new Blob(chunks));
}

async function rewriteBody(
  source: ReadableStream<Uint8Array> | Blob,
  reading: SessionSetting,
  writing: MadeWriter,
  signal: AbortSignal,
  put: Put,
): Promise<void> {
  await rewrite(new SourceInput(source, {}, () => 0), { reading, revive: undefined, writing, signal }, put);
}

/** Copies a request with another body. */
function withBody(request: Request, form: WrittenForm, body: BodyInit, more: { duplex?: 'half' } = {}): Request {
  const headers = new Headers(request.headers);
  for (const name of BODY_HEADERS) headers.delete(name);
  headers.set('content-type', mediaTypeOf(form));
  // Engines copy everything except these two.
  const { referrer, referrerPolicy } = request;
  return new Request(request, { body, headers, referrer, referrerPolicy, ...more });
}

/** True if a request has a body, and its type may be changed. */
function mayChange(request: Request): boolean {
  const { method, mode, headers, body } = request;
  return asksForData(request) && method !== 'GET' && body !== null && mode !== 'no-cors' && !headers.has('content-encoding');
}

/** True if a request declares its body as a single JSON text. */
function hasJson({ headers }: Request): boolean {
  const type = headers.get('content-type')?.split(';', 1)[0]!.trim().toLowerCase();
  return type !== undefined && formatEntry('json')!.mediaTypes.includes(type) && !/ndjson|jsonl/.test(type);
}

/** True if an error is about the body: it is not JSON, or cannot be represented in the other format. */
function isBodyError(error: unknown): boolean {
  return error instanceof DecodeError || error instanceof LimitError || error instanceof EncodeError;
}

let streams: boolean | undefined;

/** True if the engine supports streams as request bodies. Others send the stream converted to a string. */
function takesStreams(): boolean {
  if (streams !== undefined) return streams;
  let isAsked = false;
  const init = {
    method: 'POST',
    body: new ReadableStream(),
    get duplex() {
      isAsked = true;
      return 'half';
    },
  };
  try {
    streams = !new Request('https://unspool.invalid', init).headers.has('content-type') && isAsked;
  } catch {
    streams = false;
  }
  return streams;
}
