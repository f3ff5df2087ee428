/** Work for texts of JSON in slices, with the size of pieces given, since it would adapt to the time that pieces take. */
import { excessOf, stepsOf } from '../setup/work/work.ts';
import { expect, test } from 'vitest';
import { MAX_PIECE_BYTES, MIN_PIECE_BYTES } from '../../main/slicing/tuning.ts';
import { inSlices } from '../unit/main/json/run-slices.ts';
import { oneIn } from './cases.ts';
import { list } from './shapes.ts';

/** Text of about `size` bytes. */
interface TextShape {
  name: string;
  /** True for a sequence of values. */
  sequence?: boolean;
  text: (size: number) => string;
}

const inLists = (levels: number, text: string): string => '['.repeat(levels) + text + ']'.repeat(levels);
/** A list of ten texts, each of which repeats a part. */
const texts = (size: number, part: string): string => JSON.stringify(list(10, () => part.repeat(size / part.length / 10)));

/** Texts of JSON in which the ends of items are hard to guess, and texts that are not valid. */
const JSON_TEXTS: readonly TextShape[] = [
  { name: 'records', text: (size) => JSON.stringify(list(size / 30, (at) => ({ id: at, name: `name ${at % 100}` }))) },
  { name: 'lists that stay open', text: (size) => '['.repeat(size) },
  { name: 'objects that stay open', text: (size) => '{"a":'.repeat(size / 5) },
  { name: 'lists of several items that stay open', text: (size) => '[1,'.repeat(size / 3) },
  { name: 'texts of brackets in nested lists', text: (size) => inLists(900, texts(size, '[')) },
  { name: 'texts of brackets in nested objects', text: (size) => '{"a":'.repeat(900) + texts(size, '[') + '}'.repeat(900) },
  { name: 'texts of braces in nested lists', text: (size) => inLists(900, texts(size, '{')) },
  { name: 'texts of commas', text: (size) => texts(size, ',') },
  { name: 'texts of ends of texts', text: (size) => texts(size, '","') },
  { name: 'texts of records', text: (size) => JSON.stringify(list(10, (at) => ({ a: at, b: '},{"a":1,'.repeat(size / 100) }))) },
  { name: 'white space', text: (size) => `[${list(10, (at) => `${' '.repeat(size / 10)}{"a":${at}}`).join(',')}]` },
  { name: 'deep values with long texts', text: (size) => `[${list(10, () => inLists(500, `"${'x'.repeat(size / 10)}"`)).join(',')}]` },
  { name: 'empty objects in sequence', sequence: true, text: (size) => '{}'.repeat(size / 2) },
  { name: 'empty lists in sequence', sequence: true, text: (size) => '[]'.repeat(size / 2) },
  { name: 'numbers in sequence', sequence: true, text: (size) => '0 '.repeat(size / 2) },
  { name: 'texts in sequence', sequence: true, text: (size) => '"a" '.repeat(size / 4) },
  { name: 'lines of several values', sequence: true, text: (size) => '1 2 3\n'.repeat(size / 6) },
  { name: 'long lines of several values', sequence: true, text: (size) => `${'{} '.repeat(1_000)}\n`.repeat(size / 3_000) },
];

/** Bytes of the smaller input. V8 parses texts below about 100 kB at once, without counting steps. */
const SLICED_BYTES = 150_000;
const CHUNKS = [
  { chunk: Infinity, piece: MAX_PIECE_BYTES },
  { chunk: Infinity, piece: MIN_PIECE_BYTES },
  { chunk: 48, piece: MIN_PIECE_BYTES },
  { chunk: 1000, piece: 64 },
];

/** Each text with each of the chunks; in CI, with one of them, in turn. */
function pairs(chunks: typeof CHUNKS): { one: TextShape; other: (typeof CHUNKS)[number] }[] {
  const count = oneIn(CHUNKS.length, CHUNKS.length) === 1 ? chunks.length : 1;
  return JSON_TEXTS.flatMap((one, index) => Array.from({ length: count }, (_, more) => ({ one, other: chunks[(index + more) % chunks.length]! })));
}

test.each(pairs(CHUNKS))('sliced JSON decoding takes at most three times the work for twice the text: $one.name, $other', async ({ one, other }) => {
  const excess = await excessOf((length) => {
    const bytes = new TextEncoder().encode(one.text(length));
    return () => inSlices(bytes, { ...other, sequence: one.sequence }).value;
  }, SLICED_BYTES);
  expect(excess).toEqual([]);
});

/** Steps for each byte of the shortest values. */
const MOST_STEPS = 6_000;

test.each(pairs(CHUNKS.slice(0, 3)))(
  'sliced JSON decoding takes a bounded number of steps for each byte: $one.name, $other',
  async ({ one, other }) => {
    const bytes = new TextEncoder().encode(one.text(SLICED_BYTES));
    const run = (): unknown => inSlices(bytes, { ...other, sequence: one.sequence }).value;
    // Loads code. Its steps are not counted.
    await run();
    expect((await stepsOf(run)) / bytes.length).toBeLessThan(MOST_STEPS);
  },
);
