import type { Exchange, Header } from '../../adapter/adapter.ts';

/** Headers that a page must not set (https://fetch.spec.whatwg.org/#forbidden-request-header). */
const FORBIDDEN =
  /^(?::|accept-charset$|accept-encoding$|access-control-|connection$|content-length$|cookie2?$|date$|dnt$|expect$|host$|keep-alive$|origin$|referer$|set-cookie$|te$|trailer$|transfer-encoding$|upgrade$|via$|user-agent$|proxy-|sec-)/i;

/** Headers that a page may set. */
export function settableHeaders(headers: readonly Header[]): Header[] {
  return headers.filter(({ name }) => !FORBIDDEN.test(name));
}

/** True if the request was sent with cookies: another origin then needs `credentials: 'include'`. */
export function hasSentCookies({ requestHeaders }: Exchange): boolean {
  return requestHeaders.some(({ name }) => /^cookie$/i.test(name));
}
