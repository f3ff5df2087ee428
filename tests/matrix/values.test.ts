import { afterAll, expect, test } from 'vitest';
import { isChosen, oneIn, PAIRS, STATES } from './cases.ts';
import { callOf, differing } from './checks/values.ts';
import { closeDecoders, WAYS } from './ways.ts';

const SHARE = oneIn(20, 5);

afterAll(closeDecoders);

test.each(PAIRS)('every way to read $title gives the value or the error of the reader', async ({ line, shape, format, index }) => {
  const wrong: string[] = [];
  for (const [at, state] of STATES.entries()) {
    const call = await callOf(line, shape, state);
    for (const [place, way] of WAYS.entries()) {
      if (!isChosen(SHARE, place, format, index, at)) continue;
      const found = await differing(way, call);
      if (found !== undefined) wrong.push(`${way.name} of ${line.name}, ${shape.name}, ${state.name}: ${found}`);
    }
  }
  if (wrong.length > 0) expect.fail(wrong.join('\n'));
});
