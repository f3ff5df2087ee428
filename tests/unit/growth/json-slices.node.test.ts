import { excessOf, stepsOf } from '../../setup/work/work.ts';
import { expect, test } from 'vitest';
import { MAX_PIECE_BYTES, MIN_PIECE_BYTES } from '../../../core/slicing/tuning.ts';
import { inSlices } from '../core/slicing/json/run-slices.ts';
import { inTurn, JSON_SHAPES, JSON_TEXTS } from './shapes.ts';

/** Bytes of the smaller input. V8 parses texts below about 100 kB at once, without counting steps. */
const SLICED_BYTES = 150_000;
/** With the size of a piece given, since it would adapt to the time that pieces take. */
const CHUNKS = [
  { chunk: Infinity, piece: MAX_PIECE_BYTES },
  { chunk: Infinity, piece: MIN_PIECE_BYTES },
  { chunk: 48, piece: MIN_PIECE_BYTES },
  { chunk: 1000, piece: 64 },
];

test.each(inTurn(JSON_SHAPES, CHUNKS))(
  'sliced JSON decoding takes at most three times the work for twice the input: $one.name, $other',
  async ({ one, other }) => {
    const excess = await excessOf(
      (length) => {
        const bytes = new TextEncoder().encode(JSON.stringify(one.make(length)));
        return () => inSlices(bytes, other).value;
      },
      Math.ceil((SLICED_BYTES / JSON.stringify(one.make(one.size)).length) * one.size),
    );
    expect(excess).toEqual([]);
  },
);

/* Texts of twice the size, since the smaller one must have several pieces, too. */
test.each(inTurn(JSON_TEXTS, CHUNKS))(
  'sliced JSON decoding takes at most three times the work for twice the text: $one.name, $other',
  async ({ one, other }) => {
    const excess = await excessOf((length) => {
      const bytes = new TextEncoder().encode(one.text(length));
      return () => inSlices(bytes, { ...other, sequence: one.sequence ?? false }).value;
    }, 2 * SLICED_BYTES);
    expect(excess).toEqual([]);
  },
);

/** Steps for each byte of the shortest values. */
const MAX_STEPS = 6_000;

test.each(inTurn(JSON_TEXTS, CHUNKS.slice(0, 3)))(
  'sliced JSON decoding takes a bounded number of steps for each byte: $one.name, $other',
  async ({ one, other }) => {
    const bytes = new TextEncoder().encode(one.text(SLICED_BYTES));
    const run = (): unknown => inSlices(bytes, { ...other, sequence: one.sequence ?? false }).value;
    // Loads code. Its steps are not counted.
    await run();
    expect((await stepsOf(run)) / bytes.length).toBeLessThan(MAX_STEPS);
  },
);
