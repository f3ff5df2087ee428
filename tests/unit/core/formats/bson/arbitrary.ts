import { Binary, BSONRegExp, BSONSymbol, Code, Decimal128, Double, Int32, Long, MaxKey, MinKey, ObjectId, Timestamp, UUID } from 'bson';
import fc from '../../../../setup/properties/property.ts';

const texts = fc.oneof(
  { weight: 6, arbitrary: fc.string({ maxLength: 20 }) },
  { weight: 3, arbitrary: fc.string({ unit: 'grapheme', maxLength: 20 }) },
  { weight: 1, arbitrary: fc.constantFrom('', 'x'.repeat(300), 'größe', '漢字😀', '\u0000\u007f\u0080') },
);

/** Names without NUL, since it ends a name. */
const names = texts.map((text) => text.replaceAll('\0', ''));

const keys = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('id', 'name', 'kind', 'größe', 'latitude', 'x', '', '__proto__', '$ref') },
  { weight: 1, arbitrary: names },
);

const bytes = fc.uint8Array({ maxLength: 24 }).map((part) => part.slice());
const exactly = (length: number): fc.Arbitrary<Uint8Array> => fc.uint8Array({ minLength: length, maxLength: length }).map((part) => part.slice());
const int64 = fc.oneof(
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.maxSafeInteger().map(BigInt),
  fc.constantFrom(2n ** 53n, 2n ** 53n + 1n, 2n ** 53n - 1n, -(2n ** 53n), -(2n ** 53n) - 1n, 0n, -1n, 2n ** 63n - 1n),
);
const uint32 = fc.nat(0xffff_ffff);
const times = fc.oneof(
  fc.integer({ min: -5000, max: 5000 }),
  fc.maxSafeInteger(),
  fc.constantFrom(253_402_300_799_999, 253_402_300_800_000, 8.64e15, -8.64e15, -1),
);

/** Any decimal, except coefficients of more than 34 digits: these are zero, but the package reads their digits. */
const decimals = exactly(16)
  .filter((part) => {
    const high = part[15]! * 256 + part[14]!;
    if ((high & 0x7800) === 0x7800) return true;
    const coefficient = part.slice(0, 14).reduceRight((sum, byte) => sum * 256n + BigInt(byte), BigInt(high & 1));
    return (high & 0x6000) !== 0x6000 && coefficient < 10n ** 34n;
  })
  .map((part) => new Decimal128(part));

/** Values of every type that both JavaScript and the classes have. */
const scalars: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(null, true, false, undefined, NaN, Infinity, -Infinity, -0, 0, 1e21, 1.5, 5e-324),
  fc.integer(),
  fc.integer({ min: -200, max: 200 }),
  fc.double(),
  fc.double().map((value) => new Double(value)),
  fc.integer().map((value) => new Double(value)),
  fc.integer().map((value) => new Int32(value)),
  int64,
  int64.map((value) => Long.fromBigInt(value)),
  texts,
  texts,
  times.map((time) => new Date(time)),
  bytes,
  fc.tuple(bytes, fc.constantFrom(0, 1, 2, 3, 5, 6, 7, 8, 0x80, 0xff)).map(([part, type]) => new Binary(part, type)),
  exactly(16).map((part) => new UUID(part)),
  bytes.map((part) => new Binary(part.length === 16 ? part.subarray(1) : part, 4)),
  fc.int8Array({ maxLength: 9 }).map((part) => Binary.fromInt8Array(part)),
  fc.float32Array({ maxLength: 9 }).map((part) => Binary.fromFloat32Array(part)),
  fc.array(fc.constantFrom(0, 1), { maxLength: 20 }).map((bits) => Binary.fromBits(bits)),
  exactly(12).map((part) => new ObjectId(part)),
  exactly(12).map((part) => new ObjectId(part)),
  decimals,
  fc
    .tuple(fc.bigInt({ min: -(10n ** 34n), max: 10n ** 34n }), fc.integer({ min: -6176, max: 6000 }))
    .filter(([digits]) => digits < 10n ** 34n && digits > -(10n ** 34n))
    .map(([digits, exponent]) => Decimal128.fromString(`${digits}E${exponent}`)),
  fc
    .tuple(fc.integer({ min: -1e6, max: 1e6 }), fc.integer({ min: -9, max: 3 }))
    .map(([digits, exponent]) => Decimal128.fromString(`${digits}E${exponent}`)),
  fc.tuple(uint32, uint32).map(([t, i]) => new Timestamp({ t, i })),
  texts.map((code) => new Code(code)),
  texts.map((text) => new BSONSymbol(text)),
  fc.constantFrom(new MinKey(), new MaxKey()),
  fc.constantFrom(/a+/, /[/\]]/gi, /^$/m, /x/g),
  fc
    .tuple(fc.constantFrom('a+', '(?:é|x)*', ''), fc.subarray(['i', 'm', 's', 'x', 'l', 'u']))
    .map(([pattern, options]) => new BSONRegExp(pattern, options.join(''))),
);

/** Documents of every shape with values of every type. */
export const anyDocument: fc.Arbitrary<Record<string, unknown>> = fc.letrec<{ value: unknown; document: Record<string, unknown> }>((tie) => ({
  document: fc.uniqueArray(fc.tuple(keys, tie('value')), { maxLength: 7, selector: ([key]) => key }).map(asObject),
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'xsmall' },
    { weight: 8, arbitrary: scalars },
    { weight: 2, arbitrary: fc.array(tie('value'), { maxLength: 12 }) },
    { weight: 2, arbitrary: tie('document') },
    { weight: 1, arbitrary: fc.tuple(texts, tie('document')).map(([code, scope]) => new Code(code, scope as never)) },
    {
      weight: 1,
      // Rows of one shape, some of them without one field.
      arbitrary: fc
        .tuple(fc.uniqueArray(keys, { minLength: 1, maxLength: 5 }), fc.array(fc.array(scalars, { minLength: 4, maxLength: 5 }), { maxLength: 6 }))
        .map(([shape, rows]) => rows.map((row) => asObject(row.slice(0, shape.length).map((part, i) => [shape[i]!, part])))),
    },
  ),
})).document;

/** Object with `__proto__` as an own property. */
function asObject(entries: [string, unknown][]): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  for (const [key, value] of entries) {
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  }
  return object;
}

/** Chunk sizes. */
export const anyChunks = fc.oneof(
  fc.array(fc.integer({ min: 1, max: 90 }), { maxLength: 40 }),
  fc.integer({ min: 1, max: 7 }).map((size) => Array.from({ length: 500 }, () => size)),
);
