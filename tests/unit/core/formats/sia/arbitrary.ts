import fc from '../../../../setup/properties/property.ts';
import { bufferOf, Far, Farther, Point } from './reference.ts';

/** Strings shorter than 60 units are written as utfz, longer ones as UTF-8. */
const texts = fc.oneof(
  { weight: 5, arbitrary: fc.string({ maxLength: 20 }) },
  { weight: 3, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }).filter((text) => text.length < 60) },
  {
    weight: 2,
    arbitrary: fc
      .array(fc.constantFrom(0, 1, 0x41, 0x7f, 0x80, 0xff, 0x100, 0x101, 0x1ff, 0x2000, 0x20ac, 0xd800, 0xdc00, 0xffff), { maxLength: 59 })
      .map((units) => String.fromCharCode(...units)),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom(59, 60, 61, 84, 85, 86, 255, 256, 700), fc.constantFrom('x', 'é', '漢', '😀'))
      .map(([length, unit]) => unit.repeat(length)),
  },
);
const keys = fc
  .oneof({ weight: 4, arbitrary: fc.constantFrom('id', 'name', 'größe', 'x', '', 'first', 'kind') }, { weight: 1, arbitrary: texts })
  .filter((key) => key !== '__proto__');

const scalars = fc.oneof(
  fc.constantFrom(null, undefined, true, false, NaN, Infinity, -Infinity, -0, 0, 1.5, 5e-324),
  fc.constantFrom(
    127,
    128,
    255,
    256,
    65_535,
    65_536,
    2 ** 31,
    2 ** 32 - 1,
    2 ** 32,
    -1,
    -128,
    -129,
    -32_768,
    -32_769,
    -(2 ** 31),
    -(2 ** 31) - 1,
    2 ** 60,
  ),
  fc.integer(),
  fc.double(),
  texts,
  texts,
  fc.oneof(fc.maxSafeInteger(), fc.integer(), fc.constantFrom(NaN, 0, 255, -1, 8.64e15)).map((time) => new Date(time)),
  fc.constantFrom(/a+/, /[/\]]/gi, /^$/u),
  fc
    .oneof(
      fc.uint8Array({ maxLength: 40 }),
      fc.constantFrom(255, 256).map((length) => new Uint8Array(length)),
    )
    .map(bufferOf),
);

/** Arbitrary value. If `nested`, Maps and Sets occur anywhere. */
export function anyValue(nested: boolean): fc.Arbitrary<unknown> {
  return fc.letrec<{ value: unknown }>((tie) => {
    const item = tie('value');
    const containers: fc.Arbitrary<unknown>[] = [
      fc.array(item, { maxLength: 7 }),
      fc.dictionary(keys, item, { maxKeys: 7 }).map((object) => ({ ...object })),
      fc.tuple(fc.constantFrom(Point, Far, Farther), fc.integer(), item).map(([Class, x, y]) => new Class(x, y)),
      fc
        .tuple(fc.uniqueArray(keys, { minLength: 1, maxLength: 5 }), fc.array(fc.array(scalars, { minLength: 4, maxLength: 5 }), { maxLength: 6 }))
        .map(([names, rows]) => rows.map((row) => Object.fromEntries(row.slice(0, names.length).map((part, i) => [names[i]!, part])))),
    ];
    if (nested) {
      containers.push(fc.array(item, { maxLength: 4 }).map((items) => new Set(items)));
      containers.push(fc.array(fc.tuple(item, item), { maxLength: 4 }).map((pairs) => new Map(pairs)));
    }
    return {
      value: fc.oneof(
        { maxDepth: 3, depthSize: 'xsmall' },
        { weight: 7, arbitrary: scalars },
        ...containers.map((arbitrary) => ({ weight: 2, arbitrary })),
      ),
    };
  }).value;
}
