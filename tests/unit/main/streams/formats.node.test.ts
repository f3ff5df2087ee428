import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createTripSource } from '../../../../demo/server/data/trips.mjs';
import { encodeRows } from '../../../../demo/server/encode.mjs';
import { createDecoder } from '../../../../main/decoder/create-decoder.ts';
import type { FormatChoice } from '../../../../main/call/options/options.ts';
import { assertSame } from '../../../setup/ways/differential.ts';

const COUNT = 1_500;
const decoder = createDecoder();
const trips = createTripSource(1);
const schema = (name: string): string => readFileSync(new URL(`../../../../demo/server/schemas/${name}`, import.meta.url), 'utf8');

/** Encodings of the demo's server, with the options that decode them. */
const cases: Record<string, FormatChoice> = {
  json: { format: 'json' },
  messagepack: { format: 'messagepack' },
  'messagepack-records': { format: 'messagepack' },
  'messagepack-records-bundled': { format: 'messagepack' },
  cbor: { format: 'cbor' },
  'cbor-records': { format: 'cbor' },
  bson: { format: 'bson' },
  sia: { format: 'sia' },
  avro: { format: 'avro', schema: { writer: JSON.parse(schema('trips.avsc')) as { type: unknown } } },
  protobuf: { format: 'protobuf', schema: { proto: schema('trips.proto'), message: 'unspool.demo.Trips' } },
};

function stream(bytes: Uint8Array, size: number): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull: (controller) => (at < bytes.length ? controller.enqueue(bytes.slice(at, (at += size))) : controller.close()),
  });
}

test.each(Object.entries(cases))('batches of %s contain the same items as decode', async (encoding, options) => {
  const bytes = encodeRows(encoding, trips.rows(COUNT), { key: 'trips', count: COUNT, dataset: 'trips' });
  const whole = await decoder.decode<{ trips: unknown[] }>(bytes, options);
  expect(whole.trips).toHaveLength(COUNT);
  for (const size of [997, 20_000, bytes.length]) {
    const batches: unknown[][] = [];
    for await (const batch of decoder.batches(stream(bytes, size), { ...options, path: 'trips' })) batches.push(batch);
    assertSame(batches.flat(), whole.trips);
    if (size < bytes.length) expect(batches.length, `chunks of ${size}`).toBeGreaterThan(1);
  }
});
