import { describe, expect, test } from 'vitest';
import bebop, { type BebopOptions } from '../../../../core/formats/bebop/index.ts';
import writer from '../../../../core/formats/bebop/writer.ts';
import { cutStep } from '../../../setup/properties/case-count.ts';
import { assertSame } from '../../../setup/ways/differential.ts';
import { encodeWith } from '../../../setup/ways/encode-with.ts';
import { fuzzWithKernels } from '../../../setup/kernels/kernel-fuzz.ts';
import { type KernelOutcome, sameWithKernels } from '../../../setup/kernels/kernel-outcomes.ts';
import { decodeRows, list, type RowSetting } from '../../../setup/kernels/kernel-rows.ts';
import fc from '../../../setup/properties/property.ts';

const FIELDS = `
  bool good; byte b; uint16 u2; int16 i2; uint32 u4; int32 i4; uint64 u8; int64 i8; float32 f; float64 d; date at; string name; Kind kind;`;
const compile = async (fields = FIELDS, record = 'Rows'): Promise<unknown> =>
  await bebop.compileSchema!({
    bop: `enum Kind { One = 1; Two = 2; } struct Row { ${fields} } struct Rows { Row[] rows; string after; }
      message Held { 1 -> Rows held; 2 -> Row[] rows; }`,
    record,
  });
const schema = await compile();

type Setting = RowSetting<BebopOptions>;

/** Decodes with and without kernels, and requires that kernels read at least `least` rows. */
function decode(bytes: Uint8Array, least: number, setting: Setting = {}): Promise<KernelOutcome> {
  return decodeRows({ id: 'bebop', format: bebop, bytes, schema, ...setting }, least);
}

const row = (at: number): Record<string, unknown> => ({
  good: at % 3 === 0,
  b: at % 256,
  u2: (at * 700) % 65_536,
  i2: 300 - at,
  u4: at % 2 ? 2 ** 32 - 1 - at : at,
  i4: at * 1000 - 50_000,
  u8: at * 1e12,
  i8: 5e13 - at * 1e12,
  f: at / 4,
  d: at / 3,
  at: new Date(at * 86_400_000_000 - 1e13),
  name: at % 5 ? `größer ${at % 9}` : `text ${at} ${'x'.repeat(at % 90)}`,
  kind: 1 + (at % 2),
});
const encode = (rows: unknown[], given: unknown = schema): Uint8Array => encodeWith(writer, { rows, after: 'x' }, { schema: given });

describe('Bebop kernel', () => {
  test('decodes structs to the same values as the reader', async () => {
    const rows = list(500, row);
    assertSame(await decode(encode(rows), 1200), { value: { rows, after: 'x' } });
  });

  test('decodes the same for every cut of a chunk', async () => {
    const rows = list(7, row);
    const bytes = encode(rows);
    for (let cut = 1; cut < bytes.length; cut += cutStep(3)) assertSame(await decode(bytes, 0, { sizes: [cut] }), { value: { rows, after: 'x' } });
  });

  test.each([{ int64: 'bigint' }, { int64: 'number' }, { int64: 'string' }, { enums: 'name' }] satisfies BebopOptions[])(
    'decodes the same with the options %j',
    async (options) => {
      const reads = 'int64' in options && options.int64 !== 'string';
      expect(await decode(encode(list(200, row)), reads ? 300 : 0, { options })).toHaveProperty('value');
    },
  );

  test("reads rows inside messages, and respects the messages' ends", async () => {
    const held = await compile(FIELDS, 'Held');
    const rows = list(200, row);
    const value = { held: { rows, after: 'x' }, rows };
    const bytes = encodeWith(writer, value, { schema: held });
    assertSame(await decode(bytes, 600, { schema: held }), { value });
    // Length of the message, and of the array inside it.
    for (const [at, change] of [
      [0, -1],
      [0, 1],
      [0, -500],
      [5, 1],
      [5, -1],
    ] as const) {
      const spoilt = bytes.slice();
      const view = new DataView(spoilt.buffer);
      view.setUint32(at, view.getUint32(at, true) + change, true);
      expect(await decode(spoilt, 100, { schema: held })).toHaveProperty('error');
    }
  });

  test('rejects invalid UTF-8 at the same byte as the reader', async () => {
    const given = await compile('int32 id; string name;');
    const bytes = encode(
      list(80, (at) => ({ id: at, name: at === 50 ? '\u007F' : 'same' })),
      given,
    );
    bytes[bytes.indexOf(0x7f)] = 0xff;
    expect(await decode(bytes, 40, { schema: given })).toMatchObject({ error: { code: 'invalid-utf8', path: ['rows', 50, 'name'] } });
  });

  test('rejects truncated rows at the same byte as the reader', async () => {
    const bytes = encode(list(60, row));
    for (const length of [bytes.length - 1, bytes.length - 9, bytes.length - 30, bytes.length >> 1]) {
      expect(await decode(bytes.slice(0, length), 20)).toHaveProperty('error');
    }
  });

  test('enforces the same limits as the reader', async () => {
    const given = await compile('int32 id; string name;');
    const bytes = encode(
      list(200, (id) => ({ id, name: 'n'.repeat(id % 50) })),
      given,
    );
    for (const limits of [{ values: 300 }, { values: 600 }, { values: 801 }, { stringLength: 3 }, { stringLength: 48 }, { depth: 1 }, { depth: 2 }]) {
      expect(await decode(bytes, 0, { limits, schema: given })).toHaveProperty('error');
    }
    expect(await decode(bytes, 300, { limits: { values: 900, stringLength: 49, depth: 3 }, schema: given })).toHaveProperty('value');
  });

  test('leaves rows with containers or guids to the reader', async () => {
    for (const [fields, value] of [
      ['int32 id; int32[] list;', { id: 1, list: [1, 2] }],
      ['int32 id; guid name;', { id: 1, name: '01234567-89ab-cdef-0123-456789abcdef' }],
    ] as const) {
      const given = await compile(fields);
      const rows = list(50, () => value);
      assertSame(await decode(encode(rows, given), 0, { schema: given }), { value: { rows, after: 'x' } });
    }
  });
});

test('random structs decode the same with and without kernels, at once and in chunks', async () => {
  let rows = 0;
  const struct = fc.record(
    {
      good: fc.boolean(),
      b: fc.nat(255),
      u2: fc.nat(65_535),
      i2: fc.integer({ min: -32_768, max: 32_767 }),
      u4: fc.nat(2 ** 32 - 1),
      i4: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
      u8: fc.maxSafeNat(),
      i8: fc.maxSafeInteger(),
      f: fc.float(),
      d: fc.double(),
      at: fc.date({ min: new Date('0001-01-02'), max: new Date('9999-01-01'), noInvalidDate: true }),
      name: fc.oneof(fc.constantFrom('a', 'b', ''), fc.string({ unit: 'grapheme' })),
      kind: fc.integer({ min: 1, max: 2 }),
    },
    { noNullPrototype: true },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(struct, { minLength: 5, maxLength: 60 }), fc.integer({ min: 1, max: 400 }), async (values, size) => {
      const bytes = encode(values);
      const found = await sameWithKernels({ id: 'bebop', format: bebop, bytes, schema, sizes: [bytes.length, size] });
      assertSame(found.outcome, { value: { rows: values, after: 'x' } });
      rows += found.rows;
    }),
    { numRuns: 200 },
  );
  expect(rows).toBeGreaterThan(50);
});

test('mutated structs give the same value or error with and without kernels', async () => {
  const seeds = [5, 20, 60].map((count) => encode(list(count, row)));
  const { rows, refused } = await fuzzWithKernels({ id: 'bebop', format: bebop, schema }, seeds);
  expect(rows).toBeGreaterThan(100);
  expect(refused).toBeGreaterThan(3);
});
