import { claimsBlock } from '../../block/is-block.ts';
import { hasOwnBlock } from '../../block/key.ts';
import { KEPT_HEADER } from '../../block/type.ts';
import { OF_THE_BYTES } from './headers.ts';

/** A response as it is, or without the type of a block if no service worker of this origin made one. */
export async function withoutFalseClaim(response: Response): Promise<Response> {
  if (!claimsBlock(response) || (await hasOwnBlock(response))) return response;
  return like(response, response.body, 'application/octet-stream');
}

/** A response with another body, and otherwise as it was. */
export function like({ status, statusText, headers }: Response, body: BodyInit | null, type: string): Response {
  const own = new Headers(headers);
  for (const name of [...OF_THE_BYTES, KEPT_HEADER]) own.delete(name);
  own.set('content-type', type);
  return new Response(body, { status, statusText, headers: own });
}
