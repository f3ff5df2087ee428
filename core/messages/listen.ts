import { DecodeError, NetworkError } from '../errors.ts';
import { notASource } from '../bytes/bytes-in.ts';
import { nextTask } from '../platform/platform.ts';
import { SLICE_MS } from '../slicing/tuning.ts';
import { nextOf } from './next-item.ts';
import type { Inbox } from './inbox.ts';

/** A source that dispatches `message` events: a WebSocket, EventSource, BroadcastChannel, MessagePort, RTCDataChannel or Worker, or a socket of the package `ws`. */
export interface MessageTarget {
  addEventListener(type: string, listener: (event: object) => void): void;
  removeEventListener(type: string, listener: (event: object) => void): void;
}

/** A WebSocketStream. */
export interface SocketStream {
  readonly opened: Promise<{ readonly readable: ReadableStream<unknown> }>;
  readonly closed?: Promise<{ readonly closeCode?: number | undefined; readonly reason?: string | undefined }> | undefined;
}

/** A source of messages. */
export type MessageSource = MessageTarget | SocketStream | ReadableStream<unknown> | AsyncIterable<unknown>;

/** The properties of a `close` event. Node's types lack `CloseEvent`. */
interface CloseFacts {
  readonly wasClean?: boolean | undefined;
  readonly code?: number | undefined;
  readonly reason?: string | undefined;
}

type Closable = { readyState?: number; CLOSED?: number; binaryType?: string; start?: () => void };

/**
 * Puts the messages of a source into an inbox, after those of `early`, the events that it has dispatched so far. Returns a
 * function that stops.
 */
export function listen(source: MessageSource, inbox: Inbox, early: readonly Event[]): () => void {
  if (typeof (source as MessageTarget | undefined)?.addEventListener === 'function') return hear(source as MessageTarget, inbox, early);
  const stop = new AbortController();
  pump(source as Exclude<MessageSource, MessageTarget>, inbox, stop.signal).catch((error: unknown) => inbox.end(error));
  return () => stop.abort();
}

/** Cancels a stream or an iterable of which no message is read. Sockets and other targets of events stay as they are. */
export function refuse(source: MessageSource): void {
  const { addEventListener, opened } = (source ?? {}) as Partial<MessageTarget & SocketStream>;
  if (!addEventListener && !opened) nextOf(source as ReadableStream<unknown>, AbortSignal.abort());
}

function hear(target: MessageTarget, inbox: Inbox, early: readonly Event[]): () => void {
  const state = target as Closable;
  const isClosed = (): boolean => state.CLOSED !== undefined && state.readyState === state.CLOSED;
  const isEvents = state.CLOSED !== undefined && !('binaryType' in state);
  const add = (data: unknown): void => {
    try {
      inbox.add(data);
    } catch (error) {
      // The application's `key` has thrown.
      inbox.end(error);
    }
  };
  const listeners: Readonly<Record<string, (event: object) => void>> = {
    message: (event) => {
      const { data } = event as MessageEvent;
      // An event without data keeps the connection alive.
      if (!isEvents || data !== '') add(data);
    },
    messageerror: () => inbox.end(new DecodeError('malformed', 'a message could not be deserialised')),
    close: (event) => inbox.end(closeError(event)),
    // A WebSocket closes next; an EventSource connects again, unless it was refused.
    error: () => {
      if (isEvents && isClosed()) inbox.end(new NetworkError('the event source was refused or closed', 0));
    },
  };
  if ('binaryType' in state) state.binaryType = 'arraybuffer';
  for (const [type, listener] of Object.entries(listeners)) target.addEventListener(type, listener);
  for (const event of early) listeners[event.type]?.(event);
  state.start?.();
  if (isClosed()) inbox.end();
  return () => {
    for (const [type, listener] of Object.entries(listeners)) target.removeEventListener(type, listener);
  };
}

/** Codes of a normal end (RFC 6455 section 7.4.1): 1000, and 1005 for a close without a code. */
const NORMAL = [1000, 1005];

/**
 * The error of a connection that broke, or was closed for another reason than that it has served its purpose; undefined if it was
 * closed normally. Channels that are no sockets do not say how.
 */
export function closeError({ wasClean, code, reason }: CloseFacts): NetworkError | undefined {
  const isNormal = code === undefined ? wasClean !== false : NORMAL.includes(code);
  return !isNormal ? new NetworkError(`the socket was closed with the code ${code}${reason ? `: ${reason}` : ''}`, 0) : undefined;
}

/** Reads a stream or an iterable, in slices. Waits while the inbox is full. */
async function pump(source: Exclude<MessageSource, MessageTarget>, inbox: Inbox, signal: AbortSignal): Promise<void> {
  const { opened, closed } = source as Partial<SocketStream>;
  const messages = opened ? (await opened).readable : (source as Exclude<typeof source, SocketStream>);
  const next = nextOf(messages, signal);
  if (!next) throw notASource(source, 'a WebSocket, another target of message events, a stream or an async iterable');
  let since = performance.now();
  while (!signal.aborted) {
    await inbox.room();
    const read = await next();
    if (read.done) break;
    inbox.add(read.value);
    if (performance.now() - since < SLICE_MS) continue;
    await nextTask();
    since = performance.now();
  }
  // A stream of messages ends alike for every code of a clean close.
  const { closeCode: code, reason } = (opened && !signal.aborted && (await closed)) || {};
  inbox.end(closeError({ code, reason }));
}
