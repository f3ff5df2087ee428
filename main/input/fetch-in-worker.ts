import type { ResponseHead } from '../../worker/protocol.ts';
import type { Workers } from '../pool/workers.ts';
import { FetchedBody, rememberBody } from './fetched-body.ts';

/** Statuses of responses that may have no body. */
const BODILESS = new Set([101, 103, 204, 205, 304]);

/** Lets go of bodies that nobody can ask for any more. */
const forgotten = globalThis.FinalizationRegistry && new FinalizationRegistry<FetchedBody>((body) => body.leave(undefined));

/**
 * Makes a request in a worker. The response is an ordinary one, but that its body stays in the worker: it is decoded
 * there, or, where it is read in another way, brought here chunk by chunk.
 */
export async function fetchInWorker(workers: Workers, request: Request): Promise<Response> {
  const { signal } = request;
  signal.throwIfAborted();
  const [{ pool }, init] = await Promise.all([workers.get(), plain(request)]);
  signal.throwIfAborted();
  pool.over.throwIfAborted();
  const body = new FetchedBody(pool, { url: request.url, init }, signal);
  try {
    return respond(await body.head, body);
  } catch (error) {
    // What `fetch` throws in the worker is thrown here as it would be.
    throw (error as Partial<Error>).name === 'TypeError' ? new TypeError((error as Error).message) : error;
  }
}

/** A request as plain data. The page is its referrer, as it is of its own requests. */
async function plain(request: Request): Promise<RequestInit> {
  const { method, headers, mode, credentials, cache, redirect, referrer, referrerPolicy, integrity, keepalive } = request;
  const body = method === 'GET' || method === 'HEAD' ? undefined : await request.arrayBuffer();
  return {
    method,
    headers: [...headers],
    mode: mode === 'navigate' ? 'same-origin' : mode,
    credentials,
    cache,
    redirect,
    referrer: referrer === 'about:client' ? globalThis.location.href : referrer,
    referrerPolicy,
    integrity,
    keepalive,
    ...(body && body.byteLength > 0 && { body }),
  };
}

/** The body, brought here as it is read. */
function streamOf(body: FetchedBody): ReadableStream<Uint8Array<ArrayBuffer>> {
  const source = {
    async pull(controller: ReadableByteStreamController | ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>) {
      const chunk = await body.pull();
      if (chunk) controller.enqueue(chunk);
      else {
        controller.close();
        if ('byobRequest' in controller) controller.byobRequest?.respond(0);
      }
    },
    cancel: (reason: unknown) => body.leave(reason),
  };
  const strategy = { highWaterMark: 0 };
  try {
    // The two halves of a cloned response then never share a chunk, which one of them may transfer away.
    return new ReadableStream({ type: 'bytes', ...source }, strategy);
  } catch {
    // Not every engine has byte streams.
    return new ReadableStream(source, strategy);
  }
}

function respond(head: ResponseHead, body: FetchedBody): Response {
  const stream = streamOf(body);
  const { status, statusText, headers, url, redirected, type, empty } = head;
  // An opaque response has a status that none can be made with.
  const given = status === 0 ? {} : { status, statusText, headers };
  const response = new Response(empty || BODILESS.has(status) ? null : stream, given);
  const shown = { url, redirected, type, ...(status === 0 && { status, ok: false }) };
  for (const [name, value] of Object.entries(shown)) Object.defineProperty(response, name, { value, configurable: true });
  if (response.body === null) body.cancel(undefined);
  else {
    rememberBody(response, body);
    forgotten?.register(response.body, body);
  }
  return response;
}
