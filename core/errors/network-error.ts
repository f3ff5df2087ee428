import { brandInstances } from '../instanceof-brand.ts';
import { CallError } from './call-error.ts';

/** The payload could not be read to its end: the connection broke, or the body was shorter than announced. */
export class NetworkError extends CallError {
  override name = 'NetworkError';
  readonly code = 'network';
  /** Number of bytes that arrived. */
  readonly receivedBytes: number;
  /** The HTTP status of the response; undefined for other sources. */
  readonly status: number | undefined;

  constructor(reason: string, receivedBytes: number, { cause, status }: { cause?: unknown; status?: number | undefined } = {}) {
    super(reason, { cause });
    this.receivedBytes = receivedBytes;
    this.status = status;
  }
}

brandInstances('NetworkError', NetworkError);
