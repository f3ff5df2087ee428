import { CASES } from '../../../bench/cases.mjs';
import type { Result } from '../../../bench/statistics.mjs';

/** Result of one run that is ready after `readyMs`, merged with `more`. */
export function resultOf(name: string, contender: string, readyMs: number | null, more: Partial<Result> = {}): Result {
  return {
    case: name,
    contender,
    bytes: 1000,
    rows: CASES.find((benchCase) => benchCase.name === name)!.rows,
    readyMs,
    totalMs: readyMs,
    longestBlockMs: readyMs,
    mainMs: readyMs,
    longestWaitMs: readyMs,
    longTaskMs: 0,
    peakBytes: null,
    retainedBytes: null,
    runs: 1,
    samples: [],
    ...more,
  };
}
