import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { points } from '../../../demo/server/data/numbers.mjs';
import { createTripSource } from '../../../demo/server/data/trips.mjs';
import { encodeRows } from '../../../demo/server/encode.mjs';
import avro from '../../../worker/formats/avro/index.ts';
import { assertSame, decodeWith } from '../../setup/differential.ts';
import { forSchema, plain } from './random.ts';

const COUNT = 2000;
const textOf = (name: string): Promise<string> => readFile(new URL(`../../../demo/server/schemas/${name}.avsc`, import.meta.url), 'utf8');

test('the encoder of trips writes what avsc reads and the reader decodes', async () => {
  const json = await textOf('trips');
  const rows = createTripSource(1).take(COUNT);
  const bytes = encodeRows('avro', rows, { key: 'trips', count: COUNT, dataset: 'trips' });
  const trips = rows.map((row) => ({
    ...row,
    started_at: new Date(`${row.started_at.replace(' ', 'T')}Z`),
    ended_at: new Date(`${row.ended_at.replace(' ', 'T')}Z`),
  }));
  const schema = await avro.compileSchema!(json);
  assertSame(decodeWith(avro, bytes, { schema }), { trips });
  expect(decodeWith(avro, bytes, { schema, options: { timestamps: 'number' } })).toEqual(plain(forSchema(JSON.parse(json)).fromBuffer(bytes)));
});

test('the encoder of numbers writes what avsc reads and the reader decodes', async () => {
  const json = await textOf('numbers');
  const bytes = encodeRows('avro', points(COUNT), { key: 'items', count: COUNT, dataset: 'numbers' });
  const schema = await avro.compileSchema!(json);
  assertSame(decodeWith(avro, bytes, { schema }), { items: [...points(COUNT)] });
  expect(plain(forSchema(JSON.parse(json)).fromBuffer(bytes))).toEqual({ items: [...points(COUNT)] });
});
