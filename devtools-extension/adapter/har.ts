import { EventParser } from '../../core/messages/event-parser.ts';
import type { Exchange, Message, NetworkDetails } from './adapter.ts';
import { fromBase64, requestBytes } from './bytes.ts';
import { messageInUrl } from './connect-get.ts';
import { MessageLog } from './message-log.ts';

type Entry = chrome.devtools.Request;

/** Key of an entry, as unique as its data allow. */
export function keyOf({ startedDateTime, request, _resourceType }: Entry): string {
  return `${startedDateTime} ${request.method} ${request.url} ${_resourceType}`;
}

/** True for streams, which the log lists with their messages while they are open. */
export function isStream(entry: Entry): boolean {
  const { _resourceType, _eventSourceMessages } = entry;
  return _resourceType === 'websocket' || _resourceType === 'eventsource' || (_eventSourceMessages?.length ?? 0) > 0 || isFetchedStream(entry);
}

/** True for an event stream that the page fetches. Its log may come without the events. */
function isFetchedStream({ _resourceType, response }: Entry): boolean {
  return _resourceType !== 'eventsource' && response.headers.some(({ name, value }) => /^content-type$/i.test(name) && isEventStream(value));
}

/** True for the Content-Type of event streams. */
export function isEventStream(contentType: string): boolean {
  return /^text\/event-stream\b/i.test(contentType);
}

/** Events in the body of an event stream, with the time of its request. */
export function eventsIn(bytes: Uint8Array, time: number): Message[] {
  return Array.from(new EventParser(Infinity).read(bytes), ({ type, data }) => ({
    direction: 'received',
    time,
    bytes: new TextEncoder().encode(data),
    isText: true,
    name: type,
  }));
}

/** True for the fetch of a service worker that duplicates a listed request. It has no content of its own. */
export function isTwin({ response, _resourceType }: Entry): boolean {
  return _resourceType === 'fetch' && response._fetchedViaServiceWorker === undefined && response.status === 0 && !response._error;
}

/** Bytes of all messages of a stream that the log has. */
export function messageBytes({ _webSocketMessages = [], _eventSourceMessages = [] }: Entry): number {
  let sum = 0;
  for (const { opcode, data } of _webSocketMessages) sum += opcode === BINARY ? base64Bytes(data) : utf8Bytes(data);
  for (const { data } of _eventSourceMessages) sum += utf8Bytes(data);
  return sum;
}

function utf8Bytes(text: string): number {
  return /[\u0080-\uffff]/.test(text) ? new TextEncoder().encode(text).length : text.length;
}

/** Number of bytes that base64 stands for. */
function base64Bytes(text: string): number {
  return Math.floor((text.length * 3) / 4) - (text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0);
}

const CANCELLED = 'net::ERR_ABORTED';

/** Converts an entry of the browser's log, whose body `responseBody` reads. For streams, `find` returns the current version of the entry. */
export function exchangeOf(
  entry: Entry,
  id: number,
  find: (() => Promise<Entry | undefined>) | undefined,
  responseBody: Exchange['responseBody'],
): Exchange {
  const { request, response } = entry;
  const header = (name: string): string | undefined => response.headers.find((candidate) => candidate.name.toLowerCase() === name)?.value;
  const declared = header('content-length');
  const exchange: Exchange = {
    id,
    method: request.method,
    url: request.url,
    status: response.status,
    statusText: response._error ?? response.statusText,
    contentType: header('content-type') ?? '',
    initiator: entry._resourceType ?? '',
    time: Date.parse(entry.startedDateTime),
    duration: entry.time,
    encodedSize: find ? messageBytes(entry) || Math.max(0, response.content.size) : declared === undefined ? response.bodySize : Number(declared),
    size: !find && response.content.size > 0 ? response.content.size : undefined,
    transferred: response._transferSize ?? response.bodySize,
    fromServiceWorker: response._fetchedViaServiceWorker === true,
    requestHeaders: request.headers,
    responseHeaders: response.headers,
    responseBody,
  };
  if (response._error && response._error !== CANCELLED) exchange.hasFailed = true;
  exchange.network = networkOf(entry);
  const sent = request.postData?.text;
  if (sent) exchange.requestBody = () => Promise.resolve(requestBytes(sent, request.headers));
  const asked = messageInUrl(request.method, request.url);
  if (asked) Object.assign(exchange, { requestBody: () => Promise.resolve(asked.body), messageType: asked.contentType });
  if (find) {
    const log = new MessageLog();
    exchange.messages = messagesOf(entry, find, log, responseBody);
    exchange.droppedMessages = () => log.dropped;
  }
  return exchange;
}

function networkOf({ timings = {}, serverIPAddress = '', request, _priority, _initiator }: Entry): NetworkDetails {
  const known = Object.entries(timings).filter((timing): timing is [string, number] => typeof timing[1] === 'number' && timing[1] >= 0);
  // Chrome includes queueing in `blocked`.
  const queueing = timings['_blocked_queueing'] ?? -1;
  const all = Object.fromEntries(known.filter(([name]) => !name.startsWith('_')));
  if (queueing > 0 && all['blocked'] !== undefined) Object.assign(all, { queueing, blocked: Math.max(0, all['blocked'] - queueing) });
  const [frame] = _initiator?.stack?.callFrames ?? [];
  const place = frame ? `${frame.url}:${frame.lineNumber + 1}` : _initiator?.url;
  return {
    timings: all,
    httpVersion: request.httpVersion ?? '',
    remoteAddress: serverIPAddress,
    priority: _priority ?? '',
    initiator: [_initiator?.type, place].filter((part) => part !== undefined && part !== '').join(', '),
  };
}

/** Returns a function that reads all messages so far. Converted messages are kept after the browser has dropped the entry. */
function messagesOf(
  entry: Entry,
  find: () => Promise<Entry | undefined>,
  known: MessageLog,
  responseBody: Exchange['responseBody'],
): () => Promise<Message[]> {
  let sockets = 0;
  let events = 0;
  let isRead = false;
  return async () => {
    const latest = (await find()) ?? entry;
    const { _webSocketMessages = [], _eventSourceMessages = [] } = latest;
    if (isFetchedStream(latest) && latest.time >= 0 && _eventSourceMessages.length === 0 && !isRead) {
      isRead = true;
      const body = await responseBody();
      if ('bytes' in body) for (const message of eventsIn(body.bytes, Date.parse(latest.startedDateTime))) known.push(message);
    }
    for (const message of streamMessages(_webSocketMessages.slice(sockets), _eventSourceMessages.slice(events))) known.push(message);
    sockets = Math.max(sockets, _webSocketMessages.length);
    events = Math.max(events, _eventSourceMessages.length);
    return known.messages;
  };
}

type SocketMessage = NonNullable<Entry['_webSocketMessages']>[number];
type EventMessage = NonNullable<Entry['_eventSourceMessages']>[number];

/** Converts messages of streams in a log. Throws on invalid base64. */
export function* streamMessages(sockets: readonly SocketMessage[], events: readonly EventMessage[]): Generator<Message, void> {
  const encoder = new TextEncoder();
  for (const { type, time, opcode, data } of sockets) {
    yield {
      direction: type === 'send' ? 'sent' : 'received',
      time: time * 1000,
      bytes: opcode === BINARY ? fromBase64(data) : encoder.encode(data),
      isText: opcode !== BINARY,
    };
  }
  for (const { time, eventName, data } of events) {
    yield { direction: 'received', time: time * 1000, bytes: encoder.encode(data), isText: true, name: eventName };
  }
}

/** Opcode of binary frames (RFC 6455, section 5.2). */
export const BINARY = 2;
