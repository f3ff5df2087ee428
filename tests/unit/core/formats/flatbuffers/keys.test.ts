import { describe, expect, it } from 'vitest';
import flatbuffers from '../../../../../core/formats/flatbuffers/index.ts';
import writer from '../../../../../core/formats/flatbuffers/writer.ts';
import { openFolder } from '../../../../setup/servers/folders.ts';
import { decodeWith } from '../../../../setup/ways/differential.ts';
import { encodeErrorOf, encodeEveryWay, encodeWith } from '../../../../setup/ways/encode-with.ts';

const fixtures = (await openFolder('fixtures', 'flatbuffers'))!;
const schema = await flatbuffers.compileSchema!({ bfbs: await fixtures.bytes('keys.bfbs') });
const given = JSON.parse(await fixtures.text('keys.txt')) as Record<string, Record<string, unknown>[]>;
const read = (bytes: Uint8Array, options: object = {}): unknown => decodeWith(flatbuffers, bytes, { schema, options });

/** Finds an item by binary search, as the generated code of each language does. */
function lookup(list: Record<string, unknown>[], key: string, value: unknown): unknown {
  const order = (one: unknown): number =>
    typeof value === 'string' ? Buffer.compare(Buffer.from(one as string), Buffer.from(value)) : (one as number) - (value as number);
  let [from, to] = [0, list.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    const found = order(list[middle]![key]);
    if (found === 0) return list[middle];
    if (found < 0) from = middle + 1;
    else to = middle;
  }
  return undefined;
}

describe('FlatBuffers vectors of tables and structs with a key', () => {
  it('are written in the order of flatc: strings, integers, floats, enums, booleans, structs, nested', async () => {
    for (const options of [{}, { int64: 'bigint' }, { int64: 'string' }, { enums: 'name' }, { defaults: 'all' }]) {
      const theirs = read(await fixtures.bytes('keys.bin'), options);
      const bytes = encodeEveryWay(writer, given, { schema });
      expect(read(bytes, options)).toEqual(theirs);
      expect(read(encodeWith(writer, theirs, { schema }), options)).toEqual(theirs);
    }
  });

  it.each([
    ['a', 'name'],
    ['b', 'id'],
    ['p', 'id'],
  ])('are found by lookup in the field %s', (field, key) => {
    const list = (read(encodeWith(writer, given, { schema })) as typeof given)[field]!;
    for (const item of given[field]!) expect(lookup(list, key, item[key])).toMatchObject({ [key]: item[key] });
  });

  it('keep the order of items with the same key, and are not sorted in the value itself', () => {
    const b = Array.from({ length: 100 }, (_, index) => ({ id: index % 3, v: index }));
    const copy = structuredClone(b);
    const { b: list } = read(encodeWith(writer, { b }, { schema })) as { b: typeof b };
    expect(list).toEqual(copy.toSorted((one, other) => one.id - other.id));
    expect(b).toEqual(copy);
  });

  it('name the item of the given list in errors', () => {
    const p = [{ id: 3, z: 1 }, { id: 1 }, { id: 2, z: 1 }];
    expect(encodeErrorOf(writer, { p }, { schema })).toMatchObject({ code: 'missing', path: ['p', 1, 'z'] });
    const a = [{ name: 'b' }, { name: 'c', v: 'x' }, { name: 'a' }];
    for (const inTurns of [false, true]) {
      expect(encodeErrorOf(writer, { a }, { schema, inTurns, chunk: 1 })).toMatchObject({ code: 'type', path: ['a', 1, 'v'] });
      expect(encodeErrorOf(writer, { a: [{ name: 'b' }, { name: 7 }] }, { schema, inTurns, chunk: 1 })).toMatchObject({ path: ['a', 1, 'name'] });
      const n = [{ k: 9, child: [{ name: 'b' }, { name: 'a', v: {} }] }, { k: 1 }];
      expect(encodeErrorOf(writer, { n }, { schema, inTurns, chunk: 1 })).toMatchObject({ path: ['n', 0, 'child', 1, 'v'] });
    }
  });
});
