import type { RowGrammar, RowRequest } from './offers.ts';
import type { RowSteps } from './row-steps.ts';

const NO_IDS = new Int32Array(2);

/** A request that a reader uses again and again. */
export function rowRequest(grammar: RowGrammar, flags: number, longest: number, objectValues: 0 | 1 = 0, ids = NO_IDS, steps?: RowSteps): RowRequest {
  return { grammar, flags, longest, objectValues, values: 0, items: 0, record: -1, head: 0, ids, steps, defaults: 0, wait: 0 };
}
