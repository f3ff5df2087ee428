import { Encoder } from 'cbor-x';
import { Packr } from 'msgpackr';
import { describe, expect, test } from 'vitest';
import avro from '../../../../core/formats/avro/index.ts';
import bebop from '../../../../core/formats/bebop/index.ts';
import protobuf from '../../../../core/formats/protobuf/index.ts';
import type { FormatId } from '../../../../core/format/format-id.ts';
import { hex } from '../../../setup/values/hex.ts';
import { compile, encode as encodeJsBinary } from '../../core/formats/jsbinary/reference.ts';
import { encode as encodeSia } from '../../core/formats/sia/reference.ts';
import { namesOf, partsOf, readWhole } from '../read.ts';

const ROWS = [
  { id: 1, name: 'a longer name' },
  { id: 2, name: 'another name' },
  { id: 3, name: 'a longer name' },
];

async function names(format: FormatId, bytes: Uint8Array, schema?: unknown): Promise<string[]> {
  return namesOf(await readWhole(Uint8Array.from(bytes), { format, schema }));
}

/** Notes of the entries that have one. */
async function notes(format: FormatId, bytes: Uint8Array, schema?: unknown): Promise<string[]> {
  const body = await readWhole(Uint8Array.from(bytes), { format, schema });
  return Array.from({ length: body.tree!.count - 1 }, (_, i) => body.note(i + 1)).filter((note) => note !== '');
}

describe('name of an encoding', () => {
  test('follows the Avro specification', async () => {
    const json = {
      type: 'record',
      name: 'R',
      fields: [
        { name: 'id', type: 'long' },
        { name: 'note', type: ['null', 'string'] },
        { name: 'either', type: ['int', 'double'] },
        { name: 'list', type: { type: 'array', items: 'int' } },
        { name: 'map', type: { type: 'map', values: 'string' } },
        { name: 'enum', type: { type: 'enum', name: 'E', symbols: ['A', 'B'] } },
        { name: 'fixed', type: { type: 'fixed', name: 'F', size: 2 } },
        { name: 'day', type: { type: 'int', logicalType: 'date' } },
      ],
    };
    const bytes = hex('d804  02 04 6869  02 0000000000000040  04 0204 02 06 00  02 026b 0276 00  02  0102  0a');
    const body = await readWhole(bytes, { format: 'avro', schema: avro.compileSchema!(json) });
    expect(namesOf(body)).toEqual([
      ': record R',
      'id: zigzag varint long',
      'note: union branch 1: string 2',
      'either: union branch 1: double',
      'either.double: double',
      'list: array, block of 2 items first',
      'list.0: zigzag varint int',
      'list.1: zigzag varint int',
      'list.2: zigzag varint int',
      'map: map, block of 1 entry',
      'map.k: string 1',
      'enum: enum E, symbol 1',
      'fixed: fixed 2 F',
      'day: zigzag varint int, date',
    ]);
    expect(partsOf(body, 3)).toEqual(['type 2..3', 'length 3..4', 'payload 4..6']);
    // The header of the second block belongs to the array.
    expect([7, 8, 9].map((node) => partsOf(body, node))).toEqual([['payload 16..17'], ['payload 17..18'], ['payload 19..20']]);
    expect(partsOf(body, 6)).toEqual(['length 15..16', 'payload 16..21']);
    expect(partsOf(body, 11)).toEqual(['key, string 1 22..24', 'length 24..25', 'payload 25..26']);
    expect(body.note(3)).toBe('R.note: union {null, string}');
    expect(body.note(6)).toBe('R.list: array<int>');
  });

  test('follows Sia’s table', async () => {
    const value = [{ name: 'Grüße', list: [1, 300, 1.5] }, { name: 'x', list: [] }, new Map([[1, true]]), new Date(5), new Set([null])];
    expect(await names('sia', encodeSia(value))).toEqual([
      ': array8 5',
      '0: objectStart',
      '0.name: utfz 5',
      '0.list: array8 3',
      '0.list.0: uint8',
      '0.list.1: uint16',
      '0.list.2: float64',
      '1: objectStart',
      '1.name: utfz 1',
      '1.list: array8 0',
      '2: mapStart',
      '2.0: uint8',
      '2.1: true',
      '3: constructor8 1, Date',
      '4: setStart',
      '4.0: null',
    ]);
    const body = await readWhole(Uint8Array.from(encodeSia({ a: 'text' })), { format: 'sia' });
    expect(partsOf(body, 2)).toEqual(['key, utfz 1 1..4', 'type 4..5', 'length 5..6', 'payload 6..10']);
    const again = await readWhole(
      Uint8Array.from(
        encodeSia([
          { a: 0, b: 1 },
          { a: 0, b: 2 },
        ]),
      ),
      { format: 'sia' },
    );
    expect(partsOf(again, 7)).toEqual(['key, ref8 1 20..22', 'type 22..23', 'payload 23..24']);
  });

  test('follows Bebop', async () => {
    const bop =
      'enum E : uint16 { A = 1; } struct P { int32 x; E e; } message M { 1 -> string text; 2 -> P[] list; 3 -> map[string, byte[]] map; } union U { 4 -> M; }';
    const schema = await bebop.compileSchema!({ bop, record: 'U' });
    const bytes = hex(`
      2d000000 04  29000000
      01 02000000 6869
      02 01000000 07000000 0100
      03 01000000 01000000 6b 02000000 0102
      00
    `);
    bytes[0] = bytes.length - 5;
    bytes[5] = bytes.length - 9;
    const body = await readWhole(bytes, { format: 'bebop', schema });
    expect(namesOf(body)).toEqual([
      ': union U',
      'discriminator: discriminator',
      'value: message M',
      'value.text: string 2',
      'value.list: array 1',
      'value.list.0: struct P',
      'value.list.0.x: int32',
      'value.list.0.e: enum E (uint16)',
      'value.map: map 1',
      'value.map.0: string 1',
      'value.map.1: byte array 2',
    ]);
    expect(partsOf(body, 2)).toEqual(['type 4..5']);
    expect(partsOf(body, 4)).toEqual(['key, index 1 9..10', 'length 10..14', 'payload 14..16']);
    expect([4, 5, 7].map((node) => body.note(node))).toEqual(['M.text: string, index 1', 'M.list: P[], index 2', 'P.x: int32']);
  });

  test('follows js-binary', async () => {
    const type = { 'gone?': 'int', 'there?': 'uint', list: ['string'], json: 'json', regex: 'regex', date: 'date' };
    const value = { there: 200, list: ['x', 'yy'], json: { k: [1, 'z'] }, regex: /ab/gi, date: new Date(1e12) };
    const body = await readWhole(Uint8Array.from(encodeJsBinary(type, value)), { format: 'jsbinary', schema: compile(type) });
    expect(namesOf(body)).toEqual([
      ': object',
      'gone: optional, absent',
      'there: uint in 2 bytes',
      'list: array 2',
      'list.0: string 1',
      'list.1: string 2',
      'json: json 13',
      'json.k: array',
      'json.k.0: number, int',
      'json.k.1: string 1',
      'regex: regex 2',
      'regex.0: source and flags',
      'regex.0.0: source',
      'regex.0.1: flags',
      'date: date in 8 bytes',
    ]);
    expect(partsOf(body, 3)).toEqual(['key, optional, present 1..2', 'payload 2..4']);
    expect([3, 4, 5].map((node) => body.note(node))).toEqual(['there?: uint', 'list: [string]', 'string']);
  });

  test('follows the .proto', async () => {
    const schema = await protobuf.compileSchema!({ proto: 'syntax = "proto3"; message M { string name = 2; repeated M list = 3; }', message: 'M' });
    expect(await notes('protobuf', hex('12 01 61 1a 03 12 01 62'), schema)).toEqual([
      'M',
      'M: string name = 2',
      'M: repeated M list = 3',
      'M: M',
      'M: string name = 2',
    ]);
  });
});

describe('key written once', () => {
  test('appears in a msgpackr record: a definition, and references to it', async () => {
    const bytes = new Packr({ useRecords: true }).pack(ROWS);
    const body = await readWhole(Uint8Array.from(bytes), { format: 'messagepack' });
    expect(namesOf(body).filter((name) => /^\d:/.test(name))).toEqual(['0: fixext 1, record definition 0x40', '1: record 0x40', '2: record 0x40']);
    expect(await notes('messagepack', bytes)).toEqual(['defines 0x40: id, name', ...[1, 2].map(() => 'id, name: keys defined at byte 1')]);
    // The keys are part of the definition.
    expect(partsOf(body, 2)[0]).toBe('type 1..13');
  });

  test('appears in a shared structure, which is not in the body', async () => {
    const structures: string[][] = [];
    const packr = new Packr({ structures });
    packr.pack(ROWS);
    const bytes = Uint8Array.from(packr.pack(ROWS));
    const body = await readWhole(bytes, { format: 'messagepack', options: { structures } as object });
    expect(body.describe(2).name).toBe('record 0x40');
    expect(body.note(2)).toBe('id, name: keys not defined in the body');
  });

  test('appears in a cbor-x record', async () => {
    const bytes = new Encoder({ useRecords: true }).encode(ROWS);
    const body = await readWhole(Uint8Array.from(bytes), { format: 'cbor' });
    expect(namesOf(body).filter((name) => /^\d:/.test(name))).toEqual([
      '0: tag 57343 record definition: array 4',
      '1: tag 57344 record: array 2',
      '2: tag 57344 record: array 2',
    ]);
    expect(await notes('cbor', bytes)).toEqual(['defines tag 57344: id, name', ...[1, 2].map(() => 'id, name: keys defined at byte 1')]);
    expect(partsOf(body, 2)[0]).toBe('type 1..17');
  });

  test('appears as a reference, as do values, in cbor-x and structured clones', async () => {
    const packed = await names('cbor', new Encoder({ pack: true, useRecords: false }).encode(ROWS));
    expect(packed[0]).toBe(': tag 51 packed: array 4');
    expect(packed.filter((name) => name.includes('packed reference')).length).toBeGreaterThan(0);
    const shared = { a: 1 };
    const clone = await names('messagepack', new Packr({ structuredClone: true, useRecords: false }).pack([shared, shared]));
    expect(clone).toEqual([': fixarray 2', '0: fixext 4, id', '0.a: positive fixint', '1: fixext 4, reference']);
    const cbor = await names('cbor', new Encoder({ structuredClone: true, useRecords: false }).encode([shared, shared]));
    expect(cbor).toEqual([': array 2', '0: tag 28 shared value: map 1', '0.a: unsigned', '1: tag 29 reference: unsigned uint16']);
  });
});

test('bundled strings have their text elsewhere, which links back to them', async () => {
  // fixarray 2; a bundle whose strings begin 8 bytes later; two strings of it; the strings, of 3 and 2 units.
  const bytes = Uint8Array.from(new Packr({ bundleStrings: true, useRecords: false }).pack(ROWS.map(({ name }) => name)));
  const body = await readWhole(bytes, { format: 'messagepack' });
  const tree = body.tree!;
  expect(tree.data.elsewhere.size).toBeGreaterThan(0);
  for (const [node, [from, end]] of tree.data.elsewhere) {
    expect(new TextDecoder().decode(bytes.subarray(from, end))).toBe(tree.text(node));
    expect(partsOf(body, node).at(-1)).toBe(`text elsewhere ${from}..${end}`);
    expect(tree.nodeAt(from)).toBe(node);
    expect(tree.nodeAt(end - 1)).toBe(node);
  }
});
