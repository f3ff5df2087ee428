import { describe, expect, test } from 'vitest';
import { SchemaError } from '../../core/errors.ts';
import flatbuffers, { type FlatBuffersOptions } from '../../core/formats/flatbuffers/index.ts';
import { assertSame, decodeWith, outcome, sameInEveryCut } from '../setup/ways/differential.ts';
import { describeCorpus, openFolder } from '../setup/servers/folders.ts';

/** Options for values like those of `flatc --json`. */
const options: FlatBuffersOptions = { enums: 'name', defaults: 'none' };
const floats = (x: number, y: number): { latitude: number; longitude: number } => ({ latitude: x, longitude: y });
const f = Math.fround;

const ANNOTATED = {
  counter: 1234,
  healthy: true,
  meal: 'Banana',
  bar: { a: 123456.789, b: f(987654.321), c: { meal: 'Apple' } },
  home: { floors: 1, doors: 2, windows: 12, dimensions: { values: [10, 12, 20], tolerances: [{ width: 1 }, { width: 2 }, { width: 3 }] } },
  name: 'This is a long string to show how it breaks up.',
  bars: [
    { a: 123, b: 456, c: { meal: 'Apple' } },
    { a: 987, b: 654, c: { meal: 'Kiwi' } },
  ],
  bar_baz_type: 'Baz',
  bar_baz: { meal: 'Kiwi' },
  accounts: [9, 8, 7, 1, 2, 3, 6, 5, 4],
  bob: 'charlie',
  alice: 'charlie',
  just_i32: 13,
  names: ['alice', 'bob', 'charlie'],
  points_of_interest: [floats(43.275, -78.11499), floats(37.422001, -122.084061), floats(-54.420792, 3.34645)],
  foobars_type: ['Bar', 'Baz', 'Bar'],
  foobars: [{ a: 123, b: 456, c: { meal: 'Apple' } }, {}, { a: 987, b: 654, c: { meal: 'Kiwi' } }],
  measurement_type: 'Tolerance',
  measurement: { width: 5 },
  anything_type: 'Bar',
  anything: { a: 321, b: 654 },
  charlie: 'alice',
};

const fixtures = (await openFolder('fixtures', 'flatbuffers'))!;

/** Parses flatc's JSON, in which doubles have a fraction and 64-bit integers exceed JavaScript's numbers. */
const parse = async (name: string): Promise<Record<string, unknown>> => JSON.parse(await fixtures.text(name)) as Record<string, unknown>;

await describeCorpus('flatbuffers/tests', (corpus) => {
  const compile = async (path: string, table?: string) =>
    flatbuffers.compileSchema!({ bfbs: await corpus.bytes(path), ...(table === undefined ? {} : { table }) });

  describe('the sample annotated_binary', () => {
    const damaged = corpus.files.filter((file) => file.startsWith('annotated_binary/tests/') && file.endsWith('.bin'));

    test('decodes to its JSON', async () => {
      const schema = await compile('annotated_binary/annotated_binary.bfbs');
      const bytes = await corpus.bytes('annotated_binary/annotated_binary.bin');
      assertSame(sameInEveryCut(flatbuffers, bytes, { schema, options }), { value: ANNOTATED });
      expect(decodeWith(flatbuffers, bytes, { schema })).toMatchObject({ default_i32: 42, temperature: 98.6, level: 99 });
    });

    test('comes with 22 damaged forms', () => expect(damaged).toHaveLength(22));

    test.each(damaged)('fails to decode in the damaged form %s', async (file) => {
      const schema = await compile('annotated_binary/annotated_binary.bfbs');
      const bytes = await corpus.bytes(file);
      expect(outcome(() => decodeWith(flatbuffers, bytes, { schema }))).toEqual({
        error: expect.stringMatching(/^DecodeError \| (malformed|truncated) \|  \| \d+ \|/),
      });
      sameInEveryCut(flatbuffers, bytes.subarray(0, 64), { schema });
    });
  });

  test.each(['monsterdata_test.mon', 'monsterdata_python_wire.mon', 'FlatBuffers.Test/monsterdata_cstest.mon'])(
    'the sample %s decodes to its JSON',
    async (file) => {
      const schema = await compile('monster_test.bfbs');
      const value = decodeWith(flatbuffers, await corpus.bytes(file), { schema, options: { ...options, int64: 'number' } });
      const json = await parse(file.replace(/.*\//, '').replace('.mon', '.json'));
      // flatc prints a double of this size without its sign.
      if (file === 'monsterdata_test.mon') json['vector_of_doubles'] = [-Number.MAX_VALUE, 0, Number.MAX_VALUE];
      assertSame(value, json);
    },
  );

  test('64-bit offsets and vectors decode to the values of the sample', async () => {
    const schema = await compile('64bit/test_64bit.bfbs');
    const bytes = await corpus.bytes('64bit/test_64bit.bin');
    expect(decodeWith(flatbuffers, bytes, { schema, options })).toEqual(JSON.parse(await corpus.text('64bit/test_64bit.json')));
    expect(decodeWith(flatbuffers, bytes, { schema, options: { vectors: 'bytes' } })).toMatchObject({ big_vector: Uint8Array.of(5, 6, 7, 8) });
  });

  test.each(corpus.files.filter((file) => file.endsWith('.bfbs')))(
    'the schema %s, cut or damaged anywhere, compiles or throws a SchemaError',
    async (file) => {
      const bytes = await corpus.bytes(file);
      for (let at = 0; at < bytes.length; at += 37) {
        const damaged = bytes.slice();
        damaged[at]! ^= 0x55;
        for (const bfbs of [bytes.slice(0, at), damaged]) {
          try {
            await flatbuffers.compileSchema!({ bfbs });
          } catch (error) {
            expect(error).toBeInstanceOf(SchemaError);
          }
        }
      }
    },
  );
});

describe('a buffer encoded by flatc', async () => {
  const schema = await flatbuffers.compileSchema!({ bfbs: await fixtures.bytes('everything.bfbs') });

  test('decodes with a value of every type', async () => {
    const bytes = await fixtures.bytes('full.bin');
    const json = await parse('full.json');
    assertSame(sameInEveryCut(flatbuffers, bytes.slice(), { schema, options: { ...options, int64: 'number' } }), { value: json });
    expect(decodeWith(flatbuffers, bytes, { schema, options: { nested: 'bytes', vectors: 'bytes' } })).toMatchObject({
      bits: 2 ** 40 + 1,
      sign: -1,
      big: -9007199254740993n,
      nested: expect.any(Uint8Array),
      bytes: Uint8Array.of(0, 127, 255),
    });
  });

  test('decodes with no value set', async () => {
    const bytes = await fixtures.bytes('empty.bin');
    const scalars = {
      b: false,
      i8: 0,
      u8: 0,
      i16: 0,
      u16: 0,
      i32: 0,
      u32: 0,
      i64: 0,
      u64: 0,
      f: 0,
      d: 0,
      b_default: true,
      i32_default: -5,
      u64_default: 9223372036854775807n,
      f_default: 1.5,
    };
    const enums = { sign: 'Zero', colour: 'Blue', bits: 'Low', big: 'Nothing' };
    assertSame(decodeWith(flatbuffers, bytes, { schema, options }), {});
    assertSame(decodeWith(flatbuffers, bytes, { schema, options: { enums: 'name' } }), { ...scalars, ...enums, choice_type: 'NONE' });
    const others = ['text', 'grid', 'leaf', 'bools', 'bytes', 'longs', 'doubles', 'texts', 'leaves', 'points', 'colours'];
    const nulls = (names: string[]): object => Object.fromEntries(names.map((name) => [name, null]));
    assertSame(decodeWith(flatbuffers, bytes, { schema, options: { enums: 'name', defaults: 'all' } }), {
      ...scalars,
      ...nulls(['maybe_int', 'maybe_bool', 'maybe_sign']),
      ...enums,
      ...nulls(others),
      choice_type: 'NONE',
      ...nulls(['choice', 'choices_type', 'choices', 'nested']),
    });
  });
});
