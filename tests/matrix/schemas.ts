import protobuf from '../../core/formats/protobuf/index.ts';
import * as flat from '../../core/formats/flatbuffers/schema/schema.ts';
import { descriptorSetOf } from '../unit/core/formats/protobuf/compare.ts';
import { bfbsOf, field } from '../unit/core/formats/flatbuffers/reflection.ts';

/** A node of a tree, described by the schema of every format that has one. It grows in every dimension. */
export interface Tree {
  text: string;
  rows: { id: number; name: string; x: number }[];
  texts: string[];
  numbers: number[];
  children: Tree[];
}

export const tree = (some: Partial<Tree>): Tree => ({ text: '', rows: [], texts: [], numbers: [], children: [], ...some });

/** The schema of trees in Protocol Buffers. */
export const PROTOBUF = {
  message: 'Tree',
  proto: `syntax = "proto3"; message Row { int32 id = 1; string name = 2; double x = 3; }
message Tree { string text = 1; repeated Row rows = 2; repeated string texts = 3; repeated int32 numbers = 4; repeated Tree children = 5; }`,
};

const inPackage = await protobuf.compileSchema!({ message: 't.Tree', proto: PROTOBUF.proto.replace(';', '; package t;') });
/** The same as a FileDescriptorSet. */
export const DESCRIPTORS = { message: 't.Tree', descriptorSet: descriptorSetOf(inPackage!, 't', 'proto3') };

/** The same in Bebop. */
export const BEBOP = {
  record: 'Tree',
  bop: `struct Row { int32 id; string name; float64 x; }
message Tree { 1 -> string text; 2 -> Row[] rows; 3 -> string[] texts; 4 -> int32[] numbers; 5 -> Tree[] children; }`,
};

const record = (name: string, fields: Readonly<Record<string, unknown>>): object => ({
  type: 'record',
  name,
  fields: Object.entries(fields).map(([key, type]) => ({ name: key, type })),
});
const array = (items: unknown): object => ({ type: 'array', items });

/** The same in Avro. */
export const AVRO = record('Tree', {
  text: 'string',
  rows: array(record('Row', { id: 'int', name: 'string', x: 'double' })),
  texts: array('string'),
  numbers: array('int'),
  children: array('Tree'),
});

/** js-binary has no recursive types: it writes trees without children, as a list that stays empty. */
export const JSBINARY = { text: 'string', rows: [{ id: 'int', name: 'string', x: 'float' }], texts: ['string'], numbers: ['int'], children: ['int'] };

const vector = (name: string, id: number, element: number, ref = -1): flat.FieldSchema => field(name, id, flat.VECTOR, { element, ref });
const table = (name: string, fields: flat.FieldSchema[]): flat.ObjectSchema => ({ name, struct: false, size: 0, fields });

/** The same in FlatBuffers. */
export const FLATBUFFERS = {
  bfbs: bfbsOf({
    root: 0,
    identifier: '',
    enums: [],
    objects: [
      table('Tree', [
        field('text', 0, flat.STRING),
        vector('rows', 1, flat.OBJ, 1),
        vector('texts', 2, flat.STRING),
        vector('numbers', 3, flat.INT),
        vector('children', 4, flat.OBJ, 0),
      ]),
      table('Row', [field('id', 0, flat.INT), field('name', 1, flat.STRING), field('x', 2, flat.DOUBLE)]),
    ],
  }),
};

/**
 * The same in Cap’n Proto: what `capnp compile -o- | base64` makes of
 *
 *     struct Tree { text @0 :Text; rows @1 :List(Row); texts @2 :List(Text); numbers @3 :List(Int32); children @4 :List(Tree); }
 *     struct Row { id @0 :Int32; name @1 :Text; x @2 :Float64; }
 */
export const CAPNPROTO = {
  struct: 'Tree',
  request: Uint8Array.from(
    atob(
      'AAAAAN0AAAAAAAAAAAAEABEAAAAPAQAATQMAAB8AAAAEAAAAAQAAAPUCAABPAAAAAAAJAgAAAAAMAAAABQAGABgH5sWk0vGzBQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABtAAAAWgAAAHEAAAAnAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAD/rAsbmk6xywsAAAABAAIAGAfmxaTS8bMBAAcAAAAAAAAAAAAAAAAAZQAAAHoAAABpAAAABwAAAAAAAAAAAAAAZQAAAK8AAAAAAAAAAAAAAAAAAAAAAAAAQ0wLCDy8ZPQLAAAAAQAAABgH5sWk0vGzBQAHAAAAAAAAAAAAAAAAAP0AAACCAAAAAQEAAAcAAAAAAAAAAAAAAP0AAAAfAQAAAAAAAAAAAAAAAAAAAAAAAHRyZWUuY2FwbnAAAAAAAAAIAAAAAQABAENMCwg8vGT0CQAAACoAAAD/rAsbmk6xywUAAAAiAAAAVHJlZQAAAABSb3cAAAAAAHRyZWUuY2FwbnA6Um93AAAAAAAAAQABAAwAAAADAAQAAAAAAAAAAAAAAAEAAAAAAAAAAAAAAAAARQAAABoAAAAAAAAAAAAAAEAAAAADAAEATAAAAAIAAQABAAAAAAAAAAAAAQABAAAAAAAAAAAAAABJAAAAKgAAAAAAAAAAAAAARAAAAAMAAQBQAAAAAgABAAIAAAABAAAAAAABAAIAAAAAAAAAAAAAAE0AAAASAAAAAAAAAAAAAABIAAAAAwABAFQAAAACAAEAaWQAAAAAAAAEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAG5hbWUAAAAADAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAMAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAB4AAAAAAAAAAsAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAACwAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAdHJlZS5jYXBucDpUcmVlAAAAAAABAAEAFAAAAAMABAAAAAAAAAAAAAAAAQAAAAAAAAAAAAAAAAB9AAAAKgAAAAAAAAAAAAAAeAAAAAMAAQCEAAAAAgABAAEAAAABAAAAAAABAAEAAAAAAAAAAAAAAIEAAAAqAAAAAAAAAAAAAAB8AAAAAwABAJgAAAACAAEAAgAAAAIAAAAAAAEAAgAAAAAAAAAAAAAAlQAAADIAAAAAAAAAAAAAAJAAAAADAAEArAAAAAIAAQADAAAAAwAAAAAAAQADAAAAAAAAAAAAAACpAAAAQgAAAAAAAAAAAAAApAAAAAMAAQDAAAAAAgABAAQAAAAEAAAAAAABAAQAAAAAAAAAAAAAAL0AAABKAAAAAAAAAAAAAAC8AAAAAwABANgAAAACAAEAdGV4dAAAAAAMAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAwAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAHJvd3MAAAAADgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAMAAQAQAAAAAAAAAP+sCxuaTrHLAAAAAAAAAAAAAAAAAAAAAA4AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAHRleHRzAAAADgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAMAAQAMAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA4AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAG51bWJlcnMADgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAMAAQAEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA4AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAGNoaWxkcmVuAAAAAAAAAAAOAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAwABABAAAAAAAAAAQ0wLCDy8ZPQAAAAAAAAAAAAAAAAAAAAADgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAADAAAAAEAAgBDTAsIPLxk9AAAAAAAAAAAGQAAAC8AAAD/rAsbmk6xywAAAAAAAAAAJQAAAB8AAAAYB+bFpNLxswAAAAAAAAAAAAAAAAAAAAAUAAAAAAABAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAMAAAAAAABAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAQAAAABAAIAGAfmxaTS8bMFAAAAWgAAAAkAAAAHAAAAdHJlZS5jYXBucAAAAAAAAAAAAAABAAEA',
    ),
    (character) => character.charCodeAt(0),
  ),
};
