/** `previous` for values beyond JSON's, and for bytes whose value depends on other bytes. */
import { encode as pack, ExtData } from '@msgpack/msgpack';
import { serialize } from 'bson';
import { Encoder } from 'cbor-x';
import { expect, test } from 'vitest';
import { grammarOf } from '../../../../core/previous/grammars/of-format.ts';
import { createDecoder } from '../../../../main/index.ts';

interface Item {
  readonly id: number;
  readonly value?: unknown;
}

/** Lists of records with a value, and how they are written. */
const VALUES: Readonly<Record<string, { format: 'bson' | 'messagepack' | 'cbor'; value: unknown; write: (list: readonly object[]) => Uint8Array }>> =
  {
    'regular expressions of BSON': { format: 'bson', value: /a+/i, write: (list) => serialize({ list }) },
    'extensions of MessagePack': { format: 'messagepack', value: new ExtData(5, Uint8Array.of(1, 2)), write: (list) => pack({ list }) },
    'dates of MessagePack': { format: 'messagepack', value: new Date(5), write: (list) => pack({ list }) },
    'binaries of CBOR': { format: 'cbor', value: Uint8Array.of(1, 2), write: writeCbor },
    'typed arrays of CBOR': { format: 'cbor', value: Float32Array.of(1, 2), write: writeCbor },
    'large integers of CBOR': { format: 'cbor', value: 2n ** 70n, write: writeCbor },
  };

function writeCbor(list: readonly object[]): Uint8Array {
  return new Encoder({ useRecords: false, mapsAsObjects: true }).encode({ list });
}

test.each(Object.entries(VALUES))('records with %s are kept, and do not count as changed by the application', async (_, { format, value, write }) => {
  const decoder = createDecoder();
  const records = Array.from({ length: 30 }, (_unused, id) => ({ id, value }));
  const decode = async (list: readonly object[], previous?: unknown): Promise<Item[]> => {
    const bytes = Uint8Array.from(write(list));
    const decoded = await decoder.decode<{ list: Item[] }>(bytes, { format, previous, checkPrevious: true });
    expect(decoded).toEqual(await decoder.decode(bytes, { format }));
    lists.set(decoded.list, decoded);
    return decoded.list;
  };
  const lists = new Map<unknown, unknown>();
  const first = await decode(records);
  const second = await decode([{ id: -1 }, ...records.with(7, { id: 77, value })], lists.get(first));
  expect(second.filter((item) => !first.includes(item)).map(({ id }) => id)).toEqual([-1, 77]);
  decoder.close();
});

test('checkPrevious compares a value that its payload refers to many times, or that contains itself, once', async () => {
  const decoder = createDecoder();
  const decode = (value: unknown, previous?: unknown): Promise<unknown> => {
    const bytes = Uint8Array.from(new Encoder({ useRecords: false, structuredClone: true }).encode(value));
    return decoder.decode(bytes, { format: 'cbor', previous, checkPrevious: true });
  };
  // As a tree, it doubles with each level.
  let doubled: unknown[] = [{ name: 'x' }];
  for (let level = 0; level < 40; level += 1) doubled = [doubled, doubled];
  const cyclic: unknown[] = [];
  cyclic.push(cyclic);
  for (const value of [doubled, cyclic]) {
    const first = await decode(value);
    expect((await decode(value, first)) === first).toBe(true);
  }
  const first = (await decode([doubled, doubled])) as [unknown[], unknown[]];
  first[1].push('changed');
  await expect(decode([doubled, doubled], first)).rejects.toThrow('the application has changed the value at [0]');
  decoder.close();
});

test.each([
  ['records', { useRecords: true }],
  ['references', { useRecords: false, structuredClone: true }],
  ['bundled strings', { useRecords: false, bundleStrings: true }],
  ['packed values', { useRecords: false, pack: true }],
])('CBOR of cbor-x with %s is decoded as usual', async (_, options) => {
  const decoder = createDecoder();
  const write = (id: number): Uint8Array<ArrayBuffer> => {
    const shared = { name: 'a long text', tags: ['another long text'] };
    return Uint8Array.from(new Encoder(options).encode(Array.from({ length: 40 }, (_unused, index) => ({ id: index === 0 ? id : index, shared }))));
  };
  const first = await decoder.decode<Item[]>(write(100), { format: 'cbor', previous: undefined });
  const second = await decoder.decode<Item[]>(write(200), { format: 'cbor', previous: first });
  expect(second).toEqual(await decoder.decode(write(200), { format: 'cbor' }));
  expect(second.filter((item) => first.includes(item))).toEqual([]);
  decoder.close();
});

test('CBOR of indefinite length is decoded as usual', async () => {
  const decoder = createDecoder();
  const write = (id: number): Uint8Array<ArrayBuffer> => Uint8Array.of(0x9f, 0xbf, 0x61, 0x61, id, 0xff, 0xa1, 0x61, 0x61, 7, 0xff);
  const first = await decoder.decode<object[]>(write(1), { format: 'cbor', previous: undefined });
  const second = await decoder.decode<object[]>(write(2), { format: 'cbor', previous: first });
  expect(second).toEqual([{ a: 2 }, { a: 7 }]);
  expect(second[1]).not.toBe(first[1]);
  decoder.close();
});

test('payloads are decoded as usual with an option by which equal bytes may be other values', () => {
  expect(grammarOf('cbor', {}, undefined)).toBeDefined();
  for (const option of ['sequence', 'structures', 'packedValues', 'valueExtensions', 'deterministic']) {
    expect(grammarOf('cbor', { [option]: true }, undefined)).toBeUndefined();
  }
});
