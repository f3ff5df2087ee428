import { decode, encode } from '@msgpack/msgpack';
import { FLOAT32_OPTIONS, Packr, Unpackr } from 'msgpackr';
import { describe, expect, test } from 'vitest';
import messagepack, { type MessagePackOptions } from '../../../../../core/formats/messagepack/index.ts';
import writer, { type MessagePackWriteOptions } from '../../../../../core/formats/messagepack/writer.ts';
import { assertSame, decodeWith } from '../../../../setup/ways/differential.ts';
import { encodeEveryWay, encodeWith } from '../../../../setup/ways/encode-with.ts';
import { toHex } from '../../../../setup/values/hex.ts';
import fc from '../../../../setup/properties/property.ts';
import { anyValue as anyOf, type Kinds } from './arbitrary.ts';
import { asWritten, likeOurs } from './reference.ts';

/** Cases per property, more than 20,000 in total. To change: `RUNS=10000 SEED=7 npx vitest …`. */
const settings = { numRuns: 1500 };

/** Values whose objects have the prototype that decoding gives. */
const anyValue = (kinds: Kinds): fc.Arbitrary<unknown> => anyOf(kinds).map((value) => likeOurs(value));

type PackrOptions = ConstructorParameters<typeof Packr>[0] & Record<string, unknown>;

const plain: Kinds = { undefined: true, dates: true, bytes: true };
const rich: Kinds = { ...plain, classes: true, maps: true, bigint: 'any' };

/** Write options, matching read options, and kinds of values. */
const combinations: [string, MessagePackWriteOptions, MessagePackOptions, Kinds][] = [
  ['maps', {}, {}, { ...plain, classes: true }],
  ['maps with heads of three bytes', { mapSize: 'uint16' }, {}, plain],
  ['numbers for keys', { numericKeys: true }, {}, plain],
  ['records', { records: true }, { maps: 'map', int64: 'bigint' }, rich],
  ['records with few ids', { records: true, maxOwnStructures: 2 }, { maps: 'map', int64: 'bigint' }, rich],
  ['records with ids of two bytes', { records: true, maxOwnStructures: 500 }, { maps: 'map', int64: 'bigint' }, rich],
  ['bundled strings', { bundleStrings: true }, {}, plain],
  ['records with bundled strings', { records: true, bundleStrings: true }, { maps: 'map', int64: 'bigint' }, rich],
  ['references', { references: true }, {}, { ...plain, classes: true, shared: true }],
  ['references in records', { references: true, records: true, bundleStrings: true }, { maps: 'map', int64: 'bigint' }, { ...rich, shared: true }],
  ['exact 32-bit floats', { float32: 'exact' }, {}, plain],
  ['decimal 32-bit floats', { float32: 'decimal' }, { float32: 'decimal' }, plain],
  ['floats for long integers', { int64: 'float' }, {}, plain],
  [
    'the specification alone',
    { msgpackr: false, int64: 'float' },
    { msgpackr: false, int64: 'bigint' },
    { bytes: true, dates: false, bigint: 'int64' },
  ],
];

describe('MessagePack round trip', () => {
  test.each(combinations)('preserves values: %s', (_, options, readOptions, kinds) => {
    fc.assert(
      fc.property(anyValue(kinds), (value) => {
        const bytes = encodeEveryWay(writer, value, { options });
        assertSame(decodeWith(messagepack, bytes, { options: readOptions }), value);
      }),
      settings,
    );
  });

  test('preserves sequences with records that one item defines and others use', () => {
    fc.assert(
      fc.property(fc.array(anyValue({ ...rich, shared: true }), { maxLength: 5 }), fc.boolean(), (values, bundleStrings) => {
        const bytes = encodeEveryWay(writer, values, { options: { sequence: true, records: true, references: true, bundleStrings } });
        assertSame(decodeWith(messagepack, bytes, { options: { sequence: true, maps: 'map', int64: 'bigint' } }), values);
      }),
      settings,
    );
  });

  test('preserves shared structures that the first values define', () => {
    fc.assert(
      fc.property(anyValue(plain), anyValue(plain), fc.constantFrom(2, 32, 200), (first, second, maxSharedStructures) => {
        const structures: string[][] = [];
        for (const value of [first, second, first]) {
          const bytes = encodeWith(writer, value, { options: { records: true, structures, maxSharedStructures } });
          assertSame(decodeWith(messagepack, bytes, { options: { maps: 'map', structures } }), value);
          assertSame(likeOurs(new Unpackr({ structures: structures.slice(), maxSharedStructures }).unpack(bytes)), value);
        }
      }),
      settings,
    );
  });
});

/** Options of msgpackr and of this library that write the same bytes. */
const matching: [string, PackrOptions, MessagePackWriteOptions, Kinds][] = [
  ['maps', { useRecords: false, variableMapSize: true, useBigIntExtension: true }, { int64: 'float' }, { undefined: true, bigint: 'any' }],
  ['maps of two bytes for the count', { useRecords: false }, { int64: 'float', mapSize: 'uint16' }, { undefined: true, bigint: 'int64' }],
  ['classes', { useRecords: false, moreTypes: true, variableMapSize: true }, { int64: 'float' }, { classes: true, maps: true, bigint: 'any' }],
  ['records', { moreTypes: true }, { records: true }, { classes: true, undefined: true }],
  ['records with few ids', { maxOwnStructures: 3 }, { records: true, maxOwnStructures: 3 }, {}],
  ['records with ids of two bytes', { maxOwnStructures: 500 }, { records: true, maxOwnStructures: 500 }, {}],
  ['records for some objects', { useRecords: (value: object) => 'id' in value, variableMapSize: true }, { records: (value) => 'id' in value }, {}],
  ['bundled strings', { useRecords: false, bundleStrings: true, variableMapSize: true }, { bundleStrings: true }, {}],
  [
    'structured clones',
    { structuredClone: true, useRecords: false, variableMapSize: true },
    { references: true },
    { shared: true, classes: true, maps: true },
  ],
  ['32-bit floats', { useRecords: false, useFloat32: FLOAT32_OPTIONS.ALWAYS, variableMapSize: true }, { int64: 'float', float32: 'always' }, {}],
  [
    'decimal 32-bit floats',
    { useRecords: false, useFloat32: FLOAT32_OPTIONS.DECIMAL_FIT, variableMapSize: true },
    { int64: 'float', float32: 'decimal' },
    {},
  ],
];

describe('MessagePack writer', () => {
  test.each(matching)('matches msgpackr byte for byte: %s', (_, packrOptions, options, kinds) => {
    fc.assert(
      fc.property(anyValue(kinds), (value) => {
        // msgpackr writes −0 as 0.
        const written = asWritten(value);
        expect(toHex(encodeWith(writer, written, { options }))).toBe(toHex(new Packr(packrOptions).pack(written)));
      }),
      settings,
    );
  });
});

describe('MessagePack writer', () => {
  test('writes structured clones in records with bundled strings that msgpackr decodes', () => {
    fc.assert(
      fc.property(anyValue({ ...rich, shared: false }), (value) => {
        const bytes = encodeWith(writer, value, { options: { records: true, bundleStrings: true, references: true } });
        assertSame(likeOurs(new Unpackr({ structuredClone: true, int64AsType: 'bigint' } as never).unpack(bytes)), likeOurs(value));
      }),
      settings,
    );
  });

  test('writes the bytes of @msgpack/msgpack, which decodes them', () => {
    fc.assert(
      fc.property(anyValue({ bytes: true }), (value) => {
        // @msgpack/msgpack writes −0 as 0.
        const written = asWritten(value);
        const bytes = encodeWith(writer, written, { options: { msgpackr: false } });
        assertSame(likeOurs(decode(bytes)), written);
        expect(toHex(bytes)).toBe(toHex(encode(written)));
      }),
      settings,
    );
  });
});
