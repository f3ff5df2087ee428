import { describe, expect, test } from 'vitest';
import protobuf, { type ProtobufOptions } from '../../../../core/formats/protobuf/index.ts';
import { ProtobufReader } from '../../../../core/formats/protobuf/reader.ts';
import writer from '../../../../core/formats/protobuf/writer.ts';
import { cutStep } from '../../../setup/properties/case-count.ts';
import { assertSame } from '../../../setup/ways/differential.ts';
import { encodeWith } from '../../../setup/ways/encode-with.ts';
import { fuzzWithKernels } from '../../../setup/kernels/kernel-fuzz.ts';
import { type KernelOutcome, sameWithKernels } from '../../../setup/kernels/kernel-outcomes.ts';
import { decodeRows, list, type RowSetting } from '../../../setup/kernels/kernel-rows.ts';
import fc from '../../../setup/properties/property.ts';
import { Bytes } from '../formats/protobuf/random.ts';

const FIELDS = `
  int32 i = 1; uint32 u = 2; sint32 z = 3; int64 l = 4; uint64 ul = 5; sint64 zl = 6; bool good = 7; Kind kind = 8; float f = 9;
  fixed32 x = 10; sfixed32 sx = 11; double d = 12; fixed64 xl = 13; sfixed64 sxl = 14; string name = 15; optional string note = 16;
  optional double far = 300;`;
const proto = (fields: string, syntax = 'proto3'): string => `syntax = "${syntax}"; package t;
  enum Kind { ONE = 0; TWO = 1; MORE = 2; FAR = 100; }
  message Row { ${fields} }
  message Rows { repeated Row rows = 1; string after = 2; }
  message Far { repeated Row rows = 20; }`;
const compile = async (fields = FIELDS, message = 'Rows', syntax?: string): Promise<unknown> =>
  await protobuf.compileSchema!({ proto: proto(fields, syntax), message: `t.${message}` });
const schema = await compile();

/** Lowers the threshold for small messages: lists of small messages are sent at their end, without kernels. */
const format: typeof protobuf = {
  ...protobuf,
  createReader: (sink, options, limits, given) => new ProtobufReader(sink, options, limits, given, 100),
};

type Setting = RowSetting<ProtobufOptions>;

/** Decodes with and without kernels, and requires that kernels read at least `least` rows. */
function decode(bytes: Uint8Array, least: number, setting: Setting = {}): Promise<KernelOutcome> {
  return decodeRows({ id: 'protobuf', format, bytes, schema, ...setting }, least);
}

const row = (at: number): Record<string, unknown> => ({
  i: at - 20,
  u: at % 2 ? 2 ** 32 - at - 1 : at,
  z: -at * 1000 + 1,
  l: at * 1e12 - 5e12,
  ul: at * 1e9,
  zl: 3 - at,
  good: at % 3 === 0,
  kind: at % 3,
  f: at / 4,
  x: 2 ** 32 - 1 - at,
  sx: -at + 0,
  d: at / 3,
  xl: at,
  sxl: 1 - at,
  name: at % 7 ? `größer ${at % 5}` : '',
  ...(at % 5 && { note: `note ${at}${'x'.repeat(at % 90)}` }),
  ...(at % 4 && { far: at / 7 }),
});
const encode = (rows: unknown[], given: unknown = schema, rest: object = { after: '' }): Uint8Array =>
  encodeWith(writer, { rows, ...rest }, { schema: given });

describe('Protocol Buffers kernel', () => {
  test('decodes messages to the same values as the reader', async () => {
    const rows = list(250, row);
    assertSame(await decode(encode(rows, schema, { after: 'x' }), 500), { value: { rows, after: 'x' } });
  });

  test('decodes the same for every cut of a chunk', async () => {
    const rows = list(7, row);
    const bytes = encode(rows);
    for (let cut = 1; cut < bytes.length; cut += cutStep(5)) assertSame(await decode(bytes, 0, { sizes: [cut] }), { value: { rows, after: '' } });
  });

  test.each([
    {},
    { defaults: 'all' },
    { defaults: 'none' },
    { enums: 'name' },
    { int64: 'bigint' },
    { int64: 'number' },
    { int64: 'string' },
    { names: 'json' },
    { unknown: 'keep' },
    { partial: true },
  ] satisfies ProtobufOptions[])('decodes the same with the options %j', async (options) => {
    const reads = !('defaults' in options && options.defaults === 'none') && !('unknown' in options) && options.int64 !== 'string';
    expect(await decode(encode(list(100, row)), reads ? 120 : 0, { options })).toHaveProperty('value');
  });

  test('reads the messages of a sequence', async () => {
    const single = await compile(FIELDS, 'Row');
    const rows = list(300, row);
    const bytes = encodeWith(writer, rows, { schema: single, options: { sequence: true } });
    assertSame(await decode(bytes, 500, { schema: single, options: { sequence: true } }), { value: rows });
  });

  test('reads enums by name, including unnamed numbers', async () => {
    const rows = list(300, (at) => ({ i: at, kind: at % 50 === 0 ? 100 : at % 3 }));
    const given = await compile('int32 i = 1; Kind kind = 2;');
    const { value } = (await decode(encode(rows, given), 300, { schema: given, options: { enums: 'name' } })) as {
      value: { rows: { kind: unknown }[] };
    };
    expect(value.rows.slice(0, 4).map(({ kind }) => kind)).toEqual(['FAR', 'TWO', 'MORE', 'ONE']);
  });

  test('reads fields in any order, repeating or not', async () => {
    const given = await compile('int32 a = 1; string b = 2; double c = 3; bool d = 4; int64 e = 17;');
    const parts = (at: number): ((bytes: Bytes) => void)[] => [
      (bytes) => (bytes.tag(1, 0), bytes.varint(BigInt(at))),
      (bytes) => (bytes.tag(2, 2), bytes.delimited(new TextEncoder().encode(`b ${at % 9}`))),
      (bytes) => (bytes.tag(3, 1), bytes.bytes(new Uint8Array(new Float64Array([at / 2]).buffer))),
      (bytes) => (bytes.tag(4, 0), bytes.varint(BigInt(at % 2))),
      (bytes) => (bytes.tag(17, 0), bytes.varint(BigInt(at * 1000))),
    ];
    for (const order of [() => [4, 3, 2, 1, 0], () => [2, 0, 4, 1, 3], (at: number) => (at % 2 ? [0, 1, 2, 3, 4] : [3, 1, 0, 4, 2])]) {
      const all = new Bytes();
      for (let at = 0; at < 200; at++) {
        const message = new Bytes();
        for (const part of order(at)) parts(at)[part]!(message);
        all.tag(1, 2);
        all.delimited(message.list);
      }
      const rows = list(200, (at) => ({ a: at, b: `b ${at % 9}`, c: at / 2, d: at % 2 === 1, e: at * 1000 }));
      assertSame(await decode(Uint8Array.from(all.list), 300, { schema: given }), { value: { rows, after: '' } });
    }
  });

  test('leaves duplicate, unknown, padded and wrongly typed fields to the reader', async () => {
    const given = await compile('int32 a = 1; string b = 2;');
    const odd: ((bytes: Bytes) => void)[] = [
      (bytes) => (bytes.tag(1, 0), bytes.varint(7n)),
      (bytes) => (bytes.tag(9, 0), bytes.varint(7n)),
      (bytes) => (bytes.varint(8n, 3), bytes.varint(7n)),
      (bytes) => (bytes.varint(8n, 1), bytes.varint(7n, 4)),
      (bytes) => (bytes.tag(1, 5), bytes.bytes([1, 2, 3, 4])),
      (bytes) => (bytes.tag(1, 0), bytes.varint(2n ** 40n + 5n)),
      (bytes) => (bytes.tag(1, 0), bytes.bytes([0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f])),
      (bytes) => bytes.tag(0, 0),
      (bytes) => (bytes.tag(2, 2), bytes.varint(100n)),
      (bytes) => (bytes.tag(2, 2), bytes.delimited([0xff])),
      (bytes) => (bytes.tag(1, 0), bytes.bytes([0x80])),
      (bytes) => (bytes.tag(3, 3), bytes.tag(3, 4)),
    ];
    for (const part of odd) {
      const all = new Bytes();
      for (let at = 0; at < 120; at++) {
        const message = new Bytes();
        if (at % 3) message.bytes([8, at]);
        message.tag(2, 2);
        message.delimited([0x61]);
        if (at === 70 || at === 90) part(message);
        all.tag(1, 2);
        all.delimited(message.list);
      }
      await decode(Uint8Array.from(all.list), 100, { schema: given });
    }
  });

  test('leaves fields that are in a oneof, required, repeated or have a default to the reader', async () => {
    for (const [fields, syntax] of [
      ['oneof one { int32 a = 1; string b = 2; }', 'proto3'],
      ['required int32 a = 1; optional string b = 2;', 'proto2'],
      ['repeated int32 a = 1; string b = 2;', 'proto3'],
      ['optional Kind a = 1; optional string b = 2;', 'proto2'],
    ] as const) {
      const given = await compile(fields, 'Rows', syntax).catch(
        async () =>
          await protobuf.compileSchema!({ proto: proto(fields, syntax).replaceAll('string after', 'optional string after'), message: 't.Rows' }),
      );
      const rows = list(60, (at) => ({ a: fields.startsWith('repeated') ? [1, at] : 1 }));
      expect(await decode(encode(rows, given, {}), 0, { schema: given })).toHaveProperty('value');
    }
  });

  test('enforces the same limits as the reader', async () => {
    const given = await compile('int32 a = 1; string b = 2; int32 c = 3; double d = 4;');
    const bytes = encode(
      list(200, (at) => ({ a: at, b: 'n'.repeat(at % 50) })),
      given,
    );
    for (const limits of [{ values: 300 }, { values: 301 }, { values: 999 }, { stringLength: 3 }, { stringLength: 48 }, { depth: 1 }, { depth: 2 }]) {
      expect(await decode(bytes, 0, { limits, schema: given })).toHaveProperty('error');
    }
    expect(await decode(bytes, 300, { limits: { values: 1003, stringLength: 49, depth: 3 }, schema: given })).toHaveProperty('value');
    // An empty message has four values.
    const empty = Uint8Array.from(list(60_000, (at) => (at % 2 ? 0 : 0x0a)));
    for (const expansion of [0, 2]) await decode(empty, 0, { limits: { expansion }, schema: given, sizes: [empty.length] });
  });

  test('rejects truncated rows at the same byte as the reader', async () => {
    const bytes = encode(list(60, row));
    for (const length of [bytes.length - 1, bytes.length - 9, bytes.length - 30, bytes.length >> 1]) {
      expect(await decode(bytes.slice(0, length), 20)).toMatchObject({ error: { code: 'truncated' } });
    }
  });

  test("leaves rows to the reader if the list's tag is longer than a byte", async () => {
    const given = await compile('int32 a = 1;', 'Far');
    const rows = list(100, (at) => ({ a: at }));
    assertSame(await decode(encode(rows, given, {}), 0, { schema: given }), { value: { rows } });
  });
});

test('random messages decode the same with and without kernels, at once and in chunks', async () => {
  let rows = 0;
  const int32 = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
  const message = fc.record(
    {
      i: int32,
      u: fc.nat(2 ** 32 - 1),
      z: int32,
      l: fc.maxSafeInteger(),
      ul: fc.maxSafeNat(),
      zl: fc.maxSafeInteger(),
      good: fc.boolean(),
      kind: fc.oneof(fc.nat(3), int32),
      f: fc.float(),
      d: fc.double(),
      name: fc.oneof(fc.constantFrom('a', 'b', ''), fc.string({ unit: 'grapheme' })),
      note: fc.string(),
      far: fc.double(),
    },
    { requiredKeys: ['i', 'name', 'd'], noNullPrototype: true },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(message, { minLength: 5, maxLength: 60 }), fc.integer({ min: 1, max: 400 }), async (values, size) => {
      const bytes = encode(values);
      rows += (await sameWithKernels({ id: 'protobuf', format, bytes, schema, sizes: [bytes.length, size] })).rows;
    }),
    { numRuns: 200 },
  );
  expect(rows).toBeGreaterThan(200);
});

test('mutated messages give the same value or error with and without kernels', async () => {
  const seeds = [5, 20, 60].map((count) => encode(list(count, row)));
  const { rows, refused } = await fuzzWithKernels({ id: 'protobuf', format, schema }, seeds);
  expect(rows).toBeGreaterThan(100);
  expect(refused).toBeGreaterThan(3);
});
