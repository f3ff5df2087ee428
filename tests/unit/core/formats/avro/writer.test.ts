import { describe, expect, it } from 'vitest';
import avro from '../../../../../core/formats/avro/index.ts';
import type { AvroSchema } from '../../../../../core/formats/avro/schema/schema.ts';
import writer, { type AvroWriteOptions } from '../../../../../core/formats/avro/writer.ts';
import { caseCount } from '../../../../setup/properties/case-count.ts';
import { assertSame, decodeWith } from '../../../../setup/ways/differential.ts';
import { encodeErrorOf, encodeWith, fillerLeaving } from '../../../../setup/ways/encode-with.ts';
import { firstDifference, toHex } from '../../../../setup/values/hex.ts';
import { Dice, forSchema, type Json, plain, SchemaMaker, ValueMaker } from './random.ts';

const compile = (json: unknown): AvroSchema => writer.compileSchema!(json) as AvroSchema;
const encode = (json: unknown, value: unknown, options: AvroWriteOptions = {}, inTurns = false): Uint8Array =>
  encodeWith(writer, value, { schema: compile(json), options, inTurns });
const decode = (json: unknown, bytes: Uint8Array, options: object = {}): unknown => decodeWith(avro, bytes, { schema: compile(json), options });
const errorOf = (json: unknown, value: unknown, options: AvroWriteOptions = {}): unknown =>
  encodeErrorOf(writer, value, { schema: compile(json), options });

describe('Avro writer, one datum', () => {
  it.each([
    ['unions in the default form', 'auto', 'auto', 0],
    ['unions wrapped', true, 'wrapped', 500_000],
  ] as const)('writes the same bytes as avsc, with %s', (_, wrapped, unions, first) => {
    for (let seed = first; seed < first + caseCount(20_000) / 20; seed += 1) {
      const dice = new Dice(seed);
      const json = new SchemaMaker(dice).make();
      const type = forSchema(json, wrapped);
      const schema = compile(json);
      for (let i = 0; i < 10; i += 1) {
        const value = new ValueMaker(dice, json, wrapped).make(json);
        const bytes = encodeWith(writer, value, { schema, options: { unions } });
        const where = `seed ${seed}, value ${i}: ${JSON.stringify(json)}`;
        if (firstDifference(bytes, type.toBuffer(value)) >= 0) throw new Error(`other bytes for ${where}`);
        assertSame(decodeWith(avro, bytes, { schema, options: { unions } }), plain(type.fromBuffer(bytes)));
      }
    }
  });

  it('writes the same bytes in slices of any length', () => {
    for (let seed = 0; seed < caseCount(400); seed += 1) {
      const dice = new Dice(seed);
      const inner = new SchemaMaker(dice).make();
      const json: Json = {
        type: 'record',
        name: 'Outer',
        fields: [
          { name: 'filler', type: 'bytes' },
          { name: 'list', type: { type: 'array', items: inner } },
        ],
      };
      const schema = compile(json);
      const maker = new ValueMaker(dice, inner);
      const list = Array.from({ length: 12 }, () => maker.make(inner));
      const length = encodeWith(writer, { filler: new Uint8Array(0), list }, { schema }).length;
      for (let i = 0; i < 6; i += 1) {
        const value = { filler: new Uint8Array(fillerLeaving(dice.below(length))), list };
        const whole = encodeWith(writer, value, { schema });
        expect(firstDifference(encodeWith(writer, value, { schema, inTurns: true }), whole), `seed ${seed}`).toBe(-1);
      }
    }
  });

  it('chooses the branch of an unwrapped union that can hold the value', () => {
    const json = [
      'null',
      'int',
      'long',
      'float',
      'double',
      'string',
      'bytes',
      { type: 'array', items: 'int' },
      { type: 'map', values: 'int' },
      { type: 'record', name: 'A', fields: [{ name: 'a', type: 'int' }] },
      {
        type: 'record',
        name: 'AB',
        fields: [
          { name: 'a', type: 'int' },
          { name: 'b', type: 'int' },
        ],
      },
    ];
    const types = [null, 7, 2 ** 40, 0.5, 0.1, 'x', Uint8Array.of(1), [1], { z: 1 }, { a: 1 }, { a: 1, b: 2 }].map(
      (value) => encode(json, value, { unions: 'plain' })[0]! / 2,
    );
    // A plain object gets the first branch that fits, here a map before the records.
    expect(types.slice(0, 9)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    const records = ['null', json[9], json[10]];
    expect([{ a: 1 }, { b: 1, a: 2 }].map((value) => encode(records, value, { unions: 'plain' })[0]! / 2)).toEqual([1, 2]);
  });

  it.each([
    ['int', 7, '020e'],
    ['long', 123456, '0280890f'],
    ['long', 7n, '020e'],
    ['double', 7, '020000000000001c40'],
    ['double', 0.125, '02000000000000c03f'],
    ['int', 2 ** 31, undefined],
    ['int', '12.50', '000404e2'],
    ['int', 12.5, '000404e2'],
  ])('writes a number of a union of a decimal and %s as a number, and reads it so: %s', (type, value, bytes) => {
    const schema = [{ type: 'bytes', logicalType: 'decimal', precision: 4, scale: 2 }, type];
    if (bytes === undefined) {
      expect(() => encode(schema, value)).toThrow('the decimal has more than 4 digits');
      return;
    }
    const written = encode(schema, value);
    expect(toHex(written)).toBe(bytes);
    expect(decode(schema, written)).toBe(bytes.startsWith('00') ? '12.50' : Number(value));
  });

  it.each(['7', '007', '7.00', '07.00', '-7.00', '-0.00', '0.00', '1e2', '.50', '123456.00', '7.', '', 'x'])(
    'keeps the text %o in a union with a decimal',
    (text) => {
      const decimal = { type: 'bytes', logicalType: 'decimal', precision: 4, scale: 2 };
      for (const schema of [
        [decimal, 'string'],
        ['string', decimal],
        [{ type: 'bytes', logicalType: 'big-decimal' }, 'string'],
      ])
        expect(decode(schema, encode(schema, text), {})).toBe(text);
    },
  );

  it.each(['007', '7', '-0', '99999999999999999999', '9999999999999999999'])('keeps the text %o in a union with a long that takes text', (text) => {
    const options = { int64: 'string' } as const;
    expect(String(decode(['long', 'string'], encode(['long', 'string'], text, options), options))).toBe(text);
  });

  it.each(['A'.repeat(36), 'f81d4fae-7dec-11d0-a765-00a0c91e6bf6', 'F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6'])(
    'keeps the text %o in a union with a UUID',
    (text) => {
      const schema = [{ type: 'fixed', name: 'u', size: 16, logicalType: 'uuid' }, 'string'];
      expect(decode(schema, encode(schema, text), {})).toBe(text);
    },
  );

  it('writes a number of a union of a date and a number as a number', () => {
    const schema = [{ type: 'int', logicalType: 'date' }, 'long'];
    expect(decode(schema, encode(schema, 7, { unions: 'plain' }), { unions: 'plain' })).toBe(7);
  });

  it('chooses a float, the only number of a union, for a number that must be rounded', () => {
    expect(decode(['null', 'float'], encode(['string', 'float'], 0.1, { unions: 'plain' }).slice(0), {})).toBe(Math.fround(0.1));
  });

  it('writes the default of a missing field of any type', () => {
    const fields = [
      { name: 'int', type: 'int', default: 5 },
      { name: 'double', type: 'double', default: 'NaN' },
      { name: 'text', type: 'string', default: 'é' },
      { name: 'bytes', type: 'bytes', default: 'ÿ\u0000' },
      { name: 'none', type: ['null', 'int'], default: null },
      { name: 'union', type: ['int', 'null'], default: 3 },
      { name: 'list', type: { type: 'array', items: 'long' }, default: [1, -1] },
      { name: 'map', type: { type: 'map', values: 'boolean' }, default: { a: true } },
      { name: 'choice', type: { type: 'enum', name: 'E', symbols: ['X', 'Y'] }, default: 'Y' },
      { name: 'four', type: { type: 'fixed', name: 'F', size: 2 }, default: 'ab' },
      {
        name: 'record',
        type: {
          type: 'record',
          name: 'R',
          fields: [
            { name: 'x', type: 'int' },
            { name: 'y', type: 'float', default: 1.5 },
          ],
        },
        default: { x: 1 },
      },
    ];
    const json = { type: 'record', name: 'Defaults', fields };
    const bytes = encode(json, {});
    assertSame(decode(json, bytes), {
      int: 5,
      double: NaN,
      text: 'é',
      bytes: Uint8Array.of(255, 0),
      none: null,
      union: 3,
      list: [1, -1],
      map: { a: true },
      choice: 'Y',
      four: Uint8Array.of(97, 98),
      record: { x: 1, y: 1.5 },
    });
    const withoutSpecial = { type: 'record', name: 'Defaults', fields: fields.filter(({ name }) => name !== 'double') };
    expect(toHex(encode(withoutSpecial, {}))).toBe('0a04c3a904ff00000006040201000202610100026162020000c03f');
    // avsc needs Node's Buffer for a default of bytes.
    if (globalThis.process?.versions?.node !== undefined)
      expect(toHex(forSchema(withoutSpecial).toBuffer({}))).toBe('0a04c3a904ff00000006040201000202610100026162020000c03f');
    expect(encode(json, { int: 6, text: undefined })[0]).toBe(12);
  });

  it('accepts keys in any order, and skips unknown keys with extraKeys: skip', () => {
    const json = {
      type: 'record',
      name: 'R',
      fields: [
        { name: 'a', type: 'int' },
        { name: 'constructor', type: ['null', 'int'] },
        { name: '__proto__', type: ['null', 'int'] },
      ],
    };
    expect([...encode(json, { more: 1, a: 2 }, { extraKeys: 'skip' })]).toEqual([4, 0, 0]);
    expect([...encode(json, JSON.parse('{"__proto__": 3, "constructor": 1, "a": 2}'))]).toEqual([4, 2, 2, 2, 6]);
    class Row {
      a = 1;
      ignored = 2;
    }
    expect([...encode(json, new Row(), { extraKeys: 'skip' })]).toEqual([2, 0, 0]);
  });

  it('accepts typed arrays and Sets as arrays, Maps as maps, and buffers as bytes', () => {
    const list = { type: 'array', items: 'double' };
    for (const value of [Float64Array.of(1, 2.5), new Set([1, 2.5])]) expect(decode(list, encode(list, value))).toEqual([1, 2.5]);
    const map = { type: 'map', values: 'int' };
    expect(
      decode(
        map,
        encode(
          map,
          new Map([
            ['a', 1],
            ['__proto__', 2],
          ]),
        ),
        { maps: 'map' },
      ),
    ).toEqual(
      new Map([
        ['a', 1],
        ['__proto__', 2],
      ]),
    );
    expect(encode('bytes', Uint8Array.of(1, 2).buffer)).toEqual(Uint8Array.of(4, 1, 2));
    expect(encode('bytes', new DataView(new ArrayBuffer(1)))).toEqual(Uint8Array.of(2, 0));
  });

  it.each([0n, 1n, -1n, 2n ** 53n, -(2n ** 53n) - 1n, 2n ** 62n, 2n ** 63n - 1n, -(2n ** 63n)])(
    'writes the long %s as a bigint, as text and, if exact, as a number',
    (value) => {
      const bytes = encode('long', value);
      expect(decode('long', bytes, { int64: 'bigint' })).toBe(value);
      expect(encode('long', String(value), { int64: 'string' })).toEqual(bytes);
      if (BigInt(Number(value)) === value && Math.abs(Number(value)) < 2 ** 63) expect(encode('long', Number(value))).toEqual(bytes);
    },
  );

  it('writes strings of every length and kind, across chunks', () => {
    for (const text of ['', 'a'.repeat(63), 'é'.repeat(40), '🚲'.repeat(3000), 'x'.repeat(63) + 'é', 'ab'.repeat(500_000), '日本'.repeat(400_000)]) {
      expect(decode('string', encode('string', text, {}, true))).toBe(text);
    }
    const bytes = new Uint8Array(3_000_000).fill(7);
    expect(firstDifference(decode('bytes', encode('bytes', bytes, {}, true)) as Uint8Array, bytes)).toBe(-1);
  });
});

describe('Avro writer, logical types', () => {
  const logical = (type: unknown, logicalType: string, more: object = {}): object => ({ type, logicalType, ...more });
  const fixed = (size: number): object => ({ type: 'fixed', name: 'F', size });

  it.each([
    [logical('int', 'date'), new Date('1969-12-30')],
    [logical('int', 'date'), new Date('2026-11-22')],
    [logical('long', 'timestamp-millis'), new Date('2026-11-22T01:02:03.456Z')],
    [logical('long', 'timestamp-micros'), new Date(-1)],
    [logical('long', 'timestamp-nanos'), new Date('2200-01-01T00:00:00.001Z')],
    [logical('long', 'local-timestamp-millis'), new Date(8.64e15)],
    [logical('bytes', 'decimal', { precision: 10, scale: 2 }), '-1.50'],
    [logical('bytes', 'decimal', { precision: 60, scale: 0 }), '9'.repeat(60)],
    [{ ...fixed(4), ...logical('fixed', 'decimal', { precision: 9, scale: 3 }) }, '-128.000'],
    [
      { ...fixed(12), ...logical('fixed', 'duration') },
      { months: 1, days: 2 ** 32 - 1, milliseconds: 0 },
    ],
    [{ ...fixed(16), ...logical('fixed', 'uuid') }, '01234567-89ab-cdef-0123-456789abcdef'],
    [logical('int', 'time-millis'), 86_399_999],
  ])('writes %j so that it is read back as %s', (json, value) => {
    assertSame(decode(json, encode(json, value)), value);
  });

  it.each(['timestamp-millis', 'timestamp-micros', 'timestamp-nanos', 'local-timestamp-micros', 'time-micros'])(
    'accepts %s as text, as read with int64: string',
    (name) => {
      for (const json of [logical('long', name), ['null', logical('long', name)], { type: 'array', items: ['int', logical('long', name)] }]) {
        const value = Array.isArray(json) || !('items' in json) ? '1700000000000001' : ['1700000000000001', 5];
        const options = { int64: 'string', timestamps: 'number', unions: 'plain' } as const;
        const bytes = encode(json, value, options);
        const decoded = decodeWith(avro, bytes, { schema: compile(json), options });
        expect(decoded).toEqual(value);
        expect(encode(json, decoded, options)).toEqual(bytes);
      }
      expect(errorOf(logical('long', name), '1.5', { int64: 'string' })).toMatchObject({ code: 'type' });
      expect(errorOf(logical('long', name), '15')).toMatchObject({ code: 'type' });
    },
  );

  it('accepts decimals as numbers, bigints and bytes too', () => {
    const json = logical('bytes', 'decimal', { precision: 8, scale: 2 });
    for (const [value, text] of [
      [1.5, '1.50'],
      [-3n, '-3.00'],
      ['1e3', '1000.00'],
      ['0.0000', '0.00'],
      ['.5', '0.50'],
      [Uint8Array.of(0xff), '-0.01'],
      [1e-2, '0.01'],
    ]) {
      expect(decode(json, encode(json, value))).toBe(text);
    }
    expect(toHex(encode(json, '1.28'))).toBe('040080');
    expect(toHex(encode(json, '-1.28'))).toBe('0280');
  });

  it('accepts only underlying values with logicalTypes: false', () => {
    const json = logical('int', 'date');
    expect(encode(json, 3, { logicalTypes: false })).toEqual(Uint8Array.of(6));
    expect(errorOf(json, new Date(0), { logicalTypes: false })).toMatchObject({ code: 'type' });
  });

  it.each([
    [logical('int', 'date'), new Date('2026-11-22T12:00Z'), 'range'],
    [logical('int', 'date'), new Date(NaN), 'range'],
    [logical('long', 'timestamp-nanos'), new Date(8.64e15), 'range'],
    [logical('long', 'timestamp-millis'), new Date(NaN), 'range'],
    [logical('bytes', 'decimal', { precision: 4, scale: 2 }), '1.001', 'range'],
    [logical('bytes', 'decimal', { precision: 4, scale: 2 }), '100.00', 'range'],
    [logical('bytes', 'decimal', { precision: 4, scale: 2 }), '1,5', 'type'],
    [logical('bytes', 'decimal', { precision: 4, scale: 2 }), NaN, 'type'],
    [logical('bytes', 'decimal', { precision: 4, scale: 2 }), true, 'type'],
    [{ ...fixed(12), ...logical('fixed', 'duration') }, { months: 1, days: 2 }, 'missing'],
    [{ ...fixed(12), ...logical('fixed', 'duration') }, { months: 1, days: -2, milliseconds: 0 }, 'range'],
    [{ ...fixed(16), ...logical('fixed', 'uuid') }, 'no uuid', 'type'],
  ])('refuses for %j: %s', (json, value, code) => {
    expect(errorOf(json, value)).toMatchObject({ code });
  });
});

describe('Avro writer, invalid values', () => {
  const list = { type: 'array', items: 'int' };
  const record = {
    type: 'record',
    name: 'R',
    fields: [
      { name: 'ok', type: 'int' },
      { name: 'in', type: { type: 'map', values: list } },
    ],
  };
  const cyclic: Record<string, unknown> = {};
  cyclic['again'] = cyclic;
  let deep: unknown = null;
  for (let i = 0; i < 100_000; i += 1) deep = { again: deep };
  const nested = { type: 'record', name: 'N', fields: [{ name: 'again', type: ['null', 'N'] }] };

  it.each([
    ['a string for an int', 'int', '1', 'type', undefined],
    ['a fraction for an int', list, [1, 1.5], 'range', [1]],
    ['an int has more than 32 bits', list, [2 ** 31], 'range', [0]],
    ['NaN for a long', 'long', NaN, 'range', undefined],
    ['a number past the longs', 'long', 2 ** 63, 'range', undefined],
    ['a bigint past the longs', 'long', 2n ** 63n, 'range', undefined],
    ['a float that would be infinite', 'float', 1e39, 'range', undefined],
    ['a lone surrogate', 'string', 'a\ud800', 'text', undefined],
    ['a lone surrogate in a long string', 'string', `${'x'.repeat(100_000)}\udc00`, 'text', undefined],
    ['a missing field', record, { ok: 1 }, 'missing', ['in']],
    ['a wrong value far inside', record, { ok: 1, in: { a: [1], b: [1, null] } }, 'type', ['in', 'b', 1]],
    ['a list for a record', record, [], 'type', undefined],
    ['a list for a map', { type: 'map', values: 'int' }, [], 'type', undefined],
    ['an object for a list', list, {}, 'type', undefined],
    ['an unknown symbol', { type: 'enum', name: 'E', symbols: ['A'] }, 'B', 'range', undefined],
    ['undefined for an enum of one symbol', { type: 'enum', name: 'E', symbols: ['A'] }, undefined, 'type', undefined],
    ['too few bytes', { type: 'fixed', name: 'F', size: 2 }, new Uint8Array(1), 'range', undefined],
    ['a value that fits no branch of a union', ['null', 'string'], 5, 'type', undefined],
    ['a value of a wrapped union that is not wrapped', ['int', 'long'], 5, 'type', undefined],
    ['a wrong value in a wrapped union', ['int', 'long'], { long: 'x' }, 'type', ['long']],
    ['a function', 'string', () => 1, 'type', undefined],
    ['a Map with keys that are not strings', { type: 'map', values: 'int' }, new Map([[1, 1]]), 'type', ['1']],
    ['a value that contains itself', nested, cyclic, 'cycle', ['again']],
    ['a hundred thousand records nested deeply', nested, deep, 'depth', Array<string>(16).fill('again')],
  ] as const)('refuses %s with its path', (_, json, value, code, path) => {
    expect(errorOf(json, value)).toEqual({ code, path });
  });

  it('reports the path after several slices too', () => {
    const value = { ok: 1, in: { a: Array.from({ length: 100_000 }, (__, i) => i), b: ['no'] } };
    expect(encodeErrorOf(writer, value, { schema: compile(record), inTurns: true })).toEqual({ code: 'type', path: ['in', 'b', 0] });
    const last = { ok: 1, in: { a: [...Array.from({ length: 100_000 }, (__, i) => i), 'no'] } };
    expect(encodeErrorOf(writer, last, { schema: compile(record), inTurns: true })).toEqual({ code: 'type', path: ['in', 'a', 100_000] });
  });

  it('reports the error of a getter as its cause', () => {
    const cause = new Error('no');
    expect(() =>
      encode(record, {
        get ok() {
          throw cause;
        },
      }),
    ).toThrow(expect.objectContaining({ code: 'thrown', path: ['ok'], cause }));
  });

  it('reports a default that does not fit its type as a schema error', () => {
    expect(() => encode({ type: 'record', name: 'R', fields: [{ name: 'a', type: 'int', default: 'x' }] }, { a: 1 })).toThrow(
      'the default of R.a does not fit its type',
    );
  });
});

describe('Avro writer, several data', () => {
  const json = {
    type: 'record',
    name: 'Row',
    fields: [
      { name: 'id', type: 'int' },
      { name: 'text', type: 'string' },
    ],
  };
  const rows = Array.from({ length: 20_000 }, (_, id) => ({ id, text: `row ${id % 100}` }));

  it.each([undefined, 'object'] as const)('writes a sequence that is read back, with framing %s, also in slices', (framing) => {
    const bytes = encode(json, rows, { sequence: true, framing }, true);
    expect(firstDifference(bytes, encode(json, rows, { sequence: true, framing }))).toBe(-1);
    expect(decode(json, bytes, { sequence: true, framing })).toEqual(rows);
  });

  it('names an invalid datum', () => {
    expect(errorOf(json, [rows[0], { id: 1, text: 2 }], { sequence: true })).toEqual({ code: 'type', path: [1, 'text'] });
    expect(errorOf(json, rows[0], { sequence: true })).toMatchObject({ code: 'type' });
  });

  it('writes a single object, which names its schema', () => {
    const bytes = encode(json, rows[0], { framing: 'object' });
    expect(toHex(bytes.subarray(0, 2))).toBe('c301');
    expect(decodeWith(avro, bytes, { schema: compile({ registered: [json] }) })).toEqual(rows[0]);
  });

  it('requires a schema', () => {
    expect(() => encodeWith(writer, rows, {})).toThrow('a schema is required to write Avro');
  });
});
