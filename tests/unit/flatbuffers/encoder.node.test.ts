import { readFile } from 'node:fs/promises';
import { test } from 'vitest';
import { points } from '../../../demo/server/data/numbers.mjs';
import { createTripSource } from '../../../demo/server/data/trips.mjs';
import { encodeRows } from '../../../demo/server/encode.mjs';
import flatbuffers, { type FlatBuffersOptions } from '../../../worker/formats/flatbuffers/index.ts';
import { resolveLimits } from '../../../worker/limits.ts';
import { assertSame, decodeWith } from '../../setup/differential.ts';
import { throughBlock } from '../../setup/through-block.ts';

const COUNT = 5_000;
const compile = async (name: string) =>
  flatbuffers.compileSchema!({ bfbs: await readFile(new URL(`../../../demo/server/schemas/${name}.bfbs`, import.meta.url)) });
const options: FlatBuffersOptions = { enums: 'name' };

test('the encoder of trips writes what the reader decodes, also by way of a block', async () => {
  const rows = createTripSource(1).take(COUNT);
  const bytes = encodeRows('flatbuffers', rows, { key: 'trips', count: COUNT, dataset: 'trips' });
  const typed = rows.map((row) => ({
    ...Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)),
    started_at: Date.parse(`${row.started_at.replace(' ', 'T')}Z`),
    ended_at: Date.parse(`${row.ended_at.replace(' ', 'T')}Z`),
  }));
  const schema = await compile('trips');
  assertSame(decodeWith(flatbuffers, bytes, { schema, options }), { trips: typed });
  const result = await throughBlock((sink) => {
    const reader = flatbuffers.createReader(sink, options, resolveLimits(), schema);
    reader.push(bytes);
    reader.end();
  });
  assertSame(result, { trips: typed });
});

test('the encoder of numbers writes what the reader decodes', async () => {
  const bytes = encodeRows('flatbuffers', points(COUNT), { key: 'items', count: COUNT, dataset: 'numbers' });
  assertSame(decodeWith(flatbuffers, bytes, { schema: await compile('numbers'), options }), { items: [...points(COUNT)] });
});
