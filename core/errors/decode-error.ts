import { brandInstances } from '../instanceof-brand.ts';
import { type ErrorPlace, PlacedError } from './placed-error.ts';

/**
 * Why a decode failed. `truncated`: the input ends inside a value. `trailing-bytes`: bytes follow the value.
 * `no-list`: there is no list at the `path` of `batches`.
 */
export type DecodeErrorCode =
  | 'truncated'
  | 'trailing-bytes'
  | 'malformed'
  | 'invalid-utf8'
  | 'unsupported'
  | 'unknown-format'
  | 'empty'
  | 'detached'
  | 'no-list';

/** The input is not a valid value of its format. */
export class DecodeError extends PlacedError {
  override name = 'DecodeError';
  readonly code: DecodeErrorCode;

  constructor(code: DecodeErrorCode, reason: string, place?: ErrorPlace) {
    super(reason, place);
    this.code = code;
  }
}

brandInstances('DecodeError', DecodeError);
