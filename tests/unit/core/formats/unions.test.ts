/** A member of a union that is set is there although its value is empty, null or a default, and is set again when written. */
import { expect, test } from 'vitest';
import avro from '../../../../core/formats/avro/index.ts';
import avroWriter from '../../../../core/formats/avro/writer.ts';
import bebop from '../../../../core/formats/bebop/index.ts';
import bebopWriter from '../../../../core/formats/bebop/writer.ts';
import flatbuffers from '../../../../core/formats/flatbuffers/index.ts';
import * as t from '../../../../core/formats/flatbuffers/schema/schema.ts';
import flatbuffersWriter from '../../../../core/formats/flatbuffers/writer.ts';
import protobuf from '../../../../core/formats/protobuf/index.ts';
import protobufWriter from '../../../../core/formats/protobuf/writer.ts';
import { compileSchema, decodeSync, encodeSync } from '../../../../main/sync.ts';
import { hex, toHex } from '../../../setup/values/hex.ts';
import { decodeWith } from '../../../setup/ways/differential.ts';
import { encodeWith } from '../../../setup/ways/encode-with.ts';
import { field } from './flatbuffers/reflection.ts';

const proto = `syntax = "proto3";
  message T { oneof u { int32 a = 1; string t = 2; M m = 3; bool b = 5; bytes y = 6; E e = 7; } int32 x = 4; }
  message M {}
  enum E { Z = 0; }`;

test.each([
  ['0800', { a: 0 }],
  ['1200', { t: '' }],
  ['1a00', { m: {} }],
  ['2800', { b: false }],
  ['3200', { y: new Uint8Array(0) }],
  ['3800', { e: 0 }],
  // The last of two is set.
  ['08001200', { t: '' }],
])('Protocol Buffers: a oneof of the bytes %s is %j with every form of defaults', async (bytes, member) => {
  const schema = await compileSchema(protobuf, { proto, message: 'T' });
  for (const defaults of ['none', 'all', undefined] as const) {
    const value = decodeSync(protobuf, hex(bytes), { schema, options: { defaults } });
    expect(value).toEqual(defaults === 'none' ? member : { ...member, x: 0 });
    expect(toHex(encodeSync(protobufWriter, value, { schema }))).toBe(bytes.slice(-4));
  }
});

test.each([
  ['00', null],
  ['02', {}],
  ['0400', ''],
  ['0600', []],
  ['0800', 0],
])('Avro: the branch of the bytes %s is %j', async (bytes, value) => {
  const schema = await compileSchema(avro, ['null', { type: 'record', name: 'R', fields: [] }, 'string', { type: 'array', items: 'null' }, 'long']);
  expect(decodeSync(avro, hex(bytes), { schema })).toEqual(value);
  expect(toHex(encodeSync(avroWriter, value, { schema }))).toBe(bytes);
});

test('FlatBuffers: a type without its value stays, also when it is written again', () => {
  const schema: t.FlatBuffersSchema = {
    root: 0,
    identifier: '',
    objects: [
      {
        name: 'T',
        struct: false,
        size: 0,
        fields: [field('u_type', 0, t.UTYPE, { ref: 0 }), field('u', 1, t.UNION, { ref: 0 }), field('x', 2, t.INT)],
      },
    ],
    enums: [
      { name: 'U', union: true, flags: false, names: ['NONE', 'T', 'Text'], values: [0n, 1n, 2n], types: [0, t.OBJ, t.STRING], refs: [-1, 0, -1] },
    ],
  };
  for (const value of [{ u_type: 2 }, { u_type: 1 }, { u_type: 2, u: '' }, { u_type: 1, u: {} }]) {
    const options = { defaults: 'none' };
    expect(decodeWith(flatbuffers, encodeWith(flatbuffersWriter, value, { schema }), { schema, options })).toEqual(value);
  }
});

test('Bebop: an empty member keeps its discriminator', async () => {
  const schema = await compileSchema(bebop, { bop: 'message M { 1 -> int32 i; } struct S {} union U { 1 -> S; 2 -> M; }', record: 'U' });
  for (const bytes of ['0000000001', '05000000020100000000']) {
    const value = decodeSync(bebop, hex(bytes), { schema });
    expect(toHex(encodeSync(bebopWriter, value, { schema }))).toBe(bytes);
  }
});
