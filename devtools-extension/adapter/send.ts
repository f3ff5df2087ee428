import type { PageRequest } from './adapter.ts';
import { toBase64 } from './bytes.ts';

/** Milliseconds after which the page gives up a response that does not end. */
const LONGEST = 120_000;

/**
 * An expression that has the page make a request, and whose value is what is wrong with it, empty where it is on its way.
 * All that is the user's stands in it as string literals: a string in JSON is one of JavaScript. The response is read to
 * its end, since the browser keeps no others.
 */
export function sendExpression({ method, url, headers, body, credentials }: PageRequest): string {
  const pairs = JSON.stringify(headers.map(({ name, value }) => [name, value]));
  const bytes = body ? `Uint8Array.from(atob(${JSON.stringify(toBase64(body))}), (c) => c.charCodeAt(0))` : 'undefined';
  return `(() => {
  try {
    const request = new Request(${JSON.stringify(url)}, {
      method: ${JSON.stringify(method)}, headers: ${pairs}, body: ${bytes}, credentials: ${JSON.stringify(credentials)},
      cache: 'reload', signal: AbortSignal.timeout(${LONGEST}),
    });
    fetch(request).then((response) => response.arrayBuffer()).catch(() => undefined);
    return '';
  } catch (error) {
    return String(error.message || error);
  }
})()`;
}
