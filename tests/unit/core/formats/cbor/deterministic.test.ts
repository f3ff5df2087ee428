import { cdeDecodeOptions, cdeEncodeOptions, decode, encode } from 'cbor2';
import { sortLengthFirstDeterministic } from 'cbor2/sorts';
import { describe, expect, test } from 'vitest';
import { DecodeError } from '../../../../../core/errors.ts';
import cbor, { type CborOptions } from '../../../../../core/formats/cbor/index.ts';
import { assertSame, decodeWith, outcome, sameInEveryCut } from '../../../../setup/ways/differential.ts';
import fc from '../../../../setup/properties/property.ts';
import { anyItem } from './arbitrary.ts';
import { bytesOf } from './bytes.ts';
import { cbor2Decode } from './reference.ts';

const BYTEWISE: CborOptions = { deterministic: 'bytewise', maps: 'map', cborx: false };
const LENGTH_FIRST: CborOptions = { ...BYTEWISE, deterministic: 'length-first' };

describe('deterministic reader', () => {
  const value = fc.anything({ withBigInt: true, withMap: true, withTypedArray: true, stringUnit: 'binary' });

  test.each([
    ['by the bytes of its keys', BYTEWISE, { ...cdeEncodeOptions, rejectDuplicateKeys: true }],
    ['by their length first', LENGTH_FIRST, { ...cdeEncodeOptions, rejectDuplicateKeys: true, sortKeys: sortLengthFirstDeterministic }],
  ])('accepts what cbor2 writes, %s', (_, options, encodeOptions) => {
    fc.assert(
      fc.property(value, (input) => {
        let bytes: Uint8Array;
        try {
          bytes = encode(input, encodeOptions);
        } catch {
          // cbor2 treats 0 and −0 as duplicate keys.
          return;
        }
        assertSame(decodeWith(cbor, bytes, { options }), cbor2Decode(bytes, { preferMap: true }));
      }),
      { numRuns: 1_500 },
    );
  });

  test('accepts input exactly if cbor2 accepts it and floats are shortest', () => {
    fc.assert(
      fc.property(anyItem({ keys: 'any', maxLength: 3 }), (item) => {
        const bytes = Uint8Array.from(item);
        const ours = outcome(() => decodeWith(cbor, bytes, { options: BYTEWISE }));
        let reason: string | undefined;
        try {
          decode(bytes, { ...cdeDecodeOptions, ignoreGlobalTags: true });
        } catch (error) {
          reason = String(error);
        }
        if ('value' in ours) {
          expect(reason).toBeUndefined();
        } else if (reason === undefined) {
          // cbor2 allows longer floats and, if it ignores their tag, bignums.
          expect(ours.error).toMatch(/the float is longer than necessary|a bignum/);
        } else {
          expect(ours.error).toContain('malformed');
        }
        if (bytes.length < 16) sameInEveryCut(cbor, bytes, { options: BYTEWISE });
      }),
      { numRuns: 3_000 },
    );
  });
});

describe('deterministic reader', () => {
  test.each<[string, string, number, string]>([
    ['an integer', '82 01 18 17', 2, 'argument'],
    ['an integer of two bytes', '19 00ff', 0, 'argument'],
    ['an integer of four bytes', '1a 0000ffff', 0, 'argument'],
    ['an integer of eight bytes', '3b 00000000ffffffff', 0, 'argument'],
    ['a length', '58 01 00', 0, 'argument'],
    ['a count', '98 01 00', 0, 'argument'],
    ['a tag', 'd8 07 01', 0, 'argument'],
    ['an array of indefinite length', '9f ff', 0, 'indefinite'],
    ['a map of indefinite length', '81 bf ff', 1, 'indefinite'],
    ['bytes of indefinite length', '5f ff', 0, 'indefinite'],
    ['a float of 32 bits', 'fa 3f800000', 0, 'float'],
    ['an infinity of 32 bits', 'fa 7f800000', 0, 'float'],
    ['a subnormal of 32 bits', 'fa 33800000', 0, 'float'],
    ['a zero of 64 bits', 'fb 8000000000000000', 0, 'float'],
    ['a float of 64 bits', 'fb 3fb99999a0000000', 0, 'float'],
    ['a NaN of 32 bits', 'fa 7fc00000', 0, 'float'],
    ['a NaN of 64 bits', 'fb 7ff8000000000000', 0, 'float'],
    ['a bignum', 'c2 48 ffffffffffffffff', 2, 'fits an integer'],
    ['a bignum with a zero', 'c3 4a 00010000000000000000', 2, 'leading zero'],
    ['keys', 'a2 61 62 01 61 61 02', 4, 'out of order'],
    ['keys of a map in a map', 'a1 61 61 a2 02 01 01 02', 6, 'out of order'],
    ['keys that are arrays', 'a2 81 02 00 81 01 00', 4, 'out of order'],
    ['a duplicate key', 'a2 61 61 01 61 61 02', 4, 'duplicate key'],
    ['tagged keys', 'a2 c1 02 00 c1 01 00', 4, 'out of order'],
  ])('rejects an item with its offset: %s', (_, hex, offset, reason) => {
    const bytes = bytesOf(hex);
    sameInEveryCut(cbor, bytes, { options: BYTEWISE });
    expect(() => decodeWith(cbor, bytes, { options: BYTEWISE })).toThrow(`not deterministic: `);
    try {
      decodeWith(cbor, bytes, { options: BYTEWISE });
    } catch (error) {
      expect((error as DecodeError).message).toContain(reason);
      expect((error as DecodeError).offset).toBe(offset);
    }
    // The value is otherwise valid.
    expect(() => decodeWith(cbor, bytes, { options: { maps: 'map' } })).not.toThrow();
  });

  test('checks the requested key order', () => {
    const shortFirst = bytesOf('a2 20 00 18 64 00');
    const byteFirst = bytesOf('a2 18 64 00 20 00');
    expect(() => decodeWith(cbor, shortFirst, { options: LENGTH_FIRST })).not.toThrow();
    expect(() => decodeWith(cbor, shortFirst, { options: BYTEWISE })).toThrow('out of order');
    expect(() => decodeWith(cbor, byteFirst, { options: BYTEWISE })).not.toThrow();
    expect(() => decodeWith(cbor, byteFirst, { options: LENGTH_FIRST })).toThrow('out of order');
  });

  test('accepts floats that need their length', () => {
    for (const hex of ['fa 3f800001', 'fa 33800001', 'fa 477fe001', 'fa 00000001', 'fb 3ff0000000000001', 'fb 7ff0000000000001', 'fa 7fc00001']) {
      expect(() => decodeWith(cbor, bytesOf(hex), { options: BYTEWISE }), hex).not.toThrow();
    }
  });

  test("rejects invalid CBOR with the reader's usual error", () => {
    for (const hex of ['81', '81 1c', '62 c0ae', '01 02', 'ff', 'a1 01']) {
      const bytes = bytesOf(hex);
      const plain = outcome(() => decodeWith(cbor, bytes));
      const checked = outcome(() => decodeWith(cbor, bytes, { options: { deterministic: 'bytewise' } }));
      if (hex !== 'ff') assertSame(checked, plain);
      else expect(checked).toHaveProperty('error');
    }
  });

  test('rejects a non-deterministic item in a sequence', () => {
    const options: CborOptions = { deterministic: 'bytewise', sequence: true };
    assertSame(decodeWith(cbor, bytesOf('01 02'), { options }), [1, 2]);
    expect(() => decodeWith(cbor, bytesOf('01 18 02'), { options })).toThrow(DecodeError);
  });
});
