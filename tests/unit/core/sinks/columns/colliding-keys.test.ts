import { expect, test, vi } from 'vitest';
import { hashRange } from '../../../../../core/bytes/hash.ts';
import { ByteList } from '../../../../../core/bytes/byte-list.ts';
import { Key } from '../../../../../core/sinks/columns/key.ts';
import { Shapes } from '../../../../../core/sinks/columns/shapes.ts';
import { collidingKeys } from '../../../../setup/values/colliding.ts';
import { assertSame } from '../../../../setup/ways/differential.ts';
import { throughBlock } from '../../../../setup/ways/through-block.ts';
import { emit } from '../../../../setup/values/emit.ts';

const keys = collidingKeys(5_000);
const viewOf = (key: string): DataView => new DataView(new TextEncoder().encode(key).buffer);

test('the keys of this test collide', () => {
  expect(new Set(keys.map((key) => hashRange(viewOf(key), 0, 8))).size).toBe(1);
  expect(new Set(keys).size).toBe(keys.length);
});

test('colliding keys are each compared with few others', () => {
  const compared = vi.spyOn(Key.prototype, 'matches');
  const shapes = new Shapes(new ByteList(), () => {});
  for (const key of [...keys, ...keys]) shapes.step(shapes.root, viewOf(key), 0, 8, false);
  expect(compared.mock.calls.length).toBeLessThan(keys.length * 2 * 20);
  compared.mockRestore();
});

test('objects with colliding keys decode as usual', async () => {
  const value = keys.slice(0, 500).map((key, at) => ({ [key]: at, z: [1], [keys[at + 1]!]: 'x' }));
  assertSame(await throughBlock((sink) => emit(sink, [...value, ...value])), [...value, ...value]);
});
