import type { PageRequest } from './adapter.ts';
import { toBase64 } from './bytes.ts';

/** Milliseconds after which the page gives up a response that does not end. */
const LONGEST = 120_000;

/**
 * An expression for the inspected page that is evaluated if the page is of an origin, and undefined otherwise. The page may
 * have navigated since it was last asked. No page can replace `location`, and until it is compared nothing is called that
 * the page may have replaced and that could read the expression.
 */
export function onlyIn(origin: string, expression: string): string {
  return `location.origin === ${JSON.stringify(origin)} ? ${expression} : undefined`;
}

/** What `sendExpression` has for a value where a page of another origin is open. */
const ELSEWHERE = 'Another page has been opened in the meantime. Nothing was sent.';

/**
 * An expression that has the page make a request, and whose value is what is wrong with it, empty where it is on its way.
 * All that is the user's stands in it as string literals: a string in JSON is one of JavaScript. The response is read to
 * its end, since the browser keeps no others.
 */
export function sendExpression({ origin, method, url, headers, body, credentials }: PageRequest): string {
  const pairs = JSON.stringify(headers.map(({ name, value }) => [name, value]));
  const bytes = body ? `Uint8Array.from(atob(${JSON.stringify(toBase64(body))}), (c) => c.charCodeAt(0))` : 'undefined';
  const send = `(() => {
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
  return `(${onlyIn(origin, send)}) ?? ${JSON.stringify(ELSEWHERE)}`;
}
