import {
  create,
  createFileRegistry,
  type DescMessage,
  fromBinary,
  fromJson,
  fromJsonString,
  type JsonValue,
  type Registry,
  toBinary,
  toJson,
} from '@bufbuild/protobuf';
import {
  FieldDescriptorProto_Label as Label,
  FileDescriptorProtoSchema,
  file_google_protobuf_any,
  file_google_protobuf_duration,
  file_google_protobuf_empty,
  file_google_protobuf_field_mask,
  file_google_protobuf_struct,
  file_google_protobuf_timestamp,
  file_google_protobuf_wrappers,
} from '@bufbuild/protobuf/wkt';
import { describe, expect, test } from 'vitest';
import protobuf, { type ProtobufOptions } from '../../../../../core/formats/protobuf/index.ts';
import type { ProtobufSchema } from '../../../../../core/formats/protobuf/schema/schema.ts';
import protobufWriter from '../../../../../core/formats/protobuf/writer.ts';
import protojson, { type ProtoJsonOptions } from '../../../../../core/formats/protojson/index.ts';
import writer from '../../../../../core/formats/protojson/writer.ts';
import { DecodeError } from '../../../../../core/errors.ts';
import { createPartial } from '../../../../../main/partial.ts';
import { decodeSync } from '../../../../../main/sync.ts';
import { caseCount } from '../../../../setup/properties/case-count.ts';
import { assertSame, decodeWith, sameInEveryCut } from '../../../../setup/ways/differential.ts';
import { encodeErrorOf, encodeEveryWay, encodeWith } from '../../../../setup/ways/encode-with.ts';
import { bufbuildMessage, descriptorSetOf } from '../protobuf/compare.ts';
import { Dice, randomMessage, randomProto, type Syntax } from '../protobuf/random.ts';

const SYNTAXES: readonly Syntax[] = ['proto2', 'proto3', '2023'];
const MAX_BYTES = 20_000;

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const compile = async (proto: string, message = 't.M0'): Promise<ProtobufSchema> => (await protobuf.compileSchema!({ proto, message }))!;
const decode = (schema: ProtobufSchema, text: string, options: ProtoJsonOptions = {}, chunkSizes: number[] = []): unknown =>
  decodeWith(protojson, utf8(text), { schema, options, chunkSizes });
const decodeBytes = (schema: ProtobufSchema, bytes: Uint8Array, options: ProtobufOptions = {}): unknown =>
  decodeWith(protobuf, bytes, { schema, options });

/** A random message; undefined where required messages make it endless. */
function messageOf(dice: Dice, schema: ProtobufSchema): Uint8Array | undefined {
  try {
    const bytes = Uint8Array.from(randomMessage(dice, schema, schema.root, { orderly: true, inRange: true }));
    return bytes.length > MAX_BYTES ? undefined : bytes;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** `JSON.stringify` writes −0 as 0. */
function withNegativeZero(json: JsonValue): JsonValue {
  if (Object.is(json, -0)) return '-0';
  if (Array.isArray(json)) return json.map(withNegativeZero);
  if (typeof json !== 'object' || json === null) return json;
  return Object.fromEntries(Object.entries(json).map(([key, item]) => [key, withNegativeZero(item)]));
}

/** Orders the keys of Maps, which the objects of JSON order by themselves. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (value instanceof Map)
    return new Map([...value].map(([key, item]) => [key, ordered(item)] as const).sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)));
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, ordered(item)]));
}

const randomOptions = (dice: Dice): ProtobufOptions & ProtoJsonOptions => ({
  names: dice.pick(['json', 'proto'] as const),
  int64: dice.pick(['auto', 'number', 'bigint', 'string'] as const),
  enums: dice.pick(['number', 'name'] as const),
  defaults: dice.pick(['implicit', 'all', 'none'] as const),
  maps: dice.pick(['object', 'map'] as const),
  oneofs: dice.chance(0.5),
  partial: true,
});

/** A random message with its schema, and its type in protobuf-es. */
interface Case {
  readonly schema: ProtobufSchema;
  readonly desc: ReturnType<typeof bufbuildMessage>;
  readonly bytes: Uint8Array;
  readonly dice: Dice;
  readonly index: number;
}

/** Calls `check` with 100 random messages of each of many random schemas. The text that it notes is added to its error. */
async function eachMessage(syntax: Syntax, seed: number, check: (given: Case, note: (text: string) => void) => void): Promise<void> {
  for (let count = 0; count < caseCount(6000) / 100; count += 1) {
    const dice = new Dice(seed + count * 3 + SYNTAXES.indexOf(syntax));
    const proto = randomProto(dice, syntax);
    const schema = await compile(proto);
    const desc = bufbuildMessage(descriptorSetOf(schema, 't', syntax), 't.M0');
    for (let index = 0; index < 100; index += 1) {
      const bytes = messageOf(dice, schema);
      if (bytes === undefined) continue;
      let noted = '';
      try {
        check({ schema, desc, bytes, dice, index }, (text) => (noted = text));
      } catch (error) {
        throw new Error(`seed ${count}, message ${index}\n${proto}\n${noted}`, { cause: error });
      }
    }
  }
}

describe.each(SYNTAXES)('ProtoJSON of random %s messages', (syntax) => {
  test("reads protobuf-es's JSON to the values of the bytes, with every option", async () => {
    await eachMessage(syntax, 7000, ({ schema, desc, bytes, dice }, note) => {
      const options = { useProtoFieldName: dice.chance(0.3), enumAsInteger: dice.chance(0.3), alwaysEmitImplicit: dice.chance(0.3) };
      const json = JSON.stringify(withNegativeZero(toJson(desc, fromBinary(desc, bytes), options)), null, dice.below(3));
      const reading = randomOptions(dice);
      const chunks = Array.from({ length: dice.below(6) }, () => 1 + dice.below(1 + json.length / 2));
      note(`${json}\n${JSON.stringify(reading)}`);
      assertSame(ordered(decode(schema, json, reading, chunks)), ordered(decodeBytes(schema, bytes, reading)));
    });
  });

  test('writes JSON that protobuf-es reads to the same bytes, whatever form the value has', async () => {
    await eachMessage(syntax, 9000, ({ schema, desc, bytes, dice, index }, note) => {
      const { int64, defaults, ...reading } = randomOptions(dice);
      // Rounded integers, and defaults of fields that track presence, are other messages.
      const form = { ...reading, int64: int64 === 'number' ? 'auto' : int64, defaults: defaults === 'all' ? 'none' : defaults } as const;
      const value = decodeBytes(schema, bytes, form);
      const options = { names: reading.names, partial: true };
      const text = textOf(encodeWith(writer, value, { schema, options }));
      note(text);
      expect(toBinary(desc, fromJsonString(desc, text))).toEqual(toBinary(desc, fromBinary(desc, bytes)));
      if (index % 20 === 0) encodeEveryWay(writer, value, { schema, options });
    });
  });
});

const WELL_KNOWN = [
  ['timestamp', 'Timestamp'],
  ['duration', 'Duration'],
  ['mask', 'FieldMask'],
  ['struct', 'Struct'],
  ['value', 'Value'],
  ['list', 'ListValue'],
  ['any', 'Any'],
  ['empty', 'Empty'],
  ['d', 'DoubleValue'],
  ['f', 'FloatValue'],
  ['i64', 'Int64Value'],
  ['u64', 'UInt64Value'],
  ['i32', 'Int32Value'],
  ['u32', 'UInt32Value'],
  ['b', 'BoolValue'],
  ['s', 'StringValue'],
  ['bytes', 'BytesValue'],
] as const;

const IMPORTS = ['any', 'duration', 'empty', 'field_mask', 'struct', 'timestamp', 'wrappers'].map((name) => `google/protobuf/${name}.proto`);
const PROTO = `syntax = "proto3"; package w; ${IMPORTS.map((path) => `import "${path}";`).join(' ')}
message M { ${WELL_KNOWN.map(([name, type], index) => `google.protobuf.${type} ${name} = ${index + 1}; repeated google.protobuf.${type} ${name}s = ${index + 101};`).join(' ')}
  int32 plain = 200; M inner = 201; }`;

const FILES = [
  file_google_protobuf_any,
  file_google_protobuf_duration,
  file_google_protobuf_empty,
  file_google_protobuf_field_mask,
  file_google_protobuf_struct,
  file_google_protobuf_timestamp,
  file_google_protobuf_wrappers,
];
const MESSAGE_TYPE = 11;
const registry: Registry = createFileRegistry(
  create(FileDescriptorProtoSchema, {
    name: 'w.proto',
    package: 'w',
    syntax: 'proto3',
    dependency: IMPORTS,
    messageType: [
      {
        name: 'M',
        field: [
          ...WELL_KNOWN.flatMap(([name, type], index) => [
            { name, jsonName: name, number: index + 1, type: MESSAGE_TYPE, typeName: `.google.protobuf.${type}`, label: Label.OPTIONAL },
            {
              name: `${name}s`,
              jsonName: `${name}s`,
              number: index + 101,
              type: MESSAGE_TYPE,
              typeName: `.google.protobuf.${type}`,
              label: Label.REPEATED,
            },
          ]),
          { name: 'plain', jsonName: 'plain', number: 200, type: 5, label: Label.OPTIONAL },
          { name: 'inner', jsonName: 'inner', number: 201, type: MESSAGE_TYPE, typeName: '.w.M', label: Label.OPTIONAL },
        ],
      },
    ],
  }),
  (path) => FILES.find(({ proto }) => proto.name === path),
);
const wellKnown: DescMessage = registry.getMessage('w.M')!;
const schema = await compile(PROTO, 'w.M');
const TYPE = 'type.googleapis.com/';

/** JSON of each well-known type. */
const VALUES: Readonly<Record<(typeof WELL_KNOWN)[number][0], readonly JsonValue[]>> = {
  timestamp: [
    '1970-01-01T00:00:00Z',
    '0001-01-01T00:00:00Z',
    '9999-12-31T23:59:59.999999999Z',
    '2024-02-29T12:30:00.5+05:30',
    '1969-12-31T23:59:59.999Z',
  ],
  duration: ['0s', '1.5s', '-0.000000005s', '-315576000000.999999999s', '3.010s'],
  mask: ['', 'a', 'fooBar,a.bC'],
  struct: [{}, { a: 1, b: { c: [null, 'x', -0.5] }, '': true, ['__proto__']: 1 }],
  value: [null, true, 0, -1.5e10, '', 'text', [], [1, [2, [null]], { a: [] }], {}, { a: { b: {} } }],
  list: [[], [null, false, 'x', [1], { a: 1 }]],
  any: [
    {},
    { '@type': `${TYPE}w.M`, plain: 7, struct: { a: 1 } },
    { plain: 7, '@type': `${TYPE}w.M` },
    { '@type': `${TYPE}google.protobuf.Timestamp`, value: '1970-01-01T00:00:01Z' },
    { '@type': `${TYPE}google.protobuf.Value`, value: [1, { a: null }] },
    { '@type': `${TYPE}google.protobuf.Any`, value: { '@type': `${TYPE}w.M`, any: { '@type': `${TYPE}google.protobuf.Int64Value`, value: '5' } } },
    { '@type': `${TYPE}google.protobuf.Empty`, value: {} },
  ],
  empty: [{}],
  d: [0, 1.5, 'NaN', '-Infinity', '2.5'],
  f: [0, 0.1, 'Infinity'],
  i64: ['0', '-9223372036854775808', 5],
  u64: ['0', '18446744073709551615'],
  i32: [0, -5, '7'],
  u32: [0, 4294967295],
  b: [true, false],
  s: ['', 'grün 😀'],
  bytes: ['', 'AQI=', '-_8', '+/8='],
};

/** protobuf-es reads an Empty in an Any as `{ "@type" }`, without a value. */
const forReference = (json: unknown): JsonValue => JSON.parse(JSON.stringify(json).replaceAll(`Empty","value":{}`, 'Empty"')) as JsonValue;

describe('ProtoJSON of well-known types', () => {
  test.each(WELL_KNOWN.map(([name, type]) => [type, name] as const))('gives the values of the bytes of a %s, alone and in lists', (_, name) => {
    for (const json of VALUES[name]) {
      for (const message of [{ [name]: json }, { [`${name}s`]: [json, json] }, { inner: { [name]: json }, plain: 3 }]) {
        if (json === null && !(name in message && name === 'value') && !JSON.stringify(message).includes('[null')) continue;
        const bytes = toBinary(wellKnown, fromJson(wellKnown, forReference(message), { registry }));
        for (const wellKnownTypes of ['message', 'value'] as const) {
          for (const defaults of ['none', 'implicit', 'all'] as const) {
            for (const maps of ['object', 'map'] as const) {
              const options = { wellKnownTypes, defaults, maps, oneofs: maps === 'map' };
              const expected = decodeBytes(schema, bytes, options);
              try {
                assertSame(decode(schema, JSON.stringify(message), options), expected);
              } catch (error) {
                throw new Error(`${JSON.stringify(message)} ${JSON.stringify(options)}`, { cause: error });
              }
            }
          }
        }
        const value = decodeBytes(schema, bytes, { defaults: 'none' });
        const written = textOf(encodeEveryWay(writer, value, { schema }));
        expect(JSON.parse(written), JSON.stringify(message)).toEqual(
          JSON.parse(JSON.stringify(toJson(wellKnown, fromBinary(wellKnown, bytes), { registry })).replaceAll('0.10000000149011612', '0.1')),
        );
        const asValues = decodeBytes(schema, bytes, { defaults: 'none', wellKnownTypes: 'value' });
        const again = encodeEveryWay(writer, asValues, { schema, options: { wellKnownTypes: 'value' } });
        assertSame(decode(schema, textOf(again), { wellKnownTypes: 'value', defaults: 'none' }), asValues);
      }
    }
  });

  test('gives the same values in every cut', () => {
    const message = Object.fromEntries(
      WELL_KNOWN.flatMap(([name]) => [
        [name, VALUES[name].at(-1)!],
        [`${name}s`, VALUES[name].slice(-2)],
      ]),
    );
    const bytes = toBinary(wellKnown, fromJson(wellKnown, forReference(message), { registry }));
    for (const wellKnownTypes of ['message', 'value'] as const) {
      const found = sameInEveryCut(protojson, utf8(JSON.stringify(message)), { schema, options: { wellKnownTypes } });
      assertSame(found, { value: decodeBytes(schema, bytes, { wellKnownTypes }) });
    }
  });
});

const SIMPLE = `syntax = "proto2"; package p; import "google/protobuf/any.proto"; import "google/protobuf/timestamp.proto";
enum E { A = 0; B = 1; } 
message M { optional int32 i = 1; optional uint64 u = 2; optional bool flag = 3; optional string text = 4; optional bytes data = 5;
  optional E e = 6; repeated int32 list = 7; map<int32, string> names = 8; optional M inner = 9; oneof choice { int32 left = 10; int32 right = 11; }
  optional float x = 12; optional google.protobuf.Any any = 13; optional google.protobuf.Timestamp at = 14; repeated E es = 15;
  map<string, E> kinds = 16; optional Needs needs = 17; optional string snake_case = 18; map<bool, int32> flags = 19; }
message Needs { required int32 id = 1; }`;
const simple = await compile(SIMPLE, 'p.M');

describe('the ProtoJSON reader', () => {
  test.each<[text: string, reason: RegExp, path: (string | number)[]]>([
    ['{"i":1.5}', /1.5 is not an int32/, ['i']],
    ['{"i":2147483648}', /2147483648 is not an int32/, ['i']],
    ['{"i":" 1"}', /" 1" is not an int32/, ['i']],
    ['{"i":"01"}', /"01" is not an int32/, ['i']],
    ['{"i":true}', /expected an int32 but found a boolean/, ['i']],
    ['{"i":[1]}', /expected an int32 but found an array/, ['i']],
    ['{"inner":{"i":{}}}', /expected an int32 but found an object/, ['inner', 'i']],
    ['{"u":-1}', /-1 is not a uint64/, ['u']],
    ['{"u":18446744073709551616}', /18446744073709551616 is not a uint64/, ['u']],
    ['{"flag":"true"}', /expected a bool but found a string/, ['flag']],
    ['{"text":1}', /expected a string but found a number/, ['text']],
    ['{"text":"\\ud800"}', /lone surrogate/, ['text']],
    ['{"data":"a"}', /not base64/, ['data']],
    ['{"data":"!!!!"}', /not base64/, ['data']],
    ['{"e":"C"}', /"C" is not a value of p.E/, ['e']],
    ['{"e":9}', /9 is not a value of p.E/, ['e']],
    ['{"list":1}', /expected an array but found a number/, ['list']],
    ['{"list":[1,null]}', /expected an int32 but found null/, ['list', 1]],
    ['{"list":{}}', /expected an array but found an object/, ['list']],
    ['{"names":[]}', /expected an object but found an array/, ['names']],
    ['{"names":{"x":"y"}}', /the key "x" is not an int32/, ['names']],
    ['{"names":{"1":null}}', /found null/, ['names', '1']],
    ['{"names":{"1":"a","1":"b"}}', /the key "1" occurs twice/, ['names']],
    ['{"flags":{"yes":1}}', /neither true nor false/, ['flags']],
    ['{"inner":{"i":1,"other":2}}', /unknown field "other" of p.M/, ['inner']],
    ['{"i":1,"i":2}', /the field "i" of p.M occurs twice/, []],
    ['{"snakeCase":"a","snake_case":"b"}', /occurs twice/, []],
    ['{"left":1,"right":2}', /a oneof must not have two members: left and right/, ['right']],
    ['{"x":1e39}', /1e\+39 is not a float/, ['x']],
    ['{"x":"1e999"}', /"1e999" is not a float/, ['x']],
    ['{"x":""}', /"" is not a float/, ['x']],
    ['{"any":{"i":1}}', /an Any needs its type/, ['any']],
    ['{"any":{"@type":"x/p.Other"}}', /unknown type "x\/p.Other"/, ['any']],
    ['{"any":{"@type":"x/p.M","i":"no"}}', /"no" is not an int32/, ['any', 'i']],
    ['{"at":"2023-02-30T00:00:00Z"}', /is not a Timestamp/, ['at']],
    ['{"at":"10000-01-01T00:00:00Z"}', /is not a Timestamp/, ['at']],
    ['{"needs":{}}', /the required field id of p.Needs is missing/, ['needs']],
    ['null', /expected p.M but found null/, []],
    ['[]', /expected p.M but found an array/, []],
  ])('rejects %s with its place', (text, reason, path) => {
    let error: unknown;
    try {
      decodeSync(protojson, utf8(text), { schema: simple });
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(DecodeError);
    const { message, code, offset, path: found } = error as DecodeError;
    expect({ message, code, found }).toMatchObject({ message: expect.stringMatching(reason) as string, code: 'malformed', found: path });
    expect(offset).toBeLessThanOrEqual(text.length);
  });

  test('skips unknown fields and names of enums with the option unknown', () => {
    const text = '{"other":{"a":[1,{"b":null}]},"i":1,"more":7,"e":"C","es":["A","C","B"],"kinds":{"a":"C","b":"B"},"inner":{"z":[]}}';
    const expected = decode(simple, '{"i":1,"es":["A","B"],"kinds":{"b":"B"},"inner":{}}');
    assertSame(decode(simple, text, { unknown: 'skip' }), expected);
    expect(() => decode(simple, text)).toThrow(/unknown field "other"/);
  });

  test('takes null as a missing field, and as a member of a oneof that is not set', () => {
    assertSame(decode(simple, '{"i":null,"list":null,"names":null,"inner":null,"left":null,"right":3,"at":null}'), decode(simple, '{"right":3}'));
  });

  test('reads lines of messages', () => {
    const options = { sequence: true, defaults: 'none' } as const;
    assertSame(decode(simple, '{"i":1}\n{"list":[1,2]}\n{}\n', options), [{ i: 1 }, { list: [1, 2] }, {}]);
    const bytes = encodeEveryWay(writer, [{ i: 1 }, { list: [1, 2] }, {}], { schema: simple, options: { sequence: true } });
    expect(textOf(bytes)).toBe('{"i":1}\n{"list":[1,2]}\n{}\n');
  });

  test('stops at the limits', () => {
    const nested = `${'{"inner":'.repeat(50)}{}${'}'.repeat(50)}`;
    const limited = (text: string, limits: object): unknown => decodeWith(protojson, utf8(text), { schema: simple, limits });
    expect(() => limited(nested, { depth: 20 })).toThrow(/depth limit exceeded/);
    expect(() => limited('{"data":"AAAAAAAA"}', { binaryLength: 5 })).toThrow(/binaryLength limit exceeded/);
    expect(() => limited('{"text":"abcdef"}', { stringLength: 5 })).toThrow(/stringLength limit exceeded/);
  });

  test('reads nested messages of an Any in time proportional to them', () => {
    let text = '{"i":1}';
    for (let depth = 0; depth < 300; depth += 1) text = `{"@type":"x/p.M","any":${depth === 0 ? '{}' : text}}`;
    expect(decode(simple, `{"any":${text}}`, { wellKnownTypes: 'value' })).toHaveProperty('any.any.any');
  });
});

describe('the ProtoJSON writer', () => {
  test('writes canonical JSON', () => {
    const value = {
      i: 0,
      u: 2n ** 64n - 1n,
      text: 'a"b',
      data: Uint8Array.of(1, 2, 250),
      e: 1,
      list: [1],
      names: { 1: 'x' },
      x: Math.fround(0.1),
      snakeCase: 's',
      inner: {},
    };
    expect(textOf(encodeEveryWay(writer, value, { schema: simple }))).toBe(
      '{"i":0,"u":"18446744073709551615","text":"a\\"b","data":"AQL6","e":"B","list":[1],"names":{"1":"x"},"inner":{},"x":0.1,"snakeCase":"s"}',
    );
    expect(textOf(encodeWith(writer, { snake_case: 's' }, { schema: simple, options: { names: 'proto' } }))).toBe('{"snakeCase":"s"}');
  });

  test.each<[value: object, code: string, path: (string | number)[]]>([
    [{ i: 1.5 }, 'range', ['i']],
    [{ i: '1' }, 'type', ['i']],
    [{ inner: { list: [1, 'x'] } }, 'type', ['inner', 'list', 1]],
    [{ names: { x: 'y' } }, 'type', ['names', 'x']],
    [{ text: '\ud800' }, 'text', ['text']],
    [{ left: 1, right: 2 }, 'type', []],
    [{ needs: {} }, 'missing', ['needs', 'id']],
    [{ other: 1 }, 'unknown', ['other']],
    [{ e: 'C' }, 'range', ['e']],
    [{ at: { seconds: 1e15 } }, 'range', ['at']],
    [{ at: new Date(NaN) }, 'range', ['at']],
    [{ any: { typeUrl: 'x/p.Other', value: Uint8Array.of(1) } }, 'unknown', ['any']],
    [{ any: { typeUrl: 'x/p.M', value: Uint8Array.of(255) } }, 'type', ['any']],
  ])('refuses %j with the place that the binary form has', (value, code, path) => {
    const found = encodeErrorOf(writer, value, { schema: simple });
    expect({ code: found.code, path: found.path ?? [] }).toEqual({ code, path });
    if (!('any' in value) && !('at' in value && !(value.at instanceof Date))) {
      const binary = encodeErrorOf(protobufWriter, value, { schema: simple });
      expect({ code: binary.code, path: binary.path ?? [] }).toEqual({ code, path });
    }
  });

  test('writes what the reader gives', () => {
    const text =
      '{"i":-1,"u":"7","flag":true,"text":"é","data":"AQI=","e":"B","list":[1,2],"names":{"-1":"a"},"inner":{"right":5},"x":"NaN","at":"1970-01-01T00:00:00.000000001Z"}';
    for (const maps of ['object', 'map'] as const) {
      expect(textOf(encodeWith(writer, decode(simple, text, { maps, defaults: 'none' }), { schema: simple }))).toBe(text);
    }
  });
});

describe('a value in part', () => {
  const PROTO = `
    syntax = "proto3";
    import "google/protobuf/timestamp.proto";
    message Order {
      string name = 1;
      repeated string tags = 2;
      map<string, string> notes = 3;
      map<int32, string> numbered = 4;
      google.protobuf.Timestamp placed = 5;
      bytes image = 6;
      int64 count = 7;
      Order inner = 8;
      oneof kind { string one = 9; string other = 10; }
    }`;
  const TEXT = `{"name": "An order", "tags": ["first", "second"], "notes": {"by": "someone"}, "numbered": {"1": "first"},
    "placed": "2026-01-02T03:04:05Z", "image": "AAECAw==", "count": "9007199254740993", "inner": {"name": "within", "one": "only"}}`;

  test.each([{}, { defaults: 'none', maps: 'object' }, { int64: 'string', wellKnownTypes: 'value' }] as const)(
    'has the text of a cut string where that is the value, and else nothing of it, with %o',
    async (options) => {
      const schema = await compile(PROTO, 'Order');
      const bytes = utf8(TEXT);
      const partial = createPartial(protojson, { schema, options });
      const whole = decode(schema, TEXT, options) as Record<string, unknown>;
      const seen = new Set<unknown>();
      for (let at = 0; at < bytes.length; at += 1) {
        partial.push(bytes.subarray(at, at + 1));
        const value = partial.value as Record<string, unknown> | undefined;
        if (value === undefined) continue;
        expect(Object.keys(whole)).toEqual(expect.arrayContaining(Object.keys(value)));
        seen
          .add(value['name'])
          .add((value['tags'] as string[] | undefined)?.at(-1))
          .add(value['placed'])
          .add(value['image']);
      }
      expect(partial.finish()).toStrictEqual(whole);
      for (const text of ['An ord', 'fir', 'seco']) expect(seen).toContain(text);
      for (const found of seen) if (typeof found === 'string') expect(found).toMatch(/^(?:A|An|f|s)/);
    },
  );

  test('has no text for a second member of a oneof, which is an error', async () => {
    const schema = await compile(PROTO, 'Order');
    const partial = createPartial(protojson, { schema });
    partial.push('{"one": "first", "other": "sec');
    expect(partial.value).toEqual({ one: 'first' });
    expect(() => partial.push('ond"}') ?? partial.finish()).toThrow('a oneof must not have two members: one and other');
  });
});
