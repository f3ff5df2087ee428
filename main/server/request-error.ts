import { CallError } from '../../core/errors.ts';
import { headersFrom, type HeadersSource } from './server-request.ts';

/** Statuses of requests that cannot be served (RFC 9110 section 15.5). */
export type RequestErrorStatus = 400 | 406 | 413 | 415;

const TITLES: Readonly<Record<RequestErrorStatus, string>> = {
  400: 'Bad Request',
  406: 'Not Acceptable',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
};

/**
 * A request that `receive` cannot read. Express, Fastify and Koa answer with its `status` and `headers`, Hono with
 * `getResponse()`; elsewhere, catch it and return `getResponse()`.
 */
export class RequestError extends CallError {
  override name = 'RequestError';
  readonly code = 'request';
  /** 400: the body is not valid in its format. 413: it exceeds a limit. 415: its format or compression is not accepted. */
  readonly status: RequestErrorStatus;
  /** `status`, as Fastify calls it. */
  readonly statusCode: RequestErrorStatus;
  /** Headers of the answer: for 415, the accepted formats or compressions. */
  readonly headers: Readonly<Record<string, string>>;
  /** True: the message may be shown to the client, as `http-errors` calls it. */
  readonly expose = true;

  constructor(status: RequestErrorStatus, message: string, { headers = {}, cause }: { headers?: Record<string, string>; cause?: unknown } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.status = this.statusCode = status;
    this.headers = headers;
  }

  /** A response with the status, the headers, and the message as problem details (RFC 9457). */
  getResponse(): Response {
    return problem(this.status, this.message, this.headers);
  }
}

/** A response with problem details (RFC 9457). */
export function problem(status: RequestErrorStatus, detail: string, headers: HeadersSource): Response {
  const all = headersFrom(headers);
  all.set('Content-Type', 'application/problem+json');
  return new Response(JSON.stringify({ title: TITLES[status], status, detail }), { status, headers: all });
}
