import type { Exchange, Header } from '../../adapter/adapter.ts';
import { toBase64, utf8Of } from '../../adapter/bytes.ts';

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

/** `fetch` call that repeats the request from the page. A binary body is written as base64. */
export function fetchOf(exchange: Exchange, sent: Uint8Array | undefined): string {
  const { method, url } = exchange;
  const headers = settableHeaders(exchange.requestHeaders);
  const lines = [
    ...(method === 'GET' ? [] : [`  method: ${JSON.stringify(method)},`]),
    ...headersOf(headers),
    ...(sent && sent.length > 0 ? [`  body: ${bodyOf(sent)},`] : []),
    ...(hasSentCookies(exchange) ? ["  credentials: 'include',"] : []),
  ];
  return lines.length === 0 ? `await fetch(${JSON.stringify(url)});` : `await fetch(${JSON.stringify(url)}, {\n${lines.join('\n')}\n});`;
}

/** Headers as an object; as pairs if an object would lose repeated names or `__proto__`. */
function headersOf(headers: readonly Header[]): string[] {
  if (headers.length === 0) return [];
  const isObject = new Set(headers.map(({ name }) => name)).size === headers.length && headers.every(({ name }) => name !== '__proto__');
  const lines = headers.map(({ name, value }) => {
    const [key, text] = [JSON.stringify(name), JSON.stringify(value)];
    return isObject ? `    ${key}: ${text},` : `    [${key}, ${text}],`;
  });
  return isObject ? ['  headers: {', ...lines, '  },'] : ['  headers: [', ...lines, '  ],'];
}

function bodyOf(sent: Uint8Array): string {
  const text = utf8Of(sent);
  return text === undefined ? `Uint8Array.from(atob(${JSON.stringify(toBase64(sent))}), (byte) => byte.charCodeAt(0))` : JSON.stringify(text);
}
