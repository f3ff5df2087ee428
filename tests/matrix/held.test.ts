import { afterAll, expect, test } from 'vitest';
import { heldBytes } from '../setup/work/held-bytes.ts';
import { IS_BROWSER, PAIRS, setting } from './cases.ts';
import { heldTooMuch } from './checks/held.ts';
import { listIn } from './endless.ts';
import { SHAPES } from './shapes.ts';
import { closeDecoders, WAYS } from './ways.ts';

const isQuick = setting('UNSPOOL_TIER') === 'quick';
/** Bytes that pass through a way without end. */
const BYTES = Number(setting('HELD_BYTES') ?? (isQuick ? 24e6 : 200e6));
const MARKS = isQuick ? 3 : 8;
/** One case of how many. The quick tier has ways without end and records alone. All cases take days: `HELD=1` runs them. */
const SHARE = Number(setting('HELD') ?? (isQuick ? (IS_BROWSER ? 373 : 293) : 997));

afterAll(closeDecoders);

const pairs = isQuick ? PAIRS.filter(({ shape }) => shape === SHAPES[0]) : PAIRS;
const cases = pairs
  .flatMap(({ line, shape, title }) => {
    const isEndless = listIn(line, shape) !== undefined;
    const ways = WAYS.filter((way) => (way.endless ? isEndless : !isQuick && !shape.isDepth));
    return ways.map((way) => [`${way.name}: ${title}`, { way, line, shape }] as const);
  })
  .filter((_, at) => at % SHARE === (IS_BROWSER ? SHARE >> 1 : 0));

test.each(cases)('%s holds no more than its value and its payload, or the same all the time without end', async (_, { way, line, shape }) => {
  expect(await heldTooMuch(way, line, shape, { bytes: BYTES, marks: MARKS, measure: heldBytes })).toBe(undefined);
});
