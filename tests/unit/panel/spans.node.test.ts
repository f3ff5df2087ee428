import fc from 'fast-check';
import { Packr } from 'msgpackr';
import { serialize } from 'bson';
import { Encoder } from 'cbor-x';
import { deflateSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { exportValue } from '../../../devtools-extension/panel/models/value.ts';
import { type ReadSetting, readSpans } from '../../../devtools-extension/reading/read-spans.ts';
import avro from '../../../worker/formats/avro.ts';
import protobuf from '../../../worker/formats/protobuf.ts';
import type { FormatId } from '../../../worker/formats/registry.ts';
import { SpanTree } from '../../../worker/sinks/span-tree.ts';
import { bytesOf, hex } from '../../setup/hex.ts';
import { container } from '../avro/bytes.ts';
import { Dice as AvroDice, forSchema, SchemaMaker, ValueMaker } from '../avro/random.ts';
import { anyDocument } from '../bson/arbitrary.ts';
import { encode as encodeCapn } from '../capnproto/encode.ts';
import { Dice as CapnDice, randomModel, randomValue as randomStruct } from '../capnproto/random.ts';
import { encode as encodeFlat } from '../flatbuffers/encode.ts';
import { Dice as FlatDice, randomSchema, randomValue as randomTable } from '../flatbuffers/random.ts';
import { encode as encodeSia } from '../sia/reference.ts';
import { anyItem } from '../cbor/arbitrary.ts';
import { anyValue } from '../messagepack/arbitrary.ts';
import { Dice, randomMessage, randomProto } from '../protobuf/random.ts';
import { checkTree, ownBytes } from './tree-rules.ts';

async function read(format: FormatId, bytes: Uint8Array, setting: Partial<ReadSetting> = {}): Promise<SpanTree> {
  const { data, error } = await readSpans(bytes, { format, ...setting });
  if (error) throw new Error(`${error.reason} at ${error.offset}`);
  return new SpanTree(data, bytes);
}

function check(tree: SpanTree): void {
  checkTree(tree.data);
  expect(ownBytes(tree.data)).toBe(tree.bytes.length);
}

const json = (text: string): Uint8Array => new TextEncoder().encode(text);

/** `path start..value..end`, of every entry. */
function lines(tree: SpanTree): string[] {
  const { starts, values, ends } = tree.data;
  return Array.from({ length: tree.count - 1 }, (_, i) => {
    const node = i + 1;
    return `${tree.path(node).join('.')} ${starts[node]}..${values[node]}..${ends[node]}`;
  });
}

describe('ranges', () => {
  test('of JSON leave white space and commas to the container', async () => {
    const tree = await read('json', json('{ "a": [1, "b\\n"], "c": null }'));
    check(tree);
    expect(lines(tree)).toEqual([' 0..0..30', 'a 2..7..17', 'a.0 8..8..9', 'a.1 11..11..16', 'c 19..24..28']);
    expect(exportValue(tree, 1)).toEqual({ a: [1, 'b\n'], c: null });
  });

  test('of MessagePack', async () => {
    const tree = await read('messagepack', bytesOf(0x82, 0xa1, 'a', 0xcd, 1, 2, 0xa1, 'b', 0x91, 0xa2, 'hi'));
    check(tree);
    expect(lines(tree)).toEqual([' 0..0..12', 'a 1..3..6', 'b 6..8..12', 'b.0 9..9..12']);
  });

  test('of a record take in its definition', async () => {
    const tree = await read('messagepack', bytesOf(0x92, hex('d4 72 40 92'), 0xa1, 'a', 0xa1, 'b', 1, 2, 0x40, 3, 0xc0));
    check(tree);
    expect(lines(tree)).toEqual([' 0..0..14', '0 1..1..11', '0.a 9..9..10', '0.b 10..10..11', '1 11..11..14', '1.a 12..12..13', '1.b 13..13..14']);
  });

  test('of Protocol Buffers, with and without a schema', async () => {
    const bytes = hex('08 96 01 12 03 61 62 63 1a 02 08 01 1a 02 08 02');
    const plain = await read('protobuf', bytes);
    check(plain);
    expect(exportValue(plain, 1, true)).toEqual({ 1: 150, 2: 'abc', 3: [{ 1: 1 }, { 1: 2 }] });
    const schema = await protobuf.compileSchema!({
      proto: 'syntax = "proto3"; message M { int32 id = 1; string name = 2; repeated N list = 3; message N { int32 n = 1; } }',
      message: 'M',
    });
    const named = await read('protobuf', bytes, { schema });
    check(named);
    expect(exportValue(named, 1, true)).toEqual({ id: 150, name: 'abc', list: [{ n: 1 }, { n: 2 }] });
  });

  test('lead from a byte to the innermost value', async () => {
    const tree = await read('json', json('{"a":[10,20],"b":"x"}'));
    const at = (offset: number): string => tree.path(tree.nodeAt(offset)).join('.');
    expect([0, 2, 5, 6, 8, 9, 17, 20].map((offset) => at(offset))).toEqual(['', 'a', 'a', 'a.0', 'a', 'a.1', 'b', '']);
  });
});

describe('any value', () => {
  const runs = { numRuns: 300 };

  test('of JSON', () =>
    fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.nat(2), async (value, space) => {
        const tree = await read('json', json(` ${JSON.stringify(value, undefined, space)}\n`));
        check(tree);
        expect(JSON.stringify(exportValue(tree, 1)).replaceAll('{"$number":"-0"}', '0')).toBe(JSON.stringify(value));
      }),
      runs,
    ));

  test.each([
    ['maps', { useRecords: false }],
    ['records', { useRecords: true, moreTypes: true }],
    ['structured clones', { structuredClone: true, moreTypes: true }],
    ['bundled strings', { bundleStrings: true, useRecords: true }],
  ])('of MessagePack as %s', (_, options) => {
    const packr = new Packr(options);
    return fc.assert(
      fc.asyncProperty(anyValue({ dates: true, bytes: true, shared: 'structuredClone' in options, classes: 'structuredClone' in options }), async (value) => {
        const bytes = Uint8Array.from(packr.pack(value));
        check(await read('messagepack', bytes));
      }),
      runs,
    );
  });

  test('of CBOR', () =>
    fc.assert(
      fc.asyncProperty(anyItem({ keys: 'text' }), async (item) => {
        const bytes = Uint8Array.from(item);
        const { data } = await readSpans(bytes, { format: 'cbor' });
        check(new SpanTree(data, bytes));
      }),
      runs,
    ));

  test.each([
    ['records', { useRecords: true }],
    ['shared values', { structuredClone: true }],
    ['bundled strings', { bundleStrings: true }],
    ['packed values', { pack: true }],
  ])('of cbor-x with %s', (_, options) => {
    const encoder = new Encoder(options);
    return fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        const bytes = Uint8Array.from(encoder.encode(value));
        check(await read('cbor', bytes));
      }),
      runs,
    );
  });

  test('of Protocol Buffers', async () => {
    for (let seed = 0; seed < 60; seed += 1) {
      const dice = new Dice(seed);
      const schema = (await protobuf.compileSchema!({ proto: randomProto(dice, 'proto3'), message: 't.M0' }))!;
      for (let i = 0; i < 10; i += 1) {
        const bytes = Uint8Array.from(randomMessage(dice, schema, schema.root, { orderly: false, unknown: true, wrongTypes: true }));
        for (const known of [schema, undefined]) {
          const { data } = await readSpans(bytes, { format: 'protobuf', schema: known });
          check(new SpanTree(data, bytes));
        }
      }
    }
  });
});

describe('other formats', () => {
  test('any document of BSON', () =>
    fc.assert(
      fc.asyncProperty(anyDocument, async (value) => {
        check(await read('bson', Uint8Array.from(serialize(value, { ignoreUndefined: false }))));
      }),
      { numRuns: 300 },
    ));

  test('any value of Sia', () =>
    fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        const { data } = await readSpans(encodeSia(value), { format: 'sia' });
        checkTree(data);
        expect(ownBytes(data)).toBe(data.length);
      }),
      { numRuns: 200 },
    ));

  test('random records of Avro', async () => {
    for (let seed = 0; seed < 80; seed += 1) {
      const dice = new AvroDice(seed);
      const json = new SchemaMaker(dice).make();
      const bytes = forSchema(json).toBuffer(new ValueMaker(dice, json, 'auto').make(json)).slice();
      if (bytes.length > 0) check(await read('avro', Uint8Array.from(bytes), { schema: avro.compileSchema!(json) }));
    }
  });

  test('blocks of Avro that are compressed have their text, and no place of their own', async () => {
    const data = Uint8Array.of(...[1, 2, 3].flatMap((id) => [id * 2, 10, ...Buffer.from(`text${id}`)]));
    const schema = { type: 'record', name: 'R', fields: [{ name: 'id', type: 'int' }, { name: 'text', type: 'string' }] };
    for (const codec of [undefined, 'deflate'] as const) {
      const bytes = container(schema, codec, [{ count: 3, data: codec ? deflateSync(data) : data }]);
      const tree = await read('avro', bytes);
      check(tree);
      expect(exportValue(tree, 1)).toEqual([1, 2, 3].map((id) => ({ id, text: `text${id}` })));
    }
  });

  test('random buffers of FlatBuffers and messages of Cap’n Proto lie within the body', async () => {
    for (let seed = 0; seed < 60; seed += 1) {
      const dice = new FlatDice(seed);
      const schema = randomSchema(dice);
      const bytes = encodeFlat(schema, randomTable(dice, schema), { identifier: schema.identifier || undefined! });
      const flat = await readSpans(bytes, { format: 'flatbuffers', schema });
      expect(flat.error).toBeUndefined();
      expect(flat.data.ends.every((end, node) => end <= bytes.length && flat.data.starts[node]! <= end)).toBe(true);
      const capnDice = new CapnDice(seed);
      const model = randomModel(capnDice);
      for (const packed of [false, true]) {
        const message = encodeCapn(model, randomStruct(capnDice, model), packed);
        const { data, error } = await readSpans(message, { format: 'capnproto', schema: model.schema, options: { packed } });
        expect(error).toBeUndefined();
        expect(data.ends.every((end, node) => end <= message.length && data.starts[node]! <= end)).toBe(true);
      }
    }
  });
});

test.each<FormatId>(['json', 'messagepack', 'cbor', 'protobuf'])('any bytes taken for %s give a tree and an error', (format) =>
  fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
      const { data } = await readSpans(bytes, { format });
      check(new SpanTree(data, bytes));
    }),
    { numRuns: 500 },
  ));

test('a value that is cut is a tree up to the cut', async () => {
  const whole = Uint8Array.from(new Packr({ useRecords: false }).pack({ list: [1, 2, { a: 'text', b: [true] }], end: null }));
  for (let length = 1; length < whole.length; length += 1) {
    const bytes = whole.slice(0, length);
    const { data, error } = await readSpans(bytes, { format: 'messagepack' });
    expect(error?.code).toBe('truncated');
    check(new SpanTree(data, bytes));
  }
});

test('ten megabytes take no more than ten times as much', async () => {
  const rows = Array.from({ length: 46_000 }, (_, i) => ({ id: i, name: `Station ${i % 700}`, lat: 40 + i / 1e6, lon: -74.25, started: '2024-05-01T08:00:00Z', ended: '2024-05-01T08:10:00Z', member: i % 3 === 0, distance: i * 3, rideable: 'electric_bike', fee: null, note: 'a longer note about the trip '.repeat(2) }));
  const bytes = Uint8Array.from(new Packr({ useRecords: false }).pack(rows));
  expect(bytes.length).toBeGreaterThan(9e6);
  const { data } = await readSpans(bytes, { format: 'messagepack' });
  const columns = [data.kinds, data.starts, data.values, data.ends, data.heads, data.nexts, data.parents, data.keys, data.numbers];
  const size = columns.reduce((sum, column) => sum + column.buffer.byteLength, 0);
  expect(size).toBeLessThan(9 * bytes.length);
});
