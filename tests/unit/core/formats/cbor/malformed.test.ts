import { describe, expect, test } from 'vitest';
import { DecodeError, LimitError } from '../../../../../core/errors.ts';
import cbor, { type CborOptions } from '../../../../../core/formats/cbor/index.ts';
import { type Limits } from '../../../../../core/limits.ts';
import { decodeWith, sameInEveryCut } from '../../../../setup/ways/differential.ts';
import { bytesOf, text } from './bytes.ts';

/** Error for `hex`, which must be the same in every cut. */
function errorOf(hex: string, options: CborOptions = {}, limits: Partial<Limits> = {}): DecodeError | LimitError {
  const bytes = bytesOf(hex);
  if (bytes.length < 1000) sameInEveryCut(cbor, bytes, { options, limits });
  try {
    decodeWith(cbor, bytes, { options, limits });
  } catch (error) {
    return error as DecodeError;
  }
  throw new Error('it was accepted');
}

const keys = `82 ${text('a')} ${text('b')}`;
const packed = `d8 33 84 81 ${text('text')} 80 80`;

describe('the reader', () => {
  const cases: [string, string, string, number, string, CborOptions?][] = [
    ['nothing', '', 'empty', 0, 'the payload is empty'],
    ['two values', '01 02', 'trailing-bytes', 1, 'after the value'],
    ['a truncated argument', '82 01 19 00', 'truncated', 4, 'inside a value'],
    ['a truncated text', '82 01 63 61 62', 'truncated', 5, 'inside a value'],
    ['a missing item', '82 01', 'truncated', 2, 'inside a value'],
    ['a missing value', 'a1 61 61', 'truncated', 3, 'inside a value'],
    ['a missing break', '9f 01', 'truncated', 2, 'inside a value'],
    ['a missing break of a string', '7f 61 61', 'truncated', 3, 'inside a value'],
    ['a tag without content', 'd8 63', 'truncated', 2, 'inside a value'],
    ['a truncated tag', '81 d9 01', 'truncated', 3, 'inside a value'],
    ['a truncated date', '81 c0 63 61', 'truncated', 4, 'inside a value'],
    ['reserved information 28', '81 1c', 'malformed', 1, 'reserved'],
    ['reserved information 29', '81 5d', 'malformed', 1, 'reserved'],
    ['reserved information 30', '81 fe', 'malformed', 1, 'reserved'],
    ['reserved information in a key', 'a1 7c', 'malformed', 1, 'reserved'],
    ['an integer must not have an indefinite length', '81 1f', 'malformed', 1, 'indefinite'],
    ['a negative integer of indefinite length', '81 3f', 'malformed', 1, 'indefinite'],
    ['a tag must not have an indefinite length', '81 df 00', 'malformed', 1, 'indefinite'],
    ['a break at the root', 'ff', 'malformed', 0, 'break'],
    ['a break in an array of definite length', '82 01 ff', 'malformed', 2, 'break'],
    ['a break instead of a key', 'a1 ff', 'malformed', 1, 'break'],
    ['a break instead of a value', 'bf 61 61 ff', 'malformed', 3, 'break'],
    ['a break instead of a value of a Map', 'bf 01 ff', 'malformed', 2, 'break'],
    ['a break in a tag', '9f d8 63 ff', 'malformed', 3, 'break'],
    ['a chunk of a different type', '5f 61 61 ff', 'malformed', 1, 'a different type'],
    ['a chunk that is a tag', '7f c0 61 61 ff', 'malformed', 1, 'a different type'],
    ['a chunk must not have an indefinite length', '5f 5f ff ff', 'malformed', 1, 'indefinite'],
    ['a short simple value in two bytes', '81 f8 18', 'malformed', 1, 'two bytes'],
    ['a known simple value in two bytes', '81 f8 14', 'malformed', 1, 'two bytes'],
    ['a text of invalid UTF-8', '82 01 62 c0 ae', 'invalid-utf8', 3, 'UTF-8'],
    ['a surrogate', '63 ed a0 80', 'invalid-utf8', 1, 'UTF-8'],
    ['a key of invalid UTF-8', 'a1 61 ff 01', 'invalid-utf8', 2, 'UTF-8'],
    ['a character divided between chunks', '7f 61 c3 61 a9 ff', 'invalid-utf8', 2, 'UTF-8'],
    ['a chunk of invalid UTF-8', '7f 61 61 62 61 ff ff', 'invalid-utf8', 5, 'UTF-8'],
    ['a non-text key after a text key', 'a2 61 61 01 02 03', 'unsupported', 4, 'set the option maps'],
    ['an object with a key that is an array', 'a1 80 01', 'unsupported', 1, 'set the option maps', { maps: 'object' }],
    ['an object with a key that is bytes', 'a1 41 61 01', 'unsupported', 1, 'set the option maps', { maps: 'object' }],
    ['tag 65535', '81 d9 ffff 01', 'malformed', 1, 'invalid tag'],
    ['tag 2³² − 1', '81 da ffffffff 01', 'malformed', 1, 'invalid tag'],
    ['tag 2⁶⁴ − 1', '81 db ffffffffffffffff 01', 'malformed', 1, 'invalid tag'],
    ['a date that is a map', 'c0 a1 61 61 00', 'malformed', 1, 'tag 0'],
    ['a date that is a number', 'c0 00', 'malformed', 1, 'tag 0'],
    ['seconds that are a map', 'c1 a1 61 61 00', 'malformed', 1, 'tag 1'],
    ['seconds that are text', 'c1 61 61', 'malformed', 1, 'tag 1'],
    ['days that are null', 'd8 64 f6', 'malformed', 2, 'tag 100'],
    ['a bignum that is text', 'c2 61 61', 'malformed', 1, 'tag 2'],
    ['a bignum of more than 4 KiB', `c2 59 1001 ${'00'.repeat(4097)}`, 'unsupported', 0, 'the integer takes 4097 bytes'],
    ['a decimal fraction that is not an array', 'c4 01', 'malformed', 1, 'tag 4'],
    ['a decimal fraction of one value', 'c4 81 01', 'malformed', 1, 'tag 4'],
    ['a decimal fraction of three values', 'c4 9f 01 02 03 ff', 'malformed', 4, 'more than 2'],
    ['a decimal fraction of a float', 'c4 82 01 f9 3e00', 'malformed', 3, 'requires an integer'],
    ['a bigfloat of text', 'c5 82 61 61 01', 'malformed', 2, 'requires an integer'],
    ['a set that is not an array', 'd9 0102 a0', 'malformed', 3, 'tag 258'],
    ['an invalid URI', 'd8 20 61 61', 'malformed', 4, 'URL'],
    ['invalid regular expression', 'd8 23 61 28', 'malformed', 4, 'RegExp'],
    ['an invalid error', `d8 1b 82 ${text('Error')} 01`, 'malformed', 10, 'invalid error'],
    ['invalid base64', '81 d8 22 61 2a', 'malformed', 1, 'base64'],
    ['base64 with white space', '81 d8 22 65 2f2b 0a 383d', 'malformed', 1, 'white space'],
    ['a typed array of a part of an element', '81 d8 41 43 010203', 'malformed', 1, 'tag 65'],
    ['a typed array that is not bytes', 'd8 41 80', 'malformed', 2, 'tag 65'],
    ['invalid WTF-8', 'd9 0111 42 edbf', 'invalid-utf8', 4, 'UTF-8'],
    ['embedded CBOR that is not bytes', 'd8 18 61 61', 'malformed', 2, 'tag 24'],
    ['embedded CBOR that is shorter', 'd8 18 42 01 02', 'malformed', 4, 'the length of embedded CBOR does not match', { embedded: 'value' }],
    ['embedded CBOR that is longer', '82 d8 18 41 18 01 02', 'malformed', 6, 'the length of embedded CBOR does not match', { embedded: 'value' }],
    ['empty embedded CBOR', '82 d8 18 40 01', 'malformed', 5, 'the length of embedded CBOR does not match', { embedded: 'value' }],
    ['embedded CBOR in chunks', 'd8 18 5f 41 01 ff', 'unsupported', 2, 'indefinite', { embedded: 'value' }],
    ['a record definition that is not an array', 'd9 dfff 01', 'malformed', 3, 'no array'],
    ['a record definition has no keys', 'd9 dfff 81 19 e000', 'malformed', 3, 'has no keys'],
    ['a record definition for a different tag', 'd9 dfff 82 01 80', 'malformed', 4, 'invalid record tag'],
    ['a record definition with more values than keys', 'd9 dfff 84 19 e000 81 61 61 01 02', 'malformed', 0, 'more values'],
    ['a record definition with a duplicate key', 'd9 dfff 82 19 e000 82 61 61 61 61', 'malformed', 12, 'duplicate key'],
    ['a record definition whose key is an array', 'd9 dfff 83 19 e000 81 80 01', 'unsupported', 8, 'a key'],
    ['a record has more values than keys', `82 d9 dfff 82 19 e000 ${keys} d9 e000 83 01 02 03`, 'malformed', 16, 'a record has more'],
    ['a record that is not an array', `82 d9 dfff 82 19 e000 ${keys} d9 e000 a0`, 'malformed', 16, 'requires the type array'],
    ['a record of indefinite length', `82 d9 dfff 82 19 e000 ${keys} d9 e000 9f ff`, 'malformed', 16, 'a record has more'],
    ['a reference to an unknown value', '82 80 d8 1d 00', 'malformed', 2, 'shared value 0'],
    ['a forward reference', '82 d8 1d 00 d8 1c 80', 'malformed', 1, 'shared value 0'],
    ['a reference by text', 'd8 1d 61 61', 'malformed', 2, 'tag 29'],
    ['a reference from inside a tag to itself', 'd8 1c d8 63 81 d8 1d 00', 'unsupported', 5, 'to itself'],
    ['a shared reference', '82 d8 1c 80 d8 1c d8 1d 00', 'unsupported', 6, 'cannot be shared'],
    ['packed values that are not an array', 'd8 33 00', 'malformed', 2, 'tag 51'],
    ['packed values of three arrays', 'd8 33 83 80 80 00', 'unsupported', 2, 'only in the form of cbor-x'],
    ['packed values without a table', 'd8 33 84 00 80 80 00', 'malformed', 3, 'no array'],
    ['packed values with prefixes', 'd8 33 84 80 81 61 61 80 00', 'unsupported', 4, 'prefixes'],
    ['packed values that are arrays', 'd8 33 84 81 80 80 80 00', 'unsupported', 4, 'a packed value'],
    ['a missing packed value', `${packed} e1`, 'malformed', 11, 'unknown packed value 1'],
    ['a missing packed value by tag', `${packed} c6 00`, 'malformed', 11, 'unknown packed value 16'],
    ['an invalid pointer to strings', 'd9 dff9 01', 'malformed', 3, 'invalid pointer'],
    ['a pointer to strings back', 'd9 dff9 82 1a 00000004 cf 04', 'malformed', 4, 'negative offset'],
    ['a pointer to no strings', 'd9 dff9 82 1a 00000007 cf 01 00 00', 'malformed', 11, 'invalid target'],
    ['bundled strings that are not used', 'd9 dff9 82 1a 00000006 01 60 62 6162', 'malformed', 10, 'bundled strings are not used'],
    ['more of a bundled string than exists', 'd9 dff9 82 1a 00000007 cf 03 60 62 6162', 'malformed', 9, 'missing bundled string'],
    ['bundled strings that are not ASCII', 'd9 dff9 82 1a 00000007 cf 01 60 62 c3a9', 'malformed', 12, 'not ASCII'],
    ['missing bundled strings although more are announced', 'd9 dff9 84 1a 00000007 60 60 01', 'malformed', 9, 'have no pointer'],
  ];

  test.each(cases)('rejects with a code and an offset: %s', (_, hex, code, offset, reason, options) => {
    const error = errorOf(hex, options);
    expect(error.message).toContain(reason);
    expect(error).toBeInstanceOf(DecodeError);
    expect({ code: error.code, offset: error.offset }).toEqual({ code, offset });
  });

  test('rejects malformed tagged JSON and objects', () => {
    expect(() => decodeWith(cbor, bytesOf(`d9 0106 ${text('{')}`))).toThrow(DecodeError);
    expect(() => decodeWith(cbor, bytesOf(`d8 1b 82 ${text('RegExp')} ${text('(')}`))).toThrow(DecodeError);
  });

  test('rejects a malformed value after a valid one', () => {
    const error = errorOf('01 81 01 1c', { sequence: true });
    expect(error.offset).toBe(3);
  });
});

describe('limited reader', () => {
  const cases: [string, string, keyof Limits, number, number][] = [
    ['arrays in arrays', '81 81 81 01', 'depth', 2, 2],
    ['maps in maps', 'a1 61 61 a1 61 62 a1 61 63 01', 'depth', 2, 6],
    ['tags in tags', 'd8 63 d8 63 d8 63 01', 'depth', 2, 4],
    ['Maps as keys', 'a1 a1 a1 00 00 00 00', 'depth', 2, 2],
    ['a record in records', `d9 dfff 83 19 e000 81 61 61 81 80`, 'depth', 2, 11],
    ['items', '82 83 01 02 03 01', 'values', 5, 1],
    ['items of indefinite length', '9f 01 02 03 04 05 ff', 'values', 5, 6],
    ['a declared count', '9b ffffffffffffffff', 'values', 5, 0],
    ['a declared count of entries', 'bb 8000000000000000 61', 'values', 5, 0],
    ['entries of indefinite length', 'bf 61 61 01 61 62 02 61 63 03 ff', 'values', 3, 10],
    ['values of a sequence', '01 02 03', 'values', 2, 2],
    ['a text', '63 616263', 'stringLength', 2, 0],
    ['a text of one byte of length', '78 03 616263', 'stringLength', 2, 0],
    ['a text of two bytes of length', '79 0003 616263', 'stringLength', 2, 0],
    ['a text of eight bytes of length', '7b ffffffffffffffff', 'stringLength', 2, 0],
    ['a text in chunks', '7f 62 6162 61 63 ff', 'stringLength', 2, 4],
    ['a key', 'a1 63 616263 01', 'stringLength', 2, 1],
    ['a date', 'c0 63 616263', 'stringLength', 2, 1],
    ['bytes', '43 010203', 'binaryLength', 2, 0],
    ['missing bytes', '5b 0000000100000000', 'binaryLength', 2 ** 31, 0],
    ['bytes in chunks', '5f 41 01 42 0203 ff', 'binaryLength', 2, 3],
    ['a bignum', 'c2 43 010203', 'binaryLength', 2, 1],
  ];

  test.each(cases)('bounds %s', (_, hex, limit, most, offset) => {
    const options = hex === '01 02 03' ? { sequence: true } : {};
    const error = errorOf(hex, options, { [limit]: most }) as LimitError;
    expect(error).toBeInstanceOf(LimitError);
    expect({ limit: error.limit, offset: error.offset }).toEqual({ limit, offset });
  });

  test('accepts input exactly at the limits', () => {
    for (const [hex, limits] of [
      ['81 81 01', { depth: 2 }],
      ['82 01 02', { values: 3 }],
      ['9f 01 02 ff', { values: 3 }],
      ['62 6162', { stringLength: 2 }],
      ['7f 61 61 61 62 ff', { stringLength: 2 }],
      ['42 0102', { binaryLength: 2 }],
    ] as [string, Partial<Limits>][]) {
      expect(() => decodeWith(cbor, bytesOf(hex), { limits }), hex).not.toThrow();
    }
  });
});

describe('reader under attack', () => {
  function failsSoon(bytes: Uint8Array, expected: string, options: CborOptions = {}): void {
    expect(() => decodeWith(cbor, bytes, { options })).toThrow(expected);
  }

  const repeat = (hex: string, times: number, tail = ''): Uint8Array => {
    const unit = bytesOf(hex);
    const end = bytesOf(tail);
    const bytes = new Uint8Array(unit.length * times + end.length);
    for (let i = 0; i < times; i += 1) bytes.set(unit, i * unit.length);
    bytes.set(end, unit.length * times);
    return bytes;
  };

  test('fails fast on deep nesting', () => {
    failsSoon(repeat('81', 200_000), 'depth');
    failsSoon(repeat('9f', 200_000), 'depth');
    failsSoon(repeat('a1 61 61', 100_000), 'depth');
    failsSoon(repeat('a1', 200_000), 'depth');
    failsSoon(repeat('d8 63', 100_000), 'depth');
    failsSoon(repeat('d9 0102 81', 100_000), 'depth');
    failsSoon(repeat('d8 33 84 80 80 80', 100_000), 'depth');
    failsSoon(repeat('d8 18 5a 00ffffff', 100_000), 'depth', { embedded: 'value' });
    failsSoon(repeat('d9 d9f7', 200_000), 'the input ends');
  });

  test('fails fast on large declared counts and lengths', () => {
    failsSoon(bytesOf('9a 7fffffff'), 'values');
    failsSoon(bytesOf('9b 0000000000ffffff'), 'the input ends');
    failsSoon(bytesOf('ba 3fffffff 61 61'), 'the input ends');
    failsSoon(bytesOf('d9 0102 9a 7ffffffe'), 'values');
    failsSoon(bytesOf('5a 3fffffff'), 'the input ends');
    failsSoon(bytesOf('7a 1fffffe8'), 'the input ends');
    failsSoon(bytesOf('7a 1fffffe9'), 'stringLength');
    failsSoon(repeat('9a 00ffffff', 300), 'values');
  });

  test('fails fast on references to long values', () => {
    const long = `79 ffff ${'61'.repeat(65535)}`;
    failsSoon(Uint8Array.from([...bytesOf(`9a 00030000 d8 1c ${long}`), ...repeat('d8 1d 00', 100_000)]), 'values per byte');
    failsSoon(Uint8Array.from([...bytesOf(`d8 33 84 81 ${long} 80 80 9a 00030000`), ...repeat('e0', 100_000)]), 'values per byte');
  });

  test('fails fast on empty chunks', () => {
    failsSoon(repeat('60', 500_000).with(0, 0x7f), 'the input ends');
  });

  test('fails fast on large exponents', () => {
    const huge = `c2 59 1000 ${'ff'.repeat(4096)}`;
    for (const tag of ['c4', 'c5']) {
      for (const exponent of ['1b ffffffffffffffff', '3b ffffffffffffffff', '1a 0fffffff', '3a 0fffffff']) {
        decodeWith(cbor, bytesOf(`${tag} 82 ${exponent} ${huge}`));
      }
    }
  });
});
