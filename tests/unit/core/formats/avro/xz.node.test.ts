/** Containers with the codec xz, which packages of the application compress and decompress. */
import { compressSync, decompressSync } from '@napi-rs/lzma/xz';
import { expect, onTestFinished, test } from 'vitest';
import avro, { registerCodec } from '../../../../../core/formats/avro/index.ts';
import { createDecoder } from '../../../../../main/index.ts';
import { createEncoder } from '../../../../../main/encode.ts';
import { decodeSync } from '../../../../../main/sync.ts';

const schema = {
  type: 'record',
  name: 'Trip',
  fields: [
    { name: 'id', type: 'int' },
    { name: 'station', type: 'string' },
  ],
};
const trips = Array.from({ length: 20_000 }, (_, id) => ({ id, station: `station ${id % 7}` }));

test('writes blocks by the compressor given, also of items that arrive, and reads them by the codec registered', async () => {
  registerCodec('xz', (block) => decompressSync(block));
  onTestFinished(() => {
    for (const name of ['unspool.codecs', 'unspool.page']) delete (globalThis as Record<symbol, unknown>)[Symbol.for(name)];
  });
  const encoder = createEncoder();
  const decoder = createDecoder();
  const options = { framing: 'container', codec: 'xz', compress: (block: Uint8Array) => compressSync(block) } as const;
  const file = await encoder.encode(trips, { format: 'avro', schema, options });
  expect(decodeSync(avro, file.slice())).toEqual(trips);
  expect(await decoder.decode(file, { format: 'avro' })).toEqual(trips);
  const stream = encoder.stream(trips.values(), { format: 'avro', schema, options });
  const rows = await decoder.decode<typeof trips>(stream, { format: 'avro', as: 'rows' });
  expect(rows.length).toBe(20_000);
  expect(rows.at(19_999)).toEqual(trips[19_999]);
  encoder.close();
  decoder.close();
});
