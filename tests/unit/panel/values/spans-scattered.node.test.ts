import { Builder } from 'flatbuffers';
import { describe, expect, test } from 'vitest';
import { exportValue } from '../../../../devtools-extension/values/value.ts';
import capnproto from '../../../../core/formats/capnproto/index.ts';
import * as capn from '../../../../core/formats/capnproto/schema/schema.ts';
import type { CapnProtoSchema } from '../../../../core/formats/capnproto/schema/schema.ts';
import flatbuffers from '../../../../core/formats/flatbuffers/index.ts';
import * as flat from '../../../../core/formats/flatbuffers/schema/schema.ts';
import type { FlatBuffersSchema } from '../../../../core/formats/flatbuffers/schema/schema.ts';
import { caseCount } from '../../../setup/properties/case-count.ts';
import { openFolder } from '../../../setup/servers/folders.ts';
import { hex } from '../../../setup/values/hex.ts';
import { encode as encodeCapn } from '../../core/formats/capnproto/encode.ts';
import { Dice, randomModel, randomValue as randomStruct } from '../../core/formats/capnproto/random.ts';
import { encode as encodeFlat } from '../../core/formats/flatbuffers/encode.ts';
import { randomSchema, randomValue as randomTable } from '../../core/formats/flatbuffers/random.ts';
import { field } from '../../core/formats/flatbuffers/reflection.ts';
import { namesOf, partsOf, readDamaged, readWhole } from '../read.ts';

const SEEDS = Array.from({ length: caseCount(40) }, (_, seed) => seed);

function joined(bodies: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(bodies.flatMap((body) => [...body]));
}

describe('readSpans for FlatBuffers', () => {
  test('covers any buffer correctly: intact, damaged and consecutive', async () => {
    for (const seed of SEEDS) {
      const dice = new Dice(seed);
      const schema = randomSchema(dice);
      const identifier = schema.identifier || undefined!;
      const values = Array.from({ length: 3 }, () => randomTable(dice, schema));
      const [bytes, shared] = [false, true].map((isShared) => encodeFlat(schema, values[0]!, { identifier, shared: isShared }));
      await readWhole(bytes!, { format: 'flatbuffers', schema });
      await readWhole(shared!, { format: 'flatbuffers', schema });
      await readDamaged(shared!, { format: 'flatbuffers', schema }, () => dice.next(), 9);
      const sized = joined(values.map((value) => encodeFlat(schema, value, { identifier, sizePrefixed: true })));
      await readWhole(sized, { format: 'flatbuffers', schema, options: { sequence: true } });
      await readDamaged(sized, { format: 'flatbuffers', schema, options: { sequence: true } }, () => dice.next(), 3);
    }
  });

  test('covers flatc output correctly, intact and with each byte changed', async () => {
    const fixtures = (await openFolder('fixtures', 'flatbuffers'))!;
    const schema = await flatbuffers.compileSchema!({ bfbs: await fixtures.bytes('everything.bfbs') });
    const bytes = await fixtures.bytes('full.bin');
    const body = await readWhole(bytes, { format: 'flatbuffers', schema });
    // Every byte has a meaning, and belongs to a value.
    const { extents } = body.tree!.data;
    expect(extents!.owners.every((owner) => owner > 0)).toBe(true);
    let at = 0;
    const step = 1 / bytes.length;
    await readDamaged(bytes, { format: 'flatbuffers', schema }, () => (at += step * 0.37) % 1, 60);
  });

  /** Two tables with one vtable; a string and a table that are referenced twice. */
  const schema: FlatBuffersSchema = {
    root: 0,
    identifier: '',
    enums: [],
    objects: [
      {
        name: 'Root',
        struct: false,
        size: 0,
        fields: [
          field('a', 0, flat.OBJ, { ref: 1 }),
          field('b', 1, flat.OBJ, { ref: 1 }),
          field('c', 2, flat.OBJ, { ref: 1 }),
          field('list', 3, flat.VECTOR, { element: flat.STRING }),
        ],
      },
      { name: 'Item', struct: false, size: 0, fields: [field('id', 0, flat.INT), field('name', 1, flat.STRING)] },
    ],
  };

  test('assigns shared vtables, tables and strings to the first reference', async () => {
    const builder = new Builder(64);
    const text = builder.createString('shared');
    const item = (id: number): number => {
      builder.startObject(2);
      builder.addFieldInt32(0, id, 0);
      builder.addFieldOffset(1, text, 0);
      return builder.endObject();
    };
    const [one, two] = [item(1), item(2)];
    builder.startVector(4, 2, 4);
    builder.addOffset(text);
    builder.addOffset(text);
    const list = builder.endVector();
    builder.startObject(4);
    for (const [slot, target] of [one, two, one, list].entries()) builder.addFieldOffset(slot, target, 0);
    builder.finish(builder.endObject());
    const body = await readWhole(builder.asUint8Array().slice(), { format: 'flatbuffers', schema });
    const tree = body.tree!;
    expect(namesOf(body)).toEqual([
      ': table Root',
      'a: table Item',
      'a.id: int',
      'a.name: string 6',
      'b: table Item',
      'b.id: int',
      'b.name: string 6',
      'c: table Item',
      'c.id: int',
      'c.name: string 6',
      'list: vector of 2 string',
      'list.0: string 6',
      'list.1: string 6',
    ]);
    expect(exportValue(tree, 1)).toMatchObject({ a: { id: 1, name: 'shared' }, b: { id: 2 }, c: { id: 1 }, list: ['shared', 'shared'] });
    const labels = (node: number): string[] => body.parts(node).map(({ label }) => label);
    expect(labels(2)).toEqual(['offset', 'vtable', 'vtable offset']);
    expect(labels(4)).toEqual(['offset', 'length', 'payload', 'terminator', 'padding']);
    // Another table with the vtable, then the first table again, then its string.
    expect(labels(5)).toEqual(['offset', 'vtable offset']);
    expect(labels(8)).toEqual(['offset', 'shared']);
    expect(labels(10)).toEqual(['shared']);
    expect(labels(12)).toEqual(['offset', 'shared']);
    // A byte of a shared value leads to its first owner.
    const at = tree.data.values[8]!;
    expect(tree.path(tree.nodeAt(at))).toEqual(['a']);
    expect(body.note(3)).toBe('id: int');
  });
});

describe('readSpans for Cap’n Proto', () => {
  test('covers any message correctly: intact, packed, damaged and consecutive', async () => {
    for (const seed of SEEDS) {
      const dice = new Dice(seed);
      const model = randomModel(dice);
      const values = Array.from({ length: 3 }, () => randomStruct(dice, model));
      for (const packed of [false, true]) {
        const setting = { format: 'capnproto', schema: model.schema, options: { packed } } as const;
        const bodies = values.map((value) => encodeCapn(model, value, packed));
        await readWhole(bodies[0]!, setting);
        await readDamaged(bodies[0]!, setting, () => dice.next(), 6);
        await readWhole(joined(bodies), { ...setting, options: { packed, sequence: true } });
      }
    }
  });

  test('covers capnp output correctly, in one segment and in several packed ones', async () => {
    const fixtures = (await openFolder('fixtures', 'capnproto'))!;
    const request = await fixtures.bytes('test.request');
    const files = fixtures.files.filter((file) => file.endsWith('.bin') || file.endsWith('.segments.packed'));
    expect(files.length).toBeGreaterThan(10);
    let state = 7;
    const next = (): number => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
    for (const file of files) {
      const struct = file.slice('values/'.length).replace(/\..*/, '');
      const schema = await capnproto.compileSchema!({ request, struct });
      const bytes = await fixtures.bytes(file);
      const setting = { format: 'capnproto', schema, options: { packed: file.endsWith('packed') } } as const;
      await readWhole(bytes, setting);
      await readDamaged(bytes, setting, next, 9);
    }
  });

  const schema: CapnProtoSchema = {
    root: 0,
    types: [
      { type: capn.STRUCT, ref: 1 },
      { type: capn.TEXT, ref: -1 },
      { type: capn.ANY_POINTER, ref: -1 },
      { type: capn.LIST, ref: 0 },
    ],
    structs: [
      {
        name: 'Root',
        union: false,
        discriminantOffset: 0,
        fields: ['a', 'b', 'any', 'list'].map((name, offset) => ({
          name,
          type: [0, 0, 2, 3][offset]!,
          offset,
          discriminant: capn.NO_UNION,
          low: 0,
          high: 0,
          at: -1,
          segment: -1,
        })),
      },
      {
        name: 'Item',
        union: false,
        discriminantOffset: 0,
        fields: [{ name: 'text', type: 1, offset: 0, discriminant: capn.NO_UNION, low: 0, high: 0, at: -1, segment: -1 }],
      },
    ],
    enums: [],
    request: new Uint8Array(0),
  };

  test('assigns structs referenced twice to the first reference', async () => {
    const bytes = hex(`
      00000000 09000000  0000000000000400
      0c00000000000100  0800000000000100  0400000000000100  090000000f000000
      0100000012000000  6100000000000000
      0400000000000100  0000000000000000
    `);
    const body = await readWhole(bytes, { format: 'capnproto', schema, options: { packed: false } });
    expect(namesOf(body)).toEqual([
      ': struct Root',
      'a: struct Item',
      'a.text: text 1',
      'b: struct Item',
      'b.text: text 1',
      'any: AnyPointer, object',
      'any.data: data',
      'any.pointers: pointers',
      'any.pointers.0: AnyPointer, binary',
      'list: composite list of 1 Item',
      'list.0: struct Item',
      'list.0.text: text 0',
    ]);
    expect(partsOf(body, 2)).toEqual(['pointer 16..24']);
    expect(partsOf(body, 3)).toEqual(['pointer 48..56', 'payload 56..57', 'terminator 57..58', 'padding 58..64']);
    expect(partsOf(body, 4)).toEqual(['pointer 24..32', 'shared 48..56']);
    expect(partsOf(body, 5)).toEqual(['shared 56..57']);
    expect(partsOf(body, 10)).toEqual(['pointer 40..48', 'tag 64..72']);
    expect(body.note(3)).toBe('Item.text :Text');
  });

  test('includes the landing pads of far pointers', async () => {
    const double = hex(`
      02000000 02000000 02000000 01000000  0000000000000100 0600000001000000  0200000002000000 0000000000000100  0000000000000000
    `);
    const body = await readWhole(double, { format: 'capnproto', schema, options: { packed: false } });
    expect(namesOf(body).slice(0, 2)).toEqual([': struct Root', 'a: struct Item, far pointer']);
    expect(partsOf(body, 1)).toEqual(['segment table 0..16', 'pointer 16..24']);
    expect(partsOf(body, 2)).toEqual(['far pointer 24..32', 'landing pad 32..48']);
  });
});
