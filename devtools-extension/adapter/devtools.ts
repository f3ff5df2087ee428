import type { Adapter, Body, Exchange, LibraryState, Message } from './adapter.ts';
import { bytesOfText, fromBase64, likelyText, requestBytes } from './bytes.ts';

/** DevTools never answers for a body that the page has not read. */
const BODY_TIMEOUT = 8_000;
const LARGEST_BODY = 14_999_936;
/** Bytes of one piece of a body that the page hands over. */
const PIECE = 3 * 256 * 1024;
const POLL = 1_000;

type Entry = chrome.devtools.Request;

/** The panel's surroundings in Chrome's DevTools. */
export function createDevtoolsAdapter(): Adapter {
  const { network, panels, inspectedWindow } = chrome.devtools;
  let nextId = 1;

  function evaluate<T>(expression: string): Promise<T | undefined> {
    return new Promise((resolve) => {
      inspectedWindow.eval<T>(expression, (result, problem) => resolve(problem ? undefined : result));
    });
  }

  return {
    theme: panels.themeName === 'dark' ? 'dark' : 'light',

    subscribe(listener) {
      const seen = new Set<string>();
      const streams = new Map<string, true>();
      const take = (entry: Entry): void => {
        const key = keyOf(entry);
        if (seen.has(key) || isTwin(entry)) return;
        seen.add(key);
        if (isStream(entry)) streams.set(key, true);
        listener.exchange(exchangeOf(entry, nextId++, streams.has(key) ? () => findEntry(key) : undefined));
      };
      const navigated = (url: string): void => listener.navigated(url);
      // The listener first: what finishes while the log is read would be lost otherwise.
      network.onRequestFinished.addListener(take);
      network.onNavigated.addListener(navigated);
      const readLog = (onlyStreams: boolean): void =>
        network.getHAR(({ entries }) => {
          for (const entry of entries) if (!onlyStreams || isStream(entry)) take(entry);
        });
      readLog(false);
      // An open WebSocket or EventSource is in the log before it is finished.
      const timer = setInterval(() => readLog(true), POLL * 2);
      return () => {
        clearInterval(timer);
        network.onRequestFinished.removeListener(take);
        network.onNavigated.removeListener(navigated);
      };
    },

    async readLibrary() {
      const text = await evaluate<string>(READ_REGISTRY);
      return text ? (JSON.parse(text) as LibraryState) : undefined;
    },

    async readLibraryBody(id) {
      const length = await evaluate<number>(`globalThis[Symbol.for('unspool')]?.bodies.get(${id})?.byteLength ?? -1`);
      if (length === undefined || length < 0) return undefined;
      const bytes = new Uint8Array(length);
      for (let at = 0; at < length; at += PIECE) {
        const piece = await evaluate<string>(
          `(() => { const b = new Uint8Array(globalThis[Symbol.for('unspool')].bodies.get(${id}), ${at}, ${Math.min(PIECE, length - at)});
          let t = ''; for (let i = 0; i < b.length; i += 8192) t += String.fromCharCode(...b.subarray(i, i + 8192)); return btoa(t); })()`,
        );
        if (piece === undefined) return undefined;
        bytes.set(fromBase64(piece), at);
      }
      return bytes;
    },

    copy: copyText,
  };

  function findEntry(key: string): Promise<Entry | undefined> {
    return new Promise((resolve) => {
      network.getHAR(({ entries }) => resolve(entries.find((entry) => keyOf(entry) === key)));
    });
  }
}

/** Asks for reports of every decode from now on, and gives those there are. */
const READ_REGISTRY = `(() => {
  const found = globalThis[Symbol.for('unspool')];
  if (!found) return '';
  found.everything = true;
  return JSON.stringify({
    decodes: found.decodes,
    schemas: found.schemas.map(({ name, format, schema }) => ({ name, format, schema })),
    timeOrigin: performance.timeOrigin,
  }, (key, value) => typeof value === 'bigint' ? String(value)
    : ArrayBuffer.isView(value) ? { $bytes: Array.from(new Uint8Array(value.buffer, value.byteOffset, value.byteLength)) } : value);
})()`;

function keyOf({ startedDateTime, request, _resourceType }: Entry): string {
  return `${startedDateTime} ${request.method} ${request.url} ${_resourceType}`;
}

function isStream({ _resourceType }: Entry): boolean {
  return _resourceType === 'websocket' || _resourceType === 'eventsource';
}

/** The fetch that a service worker made for a request that is listed too: it has no content of its own. */
function isTwin({ response, _resourceType }: Entry): boolean {
  return _resourceType === 'fetch' && response._fetchedViaServiceWorker === undefined && response.status === 0 && !response._error;
}

function exchangeOf(entry: Entry, id: number, find: (() => Promise<Entry | undefined>) | undefined): Exchange {
  const { request, response } = entry;
  const header = (name: string): string | undefined =>
    response.headers.find((candidate) => candidate.name.toLowerCase() === name)?.value;
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
    encodedSize: declared === undefined ? response.bodySize : Number(declared),
    transferred: response._transferSize ?? response.bodySize,
    fromServiceWorker: response._fetchedViaServiceWorker === true,
    requestHeaders: request.headers,
    responseHeaders: response.headers,
    responseBody: () => readContent(entry),
  };
  const sent = request.postData?.text;
  if (sent) exchange.requestBody = () => Promise.resolve(requestBytes(sent, request.headers));
  if (find) exchange.messages = async () => messagesOf((await find()) ?? entry);
  return exchange;
}

function readContent(entry: Entry): Promise<Body> {
  const { response, _resourceType } = entry;
  if (response._error) return Promise.resolve({ missing: `The request failed: ${response._error}.` });
  return new Promise((resolve) => {
    const timer = setTimeout(
      () => resolve({ missing: 'The page has not read this body, so the browser has not kept it.' }),
      BODY_TIMEOUT,
    );
    entry.getContent((content, encoding) => {
      clearTimeout(timer);
      if (content === null) resolve({ missing: whyMissing(entry) });
      else if (encoding === 'base64') resolve({ bytes: fromBase64(content) });
      else if (content === '' && response.content.size > 0) resolve({ missing: whyMissing(entry) });
      else resolve({ bytes: bytesOfText(content, response.content.size), lossy: !likelyText(response.content.mimeType, _resourceType) });
    });
  });
}

function whyMissing({ response, request }: Entry): string {
  if (response.status >= 300 && response.status < 400) return 'A redirect has no body.';
  if (request.method === 'HEAD' || response.status === 204) return 'This response has no body.';
  if (response.content.size > LARGEST_BODY) {
    return 'DevTools hands over bodies of up to 15 MB, and this one is larger.';
  }
  return 'The browser has not kept this body: the request was cancelled, or DevTools has dropped it.';
}

function messagesOf(entry: Entry): Message[] {
  const encoder = new TextEncoder();
  const sockets = (entry._webSocketMessages ?? []).map(({ type, time, opcode, data }): Message => ({
    direction: type === 'send' ? 'sent' : 'received',
    time: time * 1000,
    bytes: opcode === 2 ? fromBase64(data) : encoder.encode(data),
    isText: opcode !== 2,
  }));
  const events = (entry._eventSourceMessages ?? []).map(({ time, data }): Message => ({
    direction: 'received',
    time: time * 1000,
    bytes: encoder.encode(data),
    isText: true,
  }));
  return [...sockets, ...events];
}

/** The clipboard's own API is closed to panels. */
function copyText(text: string): Promise<void> {
  const area = document.createElement('textarea');
  area.value = text;
  area.setAttribute('aria-hidden', 'true');
  area.className = 'visually-hidden';
  const focused = document.activeElement as HTMLElement | null;
  document.body.append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  focused?.focus();
  return isCopied ? Promise.resolve() : Promise.reject(new Error('The browser did not allow copying'));
}

