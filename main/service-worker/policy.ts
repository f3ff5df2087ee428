import { parseBlockType } from '../block/type.ts';
import type { PluginOptions } from './options.ts';

/** True if a request is for data: not a navigation, and not a resource such as a script that the browser loads itself. */
export function asksForData({ mode, destination, method }: Request): boolean {
  return mode !== 'navigate' && destination === '' && method !== 'HEAD';
}

/** True if a response has a complete, readable body. */
export function hasData({ type, status, body }: Response): boolean {
  if (type === 'opaque' || type === 'opaqueredirect' || type === 'error') return false;
  return body !== null && status !== 204 && status !== 205 && status !== 206 && status !== 304;
}

/** True if an answer may be cached. */
export function mayCache(request: Request, response: Response, options: PluginOptions): boolean {
  if (response.type === 'opaque') return options.cacheOpaque === true;
  if (!response.ok || response.status === 206) return false;
  // A stream may report at its end that it is incomplete.
  if (parseBlockType(response.headers.get('content-type'))?.form === 'stream') return false;
  return options.cacheAuthenticated === true || !isPersonal(request, response);
}

/**
 * Headers of requests that never identify the user. Any other may carry a credential, since APIs choose their own
 * names: `X-Api-Key`, `X-Auth-Token`, `Apikey`.
 */
const HARMLESS =
  /^(?:accept|accept-(?:charset|encoding|language)|cache-control|content-(?:encoding|language|length|type)|dnt|if-.+|origin|pragma|priority|purpose|range|referer|save-data|sec-.+|traceparent|tracestate|upgrade-insecure-requests|user-agent|x-requested-with)$/;

function isPersonal(request: Request, response: Response): boolean {
  return (
    Array.from(request.headers.keys()).some((name) => !HARMLESS.test(name)) ||
    request.credentials === 'include' ||
    /\b(?:private|no-store)\b/i.test(response.headers.get('cache-control') ?? '') ||
    /\b(?:cookie|authorization)\b/i.test(response.headers.get('vary') ?? '')
  );
}
