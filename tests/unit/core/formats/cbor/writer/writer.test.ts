import { encode as cbor2Encode, cdeEncodeOptions } from 'cbor2';
import { Decoder, Encoder } from 'cbor-x';
import { describe, expect, test } from 'vitest';
import cbor, { type CborOptions } from '../../../../../../core/formats/cbor/index.ts';
import writer, { type CborWriteOptions } from '../../../../../../core/formats/cbor/writer.ts';
import { assertSame, decodeWith, outcome } from '../../../../../setup/ways/differential.ts';
import { encodeEveryWay, encodeWith } from '../../../../../setup/ways/encode-with.ts';
import { toHex } from '../../../../../setup/values/hex.ts';
import fc from '../../../../../setup/properties/property.ts';
import { anyValue as anyOf, type Kinds } from '../../messagepack/arbitrary.ts';
import { anyItem } from '../arbitrary.ts';
import { cbor2Decode } from '../reference.ts';
import { asRead } from '../written.ts';

/** Cases per property, more than 20,000 in total. To change: `RUNS=10000 SEED=7 npx vitest …`. */
const settings = { numRuns: 1500 };

type EncoderOptions = ConstructorParameters<typeof Encoder>[0] & Record<string, unknown>;

const anyValue = (kinds: Kinds): fc.Arbitrary<unknown> => anyOf(kinds).map((value) => asRead(value));
const plain: Kinds = { undefined: true, dates: true, bytes: true };
const rich: Kinds = { ...plain, classes: true, maps: true, bigint: 'any' };

/** Write options, matching read options, and kinds of values. */
const combinations: [string, CborWriteOptions, CborOptions, Kinds][] = [
  ['everything', {}, {}, rich],
  ['floats of 64 bits', { float32: 'never' }, {}, plain],
  ['32-bit floats if exact', { float32: 'exact' }, {}, plain],
  ['decimal 32-bit floats', { float32: 'decimal' }, { float32: 'decimal' }, { undefined: true, bytes: true }],
  ['floats for long integers', { int64: 'float' }, {}, plain],
  ['numbers for keys', { numericKeys: true }, { maps: 'object' }, { undefined: true }],
  ['records', { records: true }, {}, rich],
  ['records with few tags', { records: true, maxOwnStructures: 2 }, {}, rich],
  ['bundled strings', { bundleStrings: true }, {}, rich],
  ['records with bundled strings', { records: true, bundleStrings: true }, {}, rich],
  ['references', { references: true }, {}, { ...rich, shared: true }],
  ['references in records with bundled strings', { references: true, records: true, bundleStrings: true }, {}, { ...rich, shared: true }],
  ['packed values', { packedValues: ['id', 'name', 'größe', 'x'] }, { packedValues: ['id', 'name', 'größe', 'x'] }, rich],
  ['a self-described value', { selfDescribed: true }, {}, rich],
];

describe('CBOR round trip', () => {
  test.each(combinations)('preserves values: %s', (_, options, readOptions, kinds) => {
    fc.assert(
      fc.property(anyValue(kinds), (value) => {
        const bytes = encodeEveryWay(writer, value, { options });
        assertSame(decodeWith(cbor, bytes, { options: readOptions }), value);
      }),
      settings,
    );
  });

  test('preserves sequences with records that one item defines and others use', () => {
    fc.assert(
      fc.property(fc.array(anyValue({ ...rich, shared: true }), { maxLength: 5 }), fc.boolean(), (values, bundleStrings) => {
        const bytes = encodeEveryWay(writer, values, { options: { sequence: true, records: true, references: true, bundleStrings } });
        assertSame(decodeWith(cbor, bytes, { options: { sequence: true } }), values);
      }),
      settings,
    );
  });

  test('preserves shared structures that the first values define', () => {
    fc.assert(
      fc.property(anyValue(plain), anyValue(plain), fc.constantFrom(2, 200), (first, second, maxSharedStructures) => {
        const structures: string[][] = [];
        for (const value of [first, second, first]) {
          const bytes = encodeWith(writer, value, { options: { records: true, structures, maxSharedStructures } });
          assertSame(decodeWith(cbor, bytes, { options: { structures } }), value);
        }
      }),
      settings,
    );
  });

  test('preserves all decoded values: tags, simple values, dates, typed arrays', () => {
    let tried = 0;
    let read = 0;
    fc.assert(
      fc.property(anyItem({ keys: 'any' }), (item) => {
        tried += 1;
        const readOptions: CborOptions = { cborx: false, decimals: 'tag' };
        const found = outcome(() => decodeWith(cbor, Uint8Array.from(item), { options: readOptions }));
        if (!('value' in found)) return;
        read += 1;
        const bytes = encoded(() => encodeEveryWay(writer, found.value, { options: { cborx: false } }), 'the string has a lone surrogate');
        if (bytes !== undefined) assertSame(asRead(decodeWith(cbor, bytes, { options: readOptions })), asRead(found.value));
      }),
      settings,
    );
    expect(read).toBeGreaterThan(tried / 3);
  });
});

describe('deterministic CBOR writer', () => {
  test.each(['bytewise', 'length-first'] as const)("passes the reader's check and survives a round trip: %s", (deterministic) => {
    fc.assert(
      fc.property(anyValue({ ...plain, maps: true, bigint: 'any' }), (value) => {
        const bytes = encoded(() => encodeEveryWay(writer, value, { options: { deterministic } }), TWICE);
        // For example, a Map with the keys 1 and 1n.
        if (bytes === undefined) return;
        const [checked, free] = [{ deterministic, maps: 'map' }, { maps: 'map' }].map((options) => decodeWith(cbor, bytes, { options }));
        assertSame(checked, free);
        assertSame(encodeWith(writer, checked, { options: { deterministic } }), bytes);
      }),
      settings,
    );
  });

  test('writes the bytes of cbor2 with bytewise order', () => {
    fc.assert(
      fc.property(anyValue({ undefined: true, bytes: true, maps: true, bigint: 'any' }), (value) => {
        const bytes = encoded(() => encodeWith(writer, value, { options: { deterministic: 'bytewise' } }), TWICE);
        if (bytes !== undefined) expect(toHex(bytes)).toBe(toHex(cbor2Encode(value, cdeEncodeOptions)));
      }),
      settings,
    );
  });
});

/** Options of cbor-x and of this library that write the same bytes. */
const matching: [string, EncoderOptions, CborWriteOptions, Kinds][] = [
  ['maps', { useRecords: false, variableMapSize: true }, { float32: 'never', int64: 'float' }, { undefined: true }],
  ['records', {}, { records: true, float32: 'never' }, { undefined: true }],
  ['bundled strings', { useRecords: false, variableMapSize: true, bundleStrings: true }, { bundleStrings: true, float32: 'never' }, {}],
  ['32-bit floats', { useRecords: false, variableMapSize: true, useFloat32: 1 }, { float32: 'always', int64: 'float' }, {}],
];

describe('CBOR writer', () => {
  test.each(matching)('matches cbor-x byte for byte: %s', (_, encoderOptions, options, kinds) => {
    fc.assert(
      fc.property(anyValue(kinds), (value) => {
        const written = withoutMinusZero(value);
        expect(toHex(encodeWith(writer, written, { options }))).toBe(toHex(new Encoder(encoderOptions).encode(written)));
      }),
      settings,
    );
  });
});

describe('CBOR writer', () => {
  test('writes values that cbor2 decodes', () => {
    fc.assert(
      fc.property(anyValue({ ...plain, bigint: 'any' }), (value) => {
        assertSame(asRead(cbor2Decode(encodeWith(writer, value, { options: { cborx: false } }))), value);
      }),
      settings,
    );
  });

  test('writes references in records that cbor-x decodes', () => {
    fc.assert(
      fc.property(anyValue({ undefined: true, maps: true, bytes: true }), (value) => {
        const bytes = encodeWith(writer, value, { options: { records: true, references: true } });
        assertSame(asRead(new Decoder({ structuredClone: true, mapsAsObjects: false }).decode(bytes)), value);
      }),
      settings,
    );
  });
});

const TWICE = 'duplicate map key';

/** Encoded bytes; undefined if rejected for the given reason. */
function encoded(encode: () => Uint8Array, reason: string): Uint8Array | undefined {
  try {
    return encode();
  } catch (error) {
    expect(error).toMatchObject({ name: 'EncodeError', reason });
    return undefined;
  }
}

/** cbor-x writes −0 as 0. */
function withoutMinusZero(value: unknown): unknown {
  if (typeof value === 'number') return value + 0;
  if (Array.isArray(value)) return value.map(withoutMinusZero);
  if (Object.getPrototypeOf(value ?? 0) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value as object).map(([key, item]) => [key, withoutMinusZero(item)]));
}
