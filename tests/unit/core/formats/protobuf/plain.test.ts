/** Covers small messages decoded without a reader; `decodeWith` compares them with the reader's values. */
import { beforeAll, describe, expect, test } from 'vitest';
import protobuf, { type ProtobufOptions } from '../../../../../core/formats/protobuf/index.ts';
import type { ProtobufSchema } from '../../../../../core/formats/protobuf/schema/schema.ts';
import { resolveLimits } from '../../../../../core/limits.ts';
import { shapeOf } from '../../../../../core/sinks/objects/objects.ts';
import { decodeWith, difference } from '../../../../setup/ways/differential.ts';
import { hex } from '../../../../setup/values/hex.ts';

const PROTO = `
  syntax = "proto3";
  enum Kind { none = 0; some = 1; }
  message Row {
    string name = 1;
    optional int64 count = 2;
    Kind kind = 3;
    repeated int32 numbers = 4;
    repeated string tags = 5;
    Row inner = 6;
    sint64 change = 7;
    bytes data = 8;
    double ratio = 16;
  }
  message Rows { repeated Row rows = 1; }
  message Counts { map<string, int32> counts = 1; }
`;
let rows: ProtobufSchema;
let counts: ProtobufSchema;

beforeAll(async () => {
  rows = (await protobuf.compileSchema!({ proto: PROTO, message: 'Rows' })) as ProtobufSchema;
  counts = (await protobuf.compileSchema!({ proto: PROTO, message: 'Counts' })) as ProtobufSchema;
});

function decodeAtOnce(bytes: Uint8Array, options: ProtobufOptions = {}, schema = rows): unknown {
  return protobuf.decodeAtOnce!(bytes, options, resolveLimits(), schema, shapeOf);
}

/** A message for one row. */
function row(digits: string): Uint8Array {
  const fields = hex(digits);
  return Uint8Array.of(0x0a, fields.length, ...fields);
}

const EMPTY = { name: '', kind: 0, numbers: [], tags: [], change: 0, data: new Uint8Array(0), ratio: 0 };
const NAMED = '0a0161';

describe('Protocol Buffers plain decoder', () => {
  test.each<[string, string, object, ProtobufOptions?]>([
    ['a message without fields', '', EMPTY],
    ['some of the fields', `${NAMED}1002`, { name: 'a', count: 2, kind: 0, numbers: [], tags: [], change: 0, data: new Uint8Array(0), ratio: 0 }],
    ['enums as names', '1801', { ...EMPTY, kind: 'some' }, { enums: 'name' }],
    ['a packed list', '220301ac02', { ...EMPTY, numbers: [1, 300] }],
    ['a list that is not packed', '200120ffffffffffffffffff01', { ...EMPTY, numbers: [1, -1] }],
    ['a list of strings', '2a01612a00', { ...EMPTY, tags: ['a', ''] }],
    ['a negative number in zig-zag form', '3803', { ...EMPTY, change: -2 }],
    ['bytes', '42020102', { ...EMPTY, data: Uint8Array.of(1, 2) }],
    ['a field that the schema does not have', `${NAMED}7801`, { ...EMPTY, name: 'a' }],
    ['a number of two bytes in a tag', '8101000000000000f03f', { ...EMPTY, ratio: 1 }],
  ])("decodes %s to the reader's value", (_, digits, expected, options) => {
    const bytes = row(digits);
    expect(difference(decodeAtOnce(bytes, options), { rows: [expected] })).toBeUndefined();
    decodeWith(protobuf, bytes, { schema: rows, options: options ?? {} });
  });

  test("decodes nested messages, often enough to get a maker, to the reader's values", () => {
    const inner = row(`${NAMED}100218012201052a016238014201ff810100000000000000bf`).subarray(2);
    const all = Uint8Array.of(...Array.from({ length: 40 }, () => [...row(''), ...row(`${NAMED}1002`), 0x0a, inner.length, ...inner]).flat());
    const value = decodeAtOnce(all);
    expect(value).toBeDefined();
    expect(difference(value, decodeWith(protobuf, all, { schema: rows, chunkSizes: [1] }))).toBeUndefined();
  });
});

describe('Protocol Buffers plain decoder', () => {
  test.each<[string, string, ProtobufOptions?]>([
    ['fields in another order', `1002${NAMED}`],
    ['a repeated field', `${NAMED}${NAMED}`],
    ['a list in two pieces', '2201013801220102'],
    ['a list in both forms', '2001220102'],
    ['a negative number of 64 bits', '10ffffffffffffffffff01'],
    ['numbers as text', '1002', { int64: 'string' }],
    ['a sequence', NAMED, { sequence: true }],
    ['no schema wanted', NAMED, { schemaless: true }],
    ['no defaults', NAMED, { defaults: 'none' }],
    ['unknown fields that are kept', NAMED, { unknown: 'keep' }],
    ['a group', '7b7c'],
    ['a string that goes past the end', '0a05'],
    ['a string that is not UTF-8', '0a01ff'],
    ['invalid field number 0', '0001'],
  ])('leaves to the reader %s', (_, digits, options) => {
    expect(decodeAtOnce(row(digits), options)).toBeUndefined();
  });

  test('leaves maps to the reader', () => {
    expect(decodeAtOnce(hex('0a050a01611001'), {}, counts)).toBeUndefined();
  });

  test('leaves messages over the depth limit to the reader', () => {
    let inner = hex(NAMED);
    for (let depth = 0; depth < 60; depth += 1)
      inner = Uint8Array.of(0x32, ...(inner.length < 128 ? [inner.length] : [(inner.length & 0x7f) | 0x80, inner.length >> 7]), ...inner);
    const bytes = Uint8Array.of(0x0a, (inner.length & 0x7f) | 0x80, inner.length >> 7, ...inner);
    expect(decodeAtOnce(bytes)).toBeUndefined();
    expect(decodeWith(protobuf, bytes, { schema: rows })).toBeDefined();
  });
});
