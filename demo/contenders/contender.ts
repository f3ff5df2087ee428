import type { Encoding, ResultKind } from '../payloads/catalogue.ts';
import type { RowSource } from '../payloads/trips.ts';

export type ContenderId = 'json-parse' | 'msgpackr' | 'clone' | 'unspool';

export interface DecodeRequest {
  /** The encoded bytes; who decodes them owns them and may transfer them. */
  payload: ArrayBuffer;
  encoding: Encoding;
  result: ResultKind;
  signal: AbortSignal;
  /** Says what is being done, and which part of it is done where that is known. */
  onProgress: (doing: string, fraction?: number) => void;
}

export interface Decoded {
  rows: RowSource;
  /** When the clock was started, as `performance.now()` tells it. */
  started: number;
  /** Milliseconds until any row could be read. */
  readyMs: number;
  /** Milliseconds until every row was a plain object on the page. */
  totalMs: number;
}

/** One way from bytes in memory to rows. Every way is a file beside this one. */
export interface Way {
  /** Starts the worker, where the way has one: warm runs do not wait for that. */
  prepare(): Promise<void>;
  /** Rejects when the payload cannot be decoded, or with the signal's reason. */
  decode(request: DecodeRequest): Promise<Decoded>;
}

/** What the page says of a way. */
export interface ContenderAbout {
  readonly id: ContenderId;
  readonly title: string;
  /** How it works, in one sentence. */
  readonly how: string;
  /** The encoding it decodes when `chosen` was chosen. */
  encodingFor(chosen: Encoding): Encoding;
}

/** A way in the race, which has a page of its own. */
export interface Contender extends ContenderAbout, Way {
  /** Gets a page in which nothing was decoded yet; the one before goes. */
  renew(): Promise<void>;
  /** Copies a payload into the memory of that page. */
  load(payload: Blob): Promise<ArrayBuffer>;
  /** Lets the page go. */
  release(): void;
}
