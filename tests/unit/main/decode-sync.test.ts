/** The format modules imported directly, as in Node, Deno or Bun. */
import { once } from 'node:events';
import avro from 'avsc';
import * as bson from 'bson';
import { Encoder, Tag } from 'cbor-x';
import { Packr } from 'msgpackr';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { defineSchema } from '../../../main/call/options/define-schema.ts';
import { compileSchema, DecodeError, decodeSync, encodeSync, LimitError, SchemaError } from '../../../main/sync.ts';
import bsonFormat, { BsonValue, createReviveTag as reviveBson } from '../../../core/formats/bson/index.ts';
import cbor, { CborTag, createReviveTag as reviveCbor } from '../../../core/formats/cbor/index.ts';
import jsBinary from '../../../core/formats/jsbinary/index.ts';
import jsBinaryEncoder from '../../../core/formats/jsbinary/writer.ts';
import json from '../../../core/formats/json/index.ts';
import messagepackEncoder from '../../../core/formats/messagepack/writer.ts';
import messagepack, { createReviveTag as reviveMessagePack, MessagePackExtension } from '../../../core/formats/messagepack/index.ts';
import protobuf from '../../../core/formats/protobuf/index.ts';
import protobufEncoder from '../../../core/formats/protobuf/writer.ts';
import sia, { createReviveTag as reviveSia, SiaConstructed } from '../../../core/formats/sia/index.ts';

const value = {
  trips: [
    { id: 1, name: 'a' },
    { id: 2, name: 'b' },
  ],
  at: new Date(0),
};

test('decodeSync decodes a buffer or a view of one', () => {
  const bytes = new Packr({ useRecords: false }).pack(value);
  expect(decodeSync(messagepack, bytes)).toEqual(value);
  expect(decodeSync(messagepack, Uint8Array.from(bytes).buffer)).toEqual(value);
  expect(decodeSync(messagepack, new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength))).toEqual(value);
});

test.each<[string, unknown]>([
  ['undefined', undefined],
  ['json', 'json'],
  ['[object Object]', {}],
])('decodeSync and encodeSync refuse %s as a format, and say what to pass', (name, format) => {
  const refused = new TypeError(`invalid format: ${name}; expected the default export of a format's module`);
  expect(() => decodeSync(format as typeof json, Uint8Array.of(1))).toThrow(refused);
  expect(() => encodeSync(format as typeof messagepackEncoder, 1)).toThrow(refused);
});

test('decodeSync decodes the parts that are picked', () => {
  const list = [
    { id: 1, at: { x: 1, y: 2 }, name: 'a' },
    { id: 2, at: null, name: 'b' },
  ];
  const text = new TextEncoder().encode(JSON.stringify(list));
  const left = [
    { id: 1, at: { y: 2 } },
    { id: 2, at: null },
  ];
  expect(decodeSync(json, text, { pick: ['id', 'at.y'] })).toEqual(left);
  expect(decodeSync(messagepack, encodeSync(messagepackEncoder, list), { pick: ['id', 'at.y'] })).toEqual(left);
  expect(() => decodeSync(json, text.subarray(0, 30), { pick: ['id'] })).toThrow(DecodeError);
  expect(() => decodeSync(json, text, { pick: ['id'], previous: undefined })).toThrow('pick and previous');
});

test("decodeSync accepts the format's options, typed", () => {
  const bytes = new TextEncoder().encode('[9007199254740993]\n[2]');
  expect(decodeSync(json, bytes, { options: { bigints: 'bigint', sequence: true } })).toEqual([[9007199254740993n], [2]]);
  // @ts-expect-error -- no option of JSON
  expect(() => decodeSync(json, bytes, { options: { logicalTypes: true } })).toThrow('unknown format option logicalTypes; expected one of bigints, ');
});

test('decodeSync parses plain JSON by the engine, and reads invalid texts and those beyond a limit by the reader', () => {
  const parse = vi.spyOn(JSON, 'parse');
  onTestFinished(() => parse.mockRestore());
  const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
  expect(decodeSync(json, bytesOf('\ufeff{"a":[1,null,"\u20ac"]}'))).toEqual({ a: [1, null, '€'] });
  expect(decodeSync(json, bytesOf('null'))).toBe(null);
  expect(parse.mock.calls).toEqual([['{"a":[1,null,"€"]}'], ['null']]);
  expect(() => decodeSync(json, bytesOf('{"a":[1,}'))).toThrow(expect.objectContaining({ code: 'malformed', offset: 8 }));
  expect(() => decodeSync(json, bytesOf('[[[1]]]'), { limits: { depth: 2 } })).toThrow(LimitError);
});

describe('decodeSync', () => {
  test('decodes with a schema compiled once', async () => {
    const definition = { proto: 'syntax = "proto3"; message Greeting { string hello = 1; int32 count = 2; }', message: 'Greeting' };
    const schema = await compileSchema(protobuf, definition);
    const bytes = Uint8Array.of(10, 5, 119, 111, 114, 108, 100, 16, 3);
    for (let call = 0; call < 2; call += 1) expect(decodeSync(protobuf, bytes, { schema })).toEqual({ hello: 'world', count: 3 });
    await expect(compileSchema(protobuf, { proto: 'message {', message: 'A' })).rejects.toThrow(SchemaError);
    await expect(compileSchema(json, {})).rejects.toThrow(SchemaError);
  });

  test('compiles a schema of defineSchema, for reading and writing', async () => {
    const definition = { proto: 'syntax = "proto3"; message Greeting { string hello = 1; int32 count = 2; }', message: 'Greeting' };
    const greeting = defineSchema<{ hello: string; count: number }>({ format: 'protobuf', schema: definition });
    const value = { hello: 'world', count: 3 };
    const bytes = encodeSync(protobufEncoder, value, { schema: await compileSchema(protobufEncoder, greeting) });
    expect(decodeSync(protobuf, bytes, { schema: await compileSchema(protobuf, greeting) })).toEqual(value);
  });

  test('compiles a type of js-binary whose fields have the names of a definition', async () => {
    const fields = { format: 'string', schema: 'uint' };
    const value = { format: 'avro', schema: 7 };
    const bytes = encodeSync(jsBinaryEncoder, value, { schema: await compileSchema(jsBinaryEncoder, fields) });
    expect(decodeSync(jsBinary, bytes, { schema: await compileSchema(jsBinary, fields) })).toEqual(value);
  });

  test('decodes with a schema in the payload, with preloaded code', async () => {
    const type = avro.Type.forSchema({ type: 'array', items: 'int' });
    const encoder = new avro.streams.BlockEncoder(type, { codec: 'deflate' });
    const chunks: Buffer[] = [];
    encoder.on('data', (chunk: Buffer) => chunks.push(chunk));
    encoder.end([1, 2, 3]);
    await once(encoder, 'end');
    const container = Buffer.concat(chunks);
    vi.resetModules();
    const fresh = await import('../../../main/sync.ts');
    const { default: format } = await import('../../../core/formats/avro/index.ts');
    expect(() => fresh.decodeSync(format, container)).toThrow('await prepare(format, bytes) first');
    await fresh.prepare(format, container);
    expect(fresh.decodeSync(format, container)).toEqual([[1, 2, 3]]);
  });
});

describe('decodeSync', () => {
  const cut = new TextEncoder().encode('{"trips": [1, 2');

  test('throws an error with the fault and its position', () => {
    expect(() => decodeSync(json, cut)).toThrow(expect.objectContaining({ name: 'DecodeError', code: 'truncated', offset: 15 }));
    expect(() => decodeSync(json, new Uint8Array(0))).toThrow(expect.objectContaining({ code: 'empty' }));
    expect(() => decodeSync(messagepack, new TextEncoder().encode('<!doctype html><title>502</title>'))).toThrow('an HTML or XML document');
  });

  test('throws a LimitError if a limit is exceeded', () => {
    expect(() => decodeSync(json, cut, { limits: { depth: 1 } })).toThrow(LimitError);
  });
});

describe('decodeSync with revive', () => {
  test('creates application classes, for BSON those of the bson package', () => {
    const document = {
      _id: new bson.ObjectId('65f000000000000000000001'),
      price: bson.Decimal128.fromString('1.50'),
      at: new bson.Timestamp({ t: 1, i: 2 }),
    };
    const bytes = bson.serialize(document);
    const options = { types: 'classes' } as const;
    const decoded = decodeSync<typeof document>(bsonFormat, bytes, { options, reviveTag: reviveBson(bson) });
    expect(decoded._id).toBeInstanceOf(bson.ObjectId);
    expect(bson.serialize(decoded)).toEqual(bytes);
    expect(decodeSync(bsonFormat, bytes, { options })).toMatchObject({ _id: new BsonValue('ObjectId', '65f000000000000000000001') });
  });

  test('creates application classes, for CBOR by tag', () => {
    const bytes = new Encoder({ useRecords: false }).encode({ at: new Tag([1, 2], 4711) });
    expect(decodeSync(cbor, bytes)).toEqual({ at: new CborTag(4711, [1, 2]) });
    expect(decodeSync(cbor, bytes, { reviveTag: reviveCbor({ 4711: ([x, y]: [number, number]) => ({ x, y }) }) })).toEqual({ at: { x: 1, y: 2 } });
  });

  test('creates application classes, for MessagePack by extension type', () => {
    const bytes = Uint8Array.of(0xd4, 7, 42);
    expect(decodeSync(messagepack, bytes)).toEqual(new MessagePackExtension(7, Uint8Array.of(42)));
    expect(decodeSync(messagepack, bytes, { reviveTag: reviveMessagePack({ 7: (data: Uint8Array) => new Set(data) }) })).toEqual(new Set([42]));
  });

  test('creates application classes, for Sia by constructor code', () => {
    // constructor8, the code, array8 with one item: null.
    const bytes = Uint8Array.of(0x2c, 9, 0x2f, 1, 0);
    expect(decodeSync(sia, bytes)).toEqual(new SiaConstructed(9, [null]));
    expect(decodeSync(sia, bytes, { reviveTag: reviveSia({ 9: (inner: null) => [inner] }) })).toEqual([null]);
  });
});
