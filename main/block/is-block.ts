import type { DecodeSource } from '../decoder/options.ts';

/** Whether a source is a response with a block that was decoded already. */
export function isBlock(source: DecodeSource): source is Response {
  const type = (source as Partial<Response> | undefined)?.headers?.get?.('content-type');
  return type?.startsWith('application/vnd.unspool.') === true;
}
