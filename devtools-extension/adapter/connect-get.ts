import type { Body, Exchange } from './adapter.ts';
import { fromAnyBase64 } from './bytes.ts';

/** Message in the URL of a Connect call by GET (https://connectrpc.com/docs/protocol/#unary-get-request); undefined for other requests. */
export function messageInUrl(method: string, url: string): { contentType: string; body: Body } | undefined {
  if (method !== 'GET' || !/[?&]connect=v1(?:&|#|$)/.test(url) || !URL.canParse(url)) return undefined;
  const parameters = new URL(url).searchParams;
  const message = parameters.get('message');
  if (message === null) return undefined;
  const contentType = `application/${parameters.get('encoding') ?? 'json'}`;
  if (parameters.get('base64') !== '1') return { contentType, body: { bytes: new TextEncoder().encode(message) } };
  try {
    return { contentType, body: { bytes: fromAnyBase64(message) } };
  } catch {
    return { contentType, body: { missing: 'The message in the URL is not valid base64.' } };
  }
}

/** Body that a request sends apart from its URL. */
export function sentBody({ messageType, requestBody }: Exchange): Promise<Body> | undefined {
  return messageType === undefined ? requestBody?.() : undefined;
}
