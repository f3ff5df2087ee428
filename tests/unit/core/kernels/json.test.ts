import { describe, expect, test } from 'vitest';
import json from '../../../../core/formats/json/index.ts';
import type { Limits } from '../../../../core/limits.ts';
import { cutStep } from '../../../setup/properties/case-count.ts';
import { assertSame } from '../../../setup/ways/differential.ts';
import { sameWithKernels } from '../../../setup/kernels/kernel-outcomes.ts';
import fc from '../../../setup/properties/property.ts';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

interface Setting {
  options?: object;
  limits?: Partial<Limits>;
  sizes?: readonly number[];
}

/**
 * Decodes a text on every code path. The value must equal that of `JSON.parse`, and kernels must read at least `least` rows.
 */
async function sameAsParsed(text: string, least: number, setting: Setting = {}): Promise<void> {
  const { outcome, rows } = await sameWithKernels({ id: 'json', format: json, bytes: encode(text), ...setting });
  assertSame(outcome, { value: JSON.parse(text) as unknown });
  expect(rows).toBeGreaterThanOrEqual(least);
}

/**
 * Decodes a text on every code path. The error must always be the same, and kernels must read at least `least` rows before
 * it.
 */
async function sameError(bytes: Uint8Array, least: number, setting: Setting = {}): Promise<object> {
  const { outcome, rows } = await sameWithKernels({ id: 'json', format: json, bytes, ...setting });
  expect(outcome).toHaveProperty('error');
  expect(rows).toBeGreaterThanOrEqual(least);
  return (outcome as { error: object }).error;
}

const list = (count: number, item: (at: number) => unknown): string => JSON.stringify(Array.from({ length: count }, (_, at) => item(at)));
const plain = (at: number): object => ({ id: at, name: `name ${at % 7}`, score: at / 8, good: at % 3 === 0 });

describe('JSON kernel', () => {
  test('decodes records to the same values as JSON.parse', () => sameAsParsed(list(500, plain), 900));

  test('decodes the same in chunks of one byte', () => sameAsParsed(list(12, plain), 0, { sizes: [1] }));

  test('decodes the same for every cut of a chunk', async () => {
    const text = list(9, (at) => ({ id: at, text: `é ${'x'.repeat(at)}`, 'a "key"': at % 2 ? null : -0.5 }));
    for (let cut = 1; cut < text.length; cut += cutStep()) await sameAsParsed(text, 0, { sizes: [cut] });
  });

  test('accepts any white space, even if it varies', async () => {
    const spaces = ['', ' ', '\n', '\t\r\n', '    '];
    const space = (at: number): string => spaces[at % spaces.length]!;
    const rows = Array.from({ length: 300 }, (_, at) => {
      const s = space(at < 100 ? 3 : at < 200 ? at : Math.floor(at / 50));
      return `${s}{${s}"a"${s}:${s}${at}${s},${s}"b"${s}:${s}"v"${s}}${s}`;
    });
    await sameAsParsed(`[${rows.join(',')}]`, 500);
  });

  test('reads escapes in values and keys', () =>
    sameAsParsed(
      list(400, (at) => ({
        'quoted "key"\n': at,
        text: `line ${at}\n\t"quoted" \\ / \u0001 ${'x'.repeat(at % 40)}`,
        name: ['a\nb', 'a"b', 'a\\nb', 'Ö', '\u2028'][at % 5],
      }))
        .replaceAll('Ö', String.raw`\u00d6`)
        .replaceAll('/', String.raw`\/`),
      700,
    ));

  test('reads escaped surrogate pairs, and lone surrogates', async () => {
    const pair = String.raw`\ud83d\ude00`;
    await sameAsParsed(
      `[${Array.from({ length: 60 }, (_, at) => `{"a":"${pair}","b":"${pair.repeat(20)} ${at} ${'long '.repeat(30)}"}`).join()}]`,
      80,
    );
    for (const alone of [String.raw`\ud83d`, String.raw`\ude00`, String.raw`\ud83d\u0041`, String.raw`\ude00\ud83d`]) {
      const rows = Array.from({ length: 60 }, (_, at) => `{"a":${at},"b":"${at === 30 ? alone : 'x'}"}`);
      await sameAsParsed(`[${rows.join()}]`, 80);
    }
  });

  test('distinguishes a string from its escaped form', () =>
    // One row predicts the other: after the same name, the texts differ only in their escapes.
    sameAsParsed(
      `[${Array.from({ length: 200 }, (_, at) => String.raw`{"name":"n","text":"${at % 2 ? String.raw`a\nb` : String.raw`a\\nb`}","tail":"${at % 3 ? String.raw`\"` : 'x'}"}`).join()}]`,
      300,
    ));

  test('reads rows that lack keys, including the first and the last', () =>
    sameAsParsed(
      list(400, (at) => Object.fromEntries(Object.entries({ ...plain(at), last: 'x' }).filter((_, key) => at < 4 || (at * 7 + key * 3) % 11 > 2))),
      100,
    ));

  test('reads keys that differ in their last byte', () =>
    sameAsParsed(
      list(200, (at) => ({ 'a key of many bytes 1': at, 'a key of many bytes 2': -at, 'a key of many bytes 12': 0.5 })),
      300,
    ));

  test('reads two shapes that differ in the last byte of a key', () =>
    sameAsParsed(
      list(200, (at) => ({ id: at, [at % 20 === 7 ? 'the value b' : 'the value a']: at })),
      100,
    ));

  test('reads values whose kind changes in every row', () =>
    sameAsParsed(
      list(300, (at) => ({ id: at, value: [at, 'text', null, true, at / 3, { nested: at }, [at]][at % 7] })),
      0,
    ));

  test('widens a column once: integer to float, repeated text to distinct text', () =>
    sameAsParsed(
      list(1200, (at) => ({ n: at < 700 ? at : at + 0.5, t: at < 700 ? 'same' : `other ${at}`, long: at === 900 ? 'y'.repeat(500) : 'z' })),
      2000,
    ));

  test('reads strings that end at the end of the window', async () => {
    for (let length = 0; length < 120; length++)
      await sameAsParsed(
        list(12, (at) => ({ id: at, t: 'x'.repeat(length) })),
        8,
        { sizes: [1e6] },
      );
  });

  test('reads strings longer than a window, and than the text buffer of a run', () =>
    sameAsParsed(
      list(40, (at) => ({ id: at, t: at % 9 === 8 ? 'long '.repeat(60_000 + at) : `short ${at}` })),
      20,
      { sizes: [1e7] },
    ));

  test('reads more strings than the initial dictionary holds', () =>
    sameAsParsed(
      list(9000, (at) => ({ id: at, t: `value ${(at * at) % 2003}`, u: at % 2 ? 'Müller' : 'Miller' })),
      16_000,
      { sizes: [1e7] },
    ));

  test('reads numbers in every notation', () =>
    sameAsParsed(
      `[${[
        '0',
        '-0',
        '1',
        '-1',
        '0.1',
        '1e3',
        '1E+3',
        '1e-7',
        '123456789012345678',
        '12345678901234567890123',
        '0.000000000000000000000000012345',
        '1.7976931348623157e308',
        '5e-324',
        '2.2250738585072014e-308',
        '1e400',
        '-1e400',
        '9007199254740993',
        '9007199254740992.5',
        '3.141592653589793238462643383279',
        '100000000000000000000',
        '0.1e1',
        '4.35',
        '7.1e-5',
        '8.988465674311579e307',
      ]
        .flatMap((text) => [text, text, text])
        .map((text) => `{"n":${text},"m":1.5}`)
        .join()}]`.replaceAll('1e400', '1e300'),
      60,
    ));

  test('reads large integers as bigints if requested', async () => {
    const text = `[${Array.from({ length: 50 }, (_, at) => `{"id":${at},"n":${at % 10 === 9 ? '12345678901234567890' : at + 0.5}}`).join()}]`;
    const { outcome, rows } = await sameWithKernels({ id: 'json', format: json, bytes: encode(text), options: { bigints: 'bigint' } });
    expect((outcome as { value: { n: unknown }[] }).value[9]!.n).toBe(12345678901234567890n);
    expect(rows).toBeGreaterThan(20);
  });

  test('reads a sequence with and without white space', async () => {
    const rows = Array.from({ length: 300 }, (_, at) => JSON.stringify(plain(at)));
    for (const between of ['\n', '', '\n\u001E', '\r\n \n']) {
      const { outcome, rows: read } = await sameWithKernels({
        id: 'json',
        format: json,
        bytes: encode(rows.join(between)),
        options: { sequence: true },
      });
      assertSame(outcome, { value: rows.map((row) => JSON.parse(row) as unknown) });
      expect(read).toBeGreaterThan(500);
    }
  });

  test('reads several lists, nested and of several shapes', () =>
    sameAsParsed(
      JSON.stringify({
        a: Array.from({ length: 60 }, (_, at) => plain(at)),
        b: Array.from({ length: 9 }, () => ({ in: Array.from({ length: 20 }, (_, at) => plain(at)), n: 1 })),
        c: [{ x: 1 }, { x: 2 }, { x: 3 }, 4, { x: 5 }],
      }),
      100,
    ));

  test("reads rows with up to the kernel's maximum of keys, and beyond", async () => {
    for (const width of [1, 128, 129]) {
      const keys = Array.from({ length: width }, (_, key) => `k${key}`);
      await sameAsParsed(
        list(40, (at) => Object.fromEntries(keys.map((key, index) => [key, index % 2 ? at : `t${at}`]))),
        width <= 128 ? 50 : 0,
      );
    }
  });

  test('rejects invalid UTF-8 at the same byte as the reader', async () => {
    for (const wrong of [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80], [0xc0, 0x80], [0xe2, 0x82]]) {
      for (const position of ['name', 'unique']) {
        const text = list(80, (at) => ({
          id: at,
          name: at === 50 && position === 'name' ? '@@' : 'same',
          unique: `${at} ${at === 50 && position === 'unique' ? '@@' : ''}`,
        }));
        const bytes = encode(text);
        const at = text.indexOf('@@');
        const spoilt = Uint8Array.from([...bytes.subarray(0, at), ...wrong, ...bytes.subarray(at + 2)]);
        expect(await sameError(spoilt, 50)).toMatchObject({ code: 'invalid-utf8', path: [50, position] });
      }
    }
  });

  test('rejects invalid syntax at the same byte as the reader', async () => {
    for (const wrong of [
      '01',
      '1.',
      '.5',
      '+1',
      '1e',
      'tru',
      'nul',
      "'x'",
      '"a\tb"',
      String.raw`"\x"`,
      String.raw`"\u12g4"`,
      '"open',
      '1,',
      '1 2',
      '-',
      '[',
      '}',
      '',
    ]) {
      const rows = Array.from({ length: 60 }, (_, at) => `{"id":${at === 40 ? wrong : at},"b":"x"}`);
      await sameError(encode(`[${rows.join()}]`), 40);
    }
    for (const [from, to] of [
      ['},{', '}{'],
      ['},{', '},,{'],
      ['"b":', '"b"'],
      [',"b"', '"b"'],
      ['}]', ']'],
      ['}]', '},]'],
      ['}]', '}'],
    ] as const) {
      const text = list(60, (at) => ({ id: at, b: 'x' }));
      const at = text.indexOf(from, text.length / 2);
      await sameError(encode(text.slice(0, at) + to + text.slice(at + from.length)), 20);
    }
  });

  test('enforces the same limits as the reader', async () => {
    const text = encode(list(200, (at) => ({ id: at, name: 'n'.repeat(at % 50) })));
    for (const limits of [
      { values: 300 },
      { values: 301 },
      { values: 302 },
      { values: 599 },
      { values: 600 },
      { stringLength: 30 },
      { stringLength: 48 },
      { depth: 1 },
    ]) {
      await sameError(text, 0, { limits });
    }
    await sameAsParsed(new TextDecoder().decode(text), 300, { limits: { values: 605, stringLength: 49, depth: 2 } });
  });

  test('enforces the same string length limit for strings with escapes', async () => {
    const text = encode(list(100, (at) => ({ id: at, name: '\n'.repeat(at % 40) })));
    expect(await sameError(text, 20, { limits: { stringLength: 60 } })).toMatchObject({ limit: 'stringLength', path: [31, 'name'] });
  });
});

describe('JSON kernel on lists of every shape', () => {
  const kinds = [
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.string(),
    fc.constantFrom('red', 'green', 'blü', 'a "b"', 'tab\t'),
    fc.constant(null),
  ];
  const odd = fc.oneof(
    { weight: 30, arbitrary: fc.constant(undefined) },
    fc.constant(null),
    fc.constant('odd'),
    fc.constant([1]),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
  );
  const record = fc
    .uniqueArray(fc.constantFrom('a', 'b', 'longer key', 'ключ', 'e"f'), { minLength: 1, maxLength: 5 })
    .chain((keys) =>
      fc
        .tuple(...keys.map(() => fc.constantFrom(...kinds)))
        .chain((cells) =>
          fc
            .array(fc.tuple(...cells.map((cell) => fc.tuple(cell, odd))), { minLength: 3, maxLength: 30 })
            .map((rows) =>
              rows.map((row) => Object.fromEntries(row.map(([cell, instead], at) => [keys[at]!, instead === undefined ? cell : instead]))),
            ),
        ),
    );

  test('decodes as JSON.parse does', async () => {
    let read = 0;
    await fc.assert(
      fc.asyncProperty(record, fc.constantFrom(0, 1, '\t'), fc.constantFrom(5, 64, 5000), async (rows, indent, size) => {
        const text = JSON.stringify(rows, null, indent);
        const found = await sameWithKernels({ id: 'json', format: json, bytes: encode(text), sizes: [size] });
        assertSame(found.outcome, { value: JSON.parse(text) as unknown });
        read += found.rows;
      }),
      { numRuns: 150 },
    );
    expect(read).toBeGreaterThan(0);
  });
});
