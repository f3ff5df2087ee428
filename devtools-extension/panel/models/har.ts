import { requestBytes, fromBase64, toBase64 } from '../../adapter/bytes.ts';
import type { Body, Exchange, Header } from '../../adapter/adapter.ts';

/** What is read of an entry (http://www.softwareishard.com/blog/har-12-spec/). */
interface HarEntry {
  startedDateTime?: string;
  time?: number;
  request?: {
    method?: string;
    url?: string;
    httpVersion?: string;
    headers?: Header[];
    postData?: { mimeType?: string; text?: string; _base64?: string };
  };
  response?: {
    status?: number;
    statusText?: string;
    headers?: Header[];
    bodySize?: number;
    _transferSize?: number;
    content?: { size?: number; mimeType?: string; text?: string; encoding?: string };
  };
  timings?: Record<string, number>;
  serverIPAddress?: string;
  _resourceType?: string;
}

/** A request with its bodies, to be written. */
export interface SavedExchange {
  exchange: Exchange;
  response: Body;
  request: Body | undefined;
}

/** A HAR log with the bodies in it, as text where they are UTF-8, otherwise in base64. */
export function writeHar(saved: readonly SavedExchange[], version: string): string {
  return JSON.stringify({ log: { version: '1.2', creator: { name: 'Unspool', version }, pages: [], entries: saved.map(entryOf) } }, undefined, 1);
}

function entryOf({ exchange, response, request }: SavedExchange): object {
  const {
    method,
    url,
    status,
    statusText,
    contentType,
    requestHeaders,
    responseHeaders,
    network,
    time,
    duration,
    encodedSize,
    transferred,
    initiator,
  } = exchange;
  const httpVersion = network?.httpVersion ?? '';
  const sent = request && 'bytes' in request ? request.bytes : undefined;
  const got = 'bytes' in response ? response.bytes : undefined;
  const timings = network?.timings ?? {};
  return {
    startedDateTime: new Date(time).toISOString(),
    time: duration,
    request: {
      method,
      url,
      httpVersion,
      headers: requestHeaders,
      cookies: [],
      queryString: queryOf(url),
      headersSize: -1,
      bodySize: sent?.length ?? 0,
      ...(sent && { postData: { mimeType: headerOf(requestHeaders, 'content-type'), ...postText(sent) } }),
    },
    response: {
      status,
      statusText,
      httpVersion,
      headers: responseHeaders,
      cookies: [],
      redirectURL: headerOf(responseHeaders, 'location'),
      headersSize: -1,
      bodySize: encodedSize,
      _transferSize: transferred,
      content: { size: got?.length ?? 0, mimeType: contentType, ...(got && contentText(got)) },
    },
    cache: {},
    timings: { blocked: -1, dns: -1, connect: -1, ssl: -1, send: 0, wait: 0, receive: 0, ...timings },
    ...(network?.remoteAddress && { serverIPAddress: network.remoteAddress }),
    _resourceType: initiator,
  };
}

function contentText(bytes: Uint8Array): { text: string; encoding?: string } {
  const text = utf8Of(bytes);
  return text === undefined ? { text: toBase64(bytes), encoding: 'base64' } : { text };
}

/** HAR has no encoding for what was sent: bytes that are no text stand beside it as well. */
function postText(bytes: Uint8Array): { text: string; _base64?: string } {
  const text = utf8Of(bytes);
  return text === undefined ? { text: '', _base64: toBase64(bytes) } : { text };
}

function utf8Of(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function queryOf(url: string): Header[] {
  const at = url.indexOf('?');
  return at < 0 ? [] : Array.from(new URLSearchParams(url.slice(at + 1)), ([name, value]) => ({ name, value }));
}

function headerOf(headers: readonly Header[], name: string): string {
  return headers.find((header) => header.name.toLowerCase() === name)?.value ?? '';
}

/** The requests of a HAR log; undefined where the text is none. `nextId` gives each a number of its own. */
export function readHar(text: string, nextId: () => number): Exchange[] | undefined {
  let entries: unknown;
  try {
    entries = (JSON.parse(text) as { log?: { entries?: unknown } } | null)?.log?.entries;
  } catch {
    return undefined;
  }
  return Array.isArray(entries)
    ? (entries as HarEntry[]).filter((entry) => typeof entry?.request?.url === 'string').map((entry) => exchangeOf(entry, nextId()))
    : undefined;
}

function exchangeOf(
  { startedDateTime = '', time = 0, request = {}, response = {}, timings = {}, serverIPAddress = '', _resourceType = 'fetch' }: HarEntry,
  id: number,
): Exchange {
  const { content = {}, headers: responseHeaders = [] } = response;
  const requestHeaders = request.headers ?? [];
  const { postData } = request;
  const began = Date.parse(startedDateTime);
  return {
    id,
    method: request.method ?? 'GET',
    url: request.url!,
    status: response.status ?? 0,
    statusText: response.statusText ?? '',
    contentType: headerOf(responseHeaders, 'content-type') || (content.mimeType ?? ''),
    initiator: _resourceType,
    time: Number.isNaN(began) ? 0 : began,
    duration: time,
    encodedSize: response.bodySize ?? -1,
    transferred: response._transferSize ?? response.bodySize ?? -1,
    fromServiceWorker: false,
    requestHeaders,
    responseHeaders,
    network: {
      timings: Object.fromEntries(Object.entries(timings).filter(([, value]) => typeof value === 'number' && value >= 0)),
      httpVersion: request.httpVersion ?? '',
      remoteAddress: serverIPAddress,
      priority: '',
      initiator: 'a HAR file',
      requestCookies: [],
      responseCookies: [],
    },
    responseBody: () => Promise.resolve(contentOf(content)),
    ...(postData && {
      requestBody: () =>
        Promise.resolve(postData._base64 === undefined ? requestBytes(postData.text ?? '', requestHeaders) : bytesOf(postData._base64)),
    }),
  };
}

function contentOf({ text, encoding }: NonNullable<NonNullable<HarEntry['response']>['content']>): Body {
  if (typeof text !== 'string') return { missing: 'The HAR file does not have this body.' };
  return encoding === 'base64' ? bytesOf(text) : { bytes: new TextEncoder().encode(text) };
}

function bytesOf(base64: string): Body {
  try {
    return { bytes: fromBase64(base64) };
  } catch {
    return { missing: 'The HAR file has something that is no base64.' };
  }
}
