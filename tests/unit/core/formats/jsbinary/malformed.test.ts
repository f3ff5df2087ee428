import { describe, expect, test } from 'vitest';
import { DecodeError, LimitError } from '../../../../../core/errors.ts';
import jsbinary, { type JsBinaryOptions } from '../../../../../core/formats/jsbinary/index.ts';
import type { Limits } from '../../../../../core/limits.ts';
import { decodeWith, sameInEveryCut } from '../../../../setup/ways/differential.ts';
import { hex } from '../../../../setup/values/hex.ts';
import { compile } from './reference.ts';

/** Error for `bytes`, which must be the same in every cut. */
function errorOf(literal: unknown, bytes: Uint8Array, options: JsBinaryOptions = {}, limits: Partial<Limits> = {}): DecodeError | LimitError {
  const schema = compile(literal);
  if (bytes.length < 1000) sameInEveryCut(jsbinary, bytes, { schema, options, limits });
  try {
    decodeWith(jsbinary, bytes, { schema, options, limits });
  } catch (error) {
    return error as DecodeError;
  }
  throw new Error('it was accepted');
}

describe('the reader', () => {
  const cases: [string, unknown, string, string, number, string, JsBinaryOptions?][] = [
    ['nothing', 'uint', '', 'empty', 0, 'payload is empty'],
    ['no bytes for an object', { a: 'uint' }, '', 'empty', 0, 'payload is empty'],
    ['two values', 'uint', '01 01', 'trailing-bytes', 1, 'after the value'],
    ['bytes for an object without fields', {}, '01', 'trailing-bytes', 0, 'after the value'],
    ['a truncated uint of 2 bytes', 'uint', '80', 'truncated', 1, 'inside a value'],
    ['a truncated int of 4 bytes', { a: 'uint', b: 'int' }, '01 c00000', 'truncated', 4, 'inside a value'],
    ['a truncated uint of 8 bytes', 'uint', 'e0000000000000', 'truncated', 7, 'inside a value'],
    ['a truncated float', 'float', '00000000000000', 'truncated', 7, 'inside a value'],
    ['a truncated string', 'string', '03 6162', 'truncated', 3, 'inside a value'],
    ['a truncated length', ['string'], '01 c00000', 'truncated', 4, 'inside a value'],
    ['a truncated Buffer', 'Buffer', '03', 'truncated', 1, 'inside a value'],
    ['a truncated ObjectId', 'oid', '0102', 'truncated', 2, 'inside a value'],
    ['a regular expression without flags', 'regex', '01 61', 'truncated', 2, 'inside a value'],
    ['a missing field', { a: 'uint', b: 'uint' }, '01', 'truncated', 1, 'inside a value'],
    ['a missing item', ['uint'], '02 01', 'truncated', 2, 'inside a value'],
    ['a truncated optional field', { 'a?': 'uint' }, '01', 'truncated', 1, 'inside a value'],
    ['a boolean of 2', ['boolean'], '02 01 02', 'malformed', 2, 'neither 0 nor 1'],
    ['an optional field with 2 before it', { a: 'uint', 'b?': 'uint' }, '01 02 01', 'malformed', 1, 'neither 0 nor 1'],
    ['a string of invalid UTF-8', { a: 'string' }, '02 61ff', 'invalid-utf8', 2, 'UTF-8'],
    ['invalid JSON', { a: 'uint', b: 'json' }, '01 04 5b312c7d', 'malformed', 5, 'value'],
    ['truncated JSON', 'json', '02 5b31', 'truncated', 3, 'the input ends'],
    ['an invalid regular expression', 'regex', '01 28 00', 'malformed', 3, 'RegExp'],
    ['the second of a sequence', 'boolean', '01 03', 'malformed', 1, 'neither 0 nor 1', { sequence: true }],
    ['a truncated second value of a sequence', 'uint', '01 80', 'truncated', 2, 'inside a value', { sequence: true }],
  ];

  test.each(cases)('rejects with a code and an offset: %s', (_, literal, bytes, code, offset, reason, options) => {
    const error = errorOf(literal, hex(bytes), options);
    expect(error.message).toContain(reason);
    expect(error).toBeInstanceOf(DecodeError);
    expect({ code: error.code, offset: error.offset }).toEqual({ code, offset });
  });

  test('accepts an empty input only as an empty sequence', () => {
    expect(decodeWith(jsbinary, new Uint8Array(0), { schema: compile('uint'), options: { sequence: true } })).toEqual([]);
  });
});

describe('limited reader', () => {
  const cases: [string, unknown, string, keyof Limits, number, number][] = [
    ['arrays in arrays', [[['uint']]], '01 01 01 00', 'depth', 2, 2],
    ['objects in objects', { a: { b: { c: 'uint' } } }, '01', 'depth', 2, 0],
    ['JSON in an array', ['json'], '01 02 5b5d', 'depth', 1, 2],
    ['a declared count', ['uint'], '05 01', 'values', 4, 0],
    ['a large declared count', ['uint'], 'ffffffffffffffff', 'values', 4, 0],
    ['fields', { a: 'uint', b: 'uint', 'c?': 'uint' }, '01 01 00', 'values', 3, 2],
    ['a string', 'string', '03 616263', 'stringLength', 2, 0],
    ['a missing string', 'string', 'ffffffffffffffff', 'stringLength', 2, 0],
    ['JSON', 'json', '03 222022', 'stringLength', 2, 0],
    ['a Buffer', ['Buffer'], '01 03 616263', 'binaryLength', 2, 1],
  ];

  test.each(cases)('bounds %s', (_, literal, bytes, limit, most, offset) => {
    const error = errorOf(literal, hex(bytes), {}, { [limit]: most }) as LimitError;
    expect(error).toBeInstanceOf(LimitError);
    expect({ limit: error.limit, offset: error.offset }).toEqual({ limit, offset });
  });

  test('accepts input exactly at the limits', () => {
    for (const [literal, bytes, limits] of [
      [[['uint']], '01 01 00', { depth: 2, values: 3 }],
      ['string', '02 6162', { stringLength: 2 }],
      ['Buffer', '02 6162', { binaryLength: 2 }],
    ] as [unknown, string, Partial<Limits>][]) {
      expect(() => decodeWith(jsbinary, hex(bytes), { schema: compile(literal), limits })).not.toThrow();
    }
  });
});

describe('reader under attack', () => {
  function failsSoon(literal: unknown, bytes: Uint8Array, expected: string): void {
    const schema = compile(literal);
    expect(() => decodeWith(jsbinary, bytes, { schema })).toThrow(expected);
  }

  test('fails fast on a thousand million objects without fields', () => failsSoon([{}], hex('e00000003b9aca00'), 'values per byte'));
  test('fails fast on many arrays of objects without fields', () => {
    const bytes = new Uint8Array(40_000);
    for (let at = 0; at < bytes.length; at += 4) bytes.set(hex('c0100000'), at);
    failsSoon([[{ a: {}, b: {} }]], Uint8Array.from([0xc0, 0, 0x27, 0x0f, ...bytes]), 'values per byte');
  });
  test('fails fast on a count without items', () => failsSoon(['uint'], hex('dfffffff 01'), 'inside a value'));
  test('fails fast on a missing string', () => failsSoon('string', hex('cfffffff 61'), 'inside a value'));
  test('fails fast on many objects of a wide type', () => {
    const literal = Object.fromEntries(Array.from({ length: 400 }, (_, i) => [`k${i}`, { a: 'uint' }]));
    failsSoon([literal], Uint8Array.from([0xc0, 0, 0x27, 0x0f, ...new Uint8Array(40_000)]), 'inside a value');
  });
});
