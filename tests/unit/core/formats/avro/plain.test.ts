/** Covers small data decoded without a reader; `decodeWith` compares them with the reader's values. */
import { describe, expect, test } from 'vitest';
import avro, { type AvroOptions } from '../../../../../core/formats/avro/index.ts';
import type { AvroSchema } from '../../../../../core/formats/avro/schema/schema.ts';
import { type Limits, resolveLimits } from '../../../../../core/limits.ts';
import { shapeOf } from '../../../../../core/sinks/objects/objects.ts';
import { decodeWith, difference } from '../../../../setup/ways/differential.ts';
import { hex } from '../../../../setup/values/hex.ts';
import { forSchema } from './random.ts';

const compile = (json: unknown): AvroSchema => avro.compileSchema!(json) as AvroSchema;

function decodeAtOnce(bytes: Uint8Array, json: unknown, options: AvroOptions = {}, limits?: Partial<Limits>): unknown {
  return avro.decodeAtOnce!(bytes, options, resolveLimits(limits), compile(json), shapeOf);
}

const ROW = {
  type: 'record',
  name: 'Row',
  fields: [
    { name: 'id', type: 'long' },
    { name: 'name', type: ['null', 'string'] },
    { name: 'kind', type: { type: 'enum', name: 'Kind', symbols: ['A', 'B'] } },
    { name: 'at', type: { type: 'long', logicalType: 'timestamp-millis' } },
    { name: 'place', type: { type: 'array', items: 'double' } },
    { name: 'tags', type: { type: 'map', values: 'int' } },
    { name: 'data', type: 'bytes' },
    { name: 'key', type: { type: 'fixed', name: 'Key', size: 2 } },
  ],
};
const ROWS = { type: 'record', name: 'Rows', fields: [{ name: 'rows', type: { type: 'array', items: ROW } }] };

function makeRows(count: number): { rows: object[] } {
  return {
    rows: Array.from({ length: count }, (_, index) => ({
      id: 10 ** index - 1,
      name: index % 3 === 0 ? null : `größer ${index}`,
      kind: index % 2 === 0 ? 'A' : 'B',
      at: new Date(1_700_000_000_000 * (index % 2)),
      place: [index, -0, 0.5].slice(index % 4),
      tags: { a: index, 'another key': ~index },
      data: Uint8Array.of(1, 2, index),
      key: Uint8Array.of(index, 0),
    })),
  };
}

const TYPE = forSchema(ROWS);

/** Encodes with avsc, which takes an instant as a number. */
function encode({ rows }: { rows: object[] }): Uint8Array {
  return TYPE.toBuffer({ rows: rows.map((row) => ({ ...row, at: (row as { at: Date }).at.getTime() })) }).slice();
}

describe('Avro plain decoder', () => {
  test("decodes records, often enough to get a maker, to the reader's values", () => {
    const value = makeRows(15);
    const bytes = encode(value);
    for (let call = 0; call < 4; call += 1) expect(difference(decodeAtOnce(bytes, ROWS), value)).toBeUndefined();
  });

  test("decodes to the reader's values with options that have no effect on them", () => {
    const bytes = encode(makeRows(2));
    const options: AvroOptions = { framing: 'datum', timestamps: 'number' };
    expect(decodeAtOnce(bytes, ROWS, options)).toMatchObject({ rows: [{ at: 0 }, { at: 1_700_000_000_000 }] });
  });

  test("decodes data resolved to a reader's schema to the reader's values", () => {
    const reader = { ...ROWS, fields: [{ name: 'rows', type: { type: 'array', items: { ...ROW, fields: ROW.fields.toReversed() } } }] };
    const [row] = (decodeAtOnce(encode(makeRows(1)), { writer: ROWS, reader }) as { rows: object[] }).rows;
    expect(Object.keys(row!)).toEqual(ROW.fields.map(({ name }) => name).toReversed());
  });
});

describe('Avro plain decoder', () => {
  test('leaves truncated data and trailing bytes to the reader', () => {
    const bytes = encode(makeRows(5));
    expect(decodeAtOnce(bytes, ROWS)).toBeDefined();
    for (let end = 0; end < bytes.length; end += 1) {
      expect(decodeAtOnce(bytes.subarray(0, end), ROWS)).toBeUndefined();
      expect(() => decodeWith(avro, bytes.subarray(0, end), { schema: compile(ROWS) })).toThrow();
    }
    expect(decodeAtOnce(Uint8Array.of(...bytes, 0), ROWS)).toBeUndefined();
  });

  test.each<[string, string, unknown, AvroOptions?, Partial<Limits>?]>([
    ['a long without an exact number', 'feffffffffffffffff01', 'long'],
    ['the first such long', '8080808080808020', 'long'],
    ['longs as text', '02', 'long', { int64: 'string' }],
    ['maps as Map', '00', { type: 'map', values: 'int' }, { maps: 'map' }],
    ['a sequence', '0202', 'int', { sequence: true }],
    ['a key __proto__', '02125f5f70726f746f5f5f0200', { type: 'map', values: 'int' }],
    ['a field __proto__', '02', { type: 'record', name: 'R', fields: [{ name: '__proto__', type: 'int' }] }],
    ['items that take no bytes', '0800', { type: 'array', items: 'null' }],
    ['a possible container', '4f', 'int'],
    ['a boolean of 2', '02', 'boolean'],
    ['a string that is not UTF-8', '02ff', 'string'],
    ['a block has a negative length', '01010200', { type: 'array', items: 'int' }],
    ['a low limit of depth', '00', { type: 'array', items: 'int' }, {}, { depth: 10 }],
    ['a low limit of values', '00', { type: 'array', items: 'int' }, {}, { values: 10 }],
    ['a low limit of strings', '00', 'string', {}, { stringLength: 10 }],
  ])('leaves to the reader %s', (_, digits, json, options, limits) => {
    expect(decodeAtOnce(hex(digits), json, options, limits)).toBeUndefined();
  });

  test('leaves lists over the depth limit to the reader', () => {
    const json = { type: 'record', name: 'R', fields: [{ name: 'in', type: { type: 'array', items: 'R' } }] };
    const nested = (depth: number): Uint8Array => hex('02'.repeat(depth) + '00'.repeat(depth + 1));
    expect(decodeAtOnce(nested(20), json)).toBeDefined();
    expect(decodeAtOnce(nested(60), json)).toBeUndefined();
  });

  test('leaves records that contain many records without bytes to the reader', () => {
    const types = Array.from({ length: 30 }, (_, level) => ({
      type: 'record',
      name: `R${level}`,
      fields: ['a', 'b'].map((name) => ({ name, type: level === 0 ? 'null' : `R${level - 1}` })),
    }));
    const json = types.reduce<unknown>(
      (inner, type) => ({ ...type, fields: inner === undefined ? type.fields : [{ name: 'a', type: inner }, type.fields[1]] }),
      undefined,
    );
    expect(decodeAtOnce(new Uint8Array(0), json)).toBeUndefined();
  });
});
