import type { Adapter, Body, Exchange, PageScript } from './adapter.ts';
import { fromBase64 } from './bytes.ts';
import { readContent, readResource } from './content.ts';
import { exchangeOf, isStream, isTwin, keyOf, messageBytes } from './har.ts';
import { Intake } from './intake.ts';
import { libraryStateOf, READ_LIBRARY } from './library-state.ts';
import { dropExpression, fetchedExpression, fetchExpression, ifOrigin, sendExpression } from './send.ts';

/** Bytes per transfer of a body from the page. */
const PIECE = 3 * 1024 * 1024;
/** Largest body transferred from the page: the panel caches no larger one. */
const MAX_BODY = 128 * 1024 * 1024;
/** Interval between reads of the log for new streams; reading takes at most a twentieth of the time. */
const POLL = 2_000;
const POLL_SHARE = 20;
/** Number of entries above which the log is no longer read automatically, because transferring it blocks the panel. */
const LONG_LOG = 1_000;

type Entry = chrome.devtools.Request;
type Resource = chrome.devtools.Resource;

/** Milliseconds between looks for a response that is fetched again, and until it is given up. */
const FETCH_POLL = 100;
const FETCH_PATIENCE = 60_000;

/** Number of scripts that are read for schemas. */
const MAX_SCRIPTS = 500;

/** Adapter for Chrome's DevTools. */
export function createDevtoolsAdapter(): Adapter {
  const { network, panels, inspectedWindow } = chrome.devtools;
  let nextId = 1;
  let nextFetch = 1;

  function evaluate<T>(expression: string): Promise<T | undefined> {
    return answered((resolve) => inspectedWindow.eval<T>(expression, (result, problem) => resolve(problem ? undefined : result)));
  }

  /** Time origin of the page's document, and when the navigation to it began, in milliseconds since the epoch. */
  async function readDocument(): Promise<{ origin: number; start: number } | undefined> {
    const answer = await evaluate<unknown>('[performance.timeOrigin, Date.now() - performance.now()]');
    if (!Array.isArray(answer) || !answer.every(Number.isFinite)) return undefined;
    const [origin, start] = answer as [number, number];
    // The page's clocks may be rounded to milliseconds.
    return { origin, start: Math.floor(start) - 1 };
  }

  function readHar(): Promise<Entry[]> {
    return answered<Entry[]>((resolve) => network.getHAR((log) => resolve(log?.entries))).then((entries) => entries ?? []);
  }

  return {
    theme: panels.themeName === 'dark' ? 'dark' : 'light',

    watchTheme(listener) {
      panels.setThemeChangeHandler?.((theme) => listener(theme === 'dark' ? 'dark' : 'light'));
    },

    watchSearch(listener) {
      const heard = (event: Event): void => {
        const { action, text } = (event as CustomEvent<{ action: string; text: string }>).detail;
        if (action === 'performSearch') listener({ action: 'find', text });
        else if (action === 'nextSearchResult') listener({ action: 'next' });
        else if (action === 'previousSearchResult') listener({ action: 'previous' });
        else if (action === 'cancelSearch') listener({ action: 'end' });
      };
      globalThis.addEventListener('unspool-search', heard);
      return () => globalThis.removeEventListener('unspool-search', heard);
    },

    subscribe(listener) {
      const intake = new Intake();
      let timer: ReturnType<typeof setTimeout> | undefined;
      let isEnded = false;
      /** Streams by key and number, with the bytes of their messages. */
      const streams = new Map<string, { exchange: Exchange; bytes: number }>();
      /** Changes of the page's address, after each of which DevTools gives no bodies of the requests that it had reported. */
      let navigations = 0;
      /** The last request to each URL. */
      const lastTo = new Map<string, number>();
      /** `since`: the changes of the address before the entry came. */
      const show = (entry: Entry, key: string, nth: number, since: number): void => {
        const id = nextId++;
        const { url } = entry.request;
        lastTo.set(url, id);
        const responseBody = async (): Promise<Body> => {
          const body = await readContent(entry);
          if ('bytes' in body || !body.mayBeElsewhere || navigations === since) return body;
          const resource = (await readResources()).find((candidate) => candidate.url === url);
          return (resource && lastTo.get(url) === id && (await readResource(entry, resource))) || body;
        };
        const find = isStream(entry) ? () => findEntry(key, nth) : undefined;
        const exchange = exchangeOf(entry, id, find, responseBody);
        if (find) streams.set(`${nth} ${key}`, { exchange, bytes: exchange.encodedSize });
        listener.exchange(exchange);
      };
      const measure = (entry: Entry, key: string, nth: number): void => {
        const stream = streams.get(`${nth} ${key}`);
        const bytes = messageBytes(entry);
        if (!stream || bytes <= stream.bytes) return;
        stream.bytes = bytes;
        listener.grown?.(stream.exchange, bytes);
      };
      /** Known number of log entries. */
      let length = 0;
      const look = (): void => readLog(false);
      const finished = (entry: Entry): void => {
        const since = navigations;
        inTurn(() => {
          length += 1;
          if (length === LONG_LOG + 1) listener.streamsPaused?.(look);
          if (isTwin(entry)) return;
          const key = keyOf(entry);
          const nth = intake.finish(key);
          if (nth >= 0) show(entry, key, nth, since);
        });
      };
      /** Chrome reports changes of the history and of the URL's fragment as navigations too, in which the document stays. */
      let origin: number | undefined;
      void readDocument().then((document) => (origin ??= document?.origin));
      const navigated = (url: string): void => {
        navigations += 1;
        const now = Date.now();
        const reading = readDocument();
        inTurn(async () => {
          const document = await reading;
          const isSame = document !== undefined && document.origin === origin;
          origin = document?.origin;
          if (isEnded) return;
          // Firefox reports a new document later than the requests that it made while it loaded.
          listener.navigated(url, isSame ? undefined : (document?.start ?? now));
          if (isSame) return;
          // The log starts over, unless it is preserved.
          length = 0;
          streams.clear();
          lastTo.clear();
          poll(POLL);
        });
      };
      /** Requests that finish after a navigation wait until it is known whether the document is a new one. */
      let turn: Promise<void> = Promise.resolve();
      const inTurn = (run: () => void | Promise<void>): void => {
        const done = turn.then(run);
        turn = done.catch(() => {});
      };
      // Listens first, so that requests finishing during the read are not lost.
      network.onRequestFinished.addListener(finished);
      network.onNavigated.addListener(navigated);
      const readLog = (isFirst: boolean): void => {
        const start = performance.now();
        const since = navigations;
        void readHar().then((entries) => inTurn(() => take(entries, isFirst, start, since)));
      };
      const take = (entries: readonly Entry[], isFirst: boolean, start: number, since: number): void => {
        if (isEnded) return;
        const counts = new Map<string, number>();
        for (const entry of entries) {
          const isOpen = isStream(entry);
          if (isTwin(entry) || !(isOpen || (isFirst && isFinished(entry)))) continue;
          const key = keyOf(entry);
          const nth = counts.get(key) ?? 0;
          counts.set(key, nth + 1);
          if (intake.log(key, nth, !isOpen)) show(entry, key, nth, since);
          else measure(entry, key, nth);
        }
        length = Math.max(length, entries.length);
        listener.streamsPaused?.(length > LONG_LOG ? look : undefined);
        // An open WebSocket or EventSource is in the log before it finishes.
        poll(Math.max(POLL, (performance.now() - start) * POLL_SHARE));
      };
      const poll = (milliseconds: number): void => {
        clearTimeout(timer);
        timer = setTimeout(() => {
          if (length <= LONG_LOG) readLog(false);
        }, milliseconds);
      };
      readLog(true);
      return () => {
        isEnded = true;
        clearTimeout(timer);
        network.onRequestFinished.removeListener(finished);
        network.onNavigated.removeListener(navigated);
      };
    },

    async readLibrary() {
      return libraryStateOf(await evaluate<unknown>(READ_LIBRARY));
    },

    readLibraryBody: (id, { origin = '' }) => readBytes(`globalThis[Symbol.for('unspool')]?.bodies.get(${id})`, origin),

    fetchAgain: (url, origin) => fetched(origin, (id) => fetchExpression(url, origin, id)),

    async storeInConsole(json, origin) {
      // A JSON string literal is valid JavaScript, and `JSON.parse` keeps `__proto__` as a key.
      const give = `(() => { globalThis.$u = JSON.parse(${JSON.stringify(json)}); console.log('$u', globalThis.$u); return true; })()`;
      return (await evaluate<unknown>(ifOrigin(origin, give))) === true;
    },

    async pageOrigin() {
      const origin = await evaluate<unknown>('location.origin');
      return typeof origin === 'string' ? origin : undefined;
    },

    async send(request) {
      const problem = await evaluate<unknown>(sendExpression(request));
      return typeof problem === 'string' ? problem || undefined : 'The page did not answer.';
    },

    async scripts() {
      if (!inspectedWindow.getResources) return undefined;
      const scripts = (await readResources()).filter(isScript).slice(0, MAX_SCRIPTS);
      const texts = await Promise.all(scripts.map(textOf));
      return texts.filter((script) => script !== undefined);
    },

    copy: copyText,
  };

  /** Makes the page send a request, and transfers the body of its response. */
  async function fetched(origin: string, expression: (id: number) => string): Promise<Body> {
    const id = nextFetch++;
    if ((await evaluate<unknown>(expression(id))) !== true)
      return { missing: 'The page did not make the request. Wait until it has loaded, then try again.' };
    const kept = fetchedExpression(id);
    for (let waited = 0; waited < FETCH_PATIENCE; waited += FETCH_POLL) {
      await new Promise((resolve) => setTimeout(resolve, FETCH_POLL));
      const state = await evaluate<unknown>(ifOrigin(origin, `(typeof ${kept} === 'string' ? ${kept} : ${kept} !== undefined)`));
      if (state === false) continue;
      const bytes = state === true ? await readBytes(kept, origin) : undefined;
      await evaluate(dropExpression(origin, id));
      if (bytes) return { bytes };
      return { missing: typeof state === 'string' ? `The page could not fetch the body again: ${state}` : 'The page did not answer.' };
    }
    return { missing: 'The response did not arrive within a minute.' };
  }

  /** Bytes of an ArrayBuffer of the page, in pieces; undefined if they are missing or too many. */
  async function readBytes(body: string, origin: string): Promise<Uint8Array | undefined> {
    const length = await evaluate<unknown>(ifOrigin(origin, `(${body}?.byteLength ?? -1)`));
    // The page may report anything, so memory is allocated for received bytes only.
    if (typeof length !== 'number' || !(length >= 0 && length <= MAX_BODY)) return undefined;
    const pieces: Uint8Array[] = [];
    for (let at = 0; at < length; at += PIECE) {
      const size = Math.min(PIECE, length - at);
      const piece = await evaluate<unknown>(
        ifOrigin(
          origin,
          `(() => { const b = new Uint8Array(${body}, ${at}, ${size});
          if (b.toBase64) return b.toBase64(); let t = ''; for (let i = 0; i < b.length; i += 8192) t += String.fromCharCode(...b.subarray(i, i + 8192)); return btoa(t); })()`,
        ),
      );
      const bytes = pieceOf(piece);
      if (bytes?.length !== size) return undefined;
      pieces.push(bytes);
    }
    return new Uint8Array(await new Blob(pieces as Uint8Array<ArrayBuffer>[]).arrayBuffer());
  }

  /** The resources that the page has loaded, by URL: of several responses from one URL, the last. Empty in browsers that do not tell. */
  async function readResources(): Promise<readonly Resource[]> {
    return (await answered<readonly Resource[]>((resolve) => inspectedWindow.getResources!(resolve))) ?? [];
  }

  /** The `nth` entry with a key. */
  async function findEntry(key: string, nth: number): Promise<Entry | undefined> {
    return (await readHar()).filter((entry) => keyOf(entry) === key)[nth];
  }
}

/** Milliseconds after which the browser will not answer, for example during a navigation. */
const NO_ANSWER = 10_000;

/** Promise for a callback of the browser's API; resolves with undefined if it fails or never calls back. */
function answered<T>(ask: (resolve: (answer?: T) => void) => void): Promise<T | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(undefined), NO_ANSWER);
    try {
      ask((answer) => {
        clearTimeout(timer);
        resolve(answer);
      });
    } catch {
      clearTimeout(timer);
      resolve(undefined);
    }
  });
}

/** An unfinished request has no time; an event follows when it finishes. */
function isFinished({ time, response }: Entry): boolean {
  return time >= 0 && (response.status > 0 || Boolean(response._error));
}

/** Decodes a piece from the page; undefined if it is invalid. */
function pieceOf(base64: unknown): Uint8Array | undefined {
  try {
    return typeof base64 === 'string' ? fromBase64(base64) : undefined;
  } catch {
    return undefined;
  }
}

/** Extension panels have no access to the Clipboard API. */
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

/** True for a script of the page; extensions and the browser have some of their own. */
function isScript({ url, type }: Resource): boolean {
  if (!/^(?:https?|file|blob):/.test(url)) return false;
  return type === undefined || type === '' ? /\.[mc]?jsx?(?:[?#]|$)/.test(url) : type === 'script' || type === 'sm-script';
}

async function textOf(resource: Resource): Promise<PageScript | undefined> {
  const text = await answered<string>((resolve) =>
    resource.getContent((content, encoding) => resolve(encoding === 'base64' ? undefined : (content ?? undefined))),
  );
  return text === undefined ? undefined : { url: resource.url, text };
}
