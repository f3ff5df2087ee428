import { Packr } from 'msgpackr';
import { describe, expect, test } from 'vitest';
import messagepack from '../../../../core/formats/messagepack/index.ts';
import { cutStep } from '../../../setup/properties/case-count.ts';
import { assertSame } from '../../../setup/ways/differential.ts';
import type { KernelOutcome } from '../../../setup/kernels/kernel-outcomes.ts';
import { decodeRows, expectLimits, LIMITED_ROWS, list, type RowSetting } from '../../../setup/kernels/kernel-rows.ts';

type Packing = ConstructorParameters<typeof Packr>[0];

const MAPS: Packing = { useRecords: false };
const EXACT: Packing = { useRecords: false, variableMapSize: true };
const RECORDS: Packing = { useRecords: true };
const packings = Object.entries({ MAPS, EXACT, RECORDS });

const pack = (value: unknown, packing: Packing): Uint8Array => Uint8Array.from(new Packr(packing).pack(value));

type Setting = RowSetting;

function decode(bytes: Uint8Array, least: number, setting: Setting = {}): Promise<KernelOutcome> {
  return decodeRows({ id: 'messagepack', format: messagepack, bytes, ...setting }, least);
}

const plain = (at: number): object => ({
  id: at,
  name: `name ${at % 7}`,
  score: at / 8,
  good: at % 3 === 0,
  text: `é ${at} ${'x'.repeat(at % 90)}`,
  none: at % 5 ? null : 'some',
});

describe.each(packings)('MessagePack kernel on %s', (_, packing) => {
  test('decodes rows to the same values as the reader', async () => {
    const rows = list(500, plain);
    assertSame(await decode(pack({ rows, after: 'x' }, packing), 900), { value: { rows, after: 'x' } });
  });

  test('decodes the same for every cut of a chunk', async () => {
    const rows = list(9, plain);
    const bytes = pack(rows, packing);
    for (let cut = 1; cut < bytes.length; cut += cutStep()) assertSame(await decode(bytes, 0, { sizes: [cut] }), { value: rows });
  });

  test('reads numbers of every size', async () => {
    const numbers = [
      0,
      1,
      127,
      128,
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
      -32,
      -33,
      -128,
      -129,
      -32768,
      -32769,
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
    assertSame(await decode(pack(rows, packing), 100), { value: rows });
  });

  test('reads dates', async () => {
    const rows = list(100, (at) => ({ id: at, at: at % 7 ? new Date(1_600_000_000_000 + at * 1234.5) : null, day: new Date(at * 86_400_000) }));
    assertSame(await decode(pack(rows, packing), 100), { value: rows });
  });

  test('reads values whose kind changes in every row', async () => {
    const rows = list(200, (at) => ({ id: at, value: [at, 'text', null, true, at / 3, { nested: at }, [at]][at % 7] }));
    assertSame(await decode(pack(rows, packing), 0), { value: rows });
  });

  test('rejects invalid UTF-8 at the same byte as the reader', async () => {
    const bytes = pack(
      list(80, (at) => ({ id: at, name: at === 50 ? '\u007F' : 'same' })),
      packing,
    );
    bytes[bytes.indexOf(0x7f)] = 0xff;
    expect(await decode(bytes, 40)).toMatchObject({ error: { code: 'invalid-utf8', path: [50, 'name'] } });
  });

  test('rejects truncated rows at the same byte as the reader', async () => {
    const bytes = pack(list(60, plain), packing);
    for (const length of [bytes.length - 1, bytes.length - 9, bytes.length - 30, bytes.length >> 1]) {
      expect(await decode(bytes.slice(0, length), 20)).toMatchObject({ error: { code: 'truncated' } });
    }
  });

  test('enforces the same limits as the reader', async () => {
    const bytes = pack(LIMITED_ROWS, packing);
    await expectLimits((least, limits) => decode(bytes, least, { limits }), 2);
  });

  test('reads strings longer than a window, and more than the initial dictionary holds', async () => {
    const rows = list(3000, (at) => ({ id: at, t: at % 1_500 === 8 ? 'long '.repeat(60_000 + at) : `value ${(at * at) % 1009}` }));
    assertSame(await decode(pack(rows, packing), 3000, { sizes: [1e8] }), { value: rows });
  });
});

describe('MessagePack kernel on maps', () => {
  test('reads rows that lack keys, including the first and the last', async () => {
    const rows = list(400, (at) => Object.fromEntries(Object.entries(plain(at)).filter((_, key) => at < 4 || (at * 7 + key * 3) % 11 > 2)));
    assertSame(await decode(pack(rows, EXACT), 100), { value: rows });
  });

  test('reads rows with more than 15 keys', async () => {
    const rows = list(60, (at) => Object.fromEntries(list(40, (key) => [`key ${key}`, at * key])));
    assertSame(await decode(pack(rows, EXACT), 80), { value: rows });
  });

  test('reads 64-bit integers according to the option', async () => {
    const encode = (value: bigint): number[] => [0xcf, ...new Uint8Array(new BigUint64Array([value]).buffer).toReversed()];
    const row = (value: bigint): number[] => [0x82, 0xa1, 0x61, 0xcb, 0x3f, 0xe0, 0, 0, 0, 0, 0, 0, 0xa1, 0x62, ...encode(value)];
    const values = [5n, 1n, 2n ** 32n, 2n ** 53n - 1n, 7n, 7n, 2n ** 53n, 2n ** 62n, 2n ** 63n + 5n, 3n];
    const bytes = Uint8Array.from([0xdc, 0, values.length, ...values.flatMap(row)]);
    for (const int64 of ['auto', 'number', 'bigint', 'string']) {
      const { value } = (await decode(bytes, int64 === 'string' || int64 === 'bigint' ? 0 : 2, { options: { int64 } })) as {
        value: { b: unknown }[];
      };
      expect(value.map(({ b }) => b)).toEqual(
        values.map((exact) =>
          int64 === 'bigint' ? exact : int64 === 'string' ? String(exact) : int64 === 'number' || exact < 2n ** 53n ? Number(exact) : exact,
        ),
      );
    }
  });

  test('rejects a duplicate or missing entry at the same byte as the reader', async () => {
    const bytes = pack(
      list(60, (at) => ({ id: at, name: 'x' })),
      EXACT,
    );
    for (const [at, byte] of [
      [9 * 40 + 3, 0x83],
      [9 * 40 + 3, 0x81],
      [9 * 40 + 3, 0x80],
      [9 * 40 + 5, 0xc1],
      [9 * 30 + 3, 0xc0],
    ] as const) {
      const wrong = bytes.slice();
      wrong[at] = byte;
      await decode(wrong, 20);
    }
  });
});

test('the MessagePack kernel rounds 32-bit floats according to the option', async () => {
  const row = (value: number): number[] => [0x81, 0xa1, 0x61, 0xca, ...new Uint8Array(new Float32Array([value]).buffer).toReversed()];
  const values = list(40, (at) => at / 10 + 0.1);
  const bytes = Uint8Array.from([0xdc, 0, values.length, ...values.flatMap(row)]);
  assertSame(await decode(bytes, 40), { value: values.map((a) => ({ a: Math.fround(a) })) });
  const { value } = (await decode(bytes, 0, { options: { float32: 'decimal' } })) as { value: { a: number }[] };
  expect(value.map(({ a }) => a)).toEqual(values.map((a) => Number(a.toFixed(6))));
});

test('the MessagePack kernel distinguishes integers between records from record ids', async () => {
  const rows = list(100, (at) => ({ id: Number(at) % 128, name: { inner: at }, tail: 'x' }));
  assertSame(await decode(pack(rows, RECORDS), 0), { value: rows });
  const flat = list(200, (at) => ({ id: Number(at) % 128, tail: 'x' }));
  assertSame(await decode(pack([flat, list(20, (at) => ({ other: at, tail: 64 }))], RECORDS), 100), {
    value: [flat, list(20, (at) => ({ other: at, tail: 64 }))],
  });
});
