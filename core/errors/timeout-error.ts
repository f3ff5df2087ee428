import { brandInstances } from '../instanceof-brand.ts';
import { CallError } from './call-error.ts';

/** A call took longer than its `timeout`, or no byte of its source arrived for `stallTimeout`. */
export class TimeoutError extends CallError {
  override name = 'TimeoutError';
  readonly code = 'timeout';
}

brandInstances('TimeoutError', TimeoutError);
