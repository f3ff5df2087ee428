import { type Answer, respond, type RespondOptions } from './respond.ts';
import type { ServerRequest } from './server-request.ts';

/** A response of Node's `http` or `http2`, or of Express, as far as it is used here. */
export interface NodeResponse {
  statusCode: number;
  readonly destroyed?: boolean;
  getHeader(name: string): number | string | readonly string[] | undefined;
  setHeader(name: string, value: string | readonly string[]): unknown;
  write(chunk: Uint8Array): boolean;
  end(chunk?: Uint8Array): unknown;
  destroy(error?: Error): unknown;
  on(event: 'close' | 'drain', listener: () => void): unknown;
  off(event: 'close' | 'drain', listener: () => void): unknown;
}

/**
 * Answers a request of Node's `http` as `respond` does. Headers that the response has already stay: cookies are
 * added to its own, and its `Vary` is extended. Resolves when the body is written, or the client has left. Rejects with the errors of `respond`, and destroys
 * the response for an error in the middle of the body, so that the client does not take a part for the whole.
 *
 * @example
 * app.get('/trips', (request, response) => send(request, response, trips));   // Express
 */
export async function send<T>(request: ServerRequest, response: NodeResponse, value: Answer<T>, options?: RespondOptions): Promise<void> {
  const { status, headers, body } = await respond(request, value, options);
  response.statusCode = status;
  for (const [name, text] of headers) {
    const before = name === 'vary' || name === 'set-cookie' ? response.getHeader(name) : undefined;
    const all = [...[before ?? []].flat().map(String), text];
    // Cookies cannot be joined, since their dates contain commas (RFC 9110 section 5.3).
    response.setHeader(name, name === 'set-cookie' ? all : all.join(', '));
  }
  if (!body) {
    response.end();
    return;
  }
  await pump(body.getReader(), response);
}

/** Writes a body no faster than the client reads it. */
async function pump(reader: ReadableStreamDefaultReader<Uint8Array>, response: NodeResponse): Promise<void> {
  let wake = (): void => {};
  let isClosed = response.destroyed === true;
  const drained = (): void => wake();
  const closed = (): void => {
    isClosed = true;
    wake();
    reader.cancel(new DOMException('The client has left', 'AbortError')).catch(() => {});
  };
  response.on('drain', drained);
  response.on('close', closed);
  try {
    if (isClosed) closed();
    for (let read = await reader.read(); !isClosed && !read.done; read = await reader.read()) {
      if (!response.write(read.value) && !isClosed) await new Promise<void>((resolve) => (wake = resolve));
    }
    if (!isClosed) response.end();
  } catch (error) {
    if (isClosed) return;
    response.destroy(error as Error);
    throw error;
  } finally {
    response.off('drain', drained);
    response.off('close', closed);
  }
}
