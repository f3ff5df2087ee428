import { createCloneContender } from './clone.ts';
import type { Contender } from './contender.ts';
import { jsonParse } from './json-parse.ts';
import { msgpackr } from './msgpackr.ts';
import { createUnspoolContender } from './unspool.ts';

/** The contenders in the order of the race. */
export function createContenders(): Contender[] {
  return [jsonParse, msgpackr, createCloneContender(), createUnspoolContender()];
}
