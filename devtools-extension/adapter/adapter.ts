import type { DecodeReport } from '../../main/call/observe.ts';

/** Header of a request or response. */
export interface Header {
  name: string;
  value: string;
}

/** Bytes of a body, or the reason why they are missing. */
export type Body =
  | { bytes: Uint8Array; /** True if the browser delivered text, so the bytes may differ from those sent. */ lossy?: boolean }
  | { missing: string; /** True if the page or a file may still have it. */ mayBeElsewhere?: boolean };

/** Message of a WebSocket or EventSource. */
export interface Message {
  direction: 'sent' | 'received';
  /** Milliseconds since the epoch. */
  time: number;
  bytes: Uint8Array;
  isText: boolean;
  /** Name of the event, for an EventSource. */
  name?: string;
}

/** The browser's details about a request. */
export interface NetworkDetails {
  /** Milliseconds by HAR phase: `blocked`, `dns`, `connect`, `ssl`, `send`, `wait`, `receive`; also `queueing`. Inapplicable phases are absent. */
  timings: Readonly<Record<string, number>>;
  httpVersion: string;
  remoteAddress: string;
  priority: string;
  /** Kind of initiator, and its position in a script if known. */
  initiator: string;
}

/** Action of DevTools' search field. */
export type SearchAction = { action: 'find'; text: string } | { action: 'next' | 'previous' | 'end' };

/** A request of the page, or an opened file. */
export interface Exchange {
  id: number;
  method: string;
  url: string;
  /** 0 without a response. */
  status: number;
  statusText: string;
  /** True if the request failed despite a status, for example because of CORS. False for cancelled requests. */
  hasFailed?: boolean;
  /** Content-Type of the response, including parameters. */
  contentType: string;
  /** Resource type in the browser's terms: `fetch`, `script`, `websocket`, … */
  initiator: string;
  /** Start in milliseconds since the epoch, and duration. */
  time: number;
  duration: number;
  /** Size of the body as sent, −1 if unknown; and all transferred bytes. */
  encodedSize: number;
  /** Size of the body without its Content-Encoding; undefined if unknown. */
  size?: number | undefined;
  transferred: number;
  fromServiceWorker: boolean;
  requestHeaders: Header[];
  responseHeaders: Header[];
  responseBody(): Promise<Body>;
  /** Undefined for a request without a body. */
  requestBody?: () => Promise<Body>;
  /** Content-Type of a body that is in the URL, as for GET requests of Connect; undefined for other requests. */
  messageType?: string;
  /** Undefined if the browser has no details. */
  network?: NetworkDetails;
  /** Messages so far, without the oldest ones of a long stream; undefined if this is not a stream. */
  messages?: () => Promise<Message[]>;
  /** Messages that were dropped to bound the panel's memory: the oldest ones. */
  droppedMessages?: () => number;
}

/** A request for the inspected page to make. */
export interface PageRequest {
  /** Origin that the page must have; a page of another origin receives nothing. */
  origin: string;
  method: string;
  url: string;
  /** Headers that a page may set. */
  headers: readonly Header[];
  body: Uint8Array | undefined;
  /** `include` also sends cookies to other origins. */
  credentials: 'include' | 'same-origin';
}

/** A script of the inspected page. */
export interface PageScript {
  url: string;
  text: string;
}

/** State of the library on a page. */
export interface LibraryState {
  /** Origin of the inspected page; undefined if the panel is embedded in the page. */
  origin?: string;
  decodes: DecodeReport[];
  schemas: { name: string; format: string; schema: unknown }[];
  /** Ids of the decodes whose bodies the page keeps. */
  bodies: number[];
  /** Time origin of the page, to relate `startTime` to a request's time. */
  timeOrigin: number;
}

export interface AdapterListener {
  exchange(exchange: Exchange): void;
  /**
   * Called when the page's address has changed. `documentStart` is when the navigation to a new document began, in
   * milliseconds since the epoch; undefined for changes of the history and of the URL's fragment, in which the document stays.
   */
  navigated(url: string, documentStart: number | undefined): void;
  /** Called with the bytes of all messages of an open stream, when there are more. */
  grown?(exchange: Exchange, bytes: number): void;
  /**
   * Called when the browser's log has grown so long that reading it would block the panel, so open streams are no longer
   * found automatically. `look` reads it once; undefined resumes automatic reads.
   */
  streamsPaused?(look: (() => void) | undefined): void;
}

/** Environment of the panel. */
export interface Adapter {
  readonly theme: 'light' | 'dark' | 'system';
  /** Calls the listener when the theme changes. */
  watchTheme?(listener: (theme: 'light' | 'dark') => void): void;
  /** Calls the listener for each action of DevTools' search field. Returns a function that unsubscribes. */
  watchSearch?(listener: (search: SearchAction) => void): () => void;
  /** Calls the listener for every request, past ones included. Returns a function that unsubscribes. */
  subscribe(listener: AdapterListener): () => void;
  /** Undefined if the page does not use the library. */
  readLibrary(): Promise<LibraryState | undefined>;
  /** Body that the library on the page keeps, by the id of its decode in `state`. */
  readLibraryBody(id: number, state: LibraryState): Promise<Uint8Array | undefined>;
  /** Sets `$u` in the inspected page to a value given as JSON, and logs it to the console. Returns false if a page of another origin is open. */
  storeInConsole?(json: string, origin: string): Promise<boolean>;
  /** Origin of the inspected page, from which requests are sent. */
  pageOrigin?(): Promise<string | undefined>;
  /** Makes the inspected page send a request and read its response, which arrives as an exchange. Returns an error message if it cannot be sent. */
  send?(request: PageRequest): Promise<string | undefined>;
  /** Makes a page of the origin request a URL with GET. Returns the bytes of the response, or the reason why they are missing. */
  fetchAgain?(url: string, origin: string): Promise<Body>;
  /** Scripts of the inspected page. Undefined if the browser does not tell; those of the request list then count. */
  scripts?(): Promise<PageScript[] | undefined>;
  /** Copies text to the clipboard. */
  copy(text: string): Promise<void>;
}
