import * as bsonPackage from 'bson';
import { BSONRegExp, Code, type Document, EJSON, deserialize, type DeserializeOptions, Long, serialize } from 'bson';
import { describe, expect, test } from 'vitest';
import bson, { type BsonOptions, createReviveTag } from '../../../../../core/formats/bson/index.ts';
import { assertSame, decodeWith, sameInEveryCut } from '../../../../setup/ways/differential.ts';
import fc from '../../../../setup/properties/property.ts';
import { anyChunks, anyDocument } from './arbitrary.ts';

/** Cases per property, more than 10,000 in total. To change: `RUNS=10000 SEED=7 npx vitest …`. */
const RUNS = 1000;
const FEW = 100;
const settings = { numRuns: RUNS };
const revive = createReviveTag(bsonPackage);
const written = { ignoreUndefined: false };

/** Options of the package, and the equivalent options of this reader. */
const classes: [string, DeserializeOptions, BsonOptions][] = [
  ['its classes', {}, { types: 'classes' }],
  ['classes for all', { promoteValues: false, bsonRegExp: true }, { types: 'classes', promoteValues: false }],
  ['bigints', { useBigInt64: true }, { types: 'classes', int64: 'bigint' }],
];

describe('the reader', () => {
  test.each(classes)('agrees with the bson package on %s', (_, theirs, options) => {
    fc.assert(
      fc.property(anyDocument, anyChunks, (value, chunkSizes) => {
        const bytes = Uint8Array.from(serialize(value, written));
        const whole = decodeWith(bson, bytes, { options, revive });
        assertSame(decodeWith(bson, bytes, { options, revive, chunkSizes }), whole);
        assertSame(comparable(whole), comparable(deserialize(bytes, theirs)));
      }),
      settings,
    );
  });

  test.each([true, false])('agrees with the bson package on Extended JSON, relaxed: %s', (relaxed) => {
    const options: BsonOptions = { types: relaxed ? 'relaxed' : 'canonical' };
    fc.assert(
      fc.property(anyDocument, anyChunks, (value, chunkSizes) => {
        const bytes = Uint8Array.from(serialize(value, written));
        const whole = decodeWith(bson, bytes, { options });
        assertSame(decodeWith(bson, bytes, { options, chunkSizes }), whole);
        const document = deserialize(bytes, { promoteValues: false, bsonRegExp: true });
        assertSame(withoutProto(asTheirs(whole)), withoutProto(parsed(document, relaxed)));
      }),
      settings,
    );
  });

  test.each(['auto', 'number', 'bigint', 'string'] as const)('agrees with the bson package on plain values, with 64-bit integers as %s', (int64) => {
    fc.assert(
      fc.property(anyDocument, anyChunks, (value, chunkSizes) => {
        const bytes = Uint8Array.from(serialize(value, written));
        const whole = decodeWith(bson, bytes, { options: { int64 } });
        assertSame(decodeWith(bson, bytes, { options: { int64 }, chunkSizes }), whole);
        const document = deserialize(bytes, { promoteValues: false, bsonRegExp: true });
        assertSame(whole, plain(document, int64));
      }),
      settings,
    );
  });

  test('agrees with the bson package on consecutive documents', () => {
    fc.assert(
      fc.property(fc.array(anyDocument, { maxLength: 4 }), anyChunks, (values, chunkSizes) => {
        const parts = values.map((value) => serialize(value, written));
        const bytes = Uint8Array.from(parts.flatMap((part) => [...part]));
        const options: BsonOptions = { types: 'classes', sequence: true };
        const whole = decodeWith(bson, bytes, { options, revive });
        assertSame(decodeWith(bson, bytes, { options, revive, chunkSizes }), whole);
        assertSame(
          comparable(whole),
          parts.map((part) => comparable(deserialize(part))),
        );
      }),
      settings,
    );
  });

  test('agrees with the bson package on documents truncated at every byte', () => {
    fc.assert(
      fc.property(anyDocument, (value) => {
        const bytes = Uint8Array.from(serialize(value, written));
        if (bytes.length > 400) return;
        for (const options of [{}, { types: 'classes' }, { types: 'canonical' }] as BsonOptions[]) {
          sameInEveryCut(bson, bytes, { options, revive });
        }
      }),
      { ...settings, numRuns: FEW },
    );
  });
});

test('the comparison detects each difference that the properties look for', () => {
  const bytes = serialize({ a: 1 });
  expect(() => assertSame(decodeWith(bson, bytes), { a: 2 })).toThrow('$.a differs');
  expect(() => assertSame(comparable(new bsonPackage.ObjectId('0'.repeat(24))), comparable(new bsonPackage.ObjectId('1'.repeat(24))))).toThrow();
});

/**
 * Converts a value of the bson package to plain values without loss. A document with `$ref` and `$id`, from which the
 * package makes a DBRef, becomes a document again.
 */
function comparable(value: unknown): unknown {
  // The package converts ±2⁵³ to numbers, too.
  if (typeof value === 'number' && Math.abs(value) === 2 ** 53) return { type: 'Long', value: BigInt(value) };
  if (typeof value !== 'object' || value === null || value instanceof Date || value instanceof RegExp) return value;
  if (Array.isArray(value)) return value.map(comparable);
  const type = (value as { _bsontype?: unknown })._bsontype;
  if (typeof type !== 'string' || !(Symbol.for('@@mdb.bson.type') in value)) return mapped(value, comparable);
  if (type === 'DBRef') return refDocument(value as bsonPackage.DBRef, comparable);
  if (value instanceof Code) return { type, code: value.code, scope: comparable(value.scope) };
  if (value instanceof bsonPackage.Binary) {
    return { type, uuid: value instanceof bsonPackage.UUID, subtype: value.sub_type, bytes: Uint8Array.from(value.value()) };
  }
  if (value instanceof bsonPackage.Decimal128) return { type, bytes: Uint8Array.from(value.bytes) };
  if (value instanceof bsonPackage.ObjectId) return { type, hex: value.toHexString() };
  if (value instanceof bsonPackage.Timestamp) return { type, t: value.t, i: value.i };
  if (value instanceof Long) return { type, value: value.toBigInt() };
  if (value instanceof BSONRegExp) return { type, pattern: value.pattern, options: value.options };
  return { type, value: (value as { value?: unknown }).value };
}

/** The document of a DBRef, with sorted keys, since the package loses their order. */
function refDocument(ref: bsonPackage.DBRef, map: (value: unknown) => unknown): unknown {
  const parts: [string, unknown][] = [
    ['$ref', ref.db === undefined ? ref.collection : `${ref.db}.${ref.collection}`],
    ['$id', map(ref.oid)],
  ];
  return { ref: [...parts, ...Object.entries(ref.fields).map(([key, value]) => [key, map(value)])] };
}

function mapped(value: object, map: (value: unknown) => unknown): unknown {
  const result = {};
  for (const [key, inner] of Object.entries(value)) {
    Object.defineProperty(result, key, { value: map(inner), enumerable: true, configurable: true, writable: true });
  }
  return result;
}

/** The package's Extended JSON, parsed from its text, since its objects have no prototype. */
function parsed(document: Document, relaxed: boolean): unknown {
  return JSON.parse(EJSON.stringify(document, { relaxed }));
}

/**
 * Converts Extended JSON to the package's variant: −0 is 0, and undefined is null, where the specification has an object.
 */
function asTheirs(value: unknown): unknown {
  if (value === 0) return 0;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(asTheirs);
  if ('$undefined' in value) return null;
  return mapped(value, asTheirs);
}

/** Removes `__proto__`, which the package loses in Extended JSON if a class contains a document. */
function withoutProto(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutProto);
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== '__proto__')
      .map(([key, inner]) => [key, withoutProto(inner)]),
  );
}

/** Converts a document of package classes to the result of `types: 'plain'`. */
function plain(value: unknown, int64: NonNullable<BsonOptions['int64']>): unknown {
  const map = (inner: unknown): unknown => plain(inner, int64);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (Array.isArray(value)) return value.map(map);
  const type = (value as { _bsontype?: unknown })._bsontype;
  if (typeof type !== 'string' || !(Symbol.for('@@mdb.bson.type') in value)) return mapped(value, map);
  if (value instanceof Code) return value.scope === null ? { $code: value.code } : { $code: value.code, $scope: map(value.scope) };
  if (value instanceof bsonPackage.UUID) return value.toHexString();
  if (value instanceof bsonPackage.Binary) {
    if (value.sub_type === 9 && value.buffer[0] === 3) return value.toInt8Array();
    if (value.sub_type === 9 && value.buffer[0] === 0x27) return value.toFloat32Array();
    return Uint8Array.from(value.value());
  }
  if (value instanceof bsonPackage.Decimal128) return value.toString();
  if (value instanceof bsonPackage.ObjectId) return value.toHexString();
  if (value instanceof bsonPackage.Timestamp) return { $timestamp: { t: value.t, i: value.i } };
  if (value instanceof Long) {
    const exact = value.toBigInt();
    if (int64 === 'bigint') return exact;
    if (int64 === 'string') return value.toString();
    return int64 === 'number' || Number.isSafeInteger(Number(exact)) ? Number(exact) : exact;
  }
  if (value instanceof BSONRegExp) return new RegExp(value.pattern, value.options.replaceAll(/[xlu]/g, '').replace('s', 'g'));
  if (type === 'MinKey') return { $minKey: 1 };
  if (type === 'MaxKey') return { $maxKey: 1 };
  return (value as { value: unknown }).value;
}
