import { afterAll, describe, expect, test } from 'vitest';
import { find as findBlock, head } from '../../../worker/formats/avro/cut.ts';
import { find as findMessage } from '../../../worker/formats/protobuf/cut.ts';
import { Bytes, container, SYNC } from '../avro/bytes.ts';
import { everyCut, localDecoder, same } from './pieces.ts';

const decoder = localDecoder();
afterAll(() => decoder.close());

const forms = ['objects', 'rows', 'columns'] as const;

const RECORD = {
  type: 'record',
  name: 'Trip',
  fields: [
    { name: 'id', type: 'int' },
    { name: 'name', type: 'string' },
    { name: 'legs', type: { type: 'array', items: 'null' } },
  ],
};

/** Blocks of a few records; those of one have lists of so many nulls. */
function blocks(count: number, nulls = 0): { count: number; data: Uint8Array }[] {
  return Array.from({ length: count }, (_, block) => {
    const data = new Bytes();
    for (let id = 0; id < 3; id += 1) {
      data.long(block * 3 + id).string(id === 1 ? String.fromCharCode(...SYNC.map((byte) => byte & 0x7f)) : `station ${block % 3}`);
      const items = block === 2 ? nulls : 0;
      if (items > 0) data.long(items);
      data.long(0);
    }
    return { count: 3, data: data.done() };
  });
}

describe('an Avro container that several workers decode', () => {
  const bytes = container(RECORD, undefined, blocks(6));
  const begins = head(bytes, {});
  const all: number[] = [];
  for (let at = find(begins); at >= 0; at = find(at)) all.push(at);

  function find(near: number): number {
    return findBlock(bytes, near, {});
  }

  test('is cut behind each block', () => {
    expect(all).toHaveLength(5);
    expect(findBlock(bytes, all.at(-1)!, {})).toBe(-1);
    expect(findBlock(new TextEncoder().encode('{"a":[{"b":1},{"b":2}]}'), 0, {})).toBe(-1);
    expect(findBlock(bytes, 0, { framing: 'datum' })).toBe(-1);
  });

  test('gives what one does, cut anywhere', async () => {
    for (const as of forms)
      expect(
        await same(
          decoder,
          bytes,
          all.map((at) => [at]),
          { format: 'avro', as },
        ),
      ).toBe(5);
    expect(await same(decoder, bytes, [all], { format: 'avro' })).toBe(5);
    await same(
      decoder,
      bytes,
      everyCut(bytes).filter(([at]) => at! > begins && at! % 3 === 0),
      { format: 'avro' },
    );
  });

  test('fails where one does', async () => {
    for (let at = begins; at < bytes.length; at += 23) {
      const broken = bytes.slice();
      broken[at] = broken[at]! ^ 0x81;
      await same(
        decoder,
        broken,
        all.map((cut) => [cut]),
        { format: 'avro' },
      );
      await same(
        decoder,
        bytes.subarray(0, at),
        all.filter((cut) => cut < at).map((cut) => [cut]),
        { format: 'avro' },
      );
    }
  });

  test('keeps the limits', async () => {
    const padded = container(RECORD, undefined, blocks(6, 30_000));
    const cuts = [findBlock(padded, head(padded, {}), {}), findBlock(padded, padded.length >> 1, {})];
    for (const limits of [
      { expansion: 1 },
      { expansion: 20 },
      { expansion: 256 },
      { depth: 2 },
      { depth: 20 },
      { values: 20_000 },
      { values: 30_050 },
    ]) {
      await same(
        decoder,
        padded,
        cuts.map((at) => [at]),
        { format: 'avro', limits },
      );
    }
  });
});

describe('delimited Protocol Buffers that several workers decode', () => {
  const schema = {
    proto: 'syntax = "proto3"; message Trip { int32 id = 1; string name = 2; repeated Leg legs = 3; } message Leg { int32 x = 1; }',
    message: 'Trip',
  };
  const options = { sequence: true };
  const begins: number[] = [];
  const list = new Bytes();
  for (let id = 1; id <= 40; id += 1) {
    const name = new TextEncoder().encode(`station ${id % 7}`);
    const message = [0x08, id, 0x12, name.length, ...name];
    if (id % 3 === 0) message.push(0x1a, 2, 0x08, id, 0x1a, 0);
    begins.push(list.list.length);
    list.bytes([message.length, ...message]);
  }
  const bytes = list.done();

  test('are cut before a message', () => {
    for (let near = 0; near < begins[7]!; near += 1) expect(begins).toContain(findMessage(bytes, near, options));
    expect(findMessage(bytes, 0, {})).toBe(-1);
    expect(findMessage(new Uint8Array(1000), 0, options)).toBe(-1);
  });

  test('give what one does, cut anywhere', async () => {
    for (const as of forms) {
      const cuts = begins.slice(1).map((at) => [at]);
      expect(await same(decoder, bytes, cuts, { format: 'protobuf', options, schema, as })).toBe(39);
    }
    await same(decoder, bytes, everyCut(bytes.subarray(0, 150)), { format: 'protobuf', options, schema });
  });

  test('fail where one does', async () => {
    const cuts = [[begins[20]!], [begins[20]!, begins[30]!]];
    for (let at = 3; at < bytes.length; at += 53) {
      const broken = bytes.slice();
      broken[at] = broken[at]! ^ 0x87;
      await same(decoder, broken, cuts, { format: 'protobuf', options, schema });
    }
    for (const limits of [{ values: bytes.length }, { depth: 3 }, { depth: 10 }, { expansion: 0 }]) {
      await same(decoder, bytes, cuts, { format: 'protobuf', options, schema, limits });
    }
  });
});
