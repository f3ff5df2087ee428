import type { Exchange } from '../../adapter/adapter.ts';
import type { Detection } from '../../reading/protocol.ts';
import type { FormatId } from '../../../core/format/format-id.ts';

/** A row of the request list. */
export interface Row {
  exchange: Exchange;
  /** Undefined until the body was read. */
  detection: Detection | undefined;
  /** Format detected from the bytes and the Content-Type alone. */
  found: Detection | undefined;
  /** Name of the GraphQL or gRPC operation. */
  operation: string | undefined;
  /** Bytes of the body; −1 if unknown. */
  size: number;
  /** Milliseconds to decode the body here, with warm code. */
  decodeMs: number | undefined;
}

/** Kinds of requests: `data` excludes documents, scripts, styles, images and fonts; `binary` also excludes JSON. */
export type Shown = 'all' | 'data' | 'binary';

/** Filter of the request list. */
export interface RowFilter {
  text: string;
  shown: Shown;
  format: FormatId | '';
}

const NO_DATA = /^(?:document|stylesheet|script|image|font|media|manifest|ping|preflight|texttrack)$/;

export function newRow(exchange: Exchange): Row {
  return { exchange, detection: undefined, found: undefined, operation: undefined, size: exchange.encodedSize, decodeMs: undefined };
}

/** True if a request failed: by its status, for lack of a response, according to the browser, or as a gRPC call. */
export function isFailed({ exchange, detection }: Row): boolean {
  const { status, method, initiator, hasFailed = false } = exchange;
  const isUnanswered = status === 0 && method !== 'FILE' && initiator !== 'websocket';
  return status >= 400 || isUnanswered || hasFailed || (detection?.rpc?.code ?? 0) > 0;
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

/** True if a request may carry data; false for documents, scripts, styles, images and fonts. */
export function mayBeData({ initiator }: Exchange): boolean {
  return !NO_DATA.test(initiator);
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
  [/^text\//i, 'text'],
];

/** Format of a row's body for display: of its data, otherwise of the file. Empty if unknown. */
export function formatLabel({ exchange, detection }: Row): string {
  const framing = detection?.wrappings.find((wrapping) => wrapping === 'form' || wrapping === 'multipart');
  if (framing) return framing;
  if (detection?.format) return detection.format;
  const { contentType } = exchange;
  return FILE_TYPES.find(([type]) => type.test(contentType))?.[1] ?? /^(?:image|audio|video)\/(?:x-)?([\w-]+)/i.exec(contentType)?.[1] ?? '';
}

/** Rows that match a filter, in order. */
export function filterRows(rows: readonly Row[], { text, shown, format }: RowFilter): readonly Row[] {
  const terms = termsOf(text);
  return rows.filter((row) => {
    const { exchange, detection } = row;
    if (!terms.every((fits) => fits(row))) return false;
    if (format && detection?.format !== format) return false;
    if (shown === 'all') return true;
    if (shown === 'binary') return detection?.format !== undefined && detection.format !== 'json';
    return detection?.format !== undefined || mayBeData(exchange);
  });
}

/** Characters of a row that patterns are matched with: a URL may be long, and a pattern slow. */
const MAX_MATCHED = 2_000;

type Term = (row: Row) => boolean;

/** Properties that a term may name, as in Chrome's Network panel. */
const PROPERTIES: Readonly<Record<string, (value: string) => Term>> = {
  'status-code':
    (value) =>
    ({ exchange }) =>
      String(exchange.status) === value,
  'mime-type':
    (value) =>
    ({ exchange }) =>
      exchange.contentType.toLowerCase().startsWith(value),
  'larger-than': (value) => {
    const [, digits = '0', unit = ''] = /^(\d+(?:\.\d+)?)([km]?)/.exec(value) ?? [];
    const least = Number(digits) * (unit === 'm' ? 1e6 : unit === 'k' ? 1e3 : 1);
    return ({ size }) => size > least;
  },
  method:
    (value) =>
    ({ exchange }) =>
      exchange.method.toLowerCase() === value,
  domain:
    (value) =>
    ({ exchange }) =>
      URL.canParse(exchange.url) && new URL(exchange.url).hostname.includes(value.replace(/^\*/, '')),
};

/** Terms of a filter, which all have to match: text, `/pattern/`, `property:value`; each with `-` before it to exclude. */
function termsOf(text: string): Term[] {
  return (text.trim().match(/-?\/(?:[^/\\]|\\.)+\/(?=\s|$)|\S+/g) ?? []).map((word) => {
    const isExcluded = word.length > 1 && word.startsWith('-');
    const term = termOf(isExcluded ? word.slice(1) : word);
    return isExcluded ? (row) => !term(row) : term;
  });
}

function termOf(word: string): Term {
  const [, property = '', value = ''] = /^([a-z-]+):(.+)$/.exec(word.toLowerCase()) ?? [];
  if (Object.hasOwn(PROPERTIES, property)) return PROPERTIES[property]!(value);
  const pattern = /^\/(.+)\/$/.exec(word)?.[1];
  if (pattern !== undefined) {
    try {
      // Matches lines of a list, which are short.
      const expression = new RegExp(pattern, 'i');
      return (row) => expression.test(searchedText(row).slice(0, MAX_MATCHED));
    } catch {
      // Not a pattern yet, while it is typed.
    }
  }
  const needle = word.toLowerCase();
  return (row) => searchedText(row).includes(needle);
}

/** Cache of the text that the filter searches in each row. */
const searched = new WeakMap<Row, { text: string; detection: Detection | undefined; operation: string | undefined }>();

function searchedText(row: Row): string {
  const { exchange, detection, operation } = row;
  const known = searched.get(row);
  if (known && known.detection === detection && known.operation === operation) return known.text;
  const text = `${operation ?? ''} ${exchange.method} ${exchange.url} ${exchange.status} ${detection?.format ?? ''}`.toLowerCase();
  searched.set(row, { text, detection, operation });
  return text;
}
