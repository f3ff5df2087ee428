import type { PageRequest } from './adapter.ts';
import { toBase64 } from './bytes.ts';

/** Milliseconds after which the page abandons a response that does not end. */
const MAX_MS = 120_000;

/**
 * Wraps an expression so that it evaluates to undefined unless the page has this origin: the page may have navigated. A
 * page cannot replace `location`, and nothing that it can replace is called before the comparison.
 */
export function ifOrigin(origin: string, expression: string): string {
  return `location.origin === ${JSON.stringify(origin)} ? ${expression} : undefined`;
}

/** Value of `sendExpression` on a page of another origin. */
const ELSEWHERE = 'Another page was opened in the meantime. Nothing was sent.';

/**
 * Expression that makes the page send a request; its value is an error message, or empty. User input is embedded as JSON
 * string literals, which are valid JavaScript. The response is read to its end, because the browser keeps no other.
 */
export function sendExpression({ origin, method, url, headers, body, credentials }: PageRequest): string {
  const pairs = JSON.stringify(headers.map(({ name, value }) => [name, value]));
  const bytes = body ? `Uint8Array.from(atob(${JSON.stringify(toBase64(body))}), (c) => c.charCodeAt(0))` : 'undefined';
  const send = `(() => {
  try {
    const request = new Request(${JSON.stringify(url)}, {
      method: ${JSON.stringify(method)}, headers: ${pairs}, body: ${bytes}, credentials: ${JSON.stringify(credentials)},
      cache: 'reload', signal: AbortSignal.timeout(${MAX_MS}),
    });
    fetch(request).then((response) => response.arrayBuffer()).catch(() => undefined);
    return '';
  } catch (error) {
    return String(error.message || error);
  }
})()`;
  return `(${ifOrigin(origin, send)}) ?? ${JSON.stringify(ELSEWHERE)}`;
}

/** Responses that the page has requested again, by number: bytes, the text of an error, or undefined until they arrive. */
const FETCHED = `(globalThis[Symbol.for('unspool-fetched')] ??= new Map())`;

/** Expression that makes the page request a URL again, and keeps the response. */
export function fetchExpression(url: string, origin: string, id: number): string {
  return ifOrigin(
    origin,
    `(() => { const kept = ${FETCHED}; kept.set(${id}, undefined); fetch(${JSON.stringify(url)}, { credentials: 'include' })
    .then((response) => response.arrayBuffer()).then((bytes) => kept.set(${id}, bytes), (error) => kept.set(${id}, String(error))); return true; })()`,
  );
}

/** Expression for a response: its bytes, the text of an error, or undefined. */
export function fetchedExpression(id: number): string {
  return `${FETCHED}.get(${id})`;
}

/** Expression that drops a response. */
export function dropExpression(origin: string, id: number): string {
  return ifOrigin(origin, `${FETCHED}.delete(${id})`);
}
