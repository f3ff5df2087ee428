import type { Exchange } from '../../adapter/adapter.ts';
import type { Detection } from '../../reading/protocol.ts';

/** A row of the request list. */
export interface Row {
  exchange: Exchange;
  /** Address of the page, if it changed between the request before and this one. */
  navigatedTo?: string | undefined;
  /** Undefined until the body was read. */
  detection: Detection | undefined;
  /** Format detected from the bytes and the Content-Type alone. */
  found: Detection | undefined;
  /** Name of the GraphQL or gRPC operation. */
  operation: string | undefined;
  /** First values of the request's body, for a call. */
  sent?: string | undefined;
  /** Errors of a GraphQL response, for display. */
  problem?: string | undefined;
  /** Bytes of the body; −1 if unknown. */
  size: number;
}

/** A line of the list: a request by its index, or the address to which the page navigated before it. */
export type Line = number | string;

/** Lines of the visible rows, which are in the order of all rows. `navigatedTo` is the address after the last row. */
export function linesOf(rows: readonly Row[], visible: readonly Row[], navigatedTo: string | undefined): Line[] {
  const lines: Line[] = [];
  let address: string | undefined;
  let at = 0;
  for (const row of rows) {
    address = row.navigatedTo ?? address;
    if (row !== visible[at]) continue;
    if (address !== undefined) lines.push(address);
    address = undefined;
    lines.push(at++);
  }
  const last = navigatedTo ?? address;
  if (last !== undefined) lines.push(last);
  return lines;
}

/** Kinds of requests: `data` excludes documents, scripts, styles, images and fonts; `binary` also excludes JSON. */
export type Shown = 'all' | 'data' | 'binary';

const NO_DATA = /^(?:document|stylesheet|script|image|font|media|manifest|ping|preflight|texttrack)$/;

export function newRow(exchange: Exchange): Row {
  const { size = exchange.encodedSize } = exchange;
  return { exchange, detection: undefined, found: undefined, operation: undefined, size };
}

/** True if a request failed: by its status, for lack of a response, according to the browser, or as a call of gRPC or GraphQL. */
export function isFailed({ exchange, detection, problem }: Row): boolean {
  const { status, method, initiator, hasFailed = false } = exchange;
  const isUnanswered = status === 0 && method !== 'FILE' && initiator !== 'websocket';
  return status >= 400 || isUnanswered || hasFailed || problem !== undefined || (detection?.rpc?.code ?? 0) > 0;
}

/** Milliseconds by which the browser rounds the times of requests. */
const ROUNDING = 1;

/**
 * Requests that a service worker made to answer one of the page with the same method and URL, with the ids of the latter.
 * The browser lists both, and has a body for that of the page alone.
 */
export function serviceWorkerRequests(rows: readonly Row[]): ReadonlyMap<number, number> {
  const answered = new Map<string, Row[]>();
  for (const row of rows) {
    if (!row.exchange.fromServiceWorker) continue;
    const key = keyOf(row);
    const alike = answered.get(key);
    if (alike) alike.push(row);
    else answered.set(key, [row]);
  }
  const found = new Map<number, number>();
  if (answered.size === 0) return found;
  for (const row of rows) {
    const { id, time, fromServiceWorker } = row.exchange;
    if (fromServiceWorker) continue;
    const page = answered
      .get(keyOf(row))
      ?.find(({ exchange }) => time >= exchange.time - ROUNDING && time <= exchange.time + exchange.duration + ROUNDING);
    if (page) found.set(id, page.exchange.id);
  }
  return found;
}

function keyOf({ exchange: { method, url } }: Row): string {
  return `${method} ${url}`;
}

/** Content-Types of documents, scripts, styles, images and fonts. */
const NO_DATA_TYPES = /^(?:image|audio|video|font)\/|^text\/(?:html|css)|(?:java|ecma)script\b/i;

/** True if a request may carry data; false for documents, scripts, styles, images and fonts. Firefox does not tell the kind of a request. */
export function mayBeData({ initiator, contentType, url }: Exchange): boolean {
  return initiator === '' ? !NO_DATA_TYPES.test(contentType) && !url.startsWith('data:') : !NO_DATA.test(initiator);
}

/** Types of files that hold no data, with the label of the list. */
const FILE_TYPES: readonly (readonly [RegExp, string])[] = [
  [/^text\/html\b|^application\/xhtml/i, 'html'],
  [/^text\/css\b/i, 'css'],
  [/(?:java|ecma)script\b/i, 'javascript'],
  [/^image\/svg/i, 'svg'],
  [/[/+]xml\b/i, 'xml'],
  [/^text\/csv\b/i, 'csv'],
  [/^(?:application|font)\/(?:font-)?(?:woff2?|otf|ttf|sfnt)\b|^font\//i, 'font'],
  [/^application\/wasm\b/i, 'wasm'],
  [/^application\/pdf\b/i, 'pdf'],
  [/^application\/jwt\b/i, 'jwt'],
  [/^text\/event-stream/i, 'event stream'],
  [/^text\//i, 'text'],
];

/** Format of a row's body for display: of its data, otherwise of the file. Empty if unknown. */
export function formatLabel({ exchange, detection }: Row): string {
  if (exchange.messages) return /^(?:websocket|eventsource)$/.test(exchange.initiator) ? exchange.initiator : 'event stream';
  if (detection?.isTrailersOnly) return 'trailers';
  const framing = detection?.wrappings.find((wrapping) => wrapping === 'form' || wrapping === 'multipart');
  if (framing) return framing;
  if (detection?.wrappings.includes('React Server Components')) return 'rsc';
  if (detection?.format) return detection.format;
  const { contentType } = exchange;
  return FILE_TYPES.find(([type]) => type.test(contentType))?.[1] ?? /^(?:image|audio|video)\/(?:x-)?([\w-]+)/i.exec(contentType)?.[1] ?? '';
}
