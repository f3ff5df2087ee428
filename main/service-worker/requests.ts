import { joined } from '../../core/bytes/byte-input.ts';
import type { SessionSetting } from '../../core/reading/decode.ts';
import { DecodeError, EncodeError, LimitError } from '../../core/errors.ts';
import { formatEntry } from '../../core/formats/registry.ts';
import type { MadeWriter } from '../encoder/make-writer.ts';
import { rewrite } from '../encoder/transcode/rewrite.ts';
import { type Put, streamOf } from '../encoder/stream-of.ts';
import { SourceInput } from '../input/source-input.ts';
import { OF_THE_BYTES } from './responses/headers.ts';
import type { RequestForm, WrittenForm } from './options.ts';
import { asksForData } from './policy.ts';
import { mediaTypeOf, type Writers } from './responses/writers.ts';

/**
 * The request to send in the place of another: with the same JSON in another format. Where it is not to be touched, is not
 * JSON, or is something that the format does not have, it is the same request. Rejects with a SchemaError, or where the
 * request was aborted.
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
    // Not every engine shows the bodies of requests.
    const source = (copy.body as ReadableStream<Uint8Array> | undefined) ?? (await copy.blob());
    await rewriteBody(source, reading, writing, request.signal, (chunk) => void chunks.push(chunk));
  } catch (error) {
    if (request.signal.aborted || !isOfBody(error)) throw error;
    return request;
  }
  // Engines send a body with `keepalive` only where its length is known at once.
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

/** A request with another body, and otherwise as it was. */
function withBody(request: Request, form: WrittenForm, body: BodyInit, more: { duplex?: 'half' } = {}): Request {
  const headers = new Headers(request.headers);
  for (const name of OF_THE_BYTES) headers.delete(name);
  headers.set('content-type', mediaTypeOf(form));
  // What an engine takes over by itself, but for these two.
  const { referrer, referrerPolicy } = request;
  return new Request(request, { body, headers, referrer, referrerPolicy, ...more });
}

/** Whether a request has a body, and may say of what type it is. */
function mayChange(request: Request): boolean {
  const { method, mode, headers, body } = request;
  return asksForData(request) && method !== 'GET' && body !== null && mode !== 'no-cors' && !headers.has('content-encoding');
}

/** Whether a request says that its body is one JSON text, of no special kind. */
function hasJson({ headers }: Request): boolean {
  const type = headers.get('content-type')?.split(';', 1)[0]!.trim().toLowerCase();
  return type !== undefined && formatEntry('json')!.mediaTypes.includes(type) && !/ndjson|jsonl/.test(type);
}

/** Whether an error speaks of the body: it is no JSON, or the other format does not have it. */
function isOfBody(error: unknown): boolean {
  return error instanceof DecodeError || error instanceof LimitError || error instanceof EncodeError;
}

let streams: boolean | undefined;

/** Whether the body of a request may be a stream. Other engines send the text that the stream is converted to. */
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
