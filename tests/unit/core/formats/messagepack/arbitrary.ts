import fc from '../../../../setup/properties/property.ts';

/** Kinds of values to generate in addition to those of JSON. */
export interface Kinds {
  /** Integers that are not safe numbers: of 64 bits, or of any size. */
  bigint?: 'int64' | 'any' | undefined;
  undefined?: boolean;
  dates?: boolean;
  bytes?: boolean;
  /** Set, RegExp, Error, typed arrays, ArrayBuffer. */
  classes?: boolean;
  maps?: boolean;
  /** Values referenced twice. */
  shared?: boolean;
}

/** Lengths around those at which an encoding changes its form. */
const lengths = [0, 1, 3, 4, 15, 16, 17, 31, 32, 33, 63, 64, 255, 256, 4095, 4096, 65_535, 65_536];

const integers = fc.oneof(
  fc.integer({ min: -40, max: 140 }),
  fc.constantFrom(-128, -129, -32_768, -32_769, 255, 256, 65_535, 65_536, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1, 2 ** 32, -(2 ** 31), -(2 ** 31) - 1),
  fc.maxSafeInteger(),
);

const floats = fc.oneof(
  fc.double(),
  fc.float(),
  fc.integer({ min: -1_000_000, max: 1_000_000 }).map((cents) => cents / 100),
);

const texts = fc.oneof(
  { weight: 6, arbitrary: fc.string({ maxLength: 24 }) },
  { weight: 3, arbitrary: fc.string({ unit: 'grapheme', maxLength: 24 }) },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.constantFrom(...lengths.slice(0, 14)), fc.constantFrom('x', 'é', '漢', '😀')).map(([length, unit]) => unit.repeat(length)),
  },
);

/** A few different keys, so that shapes and strings repeat. `__proto__` has separate tests: msgpackr renames it. */
const keys = fc
  .oneof({ weight: 4, arbitrary: fc.constantFrom('id', 'name', 'kind', 'größe', 'latitude', 'x', 'y') }, { weight: 1, arbitrary: texts })
  .filter((key) => key !== '__proto__');

const buffers = fc.uint8Array({ maxLength: 40 }).map((bytes) => bytes.slice());
const aligned = fc.array(buffers, { maxLength: 4 }).map((parts) => {
  const bytes = parts.flatMap((part) => [...part]);
  return Uint8Array.from(bytes.slice(0, bytes.length - (bytes.length % 8)));
});

const classes = [
  Int8Array,
  Uint8ClampedArray,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
  BigInt64Array,
  BigUint64Array,
] as const;

const objects = fc.oneof(
  fc.tuple(fc.constantFrom(...classes), aligned).map(([Class, bytes]) => new Class(bytes.buffer) as unknown),
  aligned.map((bytes) => bytes.buffer as unknown),
  fc
    .tuple(fc.constantFrom(Error, RangeError, TypeError), texts, fc.option(integers))
    .map(([Class, message, cause]) => (cause === null ? new Class(message) : new Class(message, { cause }))),
  fc.constantFrom(/a+/, /[/\]]/gi, /^$/u),
);

/** Values of every size, shape and kind. */
export function anyValue(kinds: Kinds): fc.Arbitrary<unknown> {
  const scalars: fc.WeightedArbitrary<unknown>[] = [
    { weight: 1, arbitrary: fc.constantFrom(null, true, false) },
    { weight: 3, arbitrary: integers },
    { weight: 3, arbitrary: floats },
    { weight: 4, arbitrary: texts },
  ];
  const add = (wanted: boolean | undefined, arbitrary: fc.Arbitrary<unknown>): void => {
    if (wanted) scalars.push({ weight: 1, arbitrary });
  };
  add(kinds.bigint !== undefined, fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n - 1n }));
  add(kinds.bigint === 'any', fc.bigInt({ min: -(2n ** 200n), max: 2n ** 200n }));
  add(kinds.undefined, fc.constant(undefined));
  add(
    kinds.dates,
    fc.oneof(
      fc.date({ noInvalidDate: false }),
      fc.integer({ min: -5000, max: 5000 }).map((time) => new Date(time * 100)),
    ),
  );
  add(kinds.bytes, buffers);
  add(kinds.classes, objects);

  const { root } = fc.letrec<{ root: unknown; value: unknown }>((tie) => {
    const item = tie('value');
    const containers: fc.Arbitrary<unknown>[] = [
      fc.array(item, { maxLength: 7 }),
      fc.dictionary(keys, item, { maxKeys: 7 }),
      // Rows of one shape, some of them without one field.
      fc
        .tuple(fc.uniqueArray(keys, { minLength: 1, maxLength: 5 }), fc.array(fc.array(item, { minLength: 4, maxLength: 5 }), { maxLength: 6 }))
        .map(([names, rows]) => rows.map((row) => Object.fromEntries(row.slice(0, names.length).map((part, i) => [names[i]!, part])))),
    ];
    if (kinds.maps) containers.push(fc.array(fc.tuple(item, item), { maxLength: 4 }).map((pairs) => new Map(pairs)));
    if (kinds.classes) containers.push(fc.array(item, { maxLength: 4 }).map((items) => new Set(items)));
    if (kinds.shared) {
      containers.push(
        fc.tuple(fc.dictionary(keys, item, { maxKeys: 4 }), fc.array(item, { maxLength: 4 }), fc.nat(2)).map(([object, array, how]) => {
          const around = { object, array, again: object, more: [array, object] };
          if (how > 0) Object.assign(object, { object });
          if (how > 1) array.push(around, array);
          return around;
        }),
      );
    }
    return {
      value: fc.oneof({ maxDepth: 3, depthSize: 'xsmall' }, ...scalars, ...containers.map((arbitrary) => ({ weight: 2, arbitrary }))),
      // Mostly containers, since a lone scalar tests little.
      root: fc.oneof({ weight: 1, arbitrary: item }, ...containers.map((arbitrary) => ({ weight: 4, arbitrary }))),
    };
  });
  return root;
}

/** Chunk sizes. */
export const anyChunks = fc.oneof(
  fc.array(fc.integer({ min: 1, max: 90 }), { maxLength: 40 }),
  fc.integer({ min: 1, max: 7 }).map((size) => Array.from({ length: 500 }, () => size)),
);
