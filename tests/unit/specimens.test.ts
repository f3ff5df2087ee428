import { expect, test } from 'vitest';
import { decodeAtOnce } from '../../main/in-place/at-once.ts';
import messagepack from '../../worker/formats/messagepack/index.ts';
import { resolveLimits } from '../../worker/limits.ts';
import { specimenSink } from '../../worker/sinks/columns/specimen.ts';
import { Specimens } from '../../worker/specimens.ts';
import { specimenTools } from '../../main/materialise/specimens.ts';

test('one specimen of each kind is made', () => {
  const specimens = new Specimens<string>();
  const made: string[] = [];
  for (const kind of ['a', 'b', 'a', 'b']) specimens.keep(kind, () => made.push(kind));
  expect(made).toEqual(['a', 'b']);
});

test('a payload is read by its own options, whatever the specimen was made with', () => {
  const bytes = Uint8Array.of(0x81, 0xa1, 0x61, 0x01);
  const decode = (options: object): unknown =>
    decodeAtOnce({ id: 'messagepack', format: messagepack, options, limits: resolveLimits() }, bytes, undefined);
  expect([decode({ maps: 'map' }), decode({}), decode({ maps: 'map' })]).toEqual([new Map([['a', 1]]), { a: 1 }, new Map([['a', 1]])]);
});

test('specimens of what writes and opens blocks can be made', () => {
  expect(specimenSink().path()).toEqual([2]);
  expect(specimenTools()).toHaveLength(3);
});
