import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { points } from '../../../demo/server/data/numbers.mjs';
import { createTripSource } from '../../../demo/server/data/trips.mjs';
import { encodeRows } from '../../../demo/server/encode.mjs';
import protobuf, { type ProtobufOptions } from '../../../worker/formats/protobuf/index.ts';
import { assertSame, decodeWith } from '../../setup/differential.ts';
import { protobufjsType } from './compare.ts';

const COUNT = 2000;
const textOf = (name: string): Promise<string> => readFile(new URL(`../../../demo/server/schemas/${name}.proto`, import.meta.url), 'utf8');
const options: ProtobufOptions = { enums: 'name', defaults: 'implicit' };

test('the encoder of trips writes what protobufjs writes and the reader decodes', async () => {
  const proto = await textOf('trips');
  const message = 'unspool.demo.Trips';
  const rows = createTripSource(1).take(COUNT);
  const bytes = encodeRows('protobuf', rows, { key: 'trips', count: COUNT, dataset: 'trips' });
  const typed = rows.map((row) => ({
    ...Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)),
    started_at: Date.parse(`${row.started_at.replace(' ', 'T')}Z`),
    ended_at: Date.parse(`${row.ended_at.replace(' ', 'T')}Z`),
  }));
  const type = protobufjsType(proto, message);
  expect(new Uint8Array(type.encode(type.fromObject({ trips: typed })).finish())).toEqual(bytes);
  assertSame(decodeWith(protobuf, bytes, { schema: await protobuf.compileSchema!({ proto, message }), options }), { trips: typed });
});

test('the encoder of numbers writes what the reader decodes', async () => {
  const message = 'unspool.demo.Numbers';
  const bytes = encodeRows('protobuf', points(COUNT), { key: 'items', count: COUNT, dataset: 'numbers' });
  const schema = await protobuf.compileSchema!({ proto: await textOf('numbers'), message });
  assertSame(decodeWith(protobuf, bytes, { schema, options }), { items: [...points(COUNT)] });
});
