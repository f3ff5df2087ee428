import type { Cookie, Exchange, Header } from '../../adapter/adapter.ts';

/** The cookies of a request and its response: as the browser tells them, otherwise as the headers have them. */
export function cookiesOf({ network, requestHeaders, responseHeaders }: Exchange): { sent: Cookie[]; set: Cookie[] } {
  const sent = network?.requestCookies ?? [];
  const set = network?.responseCookies ?? [];
  return { sent: sent.length > 0 ? sent : sentCookies(requestHeaders), set: set.length > 0 ? set : setCookies(responseHeaders) };
}

function sentCookies(headers: readonly Header[]): Cookie[] {
  const values = headers.filter(({ name }) => name.toLowerCase() === 'cookie').flatMap(({ value }) => value.split(/;\s*/));
  return values.filter((pair) => pair !== '').map((pair) => ({ ...pairOf(pair), attributes: {} }));
}

/** RFC 6265, section 4.1.1. DevTools joins several headers by line ends. */
function setCookies(headers: readonly Header[]): Cookie[] {
  const lines = headers.filter(({ name }) => name.toLowerCase() === 'set-cookie').flatMap(({ value }) => value.split('\n'));
  return lines.map((line) => {
    const [pair = '', ...attributes] = line.split(/;\s*/);
    return { ...pairOf(pair), attributes: Object.fromEntries(attributes.map(pairOf).map(({ name, value }) => [name, value === '' ? '✓' : value])) };
  });
}

function pairOf(text: string): { name: string; value: string } {
  const at = text.indexOf('=');
  return at < 0 ? { name: text.trim(), value: '' } : { name: text.slice(0, at).trim(), value: text.slice(at + 1).trim() };
}
