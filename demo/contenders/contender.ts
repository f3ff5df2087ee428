import type { Encoding, ResultKind } from '../payloads/catalogue.ts';
import type { RowSource } from '../payloads/trips.ts';

export type ContenderId = 'json-parse' | 'msgpackr' | 'clone' | 'unspool';

export interface DecodeRequest {
  /** The encoded bytes, which the decoder owns and may transfer. */
  payload: ArrayBuffer;
  encoding: Encoding;
  result: ResultKind;
  signal: AbortSignal;
  /** Reports the current step and, if known, its completed fraction. */
  onProgress: (doing: string, fraction?: number) => void;
}

export interface Decoded {
  rows: RowSource;
  /** Start of the clock, as a time of `performance.now()`. */
  started: number;
  /** Milliseconds until any row could be read. */
  readyMs: number;
  /** Milliseconds until every row was a plain object on the page. */
  totalMs: number;
}

/** One way from bytes in memory to rows, each in its own file. */
export interface Way {
  /** Starts the worker, if the way has one, so that warm runs do not wait for it. */
  prepare(): Promise<void>;
  /** Rejects when the payload cannot be decoded, or with the signal's reason. */
  decode(request: DecodeRequest): Promise<Decoded>;
}

/** Description of a way. */
export interface ContenderAbout {
  readonly id: ContenderId;
  readonly title: string;
  /** How it works, in one sentence. */
  readonly how: string;
  /** The encoding it decodes if `chosen` is selected. */
  encodingFor(chosen: Encoding): Encoding;
}

/** A way in the race, with its own page. */
export interface Contender extends ContenderAbout, Way {
  /** Replaces the page by a new one, in which nothing has been decoded. */
  renew(): Promise<void>;
  /** Copies a payload into the memory of the contender's page. */
  load(payload: Blob): Promise<ArrayBuffer>;
  /** Removes the page. */
  release(): void;
}
