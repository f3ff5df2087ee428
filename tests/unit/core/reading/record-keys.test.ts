import { expect, test } from 'vitest';
import { loadFormat } from '../../../../core/formats/loaders.ts';
import { resolveLimits } from '../../../../core/limits.ts';
import { ObjectSink } from '../../../../core/sinks/objects/objects.ts';
import { definedAgain } from '../../../matrix/raw.ts';
import { bytesOf, hex } from '../../../setup/values/hex.ts';

/** Handles of all lists of keys that are kept. */
const MAX_COUNT = 4_200;

/** The keys that an object sink is given to define, for a list of some payloads, one after another. */
async function definitionsOf(id: 'messagepack' | 'cbor', bytes: Uint8Array, options = {}): Promise<{ handles: Set<number>; value: unknown }> {
  const handles = new Set<number>();
  const sink = new (class extends ObjectSink {
    override defineRecord(keys: readonly string[], unused?: number): number {
      const handle = super.defineRecord(keys, unused);
      handles.add(handle);
      return handle;
    }
  })(() => undefined);
  const reader = (await loadFormat(id)).createReader(sink, options, resolveLimits(), undefined);
  reader.end(bytes);
  return { handles, value: sink.result };
}

test.each(['messagepack', 'cbor'] as const)('%s: records that are defined without end have a bounded number of handles', async (id) => {
  const { handles, value } = await definitionsOf(id, definedAgain(id, 8_000));
  expect(handles.size).toBeLessThan(MAX_COUNT);
  expect((value as unknown[]).slice(-2)).toEqual([
    { key07998: { inner: 1 }, last: 2 },
    { key07999: { in07999: 1 }, last: 2 },
  ]);
});

const manyKeys = Array.from({ length: 80 }, (_, at) => at);
const definitions = {
  'of many shapes': Array.from({ length: 3_000 }, (_, at) => ({ tag: 0xe000 + at, keys: [`key${String(at).padStart(5, '0')}`] })),
  'of more keys than lists that calls share': [{ tag: 0xe000, keys: manyKeys.map((at) => `key${String(at).padStart(5, '0')}`) }],
};

test.each(Object.entries(definitions))('records %s have a bounded number of handles, however often they are defined', async (_, shapes) => {
  const records = shapes.map(({ tag, keys }) =>
    Uint8Array.from(
      bytesOf(
        hex('d9dfff'),
        [0x98, 2 + keys.length, 0x19, tag >> 8, tag & 0xff, 0x98, keys.length],
        ...keys.map((key) => bytesOf(0x68, key)),
        keys.map(() => 1),
      ),
    ),
  );
  const times = Math.ceil(6_000 / shapes.length);
  const bytes = new Uint8Array(await new Blob(Array.from({ length: times }, () => records).flat()).arrayBuffer());
  const { handles, value } = await definitionsOf('cbor', bytes, { sequence: true });
  expect(handles.size).toBeLessThan(MAX_COUNT);
  expect(value).toHaveLength(times * shapes.length);
});
