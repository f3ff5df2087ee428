import { deflateSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { loadCodecs } from '../../../../core/formats/avro/container/codecs.ts';
import avro, { type AvroOptions } from '../../../../core/formats/avro/index.ts';
import { cutStep } from '../../../setup/properties/case-count.ts';
import { assertSame } from '../../../setup/ways/differential.ts';
import { fuzzWithKernels } from '../../../setup/kernels/kernel-fuzz.ts';
import { type KernelOutcome, sameWithKernels } from '../../../setup/kernels/kernel-outcomes.ts';
import { decodeRows, list, type RowSetting } from '../../../setup/kernels/kernel-rows.ts';
import fc from '../../../setup/properties/property.ts';
import { Bytes, container } from '../formats/avro/bytes.ts';
import { forSchema, type Json } from '../formats/avro/random.ts';

await loadCodecs();

type Setting = RowSetting<AvroOptions>;

/** Decodes with and without kernels, and requires that kernels read at least `least` rows. */
async function decode(schema: unknown, bytes: Uint8Array, least: number, setting: Setting = {}): Promise<KernelOutcome> {
  const compiled = await avro.compileSchema!(schema);
  return await decodeRows({ id: 'avro', format: avro, bytes, schema: compiled, ...setting }, least);
}

const record = (fields: Record<string, Json>, name = 'Row'): Json => ({
  type: 'record',
  name,
  fields: Object.entries(fields).map(([field, type]) => ({ name: field, type })),
});
const listOf = (items: Json): Json => ({ type: 'array', items });
const KIND: Json = { type: 'enum', name: 'Kind', symbols: ['one', 'two', 'three', 'x'.repeat(200)] };
const ROW = record({
  id: 'int',
  name: 'string',
  big: 'long',
  good: 'boolean',
  score: 'double',
  single: 'float',
  kind: KIND,
  note: ['null', 'string'],
  at: ['double', 'null'],
  either: ['null', 'Kind', 'long'],
});
const row = (at: number): Record<string, unknown> => ({
  id: at * 37 - 500,
  name: `name ${at % 7}`,
  big: at % 3 ? at * 1e9 : 0 - at,
  good: at % 3 === 0,
  score: at / 8,
  single: at / 4,
  kind: ['one', 'two', 'three'][at % 3],
  note: at % 5 ? null : `é ${at} ${'x'.repeat(at % 90)}`,
  at: at % 4 ? at / 3 : null,
  either: at % 6 === 0 ? null : 'two',
});
/** Encodes with avsc, which takes unwrapped union values if JavaScript can tell their types apart. */
const encode = (schema: Json, value: unknown): Uint8Array => forSchema(schema).toBuffer(value).slice();

describe('Avro kernel', () => {
  test('decodes records to the same values as the reader', async () => {
    const rows = list(500, row);
    const schema = record({ rows: listOf(ROW), after: 'string' }, 'Root');
    assertSame(await decode(schema, encode(schema, { rows, after: 'x' }), 900), { value: { rows, after: 'x' } });
  });

  test('decodes the same for every cut of a chunk', async () => {
    const rows = list(9, row);
    const bytes = encode(listOf(ROW), rows);
    for (let cut = 1; cut < bytes.length; cut += cutStep()) assertSame(await decode(listOf(ROW), bytes, 0, { sizes: [cut] }), { value: rows });
  });

  test('reads rows in many blocks, with and without a size', async () => {
    const schema = listOf(record({ id: 'int' }));
    const blocks = new Bytes();
    let next = 0;
    for (const count of [5, 1, 40, 2, 300, 3]) {
      const data = new Bytes();
      for (let left = count; left > 0; left--) data.long(next++);
      if (count % 2) blocks.long(-count).long(data.list.length).bytes(data.list);
      else blocks.long(count).bytes(data.list);
    }
    assertSame(await decode(schema, blocks.long(0).done(), 600), { value: list(next, (id) => ({ id })) });
  });

  test('reads the data of containers, compressed or not, and of sequences', async () => {
    const rows = list(300, row);
    const data = Uint8Array.from(rows.flatMap((datum) => [...encode(ROW, datum)]));
    assertSame(await decode(ROW, data, 500, { options: { sequence: true } }), { value: rows });
    for (const [codec, stored] of [
      ['null', data],
      ['deflate', deflateSync(data)],
    ] as const) {
      const bytes = container(ROW, codec, [
        { count: 300, data: stored },
        { count: 300, data: stored },
      ]);
      assertSame(await decode(ROW, bytes, 900), { value: [...rows, ...rows] });
    }
  });

  test('reads instants and dates of every unit within the range of Date', async () => {
    const fields = Object.fromEntries(
      ['timestamp-millis', 'timestamp-micros', 'timestamp-nanos', 'local-timestamp-micros'].map((logicalType) => [
        logicalType.replaceAll('-', '_'),
        { type: 'long', logicalType },
      ]),
    );
    const schema = listOf(record({ ...fields, day: { type: 'int', logicalType: 'date' } }));
    const instants = [0n, -1n, 1n, 999n, -1000n, -1001n, 1_700_000_000_123_456n, -62_135_596_800_000_001n, 1_700_000_000_123_456_789n, 2n ** 62n];
    const bytes = new Bytes().long(instants.length * 20);
    for (let at = 0; at < instants.length * 20; at++) {
      const value = instants[Math.floor(at / 20)]!;
      for (let unit = 0; unit < 4; unit++) bytes.long(value);
      bytes.long(at * 1000 - 50_000);
    }
    const { value } = (await decode(schema, bytes.long(0).done(), 200)) as { value: Record<string, Date>[] };
    expect(value[60]!['timestamp_micros']).toEqual(new Date(0));
    expect(value[90]!['timestamp_micros']).toEqual(new Date(-1));
    expect(value[165]!['timestamp_nanos']).toEqual(new Date(1_700_000_000_123));
    expect(value[3]!['day']).toEqual(new Date((3000 - 50_000) * 86_400_000));
  });

  test('reads 64-bit integers according to the option', async () => {
    const values = [5n, -7n, 2n ** 32n, 2n ** 53n - 1n, 1n - 2n ** 53n, 2n ** 53n, -(2n ** 53n), 2n ** 63n - 1n, -(2n ** 63n), 3n];
    const bytes = new Bytes().long(values.length * 10);
    for (const value of values) for (let at = 0; at < 10; at++) bytes.string('x').long(value);
    const whole = bytes.long(0).done();
    const schema = listOf(record({ name: 'string', long: 'long' }));
    for (const int64 of ['auto', 'number', 'bigint', 'string'] as const) {
      const { value } = (await decode(schema, whole, int64 === 'string' ? 0 : 30, { options: { int64 } })) as { value: { long: unknown }[] };
      const safe = (exact: bigint): boolean => exact < 2n ** 53n && exact > -(2n ** 53n);
      expect(value.filter((_, at) => at % 10 === 0).map(({ long }) => long)).toEqual(
        values.map((exact) =>
          int64 === 'bigint' ? exact : int64 === 'string' ? String(exact) : int64 === 'number' || safe(exact) ? Number(exact) : exact,
        ),
      );
    }
  });

  test("reads rows with another reader's schema: reordered, promoted, with fields left out", async () => {
    const reader = record({ score: 'double', id: 'double', big: 'float', kind: KIND, name: 'string', good: ['null', 'boolean'] });
    const rows = list(200, row);
    const value = rows.map(({ score, id, big, kind, name, good }) => ({ score, id, big: Math.fround(big as number), kind, name, good }));
    assertSame(await decode({ writer: listOf(ROW), reader: listOf(reader) }, encode(listOf(ROW), rows), 300), { value });
  });

  test('reads enums with many symbols, along with columns that became text', async () => {
    const symbols = list(600, (at) => `symbol${at}`);
    const schema = listOf(record({ id: 'int', kind: { type: 'enum', name: 'Many', symbols } }));
    const rows = list(1200, (id) => ({ id, kind: symbols[id % 600] }));
    assertSame(await decode(schema, encode(schema, rows), 1500), { value: rows });
  });

  test('rejects malformed rows with the same error as the reader', async () => {
    const schema = listOf(record({ id: 'int', name: 'string', good: 'boolean', kind: KIND }));
    const good = (at: number): number[] => new Bytes().long(at).string('same').bytes([1]).long(1).list;
    const bad: Record<string, number[]> = {
      'not UTF-8': new Bytes().long(1).string(Uint8Array.of(0xff)).bytes([1]).long(1).list,
      'a boolean of 2': new Bytes().long(1).string('x').bytes([2]).long(1).list,
      'an unknown symbol': new Bytes().long(1).string('x').bytes([1]).long(4).list,
      'a negative symbol': new Bytes().long(1).string('x').bytes([1]).long(-1).list,
      'a negative length': new Bytes().long(1).long(-2).bytes([1]).long(1).list,
      'an int of 33 bits': new Bytes()
        .long(2 ** 33)
        .string('x')
        .bytes([1])
        .long(1).list,
      'an integer of 65 bits': [...Array.from({ length: 9 }, () => 0xff), 2, ...new Bytes().string('x').bytes([1]).long(1).list],
    };
    for (const wrong of Object.values(bad)) {
      const bytes = Uint8Array.from([...new Bytes().long(101).list, ...list(50, good).flat(), ...wrong, ...list(50, good).flat(), 0]);
      expect(await decode(schema, bytes, 40)).toHaveProperty('error');
    }
  });

  test('rejects truncated rows at the same byte as the reader', async () => {
    const bytes = encode(listOf(ROW), list(60, row));
    for (const length of [bytes.length - 1, bytes.length - 9, bytes.length - 30, bytes.length >> 1]) {
      expect(await decode(listOf(ROW), bytes.slice(0, length), 20)).toMatchObject({ error: { code: 'truncated' } });
    }
  });

  test('enforces the same limits as the reader', async () => {
    const schema = record({ id: 'int', name: 'string' });
    const rows = list(200, (id) => ({ id, name: 'n'.repeat(id % 50) }));
    const bytes = encode(listOf(schema), rows);
    const sequence = Uint8Array.from(rows.flatMap((datum) => [...encode(schema, datum)]));
    for (const limits of [{ values: 300 }, { values: 301 }, { values: 599 }, { stringLength: 3 }, { stringLength: 48 }, { depth: 1 }]) {
      expect(await decode(listOf(schema), bytes, 0, { limits })).toHaveProperty('error');
      expect(await decode(schema, sequence, 0, { limits, options: { sequence: true } })).toHaveProperty('error');
    }
    const limits = { values: 605, stringLength: 49, depth: 2 };
    expect(await decode(listOf(schema), bytes, 300, { limits })).toHaveProperty('value');
    expect(await decode(schema, sequence, 300, { limits, options: { sequence: true } })).toHaveProperty('value');
  });

  test('leaves rows with containers to the reader', async () => {
    const schema = listOf(record({ id: 'int', list: listOf('int') }));
    const rows = list(50, (id) => ({ id, list: [id, 1] }));
    assertSame(await decode(schema, encode(schema, rows), 0), { value: rows });
  });
});

/** Types that kernels support, with values. */
const scalars: Record<string, { type: Json; value: fc.Arbitrary<unknown> }> = {
  boolean: { type: 'boolean', value: fc.boolean() },
  int: { type: 'int', value: fc.oneof(fc.integer({ min: -100, max: 100 }), fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })) },
  long: { type: 'long', value: fc.integer({ min: -(2 ** 52), max: 2 ** 52 }) },
  float: { type: 'float', value: fc.float({ noNaN: true }) },
  double: { type: 'double', value: fc.double({ noNaN: true }) },
  string: { type: 'string', value: fc.oneof(fc.constantFrom('a', 'b', 'größer'), fc.string({ unit: 'grapheme' })) },
  optional: { type: ['null', 'string'], value: fc.option(fc.string()) },
  optionalInt: { type: ['int', 'null'], value: fc.option(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })) },
};

test('random Avro records decode the same with and without kernels, at once and in chunks', async () => {
  let rows = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...Object.keys(scalars)), { minLength: 1, maxLength: 7 }).chain((kinds) =>
        fc.tuple(
          fc.constant(record(Object.fromEntries(kinds.map((kind, at) => [`f${at}`, scalars[kind]!.type])))),
          fc.array(fc.record(Object.fromEntries(kinds.map((kind, at) => [`f${at}`, scalars[kind]!.value])), { noNullPrototype: true }), {
            minLength: 4,
            maxLength: 60,
          }),
        ),
      ),
      fc.integer({ min: 1, max: 300 }),
      async ([schema, values], size) => {
        const bytes = encode(listOf(schema), values);
        const compiled = await avro.compileSchema!(listOf(schema));
        const found = await sameWithKernels({ id: 'avro', format: avro, bytes, schema: compiled, sizes: [bytes.length, size] });
        assertSame(found.outcome, { value: values });
        rows += found.rows;
      },
    ),
    { numRuns: 300 },
  );
  expect(rows).toBeGreaterThan(100);
});

test('mutated Avro records give the same value or error with and without kernels', async () => {
  const schema = await avro.compileSchema!(listOf(ROW));
  const seeds = [5, 20, 60].map((count) => encode(listOf(ROW), list(count, row)));
  const { rows, refused } = await fuzzWithKernels({ id: 'avro', format: avro, schema }, seeds);
  expect(rows).toBeGreaterThan(100);
  expect(refused).toBeGreaterThan(3);
});
