import type { FormatId } from 'unspool';

/** Request of the page to the clone worker. The payload is transferred. */
export interface CloneRequest {
  /** A format with a library. */
  format: FormatId;
  isSequence: boolean;
  payload: ArrayBuffer;
}

/** Messages of the clone worker: `ready` once, then for each request `decoded` and `value`, or `failed`. */
export type CloneReply =
  | { type: 'ready' }
  | { type: 'decoded' }
  | { type: 'value'; value: unknown }
  | { type: 'failed'; name: string; message: string };
