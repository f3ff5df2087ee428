import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { StructSchema, TimestampSchema } from '@bufbuild/protobuf/wkt';
import { firstDifference } from '../../../../setup/values/hex.ts';
import { describe, expect, it } from 'vitest';
import protobuf, { type ProtobufOptions } from '../../../../../core/formats/protobuf/index.ts';
import type { ProtobufSchema } from '../../../../../core/formats/protobuf/schema/schema.ts';
import writer, { type ProtobufWriteOptions } from '../../../../../core/formats/protobuf/writer.ts';
import { caseCount } from '../../../../setup/properties/case-count.ts';
import { assertSame, decodeWith } from '../../../../setup/ways/differential.ts';
import { encodeErrorOf, encodeWith, fillerLeaving } from '../../../../setup/ways/encode-with.ts';
import { bufbuildMessage, descriptorSetOf, hex, protobufjsType, sorted } from './compare.ts';
import { Dice, randomMessage, randomProto, type Syntax } from './random.ts';

const compile = async (proto: string, message = 'M'): Promise<ProtobufSchema> => (await writer.compileSchema!({ proto, message }))!;
const encode = (schema: unknown, value: unknown, options: ProtobufWriteOptions = {}, inTurns = false): Uint8Array =>
  encodeWith(writer, value, { schema, options, inTurns });
/** Endless messages are replaced by empty ones, which lack required fields. */
const PARTIAL = { partial: true };
const decode = (schema: unknown, bytes: Uint8Array, options: ProtobufOptions = {}): unknown => decodeWith(protobuf, bytes, { schema, options });

const SYNTAXES: readonly Syntax[] = ['proto2', 'proto3', '2023'];
const KEPT: ProtobufOptions = { int64: 'bigint', unknown: 'keep', defaults: 'none', partial: true };

/** Largest random message; a schema that produces longer ones is not tried again. */
const MAX_BYTES = 100_000;

/** A random message; an empty one where required messages make it endless. */
function messageOf(dice: Dice, schema: ProtobufSchema, type = schema.root, orderly = true): Uint8Array {
  try {
    return Uint8Array.from(randomMessage(dice, schema, type, { orderly, inRange: true, unknown: !orderly }));
  } catch (error) {
    if (error instanceof RangeError) return new Uint8Array(0);
    throw error;
  }
}

describe.each(SYNTAXES)('Protocol Buffers writer of random %s messages', (syntax) => {
  const SCHEMAS = caseCount(20_000) / 300;

  it('writes the same bytes as protobuf-es', async () => {
    for (let seed = 0; seed < SCHEMAS; seed += 1) {
      const dice = new Dice(seed * 3 + SYNTAXES.indexOf(syntax));
      const proto = randomProto(dice, syntax);
      const schema = await compile(proto, 't.M0');
      const desc = bufbuildMessage(descriptorSetOf(schema, 't', syntax), 't.M0');
      for (let i = 0; i < 100; i += 1) {
        const bytes = messageOf(dice, schema);
        if (bytes.length === 0) continue;
        const expected = toBinary(desc, fromBinary(desc, bytes));
        const value = decode(schema, bytes, KEPT);
        expect(hex(encode(schema, value, PARTIAL)), `seed ${seed}, message ${i}\n${proto}`).toBe(hex(expected));
      }
    }
  });

  it('writes bytes that protobufjs and this library decode alike, from every form of input', async () => {
    for (let seed = 0; seed < SCHEMAS; seed += 1) {
      const dice = new Dice(5000 + seed * 3 + SYNTAXES.indexOf(syntax));
      const proto = randomProto(dice, syntax);
      const schema = await compile(proto, 't.M0');
      const type = protobufjsType(proto, 't.M0');
      for (let i = 0; i < 60; i += 1) {
        const bytes = messageOf(dice, schema);
        // Further messages of such a schema would take most of the time.
        if (bytes.length > MAX_BYTES) break;
        const names = dice.pick(['proto', 'json'] as const);
        const options: ProtobufOptions = {
          names,
          int64: dice.pick(['auto', 'bigint', 'string']),
          enums: dice.pick(['number', 'name']),
          maps: dice.pick(['object', 'map']),
          defaults: dice.pick(['implicit', 'all', 'none']),
          oneofs: dice.chance(0.5),
        };
        if (bytes.length === 0) continue;
        const value = decode(schema, bytes, options);
        const written = encode(schema, value, { names });
        try {
          // With all defaults, fields that track presence have them too.
          if (options.defaults !== 'all') {
            assertSame(sorted(type.toObject(type.decode(written), { longs: BigInt })), sorted(type.toObject(type.decode(bytes), { longs: BigInt })));
          }
          assertSame(decode(schema, written, options), value);
        } catch (error) {
          throw new Error(`seed ${seed}, message ${i}\n${proto}\n${hex(bytes)}\n${hex(written)}`, { cause: error });
        }
      }
    }
  });

  it('retains unknown fields', async () => {
    for (let seed = 0; seed < SCHEMAS / 2; seed += 1) {
      const dice = new Dice(9000 + seed * 3 + SYNTAXES.indexOf(syntax));
      const schema = await compile(randomProto(dice, syntax), 't.M0');
      for (let i = 0; i < 40; i += 1) {
        const bytes = messageOf(dice, schema, schema.root, false);
        const value = decode(schema, bytes, KEPT);
        assertSame(decode(schema, encode(schema, value, PARTIAL), KEPT), value);
        const dropped = decode(schema, encode(schema, value, { unknown: 'drop', partial: true }), KEPT);
        expect(JSON.stringify(dropped, (_, item: unknown) => (typeof item === 'bigint' ? String(item) : item))).not.toContain('$unknown');
      }
    }
  });

  it('writes the same bytes in slices of any length', async () => {
    for (let seed = 0; seed < SCHEMAS; seed += 1) {
      const dice = new Dice(seed * 3 + SYNTAXES.indexOf(syntax));
      const proto = randomProto(dice, syntax);
      const schema = await compile(
        `${proto}\nmessage Outer { ${syntax === 'proto2' ? 'optional' : ''} bytes filler = 1; repeated M0 list = 2; map<int32, M0> map = 3; ${syntax === 'proto2' ? 'optional' : ''} Outer outer = 4; }`,
        't.Outer',
      );
      const inner = schema.messages.findIndex(({ name }) => name === 't.M0');
      const one = { ...schema, root: inner };
      const list = Array.from({ length: 6 }, () => decode(one, messageOf(dice, schema, inner), KEPT));
      const parts = { list, map: Object.fromEntries(list.map((item, index) => [index * 100, item])) };
      const length = encode(schema, { outer: parts }, PARTIAL).length;
      for (let i = 0; i < 8; i += 1) {
        const value = { outer: { filler: new Uint8Array(fillerLeaving(dice.below(length))), outer: { ...parts, outer: parts } } };
        const whole = encode(schema, value, PARTIAL);
        expect(firstDifference(encode(schema, value, PARTIAL, true), whole), `seed ${seed}`).toBe(-1);
        if (i === 0) assertSame((decode(schema, whole, KEPT) as typeof value).outer.outer.list, list);
      }
    }
  });
});

describe('Protocol Buffers writer, fields', () => {
  const PROTO = `syntax = "proto3";
    enum E { ZERO = 0; ONE = 1; UNO = 1; NEGATIVE = -1; }
    message M {
      int32 i = 1; int64 l = 2; uint64 u = 3; sint64 s = 4; double d = 5; float f = 6; string t = 7; bytes b = 8; bool o = 9; E e = 10;
      optional int32 p = 11; repeated int32 packed = 12; repeated int32 expanded = 13 [packed = false]; fixed64 x = 14;
      oneof kind { string left = 15; M right = 16; } map<int64, string> m = 17; map<bool, E> q = 18; repeated double doubles = 19;
      uint32 w = 20; sint32 z = 21; sfixed32 y = 22;
    }`;
  const named = compile(PROTO);
  const bytesOf = async (value: unknown): Promise<string> => hex(encode(await named, value));

  it('leaves out null and undefined fields, and zero fields that do not track presence', async () => {
    expect(
      await bytesOf({ i: 0, l: 0n, u: '0', d: 0, t: '', b: new Uint8Array(0), o: false, e: 'ZERO', packed: [], m: {}, p: null, left: undefined }),
    ).toBe('');
    expect(await bytesOf({ p: 0 })).toBe('5800');
    expect(await bytesOf({ left: '' })).toBe('7a00');
    expect(await bytesOf({ d: -0 })).toBe('290000000000000080');
    expect(await bytesOf({ right: {} })).toBe('820100');
  });

  it('writes fields in the order of their numbers for any order of keys', async () => {
    expect(await bytesOf({ t: 'a', more: undefined, i: 1, d: undefined })).toBe('08013a0161');
  });

  it('accepts 64-bit integers as numbers, bigints and text', async () => {
    const schema = await named;
    for (const [key, value] of [
      ['l', -1n],
      ['l', 2n ** 63n - 1n],
      ['u', 2n ** 64n - 1n],
      ['s', -(2n ** 63n)],
      ['x', 2n ** 63n],
      ['l', -(2n ** 40n)],
      ['u', 2n ** 53n],
    ] as const) {
      const bytes = encode(schema, { [key]: value });
      expect((decode(schema, bytes, { int64: 'bigint' }) as Record<string, unknown>)[key]).toBe(value);
      expect(encode(schema, { [key]: String(value) })).toEqual(bytes);
      if (BigInt(Number(value)) === value) expect(encode(schema, { [key]: Number(value) })).toEqual(bytes);
    }
  });

  it('packs lists as declared, and accepts typed arrays and Sets', async () => {
    expect(await bytesOf({ packed: [1, 300, -1], expanded: Int32Array.of(1, 2) })).toBe('620d01ac02ffffffffffffffffff0168016802');
    expect(await bytesOf({ doubles: new Set([1]) })).toBe('9a0108000000000000f03f');
    const long = Array.from({ length: 60_000 }, (_, index) => index);
    const schema = await named;
    assertSame((decode(schema, encode(schema, { packed: long }, {}, true)) as { packed: unknown }).packed, long);
    assertSame((decode(schema, encode(schema, { expanded: long }, {}, true)) as { expanded: unknown }).expanded, long);
  });

  it('accepts names of enums, several of which may share a number', async () => {
    expect(await bytesOf({ e: 'UNO' })).toBe('5001');
    expect(await bytesOf({ e: 7 })).toBe('5007');
    expect(await bytesOf({ q: { true: 'NEGATIVE' } })).toBe('92010d080110ffffffffffffffffff01');
    expect(await bytesOf({ m: new Map([[-1n, 'x']]) })).toBe(await bytesOf({ m: { '-1': 'x' } }));
  });

  it.each([
    [{ i: '1' }, 'type', ['i']],
    [{ i: 2 ** 31 }, 'range', ['i']],
    [{ i: 1.5 }, 'range', ['i']],
    [{ w: -1 }, 'range', ['w']],
    [{ y: 2 ** 31 }, 'range', ['y']],
    [{ l: 2 ** 63 }, 'range', ['l']],
    [{ u: -1n }, 'range', ['u']],
    [{ u: 2n ** 64n }, 'range', ['u']],
    [{ l: 'x' }, 'type', ['l']],
    [{ l: NaN }, 'range', ['l']],
    [{ f: 1e39 }, 'range', ['f']],
    [{ t: 5 }, 'type', ['t']],
    [{ t: '\ud800' }, 'text', ['t']],
    [{ b: 'YQ==' }, 'type', ['b']],
    [{ o: 1 }, 'type', ['o']],
    [{ e: 'THREE' }, 'range', ['e']],
    [{ packed: [1, null] }, 'type', ['packed', 1]],
    [{ packed: 1 }, 'type', ['packed']],
    [{ right: [] }, 'type', ['right']],
    [{ right: new Date(0) }, 'type', ['right']],
    [{ right: new Map() }, 'type', ['right']],
    [{ left: 'a', right: {} }, 'type', undefined],
    [{ right: { right: { right: { t: 1 } } } }, 'type', ['right', 'right', 'right', 't']],
    [{ m: { x: 'a' } }, 'type', ['m', 'x']],
    [{ m: [] }, 'type', ['m']],
    [{ q: { yes: 1 } }, 'type', ['q', 'yes']],
    [{ m: { 1: null } }, 'type', ['m', '1']],
    [{ $unknown: [{ number: 0, wireType: 0, data: new Uint8Array(1) }] }, 'type', ['$unknown', 0]],
    [5, 'type', undefined],
    [null, 'type', undefined],
    [{ e: Symbol('x') }, 'type', ['e']],
  ] as const)('refuses %o', async (value, code, path) => {
    expect(encodeErrorOf(writer, value, { schema: await named })).toEqual({ code, path });
  });

  it('refuses cyclic and too deep values with their path, also after several slices', async () => {
    const schema = await named;
    const cyclic: Record<string, unknown> = {};
    cyclic['right'] = cyclic;
    expect(encodeErrorOf(writer, cyclic, { schema })).toEqual({ code: 'cycle', path: ['right'] });
    let deep: object = {};
    for (let i = 0; i < 100_000; i += 1) deep = { right: deep };
    expect(encodeErrorOf(writer, deep, { schema })).toMatchObject({ code: 'depth' });
    const many = await compile('syntax = "proto3"; message M { repeated M list = 1; int32 i = 2; map<string, M> map = 3; }');
    const items = Array.from({ length: 60_000 }, () => ({ i: 5 }));
    const bad = { map: { a: { list: items }, b: { list: [...items, { i: 'x' }] } } };
    expect(encodeErrorOf(writer, bad, { schema: many, inTurns: true })).toEqual({ code: 'type', path: ['map', 'b', 'list', 60_000, 'i'] });
  });

  it('names a getter that throws', async () => {
    const cause = new Error('no');
    expect(() =>
      encodeWith(
        writer,
        {
          get i() {
            throw cause;
          },
        },
        {},
      ),
    ).toThrow('a schema is required to write');
    const schema = await named;
    expect(() =>
      encode(schema, {
        get i() {
          throw cause;
        },
      }),
    ).toThrow(expect.objectContaining({ code: 'thrown', path: ['i'], cause }));
  });

  it('refuses missing required fields unless partial, and unnamed numbers of closed enums', async () => {
    const schema = await compile(
      'syntax = "proto2"; enum E { A = 1; } message M { required int32 a = 1; optional E e = 2; optional group G = 3 { required string s = 1; } }',
    );
    expect(encodeErrorOf(writer, { e: 1 }, { schema })).toEqual({ code: 'missing', path: ['a'] });
    expect(encodeErrorOf(writer, { a: undefined }, { schema })).toEqual({ code: 'missing', path: ['a'] });
    expect(encodeErrorOf(writer, { a: 1, g: {} }, { schema })).toEqual({ code: 'missing', path: ['g', 's'] });
    expect(encodeErrorOf(writer, { a: 1, e: 2 }, { schema })).toEqual({ code: 'range', path: ['e'] });
    expect(hex(encode(schema, { g: {} }, { partial: true }))).toBe('1b1c');
    expect(hex(encode(schema, { a: 0, g: { s: '' } }))).toBe('08001b0a001c');
  });

  it('writes the length before each message of a sequence', async () => {
    const schema = await named;
    const list = Array.from({ length: 3_000 }, (_, i) => ({ i: i + 1, t: 'x'.repeat(i % 200) }));
    const bytes = encode(schema, list, { sequence: true }, true);
    expect(firstDifference(bytes, encode(schema, list, { sequence: true }))).toBe(-1);
    const back = decode(schema, bytes, { sequence: true, defaults: 'none' });
    assertSame(
      back,
      list.map(({ i, t }) => (t === '' ? { i } : { i, t })),
    );
  });

  it('accepts objects of other classes, and __proto__ as a key', async () => {
    const schema = await compile('syntax = "proto3"; message M { int32 __proto__ = 1; int32 constructor = 2; map<string, int32> map = 3; }');
    const value: unknown = JSON.parse('{"map": {"__proto__": 1, "b": 2}, "__proto__": 7}');
    expect(hex(encode(schema, value, { names: 'proto' }))).toBe('08071a0d0a095f5f70726f746f5f5f10011a050a01621002');
    expect(hex(encode(schema, {}))).toBe('');
  });
});

describe('Protocol Buffers writer, well-known types', () => {
  const PROTO = `syntax = "proto3";
    import "google/protobuf/any.proto"; import "google/protobuf/duration.proto"; import "google/protobuf/field_mask.proto";
    import "google/protobuf/struct.proto"; import "google/protobuf/timestamp.proto"; import "google/protobuf/wrappers.proto";
    message M {
      google.protobuf.Timestamp timestamp = 1; google.protobuf.Duration duration = 2; google.protobuf.FieldMask mask = 4; google.protobuf.Struct struct = 5;
      google.protobuf.Value value = 6; google.protobuf.ListValue list = 7; google.protobuf.Any any = 8; repeated google.protobuf.Int32Value ints = 9;
      google.protobuf.NullValue nothing = 10; map<string, google.protobuf.Value> values = 11; Plain plain = 12; google.protobuf.BytesValue bytes = 13;
    }
    message Plain { int32 a = 1; string b = 2; repeated Plain more = 3; }`;
  const named = compile(PROTO);
  const asValues = { wellKnownTypes: 'value', defaults: 'none' } as const;

  it.each([
    { timestamp: new Date(0) },
    { timestamp: new Date(-1) },
    { timestamp: new Date('2026-11-22T01:02:03.004Z') },
    { duration: '0s' },
    { duration: '1.500s' },
    { duration: '-0.000000005s' },
    { duration: '-3s' },
    { mask: '' },
    { mask: 'a.b_c,d' },
    { struct: { a: null, b: [1, 'x', { c: true }], d: {}, '': -1.5 } },
    { value: null },
    { value: 0 },
    { value: '' },
    { value: [] },
    { value: {} },
    { value: false },
    { list: [1, [null, ['x']]] },
    { ints: [0, 5, -1] },
    { values: { a: null, b: 2 } },
    { bytes: Uint8Array.of(1, 2) },
    { bytes: new Uint8Array(0) },
    { any: { '@type': 'type.googleapis.com/Plain', a: 5, b: 'x' } },
    { any: { '@type': 'x/google.protobuf.Struct', value: { a: [1] } } },
    { any: { '@type': 'x/unknown.Type', value: Uint8Array.of(1, 2) } },
    { any: { '@type': 'x/google.protobuf.Any', value: { '@type': 'y/Plain', a: 1 } } },
  ])('writes %o and reads it back', async (value) => {
    const schema = await named;
    assertSame(decode(schema, encode(schema, value, { wellKnownTypes: 'value' }), asValues), value);
  });

  it('writes the same bytes as protobuf-es', async () => {
    const schema = { ...(await named) };
    schema.root = schema.messages.findIndex(({ name }) => name === 'google.protobuf.Struct');
    const json = { a: null, b: [1, 'x', { c: true }], d: {} };
    const value = { fields: Object.fromEntries(Object.entries(json).map(([key, item]) => [key, jsonValue(item)])) };
    expect(hex(encode(schema, json, { wellKnownTypes: 'value' }))).toBe(hex(toBinary(StructSchema, create(StructSchema, value as never))));
  });

  it('accepts a Date for a Timestamp always, and messages for the other types', async () => {
    const schema = await named;
    expect(hex(encode(schema, { timestamp: new Date(1500) }))).toBe(hex(encode(schema, { timestamp: { seconds: 1, nanos: 500_000_000 } })));
    expect(hex(encode(schema, { timestamp: new Date(1500) }).subarray(2))).toBe(
      hex(toBinary(TimestampSchema, create(TimestampSchema, { seconds: 1n, nanos: 500_000_000 }))),
    );
  });

  it.each([
    [{ timestamp: new Date(NaN) }, 'range', ['timestamp']],
    [{ timestamp: 5 }, 'type', ['timestamp']],
    [{ duration: '5' }, 'type', ['duration']],
    [{ value: NaN }, 'range', ['value']],
    [{ value: [{ a: () => 1 }] }, 'type', ['value', 0, 'a']],
    [{ struct: { a: { b: 1n } } }, 'type', ['struct', 'a', 'b']],
    [{ struct: new Date(0) }, 'type', ['struct']],
    [{ any: { '@type': 'x/Plain', a: 'x' } }, 'type', ['any', 'a']],
    [{ any: 5 }, 'type', ['any']],
    [{ any: { '@type': 'x/y', value: 1 } }, 'type', ['any']],
  ] as const)('refuses %o', async (value, code, path) => {
    expect(encodeErrorOf(writer, value, { schema: await named, options: { wellKnownTypes: 'value' } })).toEqual({ code, path });
  });

  it('writes the same bytes in slices', async () => {
    const schema = await named;
    const more = Array.from({ length: 8_000 }, (_, a) => ({ a: a + 1 }));
    const value = { any: { '@type': 'x/Plain', more }, struct: { list: more } };
    const bytes = encode(schema, value, { wellKnownTypes: 'value' }, true);
    expect(firstDifference(bytes, encode(schema, value, { wellKnownTypes: 'value' }))).toBe(-1);
    assertSame(decode(schema, bytes, asValues), { struct: value.struct, any: value.any });
    const bad = { struct: { list: [...more, Symbol('x')] } };
    expect(encodeErrorOf(writer, bad, { schema, options: { wellKnownTypes: 'value' }, inTurns: true })).toEqual({
      code: 'type',
      path: ['struct', 'list', 8_000],
    });
  });
});

/** Creates a google.protobuf.Value with protobuf-es. */
function jsonValue(json: unknown): object {
  if (json === null) return { kind: { case: 'nullValue', value: 0 } };
  if (typeof json === 'number') return { kind: { case: 'numberValue', value: json } };
  if (typeof json === 'string') return { kind: { case: 'stringValue', value: json } };
  if (typeof json === 'boolean') return { kind: { case: 'boolValue', value: json } };
  if (Array.isArray(json)) return { kind: { case: 'listValue', value: { values: json.map(jsonValue) } } };
  const fields = Object.fromEntries(Object.entries(json as object).map(([key, item]) => [key, jsonValue(item)]));
  return { kind: { case: 'structValue', value: { fields } } };
}
