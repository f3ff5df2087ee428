import { describe, expect, it } from 'vitest';
import { fromColumns } from '../../../../../main/encode.ts';
import { compileSchema, encodeSync } from '../../../../../main/sync.ts';
import type { Rows } from '../../../../../main/rows/rows.ts';
import avro from '../../../../../core/formats/avro/writer.ts';
import bebop from '../../../../../core/formats/bebop/writer.ts';
import * as c from '../../../../../core/formats/capnproto/schema/schema.ts';
import capnproto from '../../../../../core/formats/capnproto/writer.ts';
import * as f from '../../../../../core/formats/flatbuffers/schema/schema.ts';
import flatbuffers from '../../../../../core/formats/flatbuffers/writer.ts';
import jsbinary from '../../../../../core/formats/jsbinary/writer.ts';
import protobuf from '../../../../../core/formats/protobuf/writer.ts';
import type { FormatWriter } from '../../../../../core/writing/writer.ts';
import { encodeEveryWay, encodeErrorOf } from '../../../../setup/ways/encode-with.ts';
import { emit } from '../../../../setup/values/emit.ts';
import { throughBlock } from '../../../../setup/ways/through-block.ts';
import { field } from '../../../core/formats/flatbuffers/reflection.ts';

const ITEM_FIELDS = [
  { name: 'id', type: 'int' },
  { name: 'name', type: 'string' },
];
const arrayOf = (name: string, fields: object[]): object => ({ type: 'array', items: { type: 'record', name, fields } });
const INNER_FIELDS = [{ name: 'items', type: arrayOf('Item', ITEM_FIELDS) }];
const AVRO = { type: 'record', name: 'Outer', fields: [{ name: 'all', type: arrayOf('Inner', INNER_FIELDS) }] };

const PROTO = `syntax = "proto3";
message Outer { repeated Inner all = 1; }
message Inner { repeated Item items = 1; }
message Item { int32 id = 1; string name = 2; }`;

const BOP = 'struct Item { int32 id; string name; } struct Inner { Item[] items; } struct Outer { Inner[] all; }';

const table = (name: string, fields: f.FieldSchema[]): f.ObjectSchema => ({ name, struct: false, size: 0, fields });
const FLATBUFFERS: f.FlatBuffersSchema = {
  root: 0,
  identifier: '',
  enums: [],
  objects: [
    table('Outer', [field('all', 0, f.VECTOR, { element: f.OBJ, ref: 1 })]),
    table('Inner', [field('items', 0, f.VECTOR, { element: f.OBJ, ref: 2 })]),
    table('Item', [field('id', 0, f.INT), field('name', 1, f.STRING)]),
  ],
};

const member = (name: string, type: number): c.FieldSchema => ({
  name,
  type,
  offset: 0,
  discriminant: c.NO_UNION,
  low: 0,
  high: 0,
  at: -1,
  segment: -1,
});
const struct = (name: string, fields: c.FieldSchema[]): c.StructSchema => ({ name, fields, union: false, discriminantOffset: 0 });
const CAPNPROTO: c.CapnProtoSchema = {
  root: 0,
  types: [
    { type: c.STRUCT, ref: 1 },
    { type: c.LIST, ref: 0 },
    { type: c.STRUCT, ref: 2 },
    { type: c.LIST, ref: 2 },
    { type: c.INT32, ref: -1 },
    { type: c.TEXT, ref: -1 },
  ],
  structs: [struct('Outer', [member('all', 1)]), struct('Inner', [member('items', 3)]), struct('Item', [member('id', 4), member('name', 5)])],
  enums: [],
  request: new Uint8Array(0),
};

/** Writers of the formats with a schema, and a schema with lists in objects in a list. */
const WRITERS: readonly [name: string, writer: unknown, schema: unknown, sequence?: object][] = [
  ['Avro', avro, await compileSchema(avro, AVRO)],
  ['Protocol Buffers', protobuf, await compileSchema(protobuf, { proto: PROTO, message: 'Outer' })],
  ['Bebop', bebop, await compileSchema(bebop, { bop: BOP, record: 'Outer' })],
  ['FlatBuffers', flatbuffers, FLATBUFFERS, { sequence: true, sizePrefixed: true }],
  ['Cap’n Proto', capnproto, CAPNPROTO],
  ['js-binary', jsbinary, await compileSchema(jsbinary, { all: [{ items: [{ id: 'int', name: 'string' }] }] })],
];

const list = Array.from({ length: 300 }, (_, id) => ({ id, name: `trip ${id % 7}` }));
const rows = (await throughBlock((sink) => emit(sink, list), 'rows')) as Rows;
const columns = fromColumns({ id: Int32Array.from(list, ({ id }) => id), name: list.map(({ name }) => name) });

describe('writer of rows and columns', () => {
  it.each(WRITERS)('writes them as %s if their list is in an object in an array', (_name, writer, schema) => {
    const expected = encodeEveryWay(writer, { all: [{ items: list }, { items: [] }, { items: list }] }, { schema });
    expect(expected.length).toBeGreaterThan(list.length * 2);
    expect(encodeEveryWay(writer, { all: [{ items: rows }, { items: rows.slice(3, 3) }, { items: columns }] }, { schema })).toEqual(expected);
  });

  it.each(WRITERS)('writes them as objects in a list of %s, and as values of a sequence', async (_name, writer, schema, inSequence) => {
    const options = inSequence ?? { sequence: true };
    const values = Array.from({ length: 300 }, (_, index) => ({ all: [{ items: list.slice(0, index % 4) }] }));
    const all = (await throughBlock((sink) => emit(sink, values), 'rows')) as Rows;
    expect(all).not.toBeInstanceOf(Array);
    expect(encodeEveryWay(writer, all, { schema, options })).toEqual(encodeEveryWay(writer, values, { schema, options }));
    const any = writer as FormatWriter<object, unknown>;
    expect(encodeSync(any, all, { schema, options })).toEqual(encodeSync(any, values, { schema, options }));
  });

  it.each(WRITERS)('rejects them as %s if the schema expects one object', (_name, writer, schema) => {
    const { code, path } = encodeErrorOf(writer, { all: [rows] }, { schema });
    expect([['type', 'missing'].includes(code), path?.slice(0, 2)]).toEqual([true, ['all', 0]]);
  });

  it('writes them as the array of a union, and as the data of a container with an inferred schema', async () => {
    const item = { type: 'record', name: 'Item', fields: ITEM_FIELDS };
    const union = await compileSchema(avro, ['null', item, { type: 'map', values: 'int' }, { type: 'array', items: 'Item' }]);
    const plain = { schema: union, options: { unions: 'plain' } };
    expect(encodeEveryWay(avro, rows, plain)).toEqual(encodeEveryWay(avro, list, plain));
    const options = { framing: 'container', syncMarker: new Uint8Array(16) };
    expect(encodeEveryWay(avro, rows, { options })).toEqual(encodeEveryWay(avro, list, { options }));
  });
});
