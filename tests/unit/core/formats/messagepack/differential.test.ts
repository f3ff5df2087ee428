import { decode, encode, ExtData, ExtensionCodec } from '@msgpack/msgpack';
import { Packr, Unpackr } from 'msgpackr';
import { describe, expect, test } from 'vitest';
import messagepack, { type MessagePackOptions } from '../../../../../core/formats/messagepack/index.ts';
import { caseCount } from '../../../../setup/properties/case-count.ts';
import { assertSame, decodeWith, difference, outcome } from '../../../../setup/ways/differential.ts';
import fc from '../../../../setup/properties/property.ts';
import { anyChunks, anyValue, type Kinds } from './arbitrary.ts';
import { asWritten, likeOurs } from './reference.ts';

/** Cases per property, more than 20,000 in total. To change: `RUNS=10000 SEED=7 npx vitest …`. */
const RUNS = 800;
const settings = { numRuns: RUNS };

type Options = ConstructorParameters<typeof Packr>[0] & Record<string, unknown>;

const plain: Kinds = { undefined: true, dates: true, bytes: true };
const rich: Kinds = { ...plain, classes: true, maps: true, bigint: 'any' };

/** Options of msgpackr, options of this reader, and kinds of values. */
const combinations: [string, object, MessagePackOptions, Kinds][] = [
  ['maps', { useRecords: false }, {}, plain],
  ['maps of exact size', { useRecords: false, variableMapSize: true }, {}, plain],
  ['maps with numbers for keys', { useRecords: false, coercibleKeyAsNumber: true }, {}, plain],
  ['Maps', { useRecords: false, mapsAsObjects: false, moreTypes: true, useBigIntExtension: true }, { maps: 'map', int64: 'bigint' }, rich],
  ['records', {}, { maps: 'map' }, plain],
  ['records with few ids', { maxOwnStructures: 3 }, { maps: 'map' }, plain],
  ['records with ids of two bytes', { maxOwnStructures: 500 }, { maps: 'map' }, plain],
  ['bundled strings', { useRecords: false, bundleStrings: true }, {}, plain],
  ['records with bundled strings', { bundleStrings: true }, { maps: 'map' }, plain],
  ['structured clones', { structuredClone: true }, { maps: 'map', int64: 'bigint' }, { ...rich, shared: true }],
  ['structured clones of maps', { structuredClone: true, useRecords: false }, { int64: 'bigint' }, { ...rich, maps: false, shared: true }],
  [
    'structured clones with bundled strings',
    { structuredClone: true, bundleStrings: true },
    { maps: 'map', int64: 'bigint' },
    { ...rich, shared: true },
  ],
  ['32-bit floats', { useRecords: false, useFloat32: 1 }, {}, plain],
  ['decimal 32-bit floats', { useRecords: false, useFloat32: 4 }, { float32: 'decimal' }, plain],
  ['rounded 32-bit floats', { useFloat32: 3 }, { float32: 'decimal', maps: 'map' }, plain],
  [
    'numbers for 64-bit integers',
    { useRecords: false, int64AsType: 'number', useBigIntExtension: true },
    { int64: 'number' },
    { ...plain, bigint: 'any' },
  ],
  [
    'text for 64-bit integers',
    { useRecords: false, int64AsType: 'string', useBigIntExtension: true },
    { int64: 'string' },
    { ...plain, bigint: 'any' },
  ],
  [
    '64-bit integers as they fit',
    { useRecords: false, int64AsType: 'auto', useBigIntExtension: true },
    { int64: 'auto' },
    { ...plain, bigint: 'any' },
  ],
];

describe('the reader', () => {
  test.each(combinations)('agrees with msgpackr on %s', (_, packrOptions, options, kinds) => {
    fc.assert(
      fc.property(anyValue(kinds), anyChunks, (value, chunkSizes) => {
        const packr = new Packr({ ...packrOptions });
        const bytes = Uint8Array.from(packr.pack(value));
        const whole = decodeWith(messagepack, bytes, { options });
        assertSame(decodeWith(messagepack, bytes, { options, chunkSizes }), whole);
        // msgpackr cannot read all cycles that it writes.
        assertSame(whole, kinds.shared ? asWritten(value) : likeOurs(packr.unpack(bytes)));
      }),
      settings,
    );
  });

  test('agrees with msgpackr on shared structures', () => {
    fc.assert(
      fc.property(anyValue(plain), anyValue(plain), fc.constantFrom(2, 32, 200), anyChunks, (first, second, most, chunkSizes) => {
        let structures: unknown;
        const store = {
          getStructures: () => structures,
          saveStructures: (saved: unknown) => void (structures = JSON.parse(JSON.stringify(saved))),
        };
        const packr = new Packr({ maxSharedStructures: most, ...store } as never);
        for (const value of [first, second]) {
          const bytes = Uint8Array.from(packr.pack(value));
          const options: MessagePackOptions = { maps: 'map', structures: (structures ?? []) as string[][] };
          const whole = decodeWith(messagepack, bytes, { options });
          assertSame(decodeWith(messagepack, bytes, { options, chunkSizes }), whole);
          assertSame(whole, likeOurs(new Unpackr({ getStructures: () => structures } as never).unpack(bytes)));
        }
      }),
      settings,
    );
  });

  test.each([
    ['records', { sequential: true }, true],
    ['maps', { useRecords: false }, false],
    ['bundled strings', { useRecords: false, bundleStrings: true }, false],
  ])('agrees with msgpackr on sequences of %s', (_, packrOptions, maps) => {
    fc.assert(
      fc.property(fc.array(anyValue(plain), { minLength: 1, maxLength: 5 }), anyChunks, (values, chunkSizes) => {
        const packr = new Packr({ ...packrOptions });
        const bytes = Uint8Array.from(values.flatMap((value) => [...packr.pack(value)]));
        const options: MessagePackOptions = { maps: maps ? 'map' : 'object', sequence: true };
        const whole = decodeWith(messagepack, bytes, { options });
        assertSame(decodeWith(messagepack, bytes, { options, chunkSizes }), whole);
        // msgpackr confuses keys of different values when it reads bundled strings in a sequence.
        const reference = new Unpackr(maps ? { sequential: true } : { useRecords: false });
        assertSame(whole, 'bundleStrings' in packrOptions ? asWritten(values) : likeOurs(reference.unpackMultiple(bytes)));
      }),
      settings,
    );
  });
});

describe('the reader', () => {
  const standard: MessagePackOptions = { msgpackr: false, int64: 'number' };
  const revive = (_tag: string, inner: unknown): unknown => new ExtData(...(inner as [number, Uint8Array]));
  const extensions = new ExtensionCodec();
  extensions.register({
    type: 7,
    encode: (value) => (value instanceof Set ? encode([...value].length) : null),
    decode: (data) => new ExtData(7, data.slice()),
  });

  test.each([
    ['numbers for 64-bit integers', {}, standard],
    ['sorted keys and 32-bit floats', { sortKeys: true, forceFloat32: true }, standard],
    ['bigints for 64-bit integers', { useBigInt64: true as const }, { ...standard, int64: 'bigint' }],
  ] as [string, { useBigInt64?: true; sortKeys?: boolean }, MessagePackOptions][])(
    'agrees with @msgpack/msgpack on %s',
    (_, encodeOptions, options) => {
      fc.assert(
        fc.property(
          anyValue({ dates: true, bytes: true, bigint: encodeOptions.useBigInt64 && 'int64' }),
          fc.uint8Array(),
          fc.integer({ min: -128, max: 127 }),
          anyChunks,
          (value, data, type, chunkSizes) => {
            const bytes = encode([value, type === -1 ? null : new ExtData(type, data), new Set([1])], {
              ...encodeOptions,
              extensionCodec: extensions,
            });
            const whole = decodeWith(messagepack, bytes, { options, revive });
            assertSame(decodeWith(messagepack, bytes, { options, revive, chunkSizes }), whole);
            const reference = decode(bytes, { extensionCodec: extensions, ...encodeOptions });
            assertSame(whole, likeOurs(reference));
          },
        ),
        settings,
      );
    },
  );

  test('agrees with @msgpack/msgpack on damaged input that both accept', () => {
    let accepted = 0;
    fc.assert(
      fc.property(
        anyValue({ dates: true, bytes: true }),
        fc.array(fc.tuple(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), fc.integer({ min: 0, max: 255 })), {
          minLength: 1,
          maxLength: 3,
        }),
        anyChunks,
        (value, changes, chunkSizes) => {
          const bytes = encode(value).slice();
          for (const [where, byte] of changes) bytes[Math.floor(where * bytes.length)] = byte;
          const setting = { options: standard, revive };
          const found = outcome(() => decodeWith(messagepack, bytes, setting));
          assertSame(
            outcome(() => decodeWith(messagepack, bytes, { ...setting, chunkSizes })),
            found,
          );
          let reference: { value: unknown } | undefined;
          try {
            reference = { value: likeOurs(decode(bytes)) };
          } catch {
            reference = undefined;
          }
          if ('value' in found) {
            accepted += 1;
            // It rejects the key `__proto__`.
            if (reference) assertSame(found, reference);
            else expect(JSON.stringify(found)).toContain('__proto__');
          } else if (reference) {
            expect(found.error).toMatch(/invalid-utf8|a billion nanoseconds|more than the limit|neither a string nor a number/);
          }
        },
      ),
      { ...settings, numRuns: RUNS * 2 },
    );
    expect(accepted).toBeGreaterThan(caseCount(RUNS * 2) / 20);
  });
});

test('damaged msgpackr input gives a value or a typed error, the same for any chunks', () => {
  const options: MessagePackOptions = { maps: 'map' };
  fc.assert(
    fc.property(
      anyValue({ ...rich, shared: true }),
      fc.constantFrom<Options>(
        { structuredClone: true },
        { structuredClone: true, bundleStrings: true },
        { structuredClone: true, useRecords: false },
      ),
      fc.array(fc.tuple(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), fc.integer({ min: 0, max: 255 })), {
        minLength: 1,
        maxLength: 3,
      }),
      fc.boolean(),
      anyChunks,
      (value, packrOptions, changes, shorten, chunkSizes) => {
        const packr = new Packr({ useBigIntExtension: true, ...packrOptions });
        let bytes = Uint8Array.from(packr.pack(value));
        for (const [where, byte] of changes) bytes[Math.floor(where * bytes.length)] = byte;
        if (shorten) bytes = bytes.subarray(0, Math.ceil(changes[0]![0] * bytes.length));
        const whole = outcome(() => decodeWith(messagepack, bytes, { options }));
        const cut = outcome(() => decodeWith(messagepack, bytes, { options, chunkSizes }));
        expect(difference(cut, whole)).toBeUndefined();
      },
    ),
    { ...settings, numRuns: RUNS * 2 },
  );
});
