import { expect, test } from 'vitest';
import cbor from '../../../../core/formats/cbor/index.ts';
import cborWriter from '../../../../core/formats/cbor/writer.ts';
import messagepack from '../../../../core/formats/messagepack/index.ts';
import messagepackWriter from '../../../../core/formats/messagepack/writer.ts';
import { RecordIds, type RecordNode } from '../../../../core/writing/record-ids.ts';
import { assertSame, decodeWith } from '../../../setup/ways/differential.ts';
import { encodeWith } from '../../../setup/ways/encode-with.ts';

const numbers = { mostShared: 4, most: 8, defaults: () => ({ shared: 0, own: 4 }), ids: () => (number: number) => number + 1 };

function countNodes(node: RecordNode): number {
  return [...node.others.values()].reduce((sum, other) => sum + countNodes(other), 1);
}

test('a writer keeps a bounded number of structures while it writes one value', () => {
  const ids = new RecordIds({}, numbers);
  for (let at = 0; at < 20_000; at += 1) ids.find([`first ${at}`, `second ${at}`]);
  expect(countNodes(ids.root)).toBeLessThan(20_000);
  ids.begin(ids);
  expect(countNodes(ids.root)).toBe(1);
});

test.each([
  ['messagepack', messagepack, messagepackWriter],
  ['cbor', cbor, cborWriter],
])('records of more structures than are kept survive a round trip, in %s', (_, format, writer) => {
  const value = Array.from({ length: 30_000 }, (__, at) => ({ [`key ${at % 18_000}`]: at, same: true }));
  const structures: string[][] = [];
  for (const options of [{}, { structures, maxSharedStructures: 8 }]) {
    const bytes = encodeWith(writer, value, { options: { records: true, ...options } });
    assertSame(decodeWith(format, bytes, { options }), value);
  }
  expect(new Set(structures.map((keys) => keys.join())).size).toBe(8);
});
