import { messageInUrl } from '../../adapter/connect-get.ts';
import { requestBytes, fromBase64, toBase64, utf8Of } from '../../adapter/bytes.ts';
import type { Body, Exchange, Header, Message } from '../../adapter/adapter.ts';
import { BINARY, eventsIn, isEventStream, streamMessages } from '../../adapter/har.ts';

/** A request with its bodies, ready to be written. */
export interface SavedExchange {
  exchange: Exchange;
  response: Body;
  request: Body | undefined;
  /** Messages of a stream. */
  messages?: readonly Message[] | undefined;
}

/** Headers that let others act as the user. */
const SECRET_HEADERS = /^(?:authorization|proxy-authorization|cookie|set-cookie)$/i;

/**
 * HAR log with bodies: UTF-8 as text, anything else in base64. Without `secrets`, cookies and `Authorization` are left out,
 * as in Chrome's export of sanitized logs.
 */
export function writeHar(saved: readonly SavedExchange[], version: string, { secrets = false }: { secrets?: boolean } = {}): string {
  const entries = (secrets ? saved : saved.map(withoutSecrets)).map(entryOf);
  return JSON.stringify({ log: { version: '1.2', creator: { name: 'Unspool', version }, pages: [], entries } }, undefined, 1);
}

function withoutSecrets({ exchange, ...bodies }: SavedExchange): SavedExchange {
  const open = (headers: readonly Header[]): Header[] => headers.filter(({ name }) => !SECRET_HEADERS.test(name));
  const { requestHeaders, responseHeaders } = exchange;
  return { ...bodies, exchange: { ...exchange, requestHeaders: open(requestHeaders), responseHeaders: open(responseHeaders) } };
}

function entryOf({ exchange, response, request, messages }: SavedExchange): object {
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
  const received = 'bytes' in response ? response.bytes : undefined;
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
      content: { size: received?.length ?? exchange.size ?? 0, mimeType: contentType, ...(received && contentText(received)) },
    },
    cache: {},
    timings: { blocked: -1, dns: -1, connect: -1, ssl: -1, send: 0, wait: 0, receive: 0, ...timings },
    ...(network?.remoteAddress && { serverIPAddress: network.remoteAddress }),
    _resourceType: initiator,
    ...(messages && savedMessages(messages)),
  };
}

/** Messages in the form of Chrome's log, with their times in seconds. */
function savedMessages(messages: readonly Message[]): object {
  if (messages.some(({ name }) => name !== undefined)) {
    const events = messages.map(({ time, name, bytes }) => ({ time: time / 1000, eventName: name, eventId: '', data: utf8Of(bytes) }));
    return { _eventSourceMessages: events };
  }
  const frames = messages.map(({ direction, time, bytes, isText }) => ({
    type: direction === 'sent' ? 'send' : 'receive',
    time: time / 1000,
    opcode: isText ? 1 : BINARY,
    data: isText ? utf8Of(bytes) : toBase64(bytes),
  }));
  return { _webSocketMessages: frames };
}

function contentText(bytes: Uint8Array): { text: string; encoding?: string } {
  const text = utf8Of(bytes);
  return text === undefined ? { text: toBase64(bytes), encoding: 'base64' } : { text };
}

/** HAR defines no encoding for request bodies, so a binary body is stored in `_base64`. */
function postText(bytes: Uint8Array): { text: string; _base64?: string } {
  const text = utf8Of(bytes);
  return text === undefined ? { text: '', _base64: toBase64(bytes) } : { text };
}

function queryOf(url: string): Header[] {
  const at = url.indexOf('?');
  return at < 0 ? [] : Array.from(new URLSearchParams(url.slice(at + 1)), ([name, value]) => ({ name, value }));
}

function headerOf(headers: readonly Header[], name: string): string {
  return headers.find((header) => header.name.toLowerCase() === name)?.value ?? '';
}

/** Requests of a HAR log; undefined if the text is not one. `nextId` supplies their ids. */
export function readHar(text: string, nextId: () => number): Exchange[] | undefined {
  let entries: unknown;
  try {
    entries = (JSON.parse(text) as { log?: { entries?: unknown } } | null)?.log?.entries;
  } catch {
    return undefined;
  }
  if (!Array.isArray(entries)) return undefined;
  return entries.map(recordOf).flatMap((entry) => (typeof recordOf(entry['request'])['url'] === 'string' ? [exchangeOf(entry, nextId())] : []));
}

/**
 * Reads an entry (http://www.softwareishard.com/blog/har-12-spec/). Values of an unexpected type count as missing, because
 * any program may have written the file.
 */
function exchangeOf(entry: JsonRecord, id: number): Exchange {
  const request = recordOf(entry['request']);
  const response = recordOf(entry['response']);
  const content = recordOf(response['content']);
  const requestHeaders = headersOf(request['headers']);
  const responseHeaders = headersOf(response['headers']);
  const postData = request['postData'];
  const began = Date.parse(textOf(entry['startedDateTime']));
  const time = Number.isNaN(began) ? 0 : began;
  const contentType = headerOf(responseHeaders, 'content-type') || textOf(content['mimeType']);
  const messages = messagesOf(entry, contentType, time);
  const encodedSize = messages?.reduce((sum, { bytes }) => sum + bytes.length, 0) ?? numberOf(response['bodySize'], -1);
  const asked = messageInUrl(textOf(request['method'], 'GET'), textOf(request['url']));
  return {
    id,
    method: textOf(request['method'], 'GET'),
    url: textOf(request['url']),
    status: numberOf(response['status'], 0),
    statusText: textOf(response['statusText']),
    contentType,
    initiator: textOf(entry['_resourceType'], 'fetch'),
    time,
    duration: numberOf(entry['time'], 0),
    encodedSize,
    size: messages ? undefined : numberOf(content['size'], 0) || undefined,
    transferred: numberOf(response['_transferSize'], encodedSize),
    fromServiceWorker: false,
    requestHeaders,
    responseHeaders,
    network: {
      timings: Object.fromEntries(
        Object.entries(recordOf(entry['timings'])).filter((timing): timing is [string, number] => numberOf(timing[1], -1) >= 0),
      ),
      httpVersion: textOf(request['httpVersion']),
      remoteAddress: textOf(entry['serverIPAddress']),
      priority: '',
      initiator: 'a HAR file',
    },
    responseBody: () => Promise.resolve(contentOf(content)),
    ...(postData !== undefined && postData !== null && { requestBody: () => Promise.resolve(postOf(recordOf(postData), requestHeaders)) }),
    ...(asked && { requestBody: () => Promise.resolve(asked.body), messageType: asked.contentType }),
    ...(messages && { messages: () => Promise.resolve(messages) }),
  };
}

/** Messages of a stream, from the log's list or the body of an event stream. Undefined for other requests. */
function messagesOf(entry: JsonRecord, contentType: string, time: number): Message[] | undefined {
  const sockets = recordsOf(entry['_webSocketMessages'])
    .map(({ type, time: at, opcode, data }) => ({
      type: type === 'send' ? ('send' as const) : ('receive' as const),
      ...timed(at, data),
      opcode: numberOf(opcode, 1),
    }))
    .filter(({ opcode, data }) => opcode !== BINARY || 'bytes' in bytesOf(data));
  const events = recordsOf(entry['_eventSourceMessages']).map(({ time: at, eventName, eventId, data }) => ({
    ...timed(at, data),
    eventName: textOf(eventName, 'message'),
    eventId: textOf(eventId),
  }));
  if (entry['_resourceType'] === 'websocket' || sockets.length + events.length > 0) return [...streamMessages(sockets, events)];
  const body = contentOf(recordOf(recordOf(entry['response'])['content']));
  return isEventStream(contentType) && 'bytes' in body ? eventsIn(body.bytes, time) : undefined;
}

function timed(time: unknown, data: unknown): { time: number; data: string } {
  return { time: numberOf(time, 0), data: textOf(data) };
}

type JsonRecord = Readonly<Record<string, unknown>>;

function recordOf(value: unknown): JsonRecord {
  return typeof value === 'object' && value !== null ? (value as JsonRecord) : {};
}

function recordsOf(value: unknown): JsonRecord[] {
  return Array.isArray(value) ? value.map(recordOf) : [];
}

function textOf(value: unknown, missing = ''): string {
  return typeof value === 'string' ? value : missing;
}

function numberOf(value: unknown, missing: number): number {
  return Number.isFinite(value) ? (value as number) : missing;
}

function headersOf(value: unknown): Header[] {
  return recordsOf(value).flatMap(({ name, value: text }) => (typeof name === 'string' && typeof text === 'string' ? [{ name, value: text }] : []));
}

function postOf({ text, _base64: base64 }: JsonRecord, headers: readonly Header[]): Body {
  return typeof base64 === 'string' ? bytesOf(base64) : requestBytes(textOf(text), headers);
}

function contentOf({ text, encoding }: JsonRecord): Body {
  if (typeof text !== 'string') return { missing: 'The HAR file does not contain this body.' };
  return encoding === 'base64' ? bytesOf(text) : { bytes: new TextEncoder().encode(text) };
}

function bytesOf(base64: string): Body {
  try {
    return { bytes: fromBase64(base64) };
  } catch {
    return { missing: 'The HAR file has invalid base64 for this body.' };
  }
}
