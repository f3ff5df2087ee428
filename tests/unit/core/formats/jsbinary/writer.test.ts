import { describe, expect, test } from 'vitest';
import jsbinary from '../../../../../core/formats/jsbinary/index.ts';
import writer, { type JsBinaryWriteOptions } from '../../../../../core/formats/jsbinary/writer.ts';
import { assertSame, decodeWith } from '../../../../setup/ways/differential.ts';
import { encodeEveryWay, encodeWith } from '../../../../setup/ways/encode-with.ts';
import { hex, toHex } from '../../../../setup/values/hex.ts';
import fc from '../../../../setup/properties/property.ts';
import { literalsWithValues } from './arbitrary.ts';
import { compile, encode as encodeByPackage } from './reference.ts';

/** To change: `RUNS=10000 SEED=7 npx vitest …`. */
const settings = { numRuns: 20_000 };
const encode = (literal: unknown, value: unknown, options: JsBinaryWriteOptions = {}): Uint8Array =>
  encodeEveryWay(writer, value, { options, schema: compile(literal), format: 'jsbinary' });

/** Bytes written by the package. Its Buffer for browsers writes other NaN bits than Node and other engines. */
function packageHex(literal: unknown, value: unknown): string {
  const written = toHex(encodeByPackage(literal, value));
  return globalThis.process?.versions?.node === undefined ? written.replaceAll('7ff0000000000001', '7ff8000000000000') : written;
}

test('values of every type have the same bytes as from the package, and survive a round trip', () => {
  fc.assert(
    fc.property(literalsWithValues, ([literal, value]) => {
      const bytes = encode(literal, value);
      expect(toHex(bytes)).toBe(packageHex(literal, value));
      const schema = compile(literal);
      const read = decodeWith(jsbinary, bytes, { schema });
      expect(toHex(encodeWith(writer, read, { schema }))).toBe(toHex(bytes));
    }),
    settings,
  );
});

test('sequences consist of the bytes of their values', () => {
  fc.assert(
    fc.property(fc.array(fc.constant(null), { maxLength: 3 }), literalsWithValues, (times, [literal, value]) => {
      const bytes = encode(
        literal,
        times.map(() => value),
        { sequence: true },
      );
      expect(toHex(bytes)).toBe(times.map(() => toHex(encodeByPackage(literal, value))).join(''));
    }),
    { numRuns: 2000 },
  );
});

describe('js-binary writer', () => {
  test.each<[string, unknown, unknown, string]>([
    ['a bigint past 2⁵³', 'uint', 2n ** 53n + 1n, 'e020000000000001'],
    ['a small bigint', 'uint', 5n, '05'],
    ['a negative bigint', 'int', -(2n ** 60n), 'f000000000000000'],
    ['2⁵³', 'uint', 2 ** 53, 'e020000000000000'],
    ['null in an optional field', { 'a?': 'uint', b: 'boolean' }, { a: null, b: true }, '0001'],
    ['bytes of any class', 'Buffer', Uint8Array.of(1, 2).buffer, '020102'],
    ['an ObjectId that is an object', 'oid', { toString: () => '0123456789abcdef01234567' }, '0123456789abcdef01234567'],
    ['JSON that toJSON makes', 'json', { at: new Date(0) }, '21 7b226174223a22313937302d30312d30315430303a30303a30302e3030305a227d'],
    ['an instance, by the fields of the type', { size: 'uint' }, new Map([[1, 2]]), '01'],
  ])('writes the specified bytes of %s', (_, literal, value, bytes) => {
    expect(toHex(encode(literal, value))).toBe(toHex(hex(bytes)));
  });

  test('writes more optional fields than fit the buffer at once', () => {
    const literal = Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`f${index}?`, 'uint']));
    expect(encode(literal, {}).length).toBe(3000);
  });

  test.each([127, 128, 16_383, 16_384, 100_000])('writes strings, bytes and lists of length %d', (count) => {
    const literal = { text: 'string', wide: 'string', bytes: 'Buffer', list: ['uint'] };
    const value = {
      text: 'x'.repeat(count),
      wide: 'é'.repeat(count),
      bytes: new Uint8Array(count),
      list: Array.from({ length: count }, (_, index) => index),
    };
    const schema = compile(literal);
    const bytes = encodeWith(writer, value, { schema, inTurns: true });
    assertSame(decodeWith(jsbinary, bytes, { schema }), value);
  });
});

describe('js-binary writer', () => {
  test.each<[string, unknown, unknown, object]>([
    ['a missing field', { a: [{ b: 'uint' }] }, { a: [{}] }, { code: 'missing', path: ['a', 0, 'b'] }],
    ['null for a field', { b: 'uint' }, { b: null }, { code: 'type', path: ['b'] }],
    ['a string for a number', ['uint'], ['1'], { code: 'type', path: [0] }],
    ['a fraction for an integer', 'int', 1.5, { code: 'range' }],
    ['a negative unsigned integer', 'uint', -1, { code: 'range' }],
    ['an integer past 2⁵³', 'uint', 2 ** 54, { code: 'range' }],
    ['a bigint of more than 61 bits', 'uint', 2n ** 61n, { code: 'range' }],
    ['a number for a float that is a bigint', 'float', 1n, { code: 'type' }],
    ['a number for a string', 'string', 1, { code: 'type' }],
    ['a number for a boolean', 'boolean', 1, { code: 'type' }],
    ['an array for bytes', 'Buffer', [1], { code: 'type' }],
    ['an object for an array', ['uint'], {}, { code: 'type' }],
    ['undefined for JSON', 'json', undefined, { code: 'missing' }],
    ['a bigint for JSON', { j: 'json' }, { j: 1n }, { code: 'thrown', path: ['j'] }],
    ['an ObjectId with too few digits', 'oid', '0123', { code: 'range' }],
    ['a RegExp with an unknown flag', 'regex', /a/u, { code: 'unsupported' }],
    ['a Date before 1970', 'date', new Date(-1), { code: 'range' }],
    ['an invalid Date', 'date', new Date(Number.NaN), { code: 'range' }],
    ['a lone surrogate', 'string', '\ud800', { code: 'text' }],
  ])('rejects %s', (_, literal, value, error) => {
    expect(() => encodeWith(writer, value, { schema: compile(literal), format: 'jsbinary' })).toThrow(
      expect.objectContaining({ name: 'EncodeError', format: 'jsbinary', ...error }),
    );
  });

  test('rejects a value without a schema', () => {
    expect(() => encodeWith(writer, 1)).toThrow('needs a schema');
  });
});
