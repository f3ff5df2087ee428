import { create, toBinary, toJson, createRegistry, type JsonValue } from '@bufbuild/protobuf';
import {
  AnySchema,
  anyPack,
  BoolValueSchema,
  BytesValueSchema,
  DoubleValueSchema,
  DurationSchema,
  EmptySchema,
  FieldMaskSchema,
  FloatValueSchema,
  Int32ValueSchema,
  Int64ValueSchema,
  ListValueSchema,
  StringValueSchema,
  StructSchema,
  TimestampSchema,
  UInt32ValueSchema,
  UInt64ValueSchema,
  ValueSchema,
} from '@bufbuild/protobuf/wkt';
import { describe, expect, test } from 'vitest';
import protobuf, { type ProtobufOptions } from '../../../../../../core/formats/protobuf/index.ts';
import { assertSame, decodeWith } from '../../../../../setup/ways/differential.ts';
import { Bytes } from '../random.ts';

const PROTO = `
  syntax = "proto3";
  import "google/protobuf/any.proto"; import "google/protobuf/duration.proto"; import "google/protobuf/empty.proto";
  import "google/protobuf/field_mask.proto"; import "google/protobuf/struct.proto"; import "google/protobuf/timestamp.proto";
  import "google/protobuf/wrappers.proto";
  message M {
    google.protobuf.Timestamp timestamp = 1; google.protobuf.Duration duration = 2; google.protobuf.Empty empty = 3;
    google.protobuf.FieldMask mask = 4; google.protobuf.Struct struct = 5; google.protobuf.Value value = 6;
    google.protobuf.ListValue list = 7; google.protobuf.Any any = 8; repeated google.protobuf.Int32Value ints = 9;
    google.protobuf.NullValue nothing = 10; map<string, google.protobuf.Value> values = 11; Plain plain = 12;
  }
  message Plain { int32 a = 1; string b = 2; }`;
const schema = (await protobuf.compileSchema!({ proto: PROTO, message: 'M' }))!;
const value: ProtobufOptions = { wellKnownTypes: 'value', defaults: 'none', int64: 'string' };

/** Decodes the given fields. */
function decode(fields: Record<number, Uint8Array>, options = value): Record<string, unknown> {
  const bytes = new Bytes();
  for (const [number, content] of Object.entries(fields)) {
    bytes.tag(Number(number), 2);
    bytes.delimited(content);
  }
  return decodeWith(protobuf, Uint8Array.from(bytes.list), { schema, options }) as Record<string, unknown>;
}

const JSON_VALUES: JsonValue[] = [
  null,
  true,
  false,
  0,
  -1.5,
  '',
  'text',
  [],
  {},
  [1, [2, [null]], { a: [] }],
  { a: 1, b: { c: [null, { d: 'x' }] }, '': false },
];

describe('Protocol Buffers reader of well-known types as values', () => {
  test('decodes a Value, a ListValue and a Struct to their JSON values', () => {
    for (const json of JSON_VALUES) {
      const of = (item: JsonValue): Uint8Array => toBinary(ValueSchema, jsonValue(item));
      assertSame(decode({ 6: of(json) }), { value: json });
      assertSame(decode({ 7: toBinary(ListValueSchema, create(ListValueSchema, { values: [jsonValue(json)] })) }), { list: [json] });
      assertSame(decode({ 5: toBinary(StructSchema, create(StructSchema, { fields: { k: jsonValue(json) } })) }), { struct: { k: json } });
    }
    assertSame(decode({ 5: new Uint8Array(0), 6: new Uint8Array(0), 7: new Uint8Array(0) }), { struct: {}, value: null, list: [] });
  });

  test.each([
    [0n, 0],
    [1n, 0],
    [-1n, 500_000_000],
    [1_700_000_000n, 123_456_789],
    [-62_135_596_800n, 0],
    [253_402_300_799n, 999_999_999],
  ])('decodes a Timestamp of %s s and %s ns to a Date', (seconds, nanos) => {
    const bytes = toBinary(TimestampSchema, create(TimestampSchema, { seconds, nanos }));
    assertSame(decode({ 1: bytes }), { timestamp: new Date(Number(seconds) * 1000 + Math.floor(nanos / 1e6)) });
  });

  test.each([
    [0n, 0],
    [1n, 0],
    [3n, 1],
    [3n, 1_000_000],
    [3n, 1_000],
    [-3n, -500_000_000],
    [0n, -5],
    [315_576_000_000n, 999_999_999],
  ])('decodes a Duration of %s s and %s ns to text', (seconds, nanos) => {
    const message = create(DurationSchema, { seconds, nanos });
    assertSame(decode({ 2: toBinary(DurationSchema, message) }), { duration: toJson(DurationSchema, message) });
  });

  // Durations outside the specification.
  test.each([
    [1n, -1, '0.999999999s'],
    [-1n, 1, '-0.999999999s'],
    [1n, 1_500_000_000, '2.500s'],
    [-1n, -1_000_000_000, '-2s'],
    [2n, -2_000_000_001, '-0.000000001s'],
  ])('decodes an invalid Duration of %s s and %s ns to the text of its sum', (seconds, nanos, text) => {
    const message = create(DurationSchema, { seconds, nanos });
    assertSame(decode({ 2: toBinary(DurationSchema, message) }), { duration: text });
  });

  test('decodes wrappers to their values', async () => {
    const holders = [
      [DoubleValueSchema, { value: 1.5 }],
      [FloatValueSchema, { value: 0.5 }],
      [Int64ValueSchema, { value: -5n }],
      [UInt64ValueSchema, { value: 2n ** 64n - 1n }],
      [Int32ValueSchema, { value: -1 }],
      [UInt32ValueSchema, { value: 7 }],
      [BoolValueSchema, { value: true }],
      [StringValueSchema, { value: 'x' }],
      [BytesValueSchema, { value: Uint8Array.of(1) }],
    ] as const;
    for (const [desc, init] of holders) {
      const of = (await protobuf.compileSchema!({ proto: 'syntax = "proto3"; import "google/protobuf/wrappers.proto";', message: desc.typeName }))!;
      const decodeHolder = (bytes: Uint8Array): unknown => decodeWith(protobuf, bytes, { schema: of, options: value });
      const held = decodeHolder(toBinary(desc as typeof StringValueSchema, create(desc as typeof StringValueSchema, init as { value: string })));
      assertSame(held, typeof init.value === 'bigint' ? String(init.value) : init.value);
      const zero = desc === BytesValueSchema ? new Uint8Array(0) : toJson(desc as typeof StringValueSchema, create(desc as typeof StringValueSchema));
      assertSame(decodeHolder(new Uint8Array(0)), zero);
    }
    const ints = new Bytes();
    ints.bytes([0x4a, 2, 8, 5, 0x4a, 0, 0x4a, 4, 8, 1, 8, 2]);
    assertSame(decodeWith(protobuf, Uint8Array.from(ints.list), { schema, options: value }), { ints: [5, 0, 2] });
  });

  test('decodes a FieldMask to its paths', () => {
    const mask = toBinary(FieldMaskSchema, create(FieldMaskSchema, { paths: ['a.b_c', 'd', 'é'] }));
    assertSame(decode({ 4: mask, 3: toBinary(EmptySchema, create(EmptySchema)) }), { empty: {}, mask: 'a.b_c,d,é' });
    assertSame(decode({ 4: new Uint8Array(0) }), { mask: '' });
  });

  test('decodes an Any to its message with the type, or to the value of a well-known type', () => {
    const registry = createRegistry(DurationSchema, StructSchema);
    for (const [desc, init] of [
      [DurationSchema, { seconds: 3n }],
      [StructSchema, { fields: { a: jsonValue(1) } }],
    ] as const) {
      const any = anyPack(desc as typeof DurationSchema, create(desc as typeof DurationSchema, init as object));
      expect(decode({ 8: toBinary(AnySchema, any) })).toEqual({ any: toJson(AnySchema, any, { registry }) });
    }
    const plain = toBinary(AnySchema, create(AnySchema, { typeUrl: 'type.googleapis.com/Plain', value: Uint8Array.of(0x12, 1, 0x78, 8, 5) }));
    assertSame(decode({ 8: plain }), { any: { '@type': 'type.googleapis.com/Plain', a: 5, b: 'x' } });
    assertSame(decode({ 8: plain }, { ...value, defaults: 'all' })['any'], { '@type': 'type.googleapis.com/Plain', a: 5, b: 'x' });
    const unknown = toBinary(AnySchema, create(AnySchema, { typeUrl: 'x/y.Z', value: Uint8Array.of(1, 2) }));
    assertSame(decode({ 8: unknown }), { any: { '@type': 'x/y.Z', value: Uint8Array.of(1, 2) } });
    assertSame(decode({ 8: new Uint8Array(0) }), { any: { value: new Uint8Array(0) } });
    const nested = toBinary(AnySchema, create(AnySchema, { typeUrl: '/google.protobuf.Any', value: plain }));
    assertSame(decode({ 8: nested }), {
      any: { '@type': '/google.protobuf.Any', value: { '@type': 'type.googleapis.com/Plain', a: 5, b: 'x' } },
    });
  });

  test('merges split messages', () => {
    const whole = Uint8Array.of(0x0a, 2, 8, 5, 0x62, 0, 0x0a, 4, 0x10, 0x80, 0x89, 0x7a);
    assertSame(decodeWith(protobuf, whole, { schema, options: value }), { timestamp: new Date(5002), plain: {} });
  });

  test('bounds the depth of Struct and Value', () => {
    let json: JsonValue = 1;
    for (let i = 0; i < 400; i += 1) json = [json];
    expect(() => decode({ 6: toBinary(ValueSchema, jsonValue(json)) }, value)).toThrow('depth limit exceeded (1000)');
  });
});

test('decodes well-known types like other messages with the option `message`', () => {
  const timestamp = toBinary(TimestampSchema, create(TimestampSchema, { seconds: 5n }));
  assertSame(decode({ 1: timestamp, 6: toBinary(ValueSchema, jsonValue([true])) }, { defaults: 'none' }), {
    timestamp: { seconds: 5 },
    value: { listValue: { values: [{ boolValue: true }] } },
  });
});

/** A Value message for a value of JSON. */
function jsonValue(json: JsonValue): ReturnType<typeof create<typeof ValueSchema>> {
  if (json === null) return create(ValueSchema, { kind: { case: 'nullValue', value: 0 } });
  if (typeof json === 'boolean') return create(ValueSchema, { kind: { case: 'boolValue', value: json } });
  if (typeof json === 'number') return create(ValueSchema, { kind: { case: 'numberValue', value: json } });
  if (typeof json === 'string') return create(ValueSchema, { kind: { case: 'stringValue', value: json } });
  if (Array.isArray(json)) return create(ValueSchema, { kind: { case: 'listValue', value: { values: json.map(jsonValue) } } });
  return create(ValueSchema, {
    kind: { case: 'structValue', value: { fields: Object.fromEntries(Object.entries(json).map(([key, item]) => [key, jsonValue(item)])) } },
  });
}
