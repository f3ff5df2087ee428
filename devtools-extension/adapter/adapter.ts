import type { DecodeReport } from '../../main/decoder/observe.ts';

/** A header of a request or response. */
export interface Header {
  name: string;
  value: string;
}

/** The bytes of a body, or why there are none. */
export type Body =
  | { bytes: Uint8Array; /** The browser gave text, of which the bytes were made: they may differ. */ lossy?: boolean }
  | { missing: string; /** The page may have kept it, or somebody has it as a file. */ mayBeElsewhere?: boolean };

/** A message of a WebSocket or an EventSource. */
export interface Message {
  direction: 'sent' | 'received';
  /** Milliseconds since the epoch. */
  time: number;
  bytes: Uint8Array;
  isText: boolean;
  /** The event's name, of an EventSource. */
  name?: string;
}

/** What the browser says of how a request went. */
export interface NetworkDetails {
  /** Milliseconds by the names of HAR: `blocked`, `dns`, `connect`, `ssl`, `send`, `wait`, `receive`; and `queueing`. Absent where they do not apply. */
  timings: Readonly<Record<string, number>>;
  httpVersion: string;
  remoteAddress: string;
  priority: string;
  /** What made the request: a kind, and a place in a script where there is one. */
  initiator: string;
}

/** What DevTools' own search field asks for. */
export type SearchAction = { action: 'find'; text: string } | { action: 'next' | 'previous' | 'end' };

/** A request that the page has made, or something else with bytes: a file that was opened. */
export interface Exchange {
  id: number;
  method: string;
  url: string;
  /** 0 where there is no response. */
  status: number;
  statusText: string;
  /** The request failed though a status may have come, as where CORS keeps the page from the response. The page has not cancelled it. */
  hasFailed?: boolean;
  /** The response's Content-Type, parameters and all. */
  contentType: string;
  /** What kind of thing asked for it, in the browser's words: `fetch`, `script`, `websocket`, … */
  initiator: string;
  /** Milliseconds since the epoch, and how long it took. */
  time: number;
  duration: number;
  /** Bytes of the body as it was sent, −1 where unknown, and of all that came over the network. */
  encodedSize: number;
  transferred: number;
  fromServiceWorker: boolean;
  requestHeaders: Header[];
  responseHeaders: Header[];
  responseBody(): Promise<Body>;
  /** Undefined where the request had none. */
  requestBody?: () => Promise<Body>;
  /** Undefined where the browser says nothing. */
  network?: NetworkDetails;
  /** The messages until now; undefined for what is no stream of messages. */
  messages?: () => Promise<Message[]>;
}

/** A request that the inspected page is to make. */
export interface PageRequest {
  /** Origin of the page that may make it: a page of another origin is told nothing of it. */
  origin: string;
  method: string;
  url: string;
  /** Those that a page may set. */
  headers: readonly Header[];
  body: Uint8Array | undefined;
  /** Whether cookies go along to other origins too. */
  credentials: 'include' | 'same-origin';
}

/** What a page that uses the library says of it. */
export interface LibraryState {
  /** Origin of the inspected page; undefined where the panel is part of the page. */
  origin?: string;
  decodes: DecodeReport[];
  schemas: { name: string; format: string; schema: unknown }[];
  /** The decodes whose bodies the page has kept. */
  bodies: number[];
  /** When the page began, so that `startTime` can be laid beside a request's time. */
  timeOrigin: number;
}

export interface AdapterListener {
  exchange(exchange: Exchange): void;
  navigated(url: string): void;
  /**
   * Streams that open are no longer looked for by themselves, since the browser's log has become so long that each look
   * would stop the panel for a moment. `look` looks once. Undefined: they are looked for again.
   */
  streamsPaused?(look: (() => void) | undefined): void;
}

/** All that the panel knows of where it is. */
export interface Adapter {
  readonly theme: 'light' | 'dark' | 'system';
  /** Tells when the theme is another. */
  watchTheme?(listener: (theme: 'light' | 'dark') => void): void;
  /** Tells what the search field of DevTools asks for. Returns what ends it. */
  watchSearch?(listener: (search: SearchAction) => void): () => void;
  /** Tells of every request, those before the call too. Returns what ends it. */
  subscribe(listener: AdapterListener): () => void;
  /** Undefined where the page does not use the library. */
  readLibrary(): Promise<LibraryState | undefined>;
  /** A body that the library on the page has kept, by the id of its decode in the state that the page gave. */
  readLibraryBody(id: number, state: LibraryState): Promise<Uint8Array | undefined>;
  /**
   * Makes a value, given as JSON, the variable `$u` of the inspected page, and logs it to the console. Returns whether that
   * was done: it is not where a page of another origin is open by then.
   */
  giveToConsole?(json: string, origin: string): Promise<boolean>;
  /** The origin of the inspected page, which requests are sent from. */
  pageOrigin?(): Promise<string | undefined>;
  /** Has the inspected page make a request, whose response it reads. Returns why it cannot be made; its answer comes as an exchange. */
  send?(request: PageRequest): Promise<string | undefined>;
  /** Puts text on the clipboard. */
  copy(text: string): Promise<void>;
}
