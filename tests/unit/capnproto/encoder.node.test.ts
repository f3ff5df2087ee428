import { readFile } from 'node:fs/promises';
import { test } from 'vitest';
import { points } from '../../../demo/server/data/numbers.mjs';
import { createTripSource } from '../../../demo/server/data/trips.mjs';
import { encodeRows } from '../../../demo/server/encode.mjs';
import capnproto, { type CapnProtoOptions } from '../../../worker/formats/capnproto/index.ts';
import { resolveLimits } from '../../../worker/limits.ts';
import { assertSame, decodeWith } from '../../setup/differential.ts';
import { throughBlock } from '../../setup/through-block.ts';

const COUNT = 5_000;
const compile = async (name: string, struct: string) =>
  capnproto.compileSchema!({ request: await readFile(new URL(`../../../demo/server/schemas/${name}.capnp.request`, import.meta.url)), struct });
const options: CapnProtoOptions = { enums: 'name', defaults: 'none' };
const camel = (text: string): string => text.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());

test('the encoder of trips writes what the reader decodes, also by way of a block', async () => {
  const rows = createTripSource(1).take(COUNT);
  const bytes = encodeRows('capnproto', rows, { key: 'trips', count: COUNT, dataset: 'trips' });
  const typed = rows.map((row) => {
    const trip = {
      ...row,
      rideable_type: camel(row.rideable_type),
      started_at: Date.parse(`${row.started_at.replace(' ', 'T')}Z`),
      ended_at: Date.parse(`${row.ended_at.replace(' ', 'T')}Z`),
      end_lat: row.end_lat ?? Number.NaN,
      end_lng: row.end_lng ?? Number.NaN,
    };
    return Object.fromEntries(
      Object.entries(trip)
        .filter(([, value]) => value !== null)
        .map(([key, value]) => [camel(key), value]),
    );
  });
  const schema = await compile('trips', 'Trips');
  assertSame(decodeWith(capnproto, bytes, { schema, options }), { trips: typed });
  const result = await throughBlock((sink) => {
    const reader = capnproto.createReader(sink, options, resolveLimits(), schema);
    reader.push(bytes);
    reader.end();
  });
  assertSame(result, { trips: typed });
});

test('the encoder of numbers writes what the reader decodes', async () => {
  const bytes = encodeRows('capnproto', points(COUNT), { key: 'items', count: COUNT, dataset: 'numbers' });
  assertSame(decodeWith(capnproto, bytes, { schema: await compile('numbers', 'Numbers'), options }), { items: [...points(COUNT)] });
});
