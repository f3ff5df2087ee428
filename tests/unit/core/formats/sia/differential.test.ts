import { describe, expect, test } from 'vitest';
import sia, { createReviveTag, type SiaOptions } from '../../../../../core/formats/sia/index.ts';
import { assertSame, decodeWith, sameInEveryCut } from '../../../../setup/ways/differential.ts';
import fc from '../../../../setup/properties/property.ts';
import { anyValue } from './arbitrary.ts';
import { bufferOf, decode, encode, Far, Farther, hasZeroByte, plain, Point } from './reference.ts';

/** Cases per property, more than 10,000 in total. To change: `RUNS=10000 SEED=7 npx vitest …`. */
const RUNS = 2200;
const FEWER = 1100;
const FEW = 220;
const settings = { numRuns: RUNS };
const revive = createReviveTag({
  7: (x: number, y: unknown) => new Point(x, y),
  300: (x: number, y: unknown) => new Far(x, y),
  70_000: (x: number, y: unknown) => new Farther(x, y),
});

const anyChunks = fc.oneof(
  fc.array(fc.integer({ min: 1, max: 90 }), { maxLength: 40 }),
  fc.integer({ min: 1, max: 7 }).map((size) => Array.from({ length: 500 }, () => size)),
);

describe('the reader', () => {
  test('agrees with the package on bytes that the package can read', () => {
    fc.assert(
      fc.property(anyValue(false), anyChunks, (value, chunkSizes) => {
        const bytes = encode(value);
        const whole = decodeWith(sia, bytes, { revive });
        assertSame(decodeWith(sia, bytes, { revive, chunkSizes }), whole);
        if (!hasZeroByte(value)) assertSame(whole, plain(decode(bytes)));
      }),
      { ...settings, numRuns: RUNS * 2 },
    );
  });

  // The package cannot read a nested Map or Set.
  test('agrees with the package on the values that it writes', () => {
    fc.assert(
      fc.property(anyValue(true), anyChunks, (value, chunkSizes) => {
        const bytes = encode(value);
        const whole = decodeWith(sia, bytes, { revive });
        assertSame(decodeWith(sia, bytes, { revive, chunkSizes }), whole);
        assertSame(whole, plain(value));
      }),
      { ...settings, numRuns: RUNS * 2 },
    );
  });

  test('agrees with the package on consecutive values', () => {
    fc.assert(
      fc.property(fc.array(anyValue(true), { maxLength: 4 }), anyChunks, (values, chunkSizes) => {
        const bytes = Uint8Array.from(values.flatMap((value) => [...encode(value)]));
        const options: SiaOptions = { sequence: true };
        const whole = decodeWith(sia, bytes, { revive, options });
        assertSame(decodeWith(sia, bytes, { revive, options, chunkSizes }), whole);
        assertSame(
          whole,
          values.map((value) => plain(value)),
        );
      }),
      { ...settings, numRuns: FEWER },
    );
  });

  test.each([255, 256, 65_536])('agrees with the package on arrays, bytes, strings and keys of length %i', (length) => {
    const value = [new Array(length).fill(true), bufferOf(new Uint8Array(length).fill(7)), 'x'.repeat(length), { ['y'.repeat(length)]: 1 }];
    assertSame(decodeWith(sia, encode(value)), plain(value));
    const many = Object.fromEntries(Array.from({ length }, (_, i) => [`key${i}`, i]));
    const after = length > 1_000 ? 'after' : many;
    assertSame(decodeWith(sia, encode([many, after])), [many, after]);
  });

  test('gives the same result for values cut at every byte', () => {
    fc.assert(
      fc.property(anyValue(true), (value) => {
        const bytes = encode(value);
        if (bytes.length < 200) sameInEveryCut(sia, bytes, { revive });
      }),
      { ...settings, numRuns: FEW },
    );
  });
});

describe('the reader, compared with a faulty package', () => {
  test('decodes nested Maps and Sets, which the package cannot', () => {
    const value = [new Map([[1, new Set([new Map()])]]), 'after', new Set([[new Set()]])];
    const bytes = encode(value);
    expect(() => decode(bytes)).toThrow();
    assertSame(sameInEveryCut(sia, bytes), { value });
  });

  test("decodes the package's first key, which it repeats in full with a new number each time", () => {
    const value = [
      { a: 1, b: 2 },
      { a: 3, b: 4, c: 5 },
      { c: 6, b: 7, a: 8 },
    ];
    const bytes = encode(value);
    assertSame(sameInEveryCut(sia, bytes), { value });
  });

  // The package's decoder of short strings reads past their end.
  test('decodes a string with a unit whose low byte is zero, which the package cannot', () => {
    const value = ['\0\u0001ÿ', '\u0100', 'a\u0100\u0200b\0', '\0', '\0\0', '\ud800', 'ab\udc00'];
    const bytes = encode(value);
    expect(decode(encode([value[0], 17]))).not.toEqual([value[0], 17]);
    assertSame(sameInEveryCut(sia, bytes), { value });
  });

  test('rejects a value with bigints, since the package does not write them', () => {
    expect(() => decodeWith(sia, encode([1n]))).toThrow('inside a value');
    expect(() => decodeWith(sia, encode({ a: 1n }))).toThrow('is not a value');
  });

  test('agrees that the package rejects a Uint8Array', () => {
    expect(() => encode(Uint8Array.of(1))).toThrow();
  });
});
