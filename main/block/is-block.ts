import type { DecodeSource } from '../call/options/options.ts';

/** True if a source is a response that claims to contain a decoded block. Any server can claim that: see `key.ts`. */
export function claimsBlock(source: DecodeSource): source is Response {
  const type = (source as Partial<Response> | undefined)?.headers?.get?.('content-type');
  return type?.startsWith('application/vnd.unspool.') === true;
}
