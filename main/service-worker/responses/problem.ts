import { recordError } from '../../../core/error-record.ts';
import { DecodeError, LimitError, NetworkError, TimeoutError } from '../../../core/errors.ts';

/**
 * Creates the response for a failed decode (RFC 9457): 502 if the payload is invalid, 504 after a timeout, 500 for
 * anything else, such as a missing schema.
 */
export function problemResponse(error: unknown, url: string): Response {
  const { name, reason, limit, schema, format, offset, path } = recordError(error);
  const status = statusOf(error);
  const problem = {
    type: 'about:blank',
    title: name,
    status,
    detail: error instanceof Error ? error.message : reason,
    instance: url,
    code: (error as { code?: unknown } | undefined)?.code,
    limit,
    schema,
    format,
    offset,
    path,
  };
  const headers = { 'Content-Type': 'application/problem+json', 'Cache-Control': 'no-store' };
  return new Response(JSON.stringify(problem), { status, headers });
}

function statusOf(error: unknown): number {
  if (error instanceof TimeoutError) return 504;
  return error instanceof DecodeError || error instanceof LimitError || error instanceof NetworkError ? 502 : 500;
}
