import { brandInstances } from '../instanceof-brand.ts';
import { type ErrorPlace, PlacedError } from './placed-error.ts';

/** The limit that was exceeded: a key of `Limits`, or `queue` for `DecoderOptions.queueLimit`. */
export type LimitName = 'bytes' | 'depth' | 'values' | 'stringLength' | 'binaryLength' | 'expansion' | 'queue';

/** The input exceeds a limit. */
export class LimitError extends PlacedError {
  override name = 'LimitError';
  readonly code = 'limit';
  readonly limit: LimitName;

  constructor(limit: LimitName, reason: string, place?: ErrorPlace) {
    super(reason, place);
    this.limit = limit;
  }
}

brandInstances('LimitError', LimitError);
