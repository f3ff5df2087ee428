import type { Exchange, Header } from '../../adapter/adapter.ts';
import { toBase64 } from '../../adapter/bytes.ts';

/** Headers that a page may not set (https://fetch.spec.whatwg.org/#forbidden-request-header). */
const FORBIDDEN =
  /^(?::|accept-charset$|accept-encoding$|access-control-|connection$|content-length$|cookie2?$|date$|dnt$|expect$|host$|keep-alive$|origin$|referer$|set-cookie$|te$|trailer$|transfer-encoding$|upgrade$|via$|user-agent$|proxy-|sec-)/i;

/** The headers that a page may set. */
export function settableHeaders(headers: readonly Header[]): Header[] {
  return headers.filter(({ name }) => !FORBIDDEN.test(name));
}

/** Whether cookies went along: then a page asks for that where the address is of another origin. */
export function hasSentCookies({ requestHeaders }: Exchange): boolean {
  return requestHeaders.some(({ name }) => /^cookie$/i.test(name));
}

/** A call of `fetch` that sends the request again from the page. Bytes that are no text come out of base64. */
export function fetchOf(exchange: Exchange, sent: Uint8Array | undefined): string {
  const { method, url } = exchange;
  const headers = settableHeaders(exchange.requestHeaders);
  const lines = [
    ...(method === 'GET' ? [] : [`  method: ${JSON.stringify(method)},`]),
    ...(headers.length === 0
      ? []
      : ['  headers: {', ...headers.map(({ name, value }) => `    ${JSON.stringify(name)}: ${JSON.stringify(value)},`), '  },']),
    ...(sent && sent.length > 0 ? [`  body: ${bodyOf(sent)},`] : []),
    ...(hasSentCookies(exchange) ? ["  credentials: 'include',"] : []),
  ];
  return lines.length === 0 ? `await fetch(${JSON.stringify(url)});` : `await fetch(${JSON.stringify(url)}, {\n${lines.join('\n')}\n});`;
}

function bodyOf(sent: Uint8Array): string {
  try {
    return JSON.stringify(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(sent));
  } catch {
    return `Uint8Array.from(atob(${JSON.stringify(toBase64(sent))}), (byte) => byte.charCodeAt(0))`;
  }
}
