import type { Exchange } from '../../adapter/adapter.ts';
import { nameOf } from '../../text/address.ts';
import type { Row } from './row.ts';

/** Part of a page that made a request. */
export interface Origin {
  kind: 'page' | 'frame' | 'worker' | 'service worker' | 'page or frame' | 'frame or worker';
  /** URL of its document or script; empty if unknown. */
  url: string;
}

/**
 * Parts of the page that made requests, by the ids of the requests, as far as the browser tells. A request of a frame has
 * the frame's document as its Referer, and one of a worker the worker's script. What such a URL is, its own request says:
 * `Sec-Fetch-Dest` is `iframe` for a frame and `worker` for a worker. The browser fetches the script of a service worker
 * without that header, and outside of the page. The browser marks the requests of the page's own process, from the first
 * load of a page on that it sees. Before, nothing is known of requests without such a URL.
 */
export function originsOf(rows: readonly Row[]): ReadonlyMap<number, Origin> {
  const kinds = new Map<string, Origin['kind']>();
  let first = Infinity;
  for (const { exchange } of rows) if (exchange.network?.isOfPage) first = Math.min(first, exchange.time);
  /** True for a request of another process than the page's. */
  const isOutside = ({ network, time }: Exchange): boolean => network?.isOfPage === false && time >= first;
  const documents = new Set(rows.filter(({ exchange }) => headerOf(exchange, 'sec-fetch-dest') === 'document').map(({ exchange }) => exchange.url));
  for (const { exchange } of rows) {
    const destination = headerOf(exchange, 'sec-fetch-dest');
    if (/^(?:i?frame|embed|object)$/.test(destination)) kinds.set(exchange.url, documents.has(exchange.url) ? 'page or frame' : 'frame');
    else if (/^(?:shared)?worker$/.test(destination)) kinds.set(exchange.url, 'worker');
    else if (destination === 'serviceworker' || (destination === '' && isOutside(exchange) && exchange.initiator === 'script'))
      kinds.set(exchange.url, 'service worker');
  }
  const found = new Map<number, Origin>();
  for (const { exchange } of rows) {
    if (!exchange.network || headerOf(exchange, 'sec-fetch-dest') === 'document') continue;
    const candidates = [headerOf(exchange, 'referer'), exchange.network.script ?? ''];
    const url = candidates.find((candidate) => kinds.has(candidate));
    if (url !== undefined) found.set(exchange.id, { kind: kinds.get(url)!, url });
    else if (exchange.network.isOfPage) found.set(exchange.id, { kind: 'page', url: '' });
    else if (candidates.some((candidate) => candidate.startsWith('blob:'))) found.set(exchange.id, { kind: 'worker', url: '' });
    else if (isOutside(exchange) && kinds.get(exchange.url) !== 'service worker') {
      found.set(exchange.id, { kind: 'frame or worker', url: candidates.find((candidate) => candidate !== '') ?? '' });
    }
  }
  return found;
}

function headerOf({ requestHeaders }: Exchange, wanted: string): string {
  return requestHeaders.find(({ name }) => name.toLowerCase() === wanted)?.value ?? '';
}

/** Kind and name of an origin, for display. */
export function originText(origin: Origin | undefined): string {
  if (!origin) return '';
  return origin.url === '' ? origin.kind : `${origin.kind} ${nameOf(origin.url)}`;
}
