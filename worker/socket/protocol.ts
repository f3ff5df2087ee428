/**
 * Messages between a `WorkerSocket` on the page and the socket in its worker. Those about the socket travel over one port, those of
 * a loop that takes messages over a port of its own. This file imports only types.
 *
 *     page                           worker
 *      │ open ────────────────────────▶│  new WebSocket
 *      │◀─────────────────────── opened│
 *      │ begin(port) ─────────────────▶│  messages that wait already are the first of the loop
 *      │   port: take ────────────────▶│
 *      │◀──────────── port: messages … │  once one waits; or `end`, which is the last answer
 *      │ leave ───────────────────────▶│
 *      │ send, close ─────────────────▶│
 *      │◀───────────────── sent, closed│
 */

import type { ErrorRecord } from '../../core/error-record.ts';
import type { FormatId } from '../../core/format/format-id.ts';
import type { Limits } from '../../core/limits.ts';
import type { MessageCounts, MessagePolicy } from '../../core/messages/inbox.ts';

/** Data that a socket sends. */
export type SentData = string | ArrayBuffer | ArrayBufferView | Blob;

/** How the key of a message is read. */
export interface KeySetting {
  /** Keys from the root of the message's value to the key. */
  readonly path: readonly string[];
  readonly format: FormatId;
  /** URL of the format's code; undefined for JSON, which the engine parses. */
  readonly url: string | undefined;
  readonly options: object;
  readonly limits: Limits;
  /** The compiled schema. */
  readonly schema: unknown;
}

/** How a loop takes messages. */
export interface LoopSetting {
  readonly policy: MessagePolicy;
  readonly key: KeySetting | undefined;
  /** The most messages, and bytes or characters of messages, that wait. */
  readonly limit: number;
  readonly limitBytes: number;
}

/** Messages of the page about the socket. */
export type ToSocket =
  | { kind: 'open'; url: string; protocols: string | string[] }
  | { kind: 'begin'; setting: LoopSetting; port: MessagePort }
  /** The loop was left. Messages that wait are kept for the next one. */
  | { kind: 'leave' }
  | { kind: 'send'; data: SentData; size: number }
  | { kind: 'close'; code: number | undefined; reason: string | undefined };

/** Messages of the worker about the socket. */
export type FromSocket =
  | { kind: 'opened'; protocol: string; extensions: string }
  /** Sum of the sizes that the socket has been given so far, and the bytes of them that it buffers. */
  | { kind: 'sent'; given: number; buffered: number }
  | { kind: 'closed'; code: number; reason: string; wasClean: boolean }
  /** The socket could not be created. */
  | { kind: 'refused'; error: ErrorRecord };

/** Requests the messages that wait, at most `most`, and no more of them than fit into `mostBytes` unless it is one. */
export interface Take {
  readonly most: number;
  readonly mostBytes: number;
  /** The least milliseconds between two answers. */
  readonly everyMs: number;
}

/** The answer to `Take`. */
export type Taken =
  | {
      kind: 'messages';
      /** The messages, one after the other, transferred. */
      bytes: Uint8Array<ArrayBuffer>;
      /** End of each message in `bytes`. */
      ends: Uint32Array;
      /** 1 for each message that is a text. */
      texts: Uint8Array;
      counts: MessageCounts;
    }
  /** No more messages follow. */
  | { kind: 'end'; error: ErrorRecord | undefined; counts: MessageCounts };
