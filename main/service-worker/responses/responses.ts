import { claimsBlock } from '../../block/is-block.ts';
import { hasOwnBlock } from '../../block/key.ts';
import { KEPT_HEADER } from '../../block/type.ts';

/** Headers that describe the original bytes of a body. */
export const BODY_HEADERS = ['content-length', 'content-encoding', 'content-digest', 'digest', 'content-md5', 'accept-ranges'];

/** Removes the block type from a response that no service worker of this origin made. */
export async function withoutFalseClaim(response: Response): Promise<Response> {
  if (!claimsBlock(response) || (await hasOwnBlock(response))) return response;
  return withBody(response, response.body, 'application/octet-stream');
}

/** Copies a response with another body. */
export function withBody({ status, statusText, headers }: Response, body: BodyInit | null, type: string): Response {
  const own = new Headers(headers);
  for (const name of [...BODY_HEADERS, KEPT_HEADER]) own.delete(name);
  own.set('content-type', type);
  return new Response(body, { status, statusText, headers: own });
}
