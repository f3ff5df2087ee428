import { Encoder } from 'cbor-x';
import { describe, expect, test } from 'vitest';
import cbor from '../../../../core/formats/cbor/index.ts';
import { cutStep } from '../../../setup/properties/case-count.ts';
import { assertSame } from '../../../setup/ways/differential.ts';
import type { KernelOutcome } from '../../../setup/kernels/kernel-outcomes.ts';
import { decodeRows, expectLimits, LIMITED_ROWS, list, type RowSetting } from '../../../setup/kernels/kernel-rows.ts';

type Encoding = ConstructorParameters<typeof Encoder>[0];

const MAPS: Encoding = { useRecords: false };
const EXACT: Encoding = { useRecords: false, variableMapSize: true };
const RECORDS: Encoding = { useRecords: true };
const encodings = Object.entries({ MAPS, EXACT, RECORDS });

const encode = (value: unknown, encoding: Encoding): Uint8Array => Uint8Array.from(new Encoder(encoding).encode(value));

type Setting = RowSetting;

function decode(bytes: Uint8Array, least: number, setting: Setting = {}): Promise<KernelOutcome> {
  return decodeRows({ id: 'cbor', format: cbor, bytes, ...setting }, least);
}

const plain = (at: number): object => ({
  id: at,
  name: `name ${at % 7}`,
  score: at / 8,
  good: at % 3 === 0,
  text: `é ${at} ${'x'.repeat(at % 90)}`,
  none: at % 5 ? null : 'some',
});

describe.each(encodings)('CBOR kernel on %s', (_, encoding) => {
  test('decodes rows to the same values as the reader', async () => {
    const rows = list(500, plain);
    assertSame(await decode(encode({ rows, after: 'x' }, encoding), 900), { value: { rows, after: 'x' } });
  });

  test('decodes the same for every cut of a chunk', async () => {
    const rows = list(9, plain);
    const bytes = encode(rows, encoding);
    for (let cut = 1; cut < bytes.length; cut += cutStep()) assertSame(await decode(bytes, 0, { sizes: [cut] }), { value: rows });
  });

  test('reads numbers of every size', async () => {
    const numbers = [
      0,
      1,
      23,
      24,
      255,
      256,
      65535,
      65536,
      2 ** 31 - 1,
      2 ** 31,
      2 ** 32 - 1,
      2 ** 32,
      2 ** 53 - 1,
      -1,
      -24,
      -25,
      -256,
      -257,
      -65536,
      -65537,
      -(2 ** 31),
      -(2 ** 31) - 1,
      0.5,
      1e300,
      NaN,
      Infinity,
    ];
    const rows = [
      ...list(8, () => ({ int: 1, float: 0.5 })),
      ...numbers.flatMap((number) => list(4, () => ({ int: Math.abs(number) < 100 && Number.isInteger(number) ? number : 5, float: number }))),
    ];
    assertSame(await decode(encode(rows, encoding), 100), { value: rows });
  });

  test('reads dates', async () => {
    const rows = list(100, (at) => ({
      id: at,
      at: at % 7 ? new Date(1_600_000_000_000 + at * 1234.5) : null,
      day: new Date((at - 50) * 86_400_000),
      early: new Date(-at * 1e9 - at),
    }));
    assertSame(await decode(encode(rows, encoding), 100), { value: rows });
  });

  test('reads values whose kind changes in every row', async () => {
    const rows = list(200, (at) => ({ id: at, value: [at, 'text', null, true, at / 3, { nested: at }, [at], undefined][at % 8] }));
    assertSame(await decode(encode(rows, encoding), 0), { value: rows });
  });

  test('rejects invalid UTF-8 at the same byte as the reader', async () => {
    const bytes = encode(
      list(80, (at) => ({ id: at, name: at === 50 ? '\u007F' : 'same' })),
      encoding,
    );
    bytes[bytes.indexOf(0x7f)] = 0xff;
    expect(await decode(bytes, 40)).toMatchObject({ error: { code: 'invalid-utf8', path: [50, 'name'] } });
  });

  test('rejects truncated rows at the same byte as the reader', async () => {
    const bytes = encode(list(60, plain), encoding);
    for (const length of [bytes.length - 1, bytes.length - 9, bytes.length - 30, bytes.length >> 1]) {
      expect(await decode(bytes.slice(0, length), 20)).toMatchObject({ error: { code: 'truncated' } });
    }
  });

  test('enforces the same limits as the reader', async () => {
    const bytes = encode(LIMITED_ROWS, encoding);
    await expectLimits((least, limits) => decode(bytes, least, { limits }), 2);
  });
});

describe('CBOR kernel on maps', () => {
  test('reads rows that lack keys, including the first and the last', async () => {
    const rows = list(400, (at) => Object.fromEntries(Object.entries(plain(at)).filter((_, key) => at < 4 || (at * 7 + key * 3) % 11 > 2)));
    assertSame(await decode(encode(rows, EXACT), 100), { value: rows });
  });

  test('reads rows with more than 23 keys', async () => {
    const rows = list(60, (at) => Object.fromEntries(list(40, (key) => [`key ${key}`, at * key])));
    assertSame(await decode(encode(rows, EXACT), 80), { value: rows });
  });

  test('reads an array of indefinite length', async () => {
    const rows = list(50, plain);
    const bytes = encode(rows, EXACT);
    const indefinite = Uint8Array.from([0x9f, ...bytes.subarray(bytes[0] === 0x98 ? 2 : 3), 0xff]);
    assertSame(await decode(indefinite, 60), { value: rows });
  });

  test('reads 64-bit integers according to the option', async () => {
    const long = (value: bigint): number[] => [
      value < 0 ? 0x3b : 0x1b,
      ...new Uint8Array(new BigUint64Array([value < 0 ? -1n - value : value]).buffer).toReversed(),
    ];
    const row = (value: bigint): number[] => [0xa2, 0x61, 0x61, 0xfb, 0x3f, 0xe0, 0, 0, 0, 0, 0, 0, 0x61, 0x62, ...long(value)];
    const values = [5n, 1n, 2n ** 32n, 2n ** 53n - 1n, -7n, 1n - 2n ** 53n, -(2n ** 53n), 2n ** 62n, 2n ** 63n + 5n, 3n];
    const bytes = Uint8Array.from([0x80 + values.length, ...values.flatMap(row)]);
    for (const int64 of ['auto', 'number', 'bigint', 'string']) {
      const { value } = (await decode(bytes, int64 === 'string' || int64 === 'bigint' ? 0 : 2, { options: { int64 } })) as {
        value: { b: unknown }[];
      };
      const safe = (exact: bigint): boolean => exact < 2n ** 53n && exact > -(2n ** 53n);
      expect(value.map(({ b }) => b)).toEqual(
        values.map((exact) =>
          int64 === 'bigint' ? exact : int64 === 'string' ? String(exact) : int64 === 'number' || safe(exact) ? Number(exact) : exact,
        ),
      );
    }
  });

  test('leaves rows to the reader if they become Maps', async () => {
    const rows = list(50, (at) => ({ id: at, name: 'x' }));
    const value = rows.map((row) => new Map(Object.entries(row as object)));
    assertSame(await decode(encode(rows, EXACT), 0, { options: { maps: 'map' } }), { value });
  });
});

test('the CBOR kernel reads records with fewer values than keys', async () => {
  const record = (values: number[]): number[] => [0xd9, 0xe0, 0x00, 0x80 + values.length, ...values];
  const rows = list(40, (at) => record([1, 2, 3].slice(0, 1 + ((at * 5) % 3))));
  const bytes = Uint8Array.from([0x98, rows.length, ...rows.flat()]);
  const options = { structures: [['a', 'b', 'c']] };
  const { value } = (await decode(bytes, 40, { options })) as { value: object[] };
  expect(value.slice(0, 3)).toEqual([{ a: 1 }, { a: 1, b: 2, c: 3 }, { a: 1, b: 2 }]);
});
