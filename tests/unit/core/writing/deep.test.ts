import { describe, expect, it } from 'vitest';
import avro from '../../../../core/formats/avro/index.ts';
import avroEncoder from '../../../../core/formats/avro/writer.ts';
import bebop from '../../../../core/formats/bebop/index.ts';
import bebopEncoder from '../../../../core/formats/bebop/writer.ts';
import bson from '../../../../core/formats/bson/index.ts';
import bsonEncoder from '../../../../core/formats/bson/writer.ts';
import capnproto from '../../../../core/formats/capnproto/index.ts';
import capnprotoEncoder from '../../../../core/formats/capnproto/writer.ts';
import cbor from '../../../../core/formats/cbor/index.ts';
import cborEncoder from '../../../../core/formats/cbor/writer.ts';
import flatbuffers from '../../../../core/formats/flatbuffers/index.ts';
import flatbuffersEncoder from '../../../../core/formats/flatbuffers/writer.ts';
import json from '../../../../core/formats/json/index.ts';
import jsonEncoder from '../../../../core/formats/json/writer.ts';
import messagepack from '../../../../core/formats/messagepack/index.ts';
import messagepackEncoder from '../../../../core/formats/messagepack/writer.ts';
import protobuf from '../../../../core/formats/protobuf/index.ts';
import protobufEncoder from '../../../../core/formats/protobuf/writer.ts';
import sia from '../../../../core/formats/sia/index.ts';
import siaEncoder from '../../../../core/formats/sia/writer.ts';
import { decodeWith } from '../../../setup/ways/differential.ts';
import { encodeErrorOf, encodeWith } from '../../../setup/ways/encode-with.ts';
import { CAPNPROTO, FLATBUFFERS } from '../../../matrix/schemas.ts';

/** Levels that no call stack holds. */
const LEVELS = 5_000;
const LIMITS = { depth: 1_000_000, expansion: 1_000_000 };

type Wrap = (inner: never) => unknown;

class Replaced {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }

  toJSON(): unknown {
    return this.value;
  }
}

/** A shape of deep values: the innermost one, and what is put around it again and again. */
interface Shape {
  readonly name: string;
  readonly innermost: unknown;
  readonly wrap: Wrap;
  readonly options?: object;
  readonly reading?: object;
  readonly schema?: unknown;
}

const OBJECTS: Shape = { name: 'objects', innermost: {}, wrap: (a) => ({ a }) };
const ARRAYS: Shape = { name: 'arrays', innermost: [], wrap: (inner) => [inner] };
const BOTH: Shape = { name: 'objects with arrays', innermost: {}, wrap: (inner) => ({ a: 1, b: [2, inner, 'x'], c: [3] }) };
const MAPS: Shape = { name: 'Maps', innermost: new Map(), wrap: (inner) => new Map([['a', inner]]) };
const KEYS: Shape = { name: 'keys of Maps', innermost: new Map(), wrap: (inner) => new Map([[inner, 1]]) };
const SETS: Shape = { name: 'Sets', innermost: new Set(), wrap: (inner) => new Set([inner]) };
const CAUSES: Shape = { name: 'causes of errors', innermost: new Error('x'), wrap: (cause) => new Error('x', { cause }) };
const REPLACED: Shape = { name: 'results of toJSON', innermost: {}, wrap: (inner) => ({ a: new Replaced(inner) }) };
const CHAIN: Shape = { name: 'results of toJSON that have a toJSON', innermost: {}, wrap: (inner) => new Replaced(inner) };
const PLAIN = [OBJECTS, ARRAYS, BOTH, REPLACED];

const RECURSIVE_AVRO = (items: unknown): object => ({ type: 'record', name: 'N', fields: [{ name: 'n', type: items }] });
const MESSAGES =
  'message N { optional N n = 1; repeated N list = 2; map<string, N> map = 3; optional group G = 4 { optional N inner = 1; } optional group Far = 100000 { optional N inner = 1; } }';
const WELL_KNOWN = 'syntax = "proto3"; import "google/protobuf/struct.proto"; message V { google.protobuf.Value v = 1; }';
const BOP = 'message N { 1 -> N n; 2 -> N[] list; 3 -> map[string, N] map; 4 -> U u; } union U { 1 -> struct A { N n; } }';
const TREE = { text: '', rows: [], texts: [], numbers: [] };
const ALTERNATING: Pick<Shape, 'innermost' | 'wrap'> = { innermost: {}, wrap: (inner) => ({ list: [{}, { map: { k: { n: inner } } }, {}] }) };

const TABLE: readonly { id: string; format: unknown; encoder: unknown; shapes: readonly Shape[] }[] = [
  {
    id: 'JSON',
    format: json,
    encoder: jsonEncoder,
    shapes: [
      ...PLAIN,
      CHAIN,
      { ...MAPS, options: { maps: 'object' } },
      { ...MAPS, options: { maps: 'entries' } },
      { ...SETS, options: { sets: 'array' } },
      { ...BOTH, options: { bigints: 'string' } },
    ],
  },
  {
    id: 'MessagePack',
    format: messagepack,
    encoder: messagepackEncoder,
    shapes: [
      ...PLAIN,
      CHAIN,
      MAPS,
      { ...KEYS, reading: { maps: 'map' } },
      SETS,
      CAUSES,
      { ...BOTH, options: { records: true } },
      { ...BOTH, options: { references: true } },
      { ...BOTH, options: { bundleStrings: true } },
      { ...BOTH, options: { skipValues: [undefined] } },
      { ...BOTH, options: { mapSize: 'uint16' } },
    ],
  },
  {
    id: 'CBOR',
    format: cbor,
    encoder: cborEncoder,
    shapes: [
      ...PLAIN,
      CHAIN,
      MAPS,
      KEYS,
      SETS,
      CAUSES,
      { ...BOTH, options: { records: true } },
      { ...BOTH, options: { references: true } },
      { ...BOTH, options: { deterministic: 'bytewise' } },
      { ...MAPS, options: { deterministic: 'bytewise' } },
    ],
  },
  { id: 'BSON', format: bson, encoder: bsonEncoder, shapes: [OBJECTS, BOTH, { ...MAPS, name: 'documents of Maps' }] },
  { id: 'Sia', format: sia, encoder: siaEncoder, shapes: [OBJECTS, ARRAYS, BOTH, MAPS, KEYS, SETS] },
  {
    id: 'Avro',
    format: avro,
    encoder: avroEncoder,
    shapes: [
      { name: 'records', innermost: { n: null }, wrap: (n) => ({ n }), schema: RECURSIVE_AVRO(['null', 'N']) },
      { name: 'arrays', innermost: { n: [] }, wrap: (inner) => ({ n: [inner] }), schema: RECURSIVE_AVRO({ type: 'array', items: 'N' }) },
      { name: 'maps', innermost: { n: {} }, wrap: (k) => ({ n: { k } }), schema: RECURSIVE_AVRO({ type: 'map', values: 'N' }) },
      {
        name: 'wrapped unions',
        innermost: { n: null },
        wrap: (N) => ({ n: { N } }),
        schema: RECURSIVE_AVRO(['null', 'N', 'string']),
        options: { unions: 'wrapped' },
        reading: { unions: 'wrapped' },
      },
    ],
  },
  {
    id: 'Protocol Buffers',
    format: protobuf,
    encoder: protobufEncoder,
    shapes: [
      { name: 'messages', innermost: {}, wrap: (n) => ({ n }), schema: { proto: MESSAGES, message: 'N' } },
      { name: 'lists and maps', ...ALTERNATING, schema: { proto: MESSAGES, message: 'N' } },
      { name: 'groups with long tags', innermost: {}, wrap: (inner) => ({ far: { inner } }), schema: { proto: MESSAGES, message: 'N' } },
      { name: 'groups', innermost: {}, wrap: (inner) => ({ g: { inner } }), schema: { proto: MESSAGES, message: 'N' } },
      {
        name: 'values',
        innermost: { v: [] },
        wrap: (v: { v: unknown }) => ({ v: { a: [v.v] } }),
        schema: { proto: WELL_KNOWN, message: 'V' },
        options: { wellKnownTypes: 'value' },
        reading: { wellKnownTypes: 'value' },
      },
    ],
  },
  {
    id: 'Bebop',
    format: bebop,
    encoder: bebopEncoder,
    shapes: [
      { name: 'messages', innermost: {}, wrap: (n) => ({ n }), schema: { bop: BOP, record: 'N' } },
      { name: 'lists and maps', ...ALTERNATING, schema: { bop: BOP, record: 'N' } },
      { name: 'unions', innermost: {}, wrap: (n) => ({ u: { discriminator: 1, value: { n } } }), schema: { bop: BOP, record: 'N' } },
    ],
  },
  {
    id: 'FlatBuffers',
    format: flatbuffers,
    encoder: flatbuffersEncoder,
    shapes: [
      {
        name: 'vectors of tables',
        innermost: {},
        wrap: (inner) => ({ children: [{}, inner] }),
        schema: await flatbuffers.compileSchema!(FLATBUFFERS),
      },
    ],
  },
  {
    id: "Cap'n Proto",
    format: capnproto,
    encoder: capnprotoEncoder,
    shapes: [
      {
        name: 'lists of structs',
        innermost: { ...TREE, children: [] },
        wrap: (inner) => ({ ...TREE, children: [inner] }),
        schema: await capnproto.compileSchema!(CAPNPROTO),
      },
      {
        name: 'packed lists of structs',
        innermost: { ...TREE, children: [] },
        wrap: (inner) => ({ ...TREE, children: [inner] }),
        schema: await capnproto.compileSchema!(CAPNPROTO),
        options: { packed: true },
      },
    ],
  },
];

const CASES = TABLE.flatMap(({ id, shapes, ...codec }) =>
  shapes.map((shape) => ({ id, ...codec, ...shape, text: `${shape.name}${shape.options ? ` with ${JSON.stringify(shape.options)}` : ''}` })),
);

/** Puts `wrap` around a value many times. */
function nested(innermost: unknown, wrap: Wrap, levels = LEVELS): unknown {
  let value = innermost;
  for (let level = 0; level < levels; level += 1) value = wrap(value as never);
  return value;
}

async function compile(format: unknown, schema: unknown): Promise<unknown> {
  const { compileSchema } = format as { compileSchema?: (input: unknown) => unknown };
  return (schema as { root?: unknown } | undefined)?.root === 0 ? schema : schema && (await compileSchema!(schema));
}

describe('values that nest deeper than the call stack', () => {
  it.each(CASES)(
    'are written in $id and read again: $text',
    async ({ format, encoder, innermost, wrap, options = {}, reading = {}, schema: given }) => {
      const schema = await compile(format, given);
      const bytes = encodeWith(encoder, nested(innermost, wrap), { options, schema, limits: LIMITS });
      const value = decodeWith(format, bytes, { options: reading, schema, limits: LIMITS });
      expect(Buffer.compare(encodeWith(encoder, value, { options, schema, limits: LIMITS }), bytes)).toBe(0);
    },
  );

  it.each(CASES)('are written in $id in slices as at once: $text', async ({ format, encoder, innermost, wrap, options = {}, schema: given }) => {
    const schema = await compile(format, given);
    const value = nested(innermost, wrap, 1_500);
    const whole = encodeWith(encoder, value, { options, schema, limits: LIMITS });
    let slices = 0;
    const cut = encodeWith(encoder, value, { options, schema, limits: LIMITS, chunk: 64, turn: () => (slices += 1) % 3 === 0 });
    expect(Buffer.compare(cut, whole)).toBe(0);
  });

  it.each(CASES)('are refused by $id at the depth limit: $text', async ({ format, encoder, innermost, wrap, options, schema: given }) => {
    const schema = await compile(format, given);
    const setting = { options: options ?? {}, schema, limits: { depth: 2_000 } };
    expect(encodeErrorOf(encoder, nested(innermost, wrap), setting)).toMatchObject({ code: 'depth' });
    expect(encodeErrorOf(encoder, nested(innermost, wrap, 900), { ...setting, limits: { depth: 400 } })).toMatchObject({ code: 'depth' });
  });
});
