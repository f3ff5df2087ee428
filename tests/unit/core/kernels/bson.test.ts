import { ObjectId, serialize } from 'bson';
import { describe, expect, test } from 'vitest';
import bson, { type BsonOptions } from '../../../../core/formats/bson/index.ts';
import writer from '../../../../core/formats/bson/writer.ts';
import { cutStep } from '../../../setup/properties/case-count.ts';
import { assertSame } from '../../../setup/ways/differential.ts';
import { encodeWith } from '../../../setup/ways/encode-with.ts';
import { fuzzWithKernels } from '../../../setup/kernels/kernel-fuzz.ts';
import { type KernelOutcome, sameWithKernels } from '../../../setup/kernels/kernel-outcomes.ts';
import { decodeRows, expectLimits, LIMITED_ROWS, list, type RowSetting } from '../../../setup/kernels/kernel-rows.ts';
import fc from '../../../setup/properties/property.ts';

type Setting = RowSetting<BsonOptions>;

/** Decodes with and without kernels, and requires that kernels read at least `least` rows. */
function decode(bytes: Uint8Array, least: number, setting: Setting = {}): Promise<KernelOutcome> {
  return decodeRows({ id: 'bson', format: bson, bytes, ...setting }, least);
}

type Row = Record<string, unknown>;

const encode = (value: object): Uint8Array => encodeWith(writer, value);
const hex = (at: number): string => (at * 0x9e3779b1).toString(16).padStart(24, '0').slice(-24);
const row = (at: number): Row => ({
  id: at * 37,
  name: `größer ${at % 7}`,
  score: at / 8 + 0.3,
  good: at % 3 === 0,
  when: new Date(at * 1e10 - 1e11),
  text: `${at}${'x'.repeat(at % 150)}`,
  none: at % 5 ? null : 'some',
  gone: at % 4 ? undefined : at,
});
/** Document of elements given as bytes, with its size. */
const documentOf = (...elements: number[]): number[] => [elements.length + 5, 0, 0, 0, ...elements, 0];
/** `{ l: [ … ] }` */
function listOf(documents: readonly number[][]): Uint8Array {
  const items = documents.flatMap((document, at) => [3, ...new TextEncoder().encode(`${at}`), 0, ...document]);
  const size = items.length + 5;
  const bytes = new Uint8Array(size + 8);
  new DataView(bytes.buffer).setInt32(0, size + 8, true);
  bytes.set([4, 0x6c, 0], 4);
  new DataView(bytes.buffer).setInt32(7, size, true);
  bytes.set(items, 11);
  return bytes;
}

describe('BSON kernel', () => {
  test('decodes documents to the same values as the reader', async () => {
    const value = { rows: list(500, row), after: 'x' };
    assertSame(await decode(encode(value), 900), { value });
  });

  test('decodes a sequence to the same values as the reader', async () => {
    const rows = list(300, row);
    const bytes = Uint8Array.from(rows.flatMap((document) => [...encode(document)]));
    assertSame(await decode(bytes, 500, { options: { sequence: true } }), { value: rows });
  });

  test('decodes the same for every cut of a chunk', async () => {
    const value = { rows: list(9, row) };
    const bytes = encode(value);
    for (let cut = 1; cut < bytes.length; cut += cutStep(3)) assertSame(await decode(bytes, 0, { sizes: [cut] }), { value });
  });

  test('reads an ObjectId as text', async () => {
    const bytes = Uint8Array.from(serialize({ rows: list(200, (at) => ({ _id: new ObjectId(hex(at)), n: at })) }));
    assertSame(await decode(bytes, 300), { value: { rows: list(200, (at) => ({ _id: hex(at), n: at })) } });
    expect(await decode(bytes, 0, { limits: { stringLength: 23 } })).toHaveProperty('error');
  });

  test('reads rows that lack some or all keys', async () => {
    const value = {
      rows: list(400, (at) =>
        at % 50 === 30 ? {} : Object.fromEntries(Object.entries(row(at)).filter((_, key) => at < 4 || (at * 7 + key * 3) % 11 > 2)),
      ),
    };
    assertSame(await decode(encode(value), 300), { value });
  });

  test('reads keys with a common prefix, and values whose kind changes in every row', async () => {
    const value = {
      rows: list(200, (at) => ({ a: at, ab: -at, abc: [at, 'text', null, true, at / 3, { nested: at }, [at], new Date(at)][at % 8] })),
    };
    assertSame(await decode(encode(value), 0), { value });
  });

  test('reads 64-bit integers according to the option', async () => {
    const values = [5n, 1n, 2n ** 32n, 2n ** 53n - 1n, -7n, 1n - 2n ** 53n, -(2n ** 53n), 2n ** 62n, 3n];
    const long = (value: bigint): number[] => [...new Uint8Array(new BigInt64Array([value]).buffer)];
    const rows = [...list(9, () => [0, 0, 0, 0, 0, 0, 0xe0, 0x3f]), ...values.map(long)];
    const bytes = listOf(rows.map((payload, at) => documentOf(at < 9 ? 1 : 0x12, 0x76, 0, ...payload)));
    for (const int64 of ['auto', 'number', 'bigint', 'string'] as const) {
      const { value } = (await decode(bytes, 10, { options: { int64 } })) as { value: { l: { v: unknown }[] } };
      const safe = (exact: bigint): boolean => exact < 2n ** 53n && exact > -(2n ** 53n);
      expect(value.l.slice(9).map(({ v }) => v)).toEqual(
        values.map((exact) =>
          int64 === 'bigint' ? exact : int64 === 'string' ? String(exact) : int64 === 'number' || safe(exact) ? Number(exact) : exact,
        ),
      );
    }
  });

  test('leaves rows to the reader if values become Extended JSON', async () => {
    const bytes = encode({ rows: list(50, (at) => ({ id: at, score: at / 8 + 0.3 })) });
    const { outcome, rows } = await sameWithKernels({ id: 'bson', format: bson, bytes, options: { types: 'canonical' } });
    expect(rows).toBe(0);
    expect(outcome).toMatchObject({ value: { rows: { 1: { score: { $numberDouble: '0.425' } } } } });
  });

  test('rejects malformed rows with the same error as the reader', async () => {
    const good = documentOf(8, 0x62, 0, 1, 2, 0x73, 0, 2, 0, 0, 0, 0x61, 0, 9, 0x64, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    const wrong = {
      'a boolean of 2': documentOf(8, 0x62, 0, 2),
      'an unknown type': documentOf(0x20, 0x62, 0, 1),
      'a string without a zero': documentOf(2, 0x73, 0, 2, 0, 0, 0, 0x61, 0x61),
      'a string of no bytes': documentOf(2, 0x73, 0, 0, 0, 0, 0),
      'a string of negative length': documentOf(2, 0x73, 0, 0xff, 0xff, 0xff, 0xff),
      'a string past its document': documentOf(2, 0x73, 0, 9, 0, 0, 0, 0x61, 0),
      'a string of invalid UTF-8': documentOf(2, 0x73, 0, 2, 0, 0, 0, 0xff, 0),
      'a document longer than its elements': [...documentOf(8, 0x62, 0, 1).with(0, 10), 0],
      'a document shorter than its elements': documentOf(8, 0x62, 0, 1).with(0, 8),
      'a document of four bytes': [4, 0, 0, 0, 0],
      'a document of negative size': [0xff, 0xff, 0xff, 0xff, 0],
    };
    for (const [name, bad] of Object.entries(wrong)) {
      const bytes = listOf([...list(50, () => good), bad, ...list(20, () => good)]);
      expect(await decode(bytes, 80), name).toHaveProperty('error');
    }
    const invalidDate = documentOf(9, 0x64, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f);
    const { value } = (await decode(listOf([...list(50, () => good), invalidDate, good]), 80)) as { value: { l: { d: Date }[] } };
    expect(value.l[50]!.d.getTime()).toBeNaN();
  });

  test('rejects rows that extend past their array', async () => {
    const good = documentOf(8, 0x62, 0, 1);
    const bytes = listOf(list(60, () => good));
    // The last document includes the zero of the array and of the root.
    bytes[bytes.length - 11] = 11;
    expect(await decode(bytes, 80)).toHaveProperty('error');
  });

  test('rejects truncated rows at the same byte as the reader', async () => {
    const bytes = encode({ rows: list(60, row) });
    for (const length of [bytes.length - 1, bytes.length - 3, bytes.length - 30, bytes.length >> 1]) {
      expect(await decode(bytes.slice(0, length), 20)).toMatchObject({ error: { code: 'truncated' } });
    }
  });

  test('enforces the same limits as the reader', async () => {
    const bytes = encode({ rows: LIMITED_ROWS });
    await expectLimits((least, limits) => decode(bytes, least, { limits }), 3);
  });
});

test('random BSON documents decode the same with and without kernels, at once and in chunks', async () => {
  let rows = 0;
  const document = fc.record(
    {
      id: fc.oneof(fc.integer(), fc.maxSafeInteger()),
      name: fc.oneof(fc.constantFrom('a', 'b', ''), fc.string({ unit: 'grapheme' })),
      score: fc.double(),
      good: fc.boolean(),
      when: fc.date({ noInvalidDate: true }),
      none: fc.option(fc.string()),
    },
    { noNullPrototype: true, requiredKeys: ['id', 'name'] },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(document, { minLength: 5, maxLength: 60 }), fc.integer({ min: 1, max: 400 }), async (values, size) => {
      const bytes = encode({ values });
      const found = await sameWithKernels({ id: 'bson', format: bson, bytes, sizes: [bytes.length, size] });
      assertSame(found.outcome, { value: { values } });
      rows += found.rows;
    }),
    { numRuns: 200 },
  );
  expect(rows).toBeGreaterThan(50);
});

test('mutated BSON documents give the same value or error with and without kernels', async () => {
  const seeds = [5, 20, 60].map((count) => encode({ rows: list(count, row) }));
  const { rows, refused } = await fuzzWithKernels({ id: 'bson', format: bson }, seeds);
  expect(rows).toBeGreaterThan(100);
  expect(refused).toBeGreaterThan(3);
});
