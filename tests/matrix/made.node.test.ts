// First, since only code that is loaded after it is counted.
import '../setup/work/work.ts';
import { afterAll, expect, test } from 'vitest';
import { oneIn, PAIRS } from './cases.ts';
import { madeTooMuch } from './checks/made.ts';
import { closeDecoders, WAYS } from './ways.ts';

/** One case of how many. All of them take hours: `MADE=1` runs them. */
const SHARE = Number(process.env['MADE'] ?? oneIn(7001, 199, 199));

afterAll(closeDecoders);

const cases = PAIRS.flatMap(({ line, shape, title }) => WAYS.map((way) => ({ way, line, shape, title }))).filter((_, at) => at % SHARE === 0);

test.each(cases)('$way.name: $title makes no more than its limits admit', async ({ way, line, shape }) => {
  expect(await madeTooMuch(way, line, shape)).toBe(undefined);
});
