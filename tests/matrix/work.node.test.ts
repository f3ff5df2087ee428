// First, since only code that is loaded after it is counted.
import '../setup/work/work.ts';
import { afterAll, expect, test } from 'vitest';
import { isChosen, oneIn, PAIRS } from './cases.ts';
import { excessIn } from './checks/work.ts';
import { closeDecoders, WAYS } from './ways.ts';

/** All of them take hours: `WORK=1` runs them. */
const SHARE = Number(process.env['WORK'] ?? oneIn(97, 797, 97));
const COUNTED = WAYS.filter(({ givesCopies }) => !givesCopies);

afterAll(closeDecoders);

const cases = PAIRS.flatMap(({ line, shape, format, index, title }) =>
  COUNTED.filter((_, place) => isChosen(SHARE, place, format, index)).map((way) => ({ way, line, shape, title })),
);

test.each(cases)('$way.name: $title takes at most three times the work for twice the input', async ({ way, line, shape }) => {
  expect(await excessIn(way, line, shape)).toEqual([]);
});
