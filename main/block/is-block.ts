import type { DecodeSource } from '../decoder/options/options.ts';

/** Whether a source is a response that says that it has a decoded block, as any server can: see `key.ts`. */
export function claimsBlock(source: DecodeSource): source is Response {
  const type = (source as Partial<Response> | undefined)?.headers?.get?.('content-type');
  return type?.startsWith('application/vnd.unspool.') === true;
}
