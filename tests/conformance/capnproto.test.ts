import { describe, expect, test } from 'vitest';
import capnproto, { type CapnProtoOptions } from '../../core/formats/capnproto/index.ts';
import { assertSame, decodeWith, sameInEveryCut } from '../setup/ways/differential.ts';
import { describeCorpus, openFolder } from '../setup/servers/folders.ts';

const fixtures = (await openFolder('fixtures', 'capnproto'))!;
const request = await fixtures.bytes('test.request');
const compile = async (struct: string) => capnproto.compileSchema!({ request, struct });

/** Options for values like capnp's JSON: 64-bit integers as text, enums by name, no null pointers. */
const options: CapnProtoOptions = { int64: 'string', enums: 'name', defaults: 'none' };

/** Converts values that capnp's JSON lacks: data and non-finite numbers. */
function asJson(value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  if (value instanceof Uint8Array) return [...value];
  if (Array.isArray(value)) return value.map(asJson);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, asJson(item)]));
}

await describeCorpus('capnproto/data', (corpus) => {
  test.each<[string, CapnProtoOptions]>([
    ['binary', {}],
    ['packed', {}],
    ['segmented', {}],
    ['segmented-packed', {}],
    ['flat', { flat: true }],
    ['packedflat', { flat: true }],
    ['binary', { packed: false }],
    ['packed', { packed: true }],
    ['flat', { flat: true, packed: false }],
    ['packedflat', { flat: true, packed: true }],
  ])('the value file %s decodes to its JSON with the options %o', async (file, framing) => {
    const schema = await compile('TestAllTypes');
    const value = decodeWith(capnproto, await corpus.bytes(file), { schema, options: { ...options, ...framing }, chunkSizes: [3, 100, 700] });
    for (const json of ['short.json', 'pretty.json']) expect(asJson(value)).toEqual(JSON.parse(await corpus.text(json)));
  });

  test('lists.binary decodes to the lists of every element size', async () => {
    const schema = await compile('TestLists');
    const value = decodeWith(capnproto, await corpus.bytes('lists.binary'), { schema, options: { enums: 'name' } });
    const all = (int32Field: number): unknown => expect.objectContaining({ int32Field, textField: '', textList: [] });
    expect(value).toEqual({
      list0: [{ f: null }, { f: null }],
      list1: [{ f: true }, { f: false }, { f: true }, { f: true }],
      list8: [{ f: 123 }, { f: 45 }],
      list16: [{ f: 12345 }, { f: 6789 }],
      list32: [{ f: 123456789 }, { f: 234567890 }],
      list64: [{ f: 1234567890123456 }, { f: 2345678901234567 }],
      listP: [{ f: 'foo' }, { f: 'bar' }],
      int32ListList: [[1, 2, 3], [4, 5], [12341234]],
      textListList: [['foo', 'bar'], ['baz'], ['qux', 'corge']],
      structListList: [[all(123), all(456)], [all(789)]],
    });
  });

  test('the defaults of pointers match the message of all types', async () => {
    const nothing = decodeWith(capnproto, await fixtures.bytes('values/TestDefaults.bin'), { schema: await compile('TestDefaults') }) as object;
    const all = decodeWith(capnproto, await corpus.bytes('binary'), { schema: await compile('TestAllTypes') }) as object;
    assertSame(nothing, { ...all, interfaceList: [] });
    const lists = decodeWith(capnproto, await corpus.bytes('lists.binary'), { schema: await compile('TestLists') });
    assertSame(decodeWith(capnproto, await fixtures.bytes('values/TestListDefaults.bin'), { schema: await compile('TestListDefaults') }), { lists });
  });
});

describe('a message encoded by capnp', () => {
  const structs = fixtures.files.filter((file) => file.endsWith('.txt')).map((file) => file.slice('values/'.length, -'.txt'.length));

  test.each(structs)('decodes to its value: %s', async (struct) => {
    const schema = await compile(struct);
    const bytes = await fixtures.bytes(`values/${struct}.bin`);
    const value = decodeWith(capnproto, bytes, { schema, options });
    if (fixtures.files.includes(`values/${struct}.json`)) expect(asJson(value)).toEqual(JSON.parse(await fixtures.text(`values/${struct}.json`)));
    const packed = await fixtures.bytes(`values/${struct}.segments.packed`);
    assertSame(decodeWith(capnproto, packed, { schema, options }), value);
    if (bytes.length < 300) assertSame(sameInEveryCut(capnproto, bytes, { schema, options }), { value });
    if (packed.length < 300) assertSame(sameInEveryCut(capnproto, packed, { schema, options }), { value });
  });

  test('decodes with older and newer versions of its struct', async () => {
    const older = await fixtures.bytes('values/TestOldVersion.bin');
    const newer = await fixtures.bytes('values/TestNewVersion.bin');
    const inner = { old1: 3, old2: '' };
    assertSame(decodeWith(capnproto, older, { schema: await compile('TestNewVersion') }), {
      old1: 1,
      old2: 'two',
      old3: { ...inner, new1: 987, new2: 'baz' },
      new1: 987,
      new2: 'baz',
    });
    assertSame(decodeWith(capnproto, newer, { schema: await compile('TestOldVersion') }), { old1: 1, old2: 'two', old3: inner });
  });

  test('decodes the parameters of generic types', async () => {
    const value = decodeWith(capnproto, await fixtures.bytes('values/TestPairs.bin'), { schema: await compile('TestPairs') });
    assertSame(value, {
      texts: { first: 'a', second: [1, 2], more: [{ first: [3], second: 'b', more: [{ first: 'c', second: [], more: [] }] }] },
      structs: { first: { bit: false, secondBit: true, thirdField: 1 }, second: new TextEncoder().encode('data'), more: [] },
    });
  });
});
