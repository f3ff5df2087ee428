import { encode as cbor2Encode } from 'cbor2';
import { describe, expect, test } from 'vitest';
import cbor from '../../../../../core/formats/cbor/index.ts';
import { assertSame, decodeWith, outcome, sameInEveryCut } from '../../../../setup/ways/differential.ts';
import fc from '../../../../setup/properties/property.ts';
import { anyItem, type Item } from './arbitrary.ts';
import { cbor2Decode, cbor2DecodeSequence } from './reference.ts';

/** cbor2 does not know cbor-x's tags. */
const PLAIN = { cborx: false };

/** Maximum length of items that are cut at every byte. */
const SHORT = 16;

const chunkSizes = fc.array(fc.integer({ min: 1, max: 20 }), { maxLength: 30 });

function decodesAsCbor2(item: Item, options: object, expected: unknown, sizes: number[]): void {
  const bytes = Uint8Array.from(item);
  assertSame(decodeWith(cbor, bytes, { options }), expected);
  assertSame(decodeWith(cbor, bytes, { options, chunkSizes: sizes }), expected);
  if (bytes.length <= SHORT) sameInEveryCut(cbor, bytes, { options });
}

describe('the reader', () => {
  test('agrees with cbor2 if all keys are text', () => {
    fc.assert(
      fc.property(anyItem({ keys: 'text' }), chunkSizes, (item, sizes) => {
        decodesAsCbor2(item, PLAIN, cbor2Decode(Uint8Array.from(item)), sizes);
      }),
      { numRuns: 3_000 },
    );
  });

  test('agrees with cbor2 if no key is text', () => {
    fc.assert(
      fc.property(anyItem({ keys: 'other' }), chunkSizes, (item, sizes) => {
        decodesAsCbor2(item, PLAIN, cbor2Decode(Uint8Array.from(item)), sizes);
      }),
      { numRuns: 2_000 },
    );
  });

  test('agrees with cbor2 if maps are Maps', () => {
    fc.assert(
      fc.property(anyItem({ keys: 'any' }), chunkSizes, (item, sizes) => {
        decodesAsCbor2(item, { ...PLAIN, maps: 'map' }, cbor2Decode(Uint8Array.from(item), { preferMap: true }), sizes);
      }),
      { numRuns: 2_000 },
    );
  });

  test('agrees with cbor2 on sequences', () => {
    fc.assert(
      fc.property(fc.array(anyItem({ keys: 'text', maxLength: 2 }), { maxLength: 4 }), chunkSizes, (items, sizes) => {
        const bytes = items.flat();
        decodesAsCbor2(bytes, { ...PLAIN, sequence: true }, cbor2DecodeSequence(Uint8Array.from(bytes)), sizes);
      }),
      { numRuns: 1_000 },
    );
  });

  test("agrees with cbor2 on cbor2's own output", () => {
    const value = fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withSet: true,
      withTypedArray: true,
      stringUnit: 'binary',
    });
    fc.assert(
      fc.property(value, chunkSizes, (input, sizes) => {
        const bytes = cbor2Encode(input);
        let expected: unknown;
        try {
          expected = cbor2Decode(bytes);
        } catch {
          // cbor2 cannot read all of its output, such as a −0 key next to a 0 key.
          return;
        }
        const ours = outcome(() => decodeWith(cbor, bytes, { options: PLAIN }));
        if ('error' in ours && ours.error.includes('after one that is')) return;
        decodesAsCbor2([...bytes], PLAIN, expected, sizes);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('the reader', () => {
  /** True if a difference from cbor2, which accepts the input or rejects it, is intended. */
  function decided(error: string | undefined, item: Item): boolean {
    if (error === undefined) return false;
    // A map with mixed keys can only become a Map; a pattern must be a string (tag 21066), not convertible to one.
    return error.includes('after one that is') || error.includes('without a source') || item.length === 0;
  }

  const arbitrary = fc.oneof(
    fc.uint8Array({ maxLength: 10 }).map((bytes): Item => [...bytes]),
    fc.tuple(anyItem({ keys: 'text', maxLength: 3 }), fc.nat(), fc.nat(255)).map(([item, place, byte]): Item => item.with(place % item.length, byte)),
    fc.tuple(anyItem({ keys: 'text', maxLength: 3 }), fc.nat()).map(([item, place]): Item => item.slice(0, place % item.length)),
  );

  test('accepts the same arbitrary and damaged bytes as cbor2', () => {
    fc.assert(
      fc.property(arbitrary, (item) => {
        const bytes = Uint8Array.from(item);
        const ours = outcome(() => decodeWith(cbor, bytes, { options: PLAIN }));
        let theirs: { value: unknown } | undefined;
        try {
          theirs = { value: cbor2Decode(bytes) };
        } catch {
          theirs = undefined;
        }
        const error = 'error' in ours ? ours.error : undefined;
        if (decided(error, item)) return;
        if (theirs) {
          expect(error, 'cbor2 accepts it').toBeUndefined();
          assertSame((ours as { value: unknown }).value, theirs.value);
        } else {
          expect(error, 'cbor2 rejects it').toBeDefined();
        }
        if (bytes.length <= SHORT) sameInEveryCut(cbor, bytes, { options: PLAIN });
      }),
      { numRuns: 4_000 },
    );
  });
});
