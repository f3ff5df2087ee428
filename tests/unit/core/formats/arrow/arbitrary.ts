import fc from '../../../../setup/properties/property.ts';

type Make = fc.Arbitrary<unknown>;

const text = fc.string({ unit: 'grapheme', maxLength: 12 });

const scalars: readonly Make[] = [
  fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
  fc.double(),
  fc.boolean(),
  text,
  fc.date({ noInvalidDate: true, min: new Date(-1e15), max: new Date(1e15) }),
  fc.uint8Array({ maxLength: 12 }).map((bytes) => bytes.slice()),
  // Greater ones are read back as numbers within ±(2⁵³ − 1).
  fc.bigInt({ min: 2n ** 53n, max: 2n ** 63n - 1n }),
  fc.constant(null),
];

const keys = fc.oneof(fc.constantFrom('id', 'name', '__proto__', 'größe', ''), text);

/** The values of a column: of one type, and null. */
function values(depth: number): fc.Arbitrary<Make> {
  const scalar = fc.constantFrom(...scalars);
  const made = depth === 0 ? scalar : fc.oneof({ weight: 4, arbitrary: scalar }, list(depth - 1), struct(depth - 1), map(depth - 1));
  return made.map((value) => fc.option(value, { nil: null, freq: 4 }));
}

function list(depth: number): fc.Arbitrary<Make> {
  return values(depth).map((item) => fc.array(item, { maxLength: 4 }));
}

function struct(depth: number): fc.Arbitrary<Make> {
  return fc.uniqueArray(fc.tuple(keys, values(depth)), { maxLength: 3, selector: ([key]) => key }).map((fields) =>
    fc.tuple(...fields.map(([, value]) => value)).map((made) => {
      const record = {};
      for (const [index, [key]] of fields.entries())
        Object.defineProperty(record, key, { value: made[index], writable: true, enumerable: true, configurable: true });
      return record;
    }),
  );
}

function map(depth: number): fc.Arbitrary<Make> {
  return values(depth).map((value) => fc.array(fc.tuple(text, value), { maxLength: 3 }).map((entries) => new Map(entries)));
}

/** Lists of records whose columns have a type each, with nulls but without absent keys. */
export const tables: fc.Arbitrary<object[]> = struct(2).chain((row) => fc.array(row, { minLength: 1, maxLength: 20 })) as fc.Arbitrary<object[]>;
