import { describe, expect, test } from 'vitest';
import json from '../../../../../core/formats/json/index.ts';
import { assertSame, decodeWith, outcome, sameInEveryCut } from '../../../../setup/ways/differential.ts';
import fc from '../../../../setup/properties/property.ts';

const encoder = new TextEncoder();
const bytes = (text: string): Uint8Array => encoder.encode(text);
const read = (text: string, options: object = {}): unknown => decodeWith(json, bytes(text), { options });

/** Result of `JSON.parse` for bytes that must be UTF-8. */
function reference(input: Uint8Array): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(input)) as unknown };
  } catch {
    return undefined;
  }
}

/** Decodes in chunks of a size and compares with `JSON.parse`: the same value, or an error for an error. */
function agrees(input: Uint8Array, size: number): void {
  const chunkSizes = Array.from({ length: Math.ceil(input.length / size) }, () => size);
  const result = outcome(() => decodeWith(json, input, { chunkSizes }));
  const expected = reference(input);
  if (expected) assertSame(result, expected);
  else expect(result).toHaveProperty('error');
}

const digits = (most: number) => fc.stringMatching(new RegExp(`^[0-9]{1,${most}}$`));
const number = fc
  .tuple(fc.boolean(), digits(25), fc.option(digits(25)), fc.option(fc.tuple(fc.constantFrom('e', 'E', 'e+', 'e-'), digits(3))))
  .map(([minus, whole, fraction, exponent]) => {
    const head = whole.replace(/^0+(?=.)/, '');
    return `${minus ? '-' : ''}${head}${fraction === null ? '' : `.${fraction}`}${exponent ? exponent.join('') : ''}`;
  });
const escape = fc.constantFrom('\\n', '\\"', '\\\\', '\\/', '\\u0000', '\\ud83d\\ude00', '\\ud800', '\\udc00', '\\u00e9', 'é', '日本', '😀', 'plain');
const string = fc
  .array(
    fc.oneof(
      escape,
      fc.string({ unit: 'grapheme-ascii' }).map((text) => JSON.stringify(text).slice(1, -1)),
    ),
    { maxLength: 12 },
  )
  .map((parts) => `"${parts.join('')}"`);
const size = fc.constantFrom(1, 2, 3, 5, 17, 1_000_000);

describe('the JSON reader', () => {
  test('agrees with JSON.parse on any value', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), size, (text, chunk) => agrees(bytes(text), chunk)),
      { numRuns: 6_000 },
    );
  });

  test('agrees with JSON.parse on numbers of every shape', () => {
    fc.assert(
      fc.property(fc.array(number, { minLength: 1, maxLength: 4 }), size, (numbers, chunk) => agrees(bytes(`[${numbers.join(',')}]`), chunk)),
      { numRuns: 6_000 },
    );
  });

  test('agrees with JSON.parse on any double, as JavaScript prints it and with 17 digits', () => {
    const double = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(double, double, (a, b) => agrees(bytes(`[${a}, ${b.toPrecision(17)}, ${b.toExponential(16)}]`), 1_000)),
      { numRuns: 4_000 },
    );
  });

  test('agrees with JSON.parse on strings with escapes', () => {
    fc.assert(
      fc.property(string, string, size, (key, value, chunk) => agrees(bytes(`{${key}:${value}}`), chunk)),
      { numRuns: 4_000 },
    );
  });

  test('agrees with JSON.parse on damaged input', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 3 }), fc.nat(), fc.nat(255), size, (text, at, byte, chunk) => {
        const input = bytes(text);
        input[at % input.length] = byte;
        agrees(input, chunk);
      }),
      { numRuns: 4_000 },
    );
  });

  test.each([
    '0',
    '-0',
    '1',
    '-1.5e-7',
    '9007199254740993',
    '123456789012345678901234567890',
    '1e400',
    '-1e400',
    '5e-324',
    '2.5e-324',
    '1.7976931348623157e308',
    '1.7976931348623159e308',
    '9007199254740992.5',
    '0.1',
    '40.712345678',
    '179769313486231580793728971405303415079934132710037826936173778980444968292764750946649017977587207096330286416692887910946555547851940402630657488671505820681908902000708383676273854845817711531764475730270069855571366959622842914819860834936475292719074168444365510704342711559699508093042880e0',
    '""',
    '"\\ud83d\\ude00\\ud800"',
    ' [ 1 , {"a" : null} ]\n',
    '{"a":1,"b":2,"a":3}',
    '{"__proto__":{"x":1}}',
    '[[],{}]',
    'true',
    '"é\u0001"',
    '\ufeff[1]',
  ])('agrees with JSON.parse on every cut of %s', (text) => {
    const input = bytes(text);
    const result = sameInEveryCut(json, input);
    const expected = text.startsWith('\ufeff') ? { value: [1] } : reference(input);
    if (expected) assertSame(result, expected);
    else expect(result).toHaveProperty('error');
  });
});

describe('the JSON reader', () => {
  test('returns integers beyond 2^53 as exact bigints with bigints: bigint', () => {
    assertSame(read('[9007199254740991, 9007199254740993, -18446744073709551616, 1e20]', { bigints: 'bigint' }), [
      9007199254740991,
      9007199254740993n,
      -18446744073709551616n,
      1e20,
    ]);
  });

  test('returns a sequence as an array of its values', () => {
    assertSame(read('{"a":1}\n{"a":2}\r\n\n3 "x"\n', { sequence: true }), [{ a: 1 }, { a: 2 }, 3, 'x']);
    assertSame(read('\u001e{"a":1}\n\u001e[2]\n', { sequence: true }), [{ a: 1 }, [2]]);
    assertSame(read('', { sequence: true }), []);
  });
});

describe('the JSON reader', () => {
  test.each([
    ['', 'empty', 0],
    ['[1,', 'truncated', 3],
    ['{"a"', 'truncated', 4],
    ['"abc', 'truncated', 4],
    ['tru', 'truncated', 3],
    ['1 2', 'trailing-bytes', 2],
    ['[1] x', 'trailing-bytes', 4],
    ['[1,]', 'malformed', 3],
    ['{"a":1,}', 'malformed', 7],
    ['{a:1}', 'malformed', 1],
    ['[01]', 'malformed', 2],
    ['[1.]', 'malformed', 3],
    ['[+1]', 'malformed', 1],
    ['nul!', 'malformed', 3],
    ['"\\x"', 'malformed', 1],
    ['"\\u12g4"', 'malformed', 5],
    ['"a\nb"', 'malformed', 2],
    ['<!doctype html>', 'malformed', 0],
  ])('rejects malformed input with a typed error and its offset: %j', (text, code, offset) => {
    expect(() => read(text)).toThrow(expect.objectContaining({ name: 'DecodeError', code, offset }));
  });

  test('rejects bytes that are not UTF-8 with a typed error and its offset', () => {
    const input = Uint8Array.of(0x5b, 0x22, 0x61, 0xc3, 0x28, 0x22, 0x5d);
    expect(() => decodeWith(json, input)).toThrow(expect.objectContaining({ code: 'invalid-utf8', offset: 3 }));
  });

  test('rejects deep nesting with a typed error and its offset, without stack overflow', () => {
    expect(() => read('['.repeat(1_000_000))).toThrow(expect.objectContaining({ name: 'LimitError', limit: 'depth', offset: 1_000 }));
    expect(() => read('{"a":'.repeat(1_000_000))).toThrow(expect.objectContaining({ name: 'LimitError', limit: 'depth' }));
  });
});
