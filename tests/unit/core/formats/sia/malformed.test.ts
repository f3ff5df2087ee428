import { describe, expect, test } from 'vitest';
import { DecodeError, LimitError } from '../../../../../core/errors.ts';
import sia, { createReviveTag, type SiaOptions } from '../../../../../core/formats/sia/index.ts';
import type { Limits } from '../../../../../core/limits.ts';
import { decodeWith, sameInEveryCut } from '../../../../setup/ways/differential.ts';
import { hex } from '../../../../setup/values/hex.ts';

/** Error for `bytes`, which must be the same in every cut. */
function errorOf(bytes: Uint8Array, options: SiaOptions = {}, limits: Partial<Limits> = {}): DecodeError | LimitError {
  if (bytes.length < 1000) sameInEveryCut(sia, bytes, { options, limits });
  try {
    decodeWith(sia, bytes, { options, limits });
  } catch (error) {
    return error as DecodeError;
  }
  throw new Error('it was accepted');
}

describe('the reader', () => {
  const cases: [string, string, string, number, string, SiaOptions?][] = [
    ['nothing', '', 'empty', 0, 'the payload is empty'],
    ['two values', '00 00', 'trailing-bytes', 1, 'after the value'],
    ['a type past the table', '2f 01 3a', 'malformed', 2, 'is not a value'],
    ['the type 255', 'ff', 'malformed', 0, 'is not a value'],
    ['a truncated number', '2f 02 00 04 0000', 'truncated', 6, 'inside a value'],
    ['a truncated utfz', '2f 01 1b 03 6162', 'truncated', 6, 'inside a value'],
    ['a truncated string', '1d 0300 6162', 'truncated', 5, 'inside a value'],
    ['a truncated length', '31 0300', 'truncated', 3, 'inside a value'],
    ['a missing item', '2f 02 00', 'truncated', 3, 'inside a value'],
    ['a missing end of an object', '34', 'truncated', 1, 'inside a value'],
    ['a missing value', '34 1b01 61', 'truncated', 4, 'inside a value'],
    ['a missing end of a set', '36 00', 'truncated', 2, 'inside a value'],
    ['a missing end of a map', '38', 'truncated', 1, 'inside a value'],
    ['an end of an object instead of a value', '34 1b01 61 35', 'malformed', 4, 'is not a value'],
    ['an end of an object in an array', '2f 01 35', 'malformed', 2, 'is not a value'],
    ['an end of a set in an array', '2f 01 37', 'malformed', 2, 'not open'],
    ['an end of a set in a map', '38 37', 'malformed', 1, 'not open'],
    ['an end of a map in a set', '36 39', 'malformed', 1, 'not open'],
    ['an end of a map instead of a value', '38 00 39', 'malformed', 2, 'not open'],
    ['an end of a set at the root', '37', 'malformed', 0, 'not open'],
    ['a key that is a number', '34 02 01', 'malformed', 1, 'is not a key'],
    ['a key that is null', '34 00', 'malformed', 1, 'is not a key'],
    ['a key that is recorded', '34 14', 'malformed', 1, 'is not a key'],
    ['a reference to a missing key', '34 15 00', 'malformed', 1, 'unknown key 0'],
    ['a reference to a key past 2⁵³', '34 18 ffffffffffffffff', 'malformed', 1, 'unknown key Infinity'],
    ['a reference to a later key', '34 1b01 61 00 15 01', 'malformed', 5, 'unknown key 1'],
    ['a key that is a number by reference', '2f 02 14 02 01 34 15 00', 'malformed', 6, 'unknown key 0'],
    ['a reference to a missing value', '15 00', 'malformed', 0, 'unknown value 0'],
    ['a record of a record', '14 14 00', 'unsupported', 0, 'a record must not have'],
    ['a record of a reference', '14 15 00', 'unsupported', 0, 'a record must not have'],
    ['a record of an end', '36 14 37', 'malformed', 2, 'is not a value'],
    ['a record at the end', '14', 'truncated', 1, 'inside a value'],
    ['a reference to the constructor around it', '14 2c 07 2f01 15 00', 'unsupported', 5, 'to itself'],
    ['a utfz that ends in a zero', '1b 02 61 00', 'malformed', 4, 'utfz'],
    ['a utfz that ends in a change', '1b 03 61 00 05', 'malformed', 5, 'utfz'],
    ['a truncated utfz key', '34 1b 01 00 00', 'malformed', 4, 'utfz'],
    ['a string of invalid UTF-8', '1c 02 c3ff', 'invalid-utf8', 2, 'UTF-8'],
    ['a key of invalid UTF-8', '34 1c 02 61ff 00 35', 'invalid-utf8', 4, 'UTF-8'],
    ['a float8', '0e 00', 'unsupported', 0, 'invalid float size: 1 bytes'],
    ['float of three bytes', '13 03 000000', 'unsupported', 0, 'invalid float size: 3 bytes'],
    ['a constructor without arguments', '2c 07 00', 'malformed', 2, 'array of arguments'],
    ['a constructor with an object', '2c 07 34 35', 'malformed', 2, 'array of arguments'],
    ['a Date without arguments', '2c 01 00', 'malformed', 2, 'array of arguments'],
    ['a regular expression of a number', '2c 00 2f01 02 01', 'malformed', 6, 'RegExp'],
    ['an invalid regular expression', '2c 00 2f01 1b01 28', 'malformed', 7, 'RegExp'],
    ['the second of a sequence', '00 3f', 'malformed', 1, 'is not a value', { sequence: true }],
    ['a key of the first of a sequence', '34 1b01 61 00 35 34 1500', 'malformed', 7, 'unknown key 0', { sequence: true }],
  ];

  test.each(cases)('rejects with a code and an offset: %s', (_, bytes, code, offset, reason, options) => {
    const error = errorOf(hex(bytes), options);
    expect(error.message).toContain(reason);
    expect(error).toBeInstanceOf(DecodeError);
    expect({ code: error.code, offset: error.offset }).toEqual({ code, offset });
  });

  test('rejects invalid Date arguments', () => {
    expect(() => decodeWith(sia, hex('2c 01 2f01 05 ffffffffffffffff'))).toThrow(DecodeError);
    expect(() => decodeWith(sia, hex(`2c 01 2f01 34 1b08 746f537472696e67 00 1b07 76616c75654f66 00 35`))).toThrow(DecodeError);
  });
});

describe('limited reader', () => {
  const cases: [string, string, keyof Limits, number, number][] = [
    ['arrays in arrays', '2f01 2f01 2f01 00', 'depth', 2, 4],
    ['objects in objects', '34 1b0161 34 1b0161 34', 'depth', 2, 8],
    ['constructors', '2c 07 2f01 2c 07 2f00', 'depth', 3, 6],
    ['items', '2f 05 00', 'values', 3, 0],
    ['a declared count', '31 ffffffff', 'values', 1000, 0],
    ['a declared count past 2⁵³', '32 ffffffffffffffff', 'values', 1000, 0],
    ['values of a set', '36 00 01 02 01 37', 'values', 3, 3],
    ['a utfz', '1b 03 616263', 'stringLength', 2, 0],
    ['a string8', '1c 03 616263', 'stringLength', 2, 0],
    ['a string64', '1f ffffffffffffffff', 'stringLength', 2, 0],
    ['a key', '34 1b 03 616263', 'stringLength', 2, 1],
    ['bytes', '22 03 010203', 'binaryLength', 2, 0],
    ['missing bytes', '25 0000000001000000', 'binaryLength', 2 ** 31, 0],
  ];

  test.each(cases)('bounds %s', (_, bytes, limit, most, offset) => {
    const error = errorOf(hex(bytes), {}, { [limit]: most }) as LimitError;
    expect(error).toBeInstanceOf(LimitError);
    expect({ limit: error.limit, offset: error.offset }).toEqual({ limit, offset });
  });

  test('accepts input exactly at the limits', () => {
    for (const [bytes, limits] of [
      ['2f01 2f01 00', { depth: 2, values: 3 }],
      ['1b 02 6162', { stringLength: 2 }],
      ['1c 02 6162', { stringLength: 2 }],
      ['22 02 0102', { binaryLength: 2 }],
    ] as [string, Partial<Limits>][]) {
      expect(() => decodeWith(sia, hex(bytes), { limits }), bytes).not.toThrow();
    }
  });
});

describe('reader under attack', () => {
  function failsSoon(bytes: Uint8Array, expected: string): void {
    const chunkSizes = Array.from({ length: Math.ceil(bytes.length / 65_536) }, () => 65_536);
    expect(() => decodeWith(sia, bytes, { chunkSizes })).toThrow(expected);
  }

  const repeat = (head: Uint8Array, unit: Uint8Array, times: number): Uint8Array => {
    const bytes = new Uint8Array(head.length + unit.length * times);
    bytes.set(head);
    for (let i = 0; i < times; i += 1) bytes.set(unit, head.length + i * unit.length);
    return bytes;
  };

  /** Array of 2³¹ − 2 values that starts with `first`. */
  const list = (first: Uint8Array): Uint8Array => Uint8Array.from([...hex('31 feffff7f'), ...first]);
  const longText = Uint8Array.from([0x1e, 0, 0, 1, 0, ...new Uint8Array(65_536).fill(0x61)]);

  test('fails fast on nested arrays', () => failsSoon(repeat(hex(''), hex('2f 01'), 100_000), 'depth limit exceeded (1000)'));
  test('fails fast on nested constructors', () => failsSoon(repeat(hex(''), hex('2c 07 2f 01'), 100_000), 'depth limit exceeded (1000)'));
  test('rejects a constructor with more arguments than a call can have', () => {
    const bytes = new Uint8Array(200_007);
    bytes.set(hex('2c 07 31 400d0300'));
    const revive = createReviveTag({ 7: (...args: unknown[]) => args.length });
    expect(() => decodeWith(sia, bytes, { revive })).toThrow(expect.objectContaining({ name: 'DecodeError', code: 'unsupported' }));
    expect(decodeWith(sia, Uint8Array.from([...hex('2c 07 2f 02'), 0, 0]), { revive })).toBe(2);
    expect(() => createReviveTag({})('sia:other', 0)).toThrow(DecodeError);
  });
  test('fails fast on a count of two thousand million', () => failsSoon(hex('31 feffff7f 00'), 'inside a value'));
  test('fails fast on a missing string of a thousand million bytes', () => failsSoon(hex('1e 00000010 61'), 'inside a value'));
  test('fails fast on a repeated long key', () => {
    const first = Uint8Array.from([0x34, ...longText, 0, 0x35]);
    failsSoon(repeat(list(first), hex('34 1500 00 35'), 300_000), 'values per byte');
  });
  test('fails fast on a repeated long string', () => {
    failsSoon(repeat(list(Uint8Array.from([0x14, ...longText])), hex('15 00'), 300_000), 'values per byte');
  });
  test('fails fast on repeated long bytes', () => {
    failsSoon(repeat(list(Uint8Array.from([0x14, 0x24, ...longText.subarray(1)])), hex('15 00'), 300_000), 'values per byte');
  });
});
