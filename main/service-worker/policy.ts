import { parseBlockType } from '../block/type.ts';
import type { PluginOptions } from './options.ts';

/** Whether a request is one for data: no navigation, and nothing that the browser itself loads, such as a script. */
export function asksForData({ mode, destination, method }: Request): boolean {
  return mode !== 'navigate' && destination === '' && method !== 'HEAD';
}

/** Whether a response has a body that can be looked into and is whole. */
export function hasData({ type, status, body }: Response): boolean {
  if (type === 'opaque' || type === 'opaqueredirect' || type === 'error') return false;
  return body !== null && status !== 204 && status !== 205 && status !== 206 && status !== 304;
}

/** Whether an answer may be kept for others to read. */
export function mayCache(request: Request, response: Response, options: PluginOptions): boolean {
  if (response.type === 'opaque') return options.cacheOpaque === true;
  if (!response.ok || response.status === 206) return false;
  // Its end may say that it is not whole.
  if (parseBlockType(response.headers.get('content-type'))?.form === 'stream') return false;
  return options.cacheAuthenticated === true || !isPersonal(request, response);
}

/**
 * Headers of requests that say nothing of who asks; any other may carry a credential, under whatever name an API has chosen:
 * `X-Api-Key`, `X-Auth-Token`, `Apikey`.
 */
const HARMLESS =
  /^(?:accept|accept-(?:charset|encoding|language)|cache-control|content-(?:encoding|language|length|type)|device-memory|dnt|downlink|dpr|ect|if-(?:match|modified-since|none-match|range|unmodified-since)|origin|pragma|priority|purpose|range|referer|rtt|save-data|sec-.+|traceparent|tracestate|upgrade-insecure-requests|user-agent|viewport-width|width|x-requested-with)$/;

function isPersonal(request: Request, response: Response): boolean {
  return (
    Array.from(request.headers.keys()).some((name) => !HARMLESS.test(name)) ||
    request.credentials === 'include' ||
    /\b(?:private|no-store)\b/i.test(response.headers.get('cache-control') ?? '') ||
    /\b(?:cookie|authorization)\b/i.test(response.headers.get('vary') ?? '')
  );
}
