import { describe, expect, test } from 'vitest';
import jsbinary, { type JsBinaryOptions } from '../../../../core/formats/jsbinary/index.ts';
import writer from '../../../../core/formats/jsbinary/writer.ts';
import { cutStep } from '../../../setup/properties/case-count.ts';
import { assertSame } from '../../../setup/ways/differential.ts';
import { encodeWith } from '../../../setup/ways/encode-with.ts';
import { fuzzWithKernels } from '../../../setup/kernels/kernel-fuzz.ts';
import { type KernelOutcome, sameWithKernels } from '../../../setup/kernels/kernel-outcomes.ts';
import { decodeRows, list, type RowSetting } from '../../../setup/kernels/kernel-rows.ts';
import fc from '../../../setup/properties/property.ts';

const ROW = { id: 'uint', i: 'int', when: 'date', f: 'float', good: 'boolean', name: 'string', 'note?': 'string', 'far?': 'float', 'n?': 'int' };

type Setting = RowSetting<JsBinaryOptions>;

const compile = async (literal: unknown): Promise<unknown> => await jsbinary.compileSchema!(literal);

/** Decodes with and without kernels, and requires that kernels read at least `least` rows. */
async function decode(literal: unknown, bytes: Uint8Array, least: number, setting: Setting = {}): Promise<KernelOutcome> {
  return await decodeRows({ id: 'jsbinary', format: jsbinary, bytes, schema: await compile(literal), ...setting }, least);
}

const row = (at: number): Record<string, unknown> => ({
  id: at * 37,
  i: at % 2 ? at * 100_000 : 20 - at,
  when: new Date(at * 1e10),
  f: at / 8,
  good: at % 3 === 0,
  name: `größer ${at % 7}`,
  note: at % 5 ? `note ${at}${'x'.repeat(at % 150)}` : undefined,
  far: at % 4 ? at / 3 : undefined,
  n: at % 3 ? undefined : 0 - at,
});
const encode = async (literal: unknown, value: unknown): Promise<Uint8Array> => encodeWith(writer, value, { schema: await compile(literal) });

describe('js-binary kernel', () => {
  test('decodes objects to the same values as the reader', async () => {
    const literal = { rows: [ROW], after: 'string' };
    const value = { rows: list(500, row), after: 'x' };
    assertSame(await decode(literal, await encode(literal, value), 1000), { value });
  });

  test('decodes the same for every cut of a chunk', async () => {
    const rows = list(8, row);
    const bytes = await encode([ROW], rows);
    for (let cut = 1; cut < bytes.length; cut += cutStep(3)) assertSame(await decode([ROW], bytes, 0, { sizes: [cut] }), { value: rows });
  });

  test('reads integers of every size', async () => {
    const literal = [{ u: 'uint', i: 'int', when: 'date' }];
    const uints = [0, 127, 128, 16_383, 16_384, 2 ** 29 - 1, 2 ** 29, 2 ** 32, 2 ** 53 - 1];
    const ints = [63, 64, -64, -65, 8191, -8192, -8193, 2 ** 28 - 1, 2 ** 28, -(2 ** 28), -(2 ** 28) - 1, 2 ** 53 - 1, 1 - 2 ** 53];
    const rows = list(ints.length * 20, (at) => ({
      u: uints[Math.floor(at / 20) % uints.length],
      i: ints[Math.floor(at / 20)],
      when: new Date(uints[Math.floor(at / 20) % 8]!),
    }));
    assertSame(await decode(literal, await encode(literal, rows), 200), { value: rows });
  });

  test('leaves integers that are not exact doubles to the reader, according to the option', async () => {
    const literal = [{ name: 'string', u: 'uint' }];
    const exact = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff];
    const rows = list(100, (at) => [1, 0x61, ...(at % 20 === 10 ? exact : [at])]);
    const bytes = Uint8Array.from([100, ...rows.flat()]);
    for (const int64 of ['auto', 'number'] as const) {
      const { value } = (await decode(literal, bytes, 10, { options: { int64 } })) as { value: { u: unknown }[] };
      expect(value[10]!.u).toBe(int64 === 'auto' ? 2n ** 61n - 1n : 2 ** 61);
    }
  });

  test('rejects malformed rows with the same error as the reader', async () => {
    const literal = [{ good: 'boolean', 'name?': 'string' }];
    for (const wrong of [
      [2, 1, 1, 0x61],
      [1, 2, 1, 0x61],
      [1, 1, 1, 0xff],
    ]) {
      const bytes = Uint8Array.from([101, ...list(50, () => [1, 1, 1, 0x61]).flat(), ...wrong, ...list(50, () => [0, 0]).flat()]);
      expect(await decode(literal, bytes, 40)).toHaveProperty('error');
    }
  });

  test('rejects truncated rows at the same byte as the reader', async () => {
    const bytes = await encode([ROW], list(60, row));
    for (const length of [bytes.length - 1, bytes.length - 9, bytes.length - 30, bytes.length >> 1]) {
      expect(await decode([ROW], bytes.slice(0, length), 20)).toMatchObject({ error: { code: 'truncated' } });
    }
  });

  test('enforces the same limits as the reader', async () => {
    const literal = [{ id: 'uint', name: 'string' }];
    const bytes = await encode(
      literal,
      list(200, (id) => ({ id, name: 'n'.repeat(id % 50) })),
    );
    for (const limits of [{ values: 300 }, { values: 301 }, { values: 599 }, { stringLength: 3 }, { stringLength: 48 }, { depth: 1 }]) {
      expect(await decode(literal, bytes, 0, { limits })).toHaveProperty('error');
    }
    expect(await decode(literal, bytes, 300, { limits: { values: 605, stringLength: 49, depth: 2 } })).toHaveProperty('value');
  });

  test('leaves rows with containers to the reader', async () => {
    const literal = [{ id: 'uint', list: ['uint'] }];
    const rows = list(50, (id) => ({ id, list: [id, 1] }));
    assertSame(await decode(literal, await encode(literal, rows), 0), { value: rows });
  });
});

test('random js-binary objects decode the same with and without kernels, at once and in chunks', async () => {
  let rows = 0;
  const schema = await compile([ROW]);
  const object = fc.record(
    {
      id: fc.maxSafeNat(),
      i: fc.oneof(fc.integer({ min: -100, max: 100 }), fc.maxSafeInteger()),
      when: fc.date({ min: new Date(0), noInvalidDate: true }),
      f: fc.double(),
      good: fc.boolean(),
      name: fc.oneof(fc.constantFrom('a', 'b', ''), fc.string({ unit: 'grapheme' })),
      note: fc.option(fc.string(), { nil: undefined }),
      far: fc.option(fc.double(), { nil: undefined }),
      n: fc.option(fc.maxSafeInteger(), { nil: undefined }),
    },
    { noNullPrototype: true },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(object, { minLength: 5, maxLength: 60 }), fc.integer({ min: 1, max: 400 }), async (values, size) => {
      const bytes = encodeWith(writer, values, { schema });
      const found = await sameWithKernels({ id: 'jsbinary', format: jsbinary, bytes, schema, sizes: [bytes.length, size] });
      assertSame(found.outcome, { value: values });
      rows += found.rows;
    }),
    { numRuns: 200 },
  );
  expect(rows).toBeGreaterThan(50);
});

test('mutated js-binary objects give the same value or error with and without kernels', async () => {
  const seeds = await Promise.all([5, 20, 60].map((count) => encode([ROW], list(count, row))));
  const { rows, refused } = await fuzzWithKernels({ id: 'jsbinary', format: jsbinary, schema: await compile([ROW]) }, seeds);
  expect(rows).toBeGreaterThan(100);
  expect(refused).toBeGreaterThan(3);
});
