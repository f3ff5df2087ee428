import type { FormatId } from '../../../core/format/format-id.ts';
import * as flat from '../../../core/formats/flatbuffers/schema/schema.ts';
import type { FlatBuffersSchema } from '../../../core/formats/flatbuffers/schema/schema.ts';
import * as capn from '../../../core/formats/capnproto/schema.ts';
import type { CapnProtoSchema, FieldSchema } from '../../../core/formats/capnproto/schema.ts';
import { field } from '../core/formats/flatbuffers/reflection.ts';
import { list, type Shape } from './shapes.ts';

/** Node of a tree, described by every schema. */
interface Tree {
  text: string;
  rows: { id: number; name: string; x: number }[];
  texts: string[];
  numbers: number[];
  children: Tree[];
}

const tree = (some: Partial<Tree>): Tree => ({ text: '', rows: [], texts: [], numbers: [], children: [], ...some });
const deep = (levels: number): Tree => list(levels, () => 0).reduce<Tree>((inner) => tree({ text: 'x', children: [inner] }), tree({}));

/** Trees that grow in every dimension. */
export const TREES: readonly Shape[] = [
  { name: 'records', size: 250, make: (size) => tree({ rows: list(size, (at) => ({ id: at, name: `name ${at % 100}`, x: at / 7 })) }) },
  { name: 'one long string', size: 70_000, make: (size) => tree({ text: 'é long '.repeat(size / 7) }) },
  { name: 'many strings', size: 700, make: (size) => tree({ texts: list(size, (at) => `text ${at}`) }) },
  { name: 'numbers', size: 2000, make: (size) => tree({ numbers: list(size, (at) => at * 1000) }) },
  { name: 'many small trees', size: 150, make: (size) => tree({ children: list(size, (at) => tree({ text: `${at}`, numbers: [at] })) }) },
  { name: 'deep trees', size: 40, isDepth: true, make: deep },
  { name: 'many deep trees', size: 6, make: (size) => tree({ children: list(size, () => deep(30)) }) },
];

const BOP = `struct Row { int32 id; string name; float64 x; }
message Tree { 1 -> string text; 2 -> Row[] rows; 3 -> string[] texts; 4 -> int32[] numbers; 5 -> Tree[] children; }`;
const PROTO = `syntax = "proto3"; message Row { int32 id = 1; string name = 2; double x = 3; }
message Tree { string text = 1; repeated Row rows = 2; repeated string texts = 3; repeated int32 numbers = 4; repeated Tree children = 5; }`;
const ROW = {
  type: 'record',
  name: 'Row',
  fields: Object.entries({ id: 'int', name: 'string', x: 'double' }).map(([name, type]) => ({ name, type })),
};
const array = (items: unknown): object => ({ type: 'array', items });
const AVRO = {
  type: 'record',
  name: 'Tree',
  fields: Object.entries({ text: 'string', rows: array(ROW), texts: array('string'), numbers: array('int'), children: array('Tree') }).map(
    ([name, type]) => ({ name, type }),
  ),
};

/** js-binary has no recursive types: it writes trees without children, as a list that stays empty. */
const JSBINARY = { text: 'string', rows: [{ id: 'int', name: 'string', x: 'float' }], texts: ['string'], numbers: ['int'], children: ['int'] };

const vector = (name: string, id: number, element: number, ref = -1): flat.FieldSchema => field(name, id, flat.VECTOR, { element, ref });
const FLATBUFFERS: FlatBuffersSchema = {
  root: 0,
  identifier: '',
  enums: [],
  objects: [
    {
      name: 'Tree',
      struct: false,
      size: 0,
      fields: [
        field('text', 0, flat.STRING),
        vector('rows', 1, flat.OBJ, 1),
        vector('texts', 2, flat.STRING),
        vector('numbers', 3, flat.INT),
        vector('children', 4, flat.OBJ, 0),
      ],
    },
    {
      name: 'Row',
      struct: false,
      size: 0,
      fields: [field('id', 0, flat.INT), field('name', 1, flat.STRING), field('x', 2, flat.DOUBLE)],
    },
  ],
};

const member = (name: string, type: number, offset: number): FieldSchema => ({
  name,
  type,
  offset,
  discriminant: capn.NO_UNION,
  low: 0,
  high: 0,
  at: -1,
  segment: -1,
});
const struct = (name: string, fields: FieldSchema[]): CapnProtoSchema['structs'][number] => ({
  name,
  fields,
  union: false,
  discriminantOffset: 0,
});
const CAPNPROTO: CapnProtoSchema = {
  root: 0,
  types: [
    { type: capn.TEXT, ref: -1 },
    { type: capn.INT32, ref: -1 },
    { type: capn.FLOAT64, ref: -1 },
    { type: capn.STRUCT, ref: 0 },
    { type: capn.STRUCT, ref: 1 },
    ...[0, 1, 3, 4].map((ref) => ({ type: capn.LIST, ref })),
  ],
  structs: [
    struct('Tree', [member('text', 0, 0), member('rows', 8, 1), member('texts', 5, 2), member('numbers', 6, 3), member('children', 7, 4)]),
    struct('Row', [member('id', 1, 0), member('name', 0, 0), member('x', 2, 1)]),
  ],
  enums: [],
  request: new Uint8Array(0),
};

/** Schema of the trees for each format that needs one: the input of `compileSchema`, or its result. */
export const SCHEMAS: readonly { id: FormatId; given?: unknown; compiled?: unknown; options?: object; trees?: readonly Shape[] }[] = [
  { id: 'protobuf', given: { proto: PROTO, message: 'Tree' } },
  { id: 'avro', given: AVRO, options: { framing: 'datum' } },
  { id: 'bebop', given: { bop: BOP, record: 'Tree' } },
  { id: 'jsbinary', given: JSBINARY, trees: TREES.slice(0, 4) },
  { id: 'flatbuffers', compiled: FLATBUFFERS },
  { id: 'capnproto', compiled: CAPNPROTO, options: { packed: false } },
];
