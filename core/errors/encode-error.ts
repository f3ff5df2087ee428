import { brandInstances } from '../instanceof-brand.ts';
import { type ErrorPlace, PlacedError } from './placed-error.ts';

/**
 * Why a value cannot be encoded. `unsupported`: the format cannot represent it, a function for example. `range`: the
 * number does not fit its type. `type`: the value does not match the schema. `missing`: a required field is absent.
 * `text`: a string has a lone surrogate. `unknown`: a key is not in the schema. `cycle`: a value contains itself.
 * `depth`: containers are nested deeper than the limit. `thrown`: a getter or an iterator threw (the error is the
 * `cause`). `changed`: a list or object changed between two slices.
 */
export type EncodeErrorCode = 'unsupported' | 'range' | 'type' | 'missing' | 'unknown' | 'text' | 'cycle' | 'depth' | 'thrown' | 'changed';

/** A value cannot be written in the format. */
export class EncodeError extends PlacedError {
  override name = 'EncodeError';
  readonly code: EncodeErrorCode;

  constructor(code: EncodeErrorCode, reason: string, { cause, ...place }: Omit<ErrorPlace, 'offset'> & { cause?: unknown } = {}) {
    super(reason, place);
    this.code = code;
    if (cause !== undefined) this.cause = cause;
  }
}

brandInstances('EncodeError', EncodeError);

/** The error for a number that a type does not hold, such as 2.5 where it is an integer. */
export function outOfRange(value: number | bigint, type: string): EncodeError {
  const isFraction = typeof value === 'number' && Number.isFinite(value) && !Number.isInteger(value);
  return new EncodeError('range', isFraction ? `${value} is not an integer (${type})` : `${value} is out of range (${type})`);
}
