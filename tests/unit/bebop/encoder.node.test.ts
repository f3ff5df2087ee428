import { readFile } from 'node:fs/promises';
import { test } from 'vitest';
import { points } from '../../../demo/server/data/numbers.mjs';
import { createTripSource } from '../../../demo/server/data/trips.mjs';
import { encodeRows } from '../../../demo/server/encode.mjs';
import bebop, { type BebopOptions } from '../../../worker/formats/bebop/index.ts';
import { resolveLimits } from '../../../worker/limits.ts';
import { assertSame, decodeWith } from '../../setup/differential.ts';
import { throughBlock } from '../../setup/through-block.ts';

const COUNT = 5_000;
const compile = async (name: string, record: string) =>
  bebop.compileSchema!({ bop: await readFile(new URL(`../../../demo/server/schemas/${name}.bop`, import.meta.url), 'utf8'), record });
const options: BebopOptions = { enums: 'name' };

test('the encoder of trips writes what the reader decodes, also in chunks by way of a block', async () => {
  const rows = createTripSource(1).take(COUNT);
  const bytes = encodeRows('bebop', rows, { key: 'trips', count: COUNT, dataset: 'trips' });
  const typed = rows.map((row) => ({
    ...row,
    started_at: new Date(`${row.started_at.replace(' ', 'T')}Z`),
    ended_at: new Date(`${row.ended_at.replace(' ', 'T')}Z`),
    end_station_name: row.end_station_name ?? '',
    end_station_id: row.end_station_id ?? '',
    end_lat: row.end_lat ?? Number.NaN,
    end_lng: row.end_lng ?? Number.NaN,
  }));
  const schema = await compile('trips', 'Trips');
  assertSame(decodeWith(bebop, bytes, { schema, options }), { trips: typed });
  const result = await throughBlock((sink) => {
    const reader = bebop.createReader(sink, options, resolveLimits(), schema);
    for (let at = 0; at < bytes.length; at += 10_007) reader.push(bytes.subarray(at, at + 10_007));
    reader.end();
  });
  assertSame(result, { trips: typed });
});

test('the encoder of numbers writes what the reader decodes', async () => {
  const bytes = encodeRows('bebop', points(COUNT), { key: 'items', count: COUNT, dataset: 'numbers' });
  assertSame(decodeWith(bebop, bytes, { schema: await compile('numbers', 'Numbers'), options }), { items: [...points(COUNT)] });
});
