import { describe, expect, test } from 'vitest';
import sia, { type SiaOptions } from '../../../../core/formats/sia/index.ts';
import writer from '../../../../core/formats/sia/writer.ts';
import { cutStep } from '../../../setup/properties/case-count.ts';
import { assertSame } from '../../../setup/ways/differential.ts';
import { encodeWith } from '../../../setup/ways/encode-with.ts';
import { fuzzWithKernels } from '../../../setup/kernels/kernel-fuzz.ts';
import { type KernelOutcome, sameWithKernels } from '../../../setup/kernels/kernel-outcomes.ts';
import { decodeRows, list, type RowSetting } from '../../../setup/kernels/kernel-rows.ts';
import fc from '../../../setup/properties/property.ts';

type Setting = RowSetting<SiaOptions>;

/** Decodes with and without kernels, and requires that kernels read at least `least` rows. */
function decode(bytes: Uint8Array, least: number, setting: Setting = {}): Promise<KernelOutcome> {
  return decodeRows({ id: 'sia', format: sia, bytes, ...setting }, least);
}

type Row = Record<string, unknown>;

const encode = (value: unknown, options: object = {}): Uint8Array => encodeWith(writer, value, { options });
const NUMBERS = [0, 1, 255, 256, 65_535, 65_536, 2 ** 31, 2 ** 32 - 1, 2 ** 32, -1, -128, -129, -32_768, -32_769, -(2 ** 31), 0.5, -0, 1e300];
const row = (at: number): Row => ({
  id: at * 37,
  number: at % 9 ? at / 8 + 0.3 : NUMBERS[at % NUMBERS.length],
  name: `name ${at % 7}`,
  place: ['größer', '漢字 a漢', 'x😀y', '', 'Ā\u0100\u0000ÿ'][at % 5],
  good: at % 3 === 0,
  when: new Date([at * 1e10, at, at * 100, at * 1e7, -at][at % 5]!),
  text: `${at}${'long é '.repeat(at % 40)}`,
  none: at % 5 ? null : 'some',
  gone: at % 4 ? undefined : at,
});
/** Array of objects given as bytes, the first of which writes its keys `a` and `b` in full. */
const arrayOf = (objects: readonly number[][], first = [2, 1]): Uint8Array =>
  Uint8Array.from([47, objects.length + 1, 52, 27, 1, 0x61, ...first, 27, 1, 0x62, 27, 1, 0x78, 53, ...objects.flat()]);
const objectOf = (a: readonly number[], b: readonly number[]): number[] => [52, 21, 0, ...a, 21, 1, ...b, 53];

describe('Sia kernel', () => {
  test('decodes objects to the same values as the reader', async () => {
    const value = { rows: list(200, row), after: 'x' };
    assertSame(await decode(encode(value), 300), { value });
    const later = { rows: list(200, (at) => ({ ...row(at), when: new Date(at * 1e10) })) };
    assertSame(await decode(encode(later, { builtins: false }), 300), { value: later });
  });

  test('decodes the same for every cut of a chunk', async () => {
    const value = list(9, row);
    const bytes = encode(value);
    for (let cut = 1; cut < bytes.length; cut += cutStep(3)) assertSame(await decode(bytes, 0, { sizes: [cut] }), { value });
  });

  test('reads numbers of every size', async () => {
    const value = [...list(8, () => ({ int: 1, float: 0.5 })), ...NUMBERS.flatMap((number) => list(4, () => ({ int: 5, float: number })))];
    assertSame(await decode(encode(value), 100), { value });
  });

  test('reads strings of every length, with one byte per unit and in UTF-8', async () => {
    const value = list(300, (at) => ({ id: at, ascii: 'x'.repeat(at), other: 'é漢'.repeat(at >> 2), mixed: `${'a'.repeat(at % 40)}😀` }));
    assertSame(await decode(encode(value), 400), { value });
  });

  test('leaves lone surrogates to the reader', async () => {
    for (const alone of ['\ud83d', '\ude00', '\ud83dA', '\ude00\ud83d']) {
      const value = list(60, (at) => ({ a: at, b: at === 30 ? alone : 'x' }));
      assertSame(await decode(encode(value), 80), { value });
    }
  });

  test('reads rows that lack some or all keys', async () => {
    const value = list(400, (at) =>
      at % 50 === 30 ? {} : Object.fromEntries(Object.entries(row(at)).filter((_, key) => at < 4 || (at * 7 + key * 3) % 11 > 2)),
    );
    assertSame(await decode(encode(value), 300), { value });
  });

  test('reads keys with numbers of two bytes', async () => {
    const before = Object.fromEntries(list(300, (at) => [`before ${at}`, at]));
    const value = { before, rows: list(60, row) };
    assertSame(await decode(encode(value), 90), { value });
  });

  test('leaves long keys to the reader', async () => {
    const value = list(60, (at) => ({ [`long ${'key '.repeat(20)}`]: at, b: 'x' }));
    const { outcome, rows } = await sameWithKernels({ id: 'sia', format: sia, bytes: encode(value) });
    assertSame(outcome, { value });
    expect(rows).toBe(0);
  });

  test('reads a key with several numbers', async () => {
    const again = [52, 27, 1, 0x61, 2, 7, 21, 1, 27, 1, 0x79, 53];
    const other = [52, 21, 2, 2, 8, 21, 1, 27, 1, 0x79, 53];
    const bytes = arrayOf([
      ...list(40, () => objectOf([2, 5], [27, 1, 0x78])),
      again,
      ...list(40, (at) => (at % 8 ? objectOf([2, at], [0]) : other)),
    ]);
    const { value } = (await decode(bytes, 80)) as { value: { a: number }[] };
    expect([value[40]!.a, value[41]!.a, value[42]!.a, value[43]!.a]).toEqual([5, 7, 8, 1]);
  });

  test('reads a sequence, with separate key numbers for each value', async () => {
    const one = list(60, (at) => ({ a: at, b: 'x' }));
    const other = list(60, (at) => ({ b: at, a: 'x' }));
    const bytes = Uint8Array.from([...encode(one), ...encode(other), ...encode(one)]);
    assertSame(await decode(bytes, 80, { options: { sequence: true } }), { value: [one, other, one] });
  });

  test('reads values whose kind changes in every row', async () => {
    const value = list(200, (at) => ({ id: at, value: [at, 'text', null, true, at / 3, { nested: at }, [at], new Date(at)][at % 8] }));
    assertSame(await decode(encode(value), 0), { value });
  });

  test('reads dates as constructors only if the option says so', async () => {
    const value = list(60, (at) => ({ id: at, when: new Date(at) }));
    const bytes = encode(value);
    assertSame(await decode(bytes, 80), { value });
    const { outcome, rows } = await sameWithKernels({ id: 'sia', format: sia, bytes, options: { builtins: false } });
    expect(outcome).toHaveProperty('value');
    expect(rows).toBe(0);
  });

  test('reads fractional and invalid dates as the reader does', async () => {
    const float = (value: number): number[] => [44, 1, 47, 1, 17, ...new Uint8Array(new Float64Array([value]).buffer)];
    const dates = [5, 1.5, -0.5, -0, 8.64e15, -8.64e15, 8.64e15 + 2, NaN, Infinity, 7];
    const bytes = arrayOf(
      list(100, (at) => objectOf(float(dates[at % 10]!), [27, 1, 0x78])),
      float(5),
    );
    const value = ((await decode(bytes, 80)) as { value: { a: Date }[] }).value.slice(1);
    expect(value.slice(0, 10).map(({ a }) => a.getTime())).toEqual(dates.map((date) => new Date(date).getTime()));
  });

  test('rejects malformed rows with the same error as the reader', async () => {
    const good = objectOf([2, 9], [27, 1, 0x78]);
    const wrong = {
      'a string of invalid UTF-8': objectOf([2, 9], [28, 1, 0xff]),
      'an incomplete utfz string': objectOf([2, 9], [27, 1, 0]),
      'a high half that nothing follows': objectOf([2, 9], [27, 3, 0x78, 0, 2]),
      'an unknown block': objectOf([2, 9], [99]),
      'a reference to an unknown key': [52, 21, 77, 2, 9, 53],
      'a reference to an unknown value': objectOf([2, 9], [21, 77]),
      'the end of a set': objectOf([2, 9], [55]),
    };
    for (const [name, bad] of Object.entries(wrong)) {
      const bytes = arrayOf([...list(50, () => good), bad, ...list(20, () => good)]);
      expect(await decode(bytes, 80), name).toHaveProperty('error');
    }
  });

  test('rejects truncated rows at the same byte as the reader', async () => {
    const bytes = encode(list(60, row));
    for (const length of [bytes.length - 1, bytes.length - 9, bytes.length - 30, bytes.length >> 1]) {
      expect(await decode(bytes.slice(0, length), 20)).toMatchObject({ error: { code: 'truncated' } });
    }
  });

  test('enforces the same limits as the reader', async () => {
    const bytes = encode(list(200, (at) => ({ id: at, name: 'n'.repeat(at % 50), more: 'é'.repeat(at % 20) })));
    for (const limits of [
      { values: 300 },
      { values: 301 },
      { values: 302 },
      { values: 799 },
      { stringLength: 3 },
      { stringLength: 30 },
      { stringLength: 37 },
      { stringLength: 48 },
      { depth: 1 },
    ]) {
      // The error offset for a string that is not ASCII is that of the chunk.
      expect(await decode(bytes, 0, { limits, sizes: [bytes.length] })).toHaveProperty('error');
    }
    expect(await decode(bytes, 300, { limits: { values: 820, stringLength: 49, depth: 2 } })).toHaveProperty('value');
  });
});

test('random Sia objects decode the same with and without kernels, at once and in chunks', async () => {
  let rows = 0;
  const object = fc.record(
    {
      id: fc.oneof(fc.integer(), fc.maxSafeInteger()),
      name: fc.oneof(fc.constantFrom('a', 'b', ''), fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary', maxLength: 90 })),
      score: fc.double(),
      good: fc.boolean(),
      when: fc.date({ noInvalidDate: true }),
      none: fc.option(fc.string()),
    },
    { noNullPrototype: true, requiredKeys: ['id', 'name'] },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(object, { minLength: 5, maxLength: 60 }), fc.integer({ min: 1, max: 400 }), async (values, size) => {
      const bytes = encode(values);
      const found = await sameWithKernels({ id: 'sia', format: sia, bytes, sizes: [bytes.length, size] });
      assertSame(found.outcome, { value: values });
      rows += found.rows;
    }),
    { numRuns: 200 },
  );
  expect(rows).toBeGreaterThan(50);
});

test('mutated Sia objects give the same value or error with and without kernels', async () => {
  const seeds = [5, 20, 60].map((count) => encode(list(count, row)));
  const { rows, refused } = await fuzzWithKernels({ id: 'sia', format: sia }, seeds);
  expect(rows).toBeGreaterThan(100);
  expect(refused).toBeGreaterThan(3);
});
