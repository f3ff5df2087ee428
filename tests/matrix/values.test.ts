import { afterAll, expect, test } from 'vitest';
import { IS_BROWSER, isChosen, oneIn, PAIRS, STATES } from './cases.ts';
import { callOf, differing } from './checks/values.ts';
import { closeDecoders, WAYS } from './ways.ts';

/** All in Node, in the deep tier. */
const SHARE = IS_BROWSER ? oneIn(800, 200, 20) : oneIn(20, 5, 1);

afterAll(closeDecoders);

const pairs = PAIRS.map((pair) => [pair.title, pair] as const);

test.each(pairs)('every way to read %s gives the value or the error of the reader', async (_, { line, shape, format, index }) => {
  const wrong: string[] = [];
  for (const [at, state] of STATES.entries()) {
    const ways = WAYS.filter((_, place) => isChosen(SHARE, place, format, index, at));
    if (ways.length === 0) continue;
    const call = await callOf(line, shape, state);
    for (const way of ways) {
      const found = await differing(way, call);
      if (found !== undefined) wrong.push(`${way.name} of ${line.name}, ${shape.name}, ${state.name}: ${found}`);
    }
  }
  if (wrong.length > 0) expect.fail(wrong.join('\n'));
});
