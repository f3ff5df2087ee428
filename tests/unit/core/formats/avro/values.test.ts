import { deflateSync } from 'fflate';
import { beforeAll, describe, expect, test } from 'vitest';
import avro, { type AvroOptions } from '../../../../../core/formats/avro/index.ts';
import avroWriter from '../../../../../core/formats/avro/writer.ts';
import { crc32 } from '../../../../../core/formats/avro/container/snappy.ts';
import { resolveLimits } from '../../../../../core/limits.ts';
import { encodeWith } from '../../../../setup/ways/encode-with.ts';
import { assertSame, decodeWith, sameInEveryCut } from '../../../../setup/ways/differential.ts';
import { hex } from '../../../../setup/values/hex.ts';
import { throughBlock } from '../../../../setup/ways/through-block.ts';
import { Bytes, container } from './bytes.ts';

beforeAll(async () => {
  for (const codec of ['deflate', 'zstandard']) await avro.prepare!(container('int', codec, []));
});

const compile = (json: unknown): unknown => avro.compileSchema!(json);
const read = (json: unknown, bytes: Uint8Array, options: AvroOptions = {}): unknown => {
  const schema = compile(json);
  const value = decodeWith(avro, bytes, { schema, options });
  assertSame(sameInEveryCut(avro, bytes, { schema, options }), { value });
  return value;
};
const long = (value: bigint | number): Uint8Array => new Bytes().long(value).done();

test('decodes Avro longs of every size with every value of int64', () => {
  for (const exact of [
    0n,
    -1n,
    63n,
    -64n,
    64n,
    2n ** 31n,
    -(2n ** 31n),
    2n ** 53n - 1n,
    2n ** 53n,
    -(2n ** 53n),
    2n ** 53n + 1n,
    2n ** 60n + 1n,
    2n ** 63n - 1n,
    -(2n ** 63n),
  ]) {
    const near = Number(exact);
    const isSafe = Number.isSafeInteger(near);
    assertSame(read('long', long(exact)), isSafe ? near : exact);
    assertSame(read('long', long(exact), { int64: 'number' }), near);
    assertSame(read('long', long(exact), { int64: 'bigint' }), exact);
    assertSame(read('long', long(exact), { int64: 'string' }), exact.toString());
    assertSame(read({ writer: 'long', reader: 'double' }, long(exact)), near);
    assertSame(read({ writer: 'long', reader: 'float' }, long(exact)), Math.fround(near));
  }
});

describe('Avro reader of logical types', () => {
  const of = (type: string, logicalType: string, rest: object = {}): object => ({ type, logicalType, ...rest });

  test('decodes dates and timestamps to Dates', () => {
    const when = Date.UTC(2024, 1, 29, 12, 30, 15, 123);
    expect(read(of('int', 'date'), long(19_782))).toEqual(new Date('2024-02-29'));
    expect(read(of('int', 'date'), long(-1))).toEqual(new Date('1969-12-31'));
    for (const local of ['', 'local-']) {
      expect(read(of('long', `${local}timestamp-millis`), long(when))).toEqual(new Date(when));
      expect(read(of('long', `${local}timestamp-micros`), long(when * 1000 + 999))).toEqual(new Date(when));
      expect(read(of('long', `${local}timestamp-micros`), long(-1))).toEqual(new Date(-1));
      expect(read(of('long', `${local}timestamp-nanos`), long(BigInt(when) * 1_000_000n + 999_999n))).toEqual(new Date(when));
      expect(read(of('long', `${local}timestamp-nanos`), long(-1))).toEqual(new Date(-1));
      expect(read(of('long', `${local}timestamp-nanos`), long(-1_000_000))).toEqual(new Date(-1));
    }
    expect(read(of('long', 'timestamp-millis'), long(8.64e15 + 1))).toEqual(new Date(Number.NaN));
    expect(read(of('long', 'timestamp-micros'), long(5), { timestamps: 'number' })).toBe(5);
    expect(read(of('int', 'date'), long(5), { logicalTypes: false })).toBe(5);
  });

  test('decodes times of day to numbers', () => {
    expect(read(of('int', 'time-millis'), long(86_399_999))).toBe(86_399_999);
    expect(read(of('long', 'time-micros'), long(86_399_999_999))).toBe(86_399_999_999);
  });

  test.each([
    ['00', 2, '0.00'],
    ['ff', 2, '-0.01'],
    ['04d2', 2, '12.34'],
    ['fb2e', 2, '-12.34'],
    ['7b', 0, '123'],
    ['0100000000000000000000', 5, '12089258196146291747.06176'],
  ])('decodes the decimal %s with scale %i to %s', (text, scale, expected) => {
    const bytes = new Bytes().string(hex(text)).done();
    const json = of('bytes', 'decimal', { precision: 40, scale });
    expect(read(json, bytes)).toBe(expected);
    expect(read(json, bytes, { decimals: 'number' })).toBe(Number(expected));
    expect(read(json, bytes, { decimals: 'bytes' })).toEqual(hex(text));
    const fixed = of('fixed', 'decimal', { name: 'D', size: hex(text).length, precision: 2, scale: Math.min(scale, 2) });
    if (scale <= 2) expect(read(fixed, hex(text))).toBe(expected);
  });

  test.each([
    // As org.apache.avro.Conversions.BigDecimalConversion writes them: BinaryEncoder.writeBytes of the unscaled value, writeInt of the scale.
    ['04 04d2 04', '12.34'],
    ['02 96 04', '-1.06'],
    ['02 00 00', '0'],
    ['02 00 06', '0.000'],
    ['02 0c 05', '12000'],
    ['02 01 3c', '0.000000000000000000000000000001'],
    ['12 0100000000 00000000 00', '18446744073709551616'],
  ])('decodes the big-decimal %s, and writes it', async (text, expected) => {
    const json = of('bytes', 'big-decimal');
    const content = hex(text);
    const bytes = new Bytes().string(content).done();
    expect(read(json, bytes)).toBe(expected);
    expect(read(json, bytes, { decimals: 'number' })).toBe(Number(expected));
    expect(read(json, bytes, { decimals: 'bytes' })).toEqual(content);
    const write = (value: unknown): Uint8Array => encodeWith(avroWriter, value, { schema: avroWriter.compileSchema!(json) });
    expect(write(content)).toEqual(bytes);
    expect(read(json, write(expected))).toBe(expected);
    if (!expected.endsWith('000')) expect(write(expected)).toEqual(bytes);
    const field = { type: 'record', name: 'R', fields: [{ name: 'd', type: json, default: String.fromCharCode(...content) }] };
    expect(read({ writer: { ...field, fields: [] }, reader: field }, new Uint8Array(0))).toEqual({ d: expected });
    const lists = {
      type: 'array',
      items: {
        type: 'record',
        name: 'R',
        fields: [
          { name: 'id', type: 'int' },
          { name: 'd', type: json },
        ],
      },
    };
    const rows = Array.from({ length: 40 }, (_, id) => ({ id, d: expected }));
    const schema = compile(lists) as Parameters<typeof avro.createReader>[3];
    const list = encodeWith(avroWriter, rows, { schema });
    const value = await throughBlock((sink) => {
      const reader = avro.createReader(sink, {}, resolveLimits(), schema);
      reader.push(list);
      reader.end();
    });
    expect(value).toEqual(rows);
  });

  test('rejects big-decimals that are cut or too long, and charges the zeros of a scale', () => {
    const json = of('bytes', 'big-decimal');
    const encoded = (text: string): Uint8Array => new Bytes().string(hex(text)).done();
    for (const text of ['', '02', '0201', '0401 04', '02 01 04 00', '01 01 04', '02 01 ffffffffffff00']) {
      expect(() => read(json, encoded(text))).toThrow('invalid big-decimal');
    }
    for (const text of ['02 01 ffffffff0f', '02 01 feffffff0f']) {
      expect(() => decodeWith(avro, encoded(text), { schema: compile(json), limits: resolveLimits({ stringLength: 1000 }) })).toThrow(
        /limit exceeded/,
      );
      expect(() => decodeWith(avro, encoded(text), { schema: compile(json) })).toThrow(/limit exceeded/);
    }
  });

  test('decodes a decimal of no bytes to 0, and leaves one that does not fit its type as bytes', () => {
    expect(read(of('bytes', 'decimal', { precision: 4, scale: 1 }), Uint8Array.of(0))).toBe('0.0');
    expect(read(of('bytes', 'decimal', { precision: 1, scale: 2 }), Uint8Array.of(0))).toEqual(new Uint8Array(0));
  });

  test('decodes durations to objects and UUIDs to strings', () => {
    const duration = { type: 'fixed', name: 'D', size: 12, logicalType: 'duration' };
    expect(read(duration, hex('01000000 02000000 ffffffff'))).toEqual({ months: 1, days: 2, milliseconds: 4_294_967_295 });
    const uuid = '6ba7b810-9dad-11d1-80b4-00c04fd430c8';
    expect(read({ type: 'fixed', name: 'U', size: 16, logicalType: 'uuid' }, hex(uuid.replaceAll('-', '')))).toBe(uuid);
    expect(read(of('string', 'uuid'), new Bytes().string(uuid).done())).toBe(uuid);
  });
});

describe('Avro reader', () => {
  test('returns maps as Maps', () => {
    const bytes = new Bytes().long(2).string('b').long(1).string('a').long(2).long(0).done();
    expect(read({ type: 'map', values: 'int' }, bytes, { maps: 'map' })).toEqual(
      new Map([
        ['b', 1],
        ['a', 2],
      ]),
    );
  });

  test('returns plain unions even if JavaScript cannot tell their types apart', () => {
    expect(read(['int', 'long'], hex('0202'))).toEqual({ long: 1 });
    expect(read(['int', 'long'], hex('0202'), { unions: 'plain' })).toBe(1);
    expect(read(['null', 'long'], hex('0202'), { unions: 'wrapped' })).toEqual({ long: 1 });
  });

  test('preserves the key __proto__', () => {
    const value = read({ type: 'map', values: 'int' }, new Bytes().long(1).string('__proto__').long(5).long(0).done()) as object;
    expect(Object.getOwnPropertyDescriptor(value, '__proto__')?.value).toBe(5);
    const record = read({ type: 'record', name: 'R', fields: [{ name: '__proto__', type: 'int' }] }, long(5)) as object;
    expect(Object.getOwnPropertyDescriptor(record, '__proto__')?.value).toBe(5);
  });

  test('selects the framing by option', () => {
    // Begins like a container, but is an int followed by more fields.
    const json = { type: 'record', name: 'R', fields: ['a', 'b', 'c', 'd'].map((name) => ({ name, type: 'int' })) };
    expect(read(json, hex('4f626a01'), { framing: 'datum' })).toEqual({ a: -40, b: 49, c: 53, d: -1 });
    expect(read('long', hex('c301'))).toBe(-98);
  });
});

describe('Avro schema resolution', () => {
  const record = (fields: object[], rest: object = {}): object => ({ type: 'record', name: 'R', fields, ...rest });

  test('matches names regardless of namespace, or by an alias', () => {
    const writer = record([{ name: 'a', type: 'int' }], { namespace: 'old.space' });
    expect(read({ writer, reader: record([{ name: 'a', type: 'int' }]) }, long(1))).toEqual({ a: 1 });
    const renamed = { type: 'record', name: 'N', aliases: ['old.space.R'], fields: [{ name: 'b', aliases: ['a'], type: 'long' }] };
    expect(read({ writer, reader: renamed }, long(1))).toEqual({ b: 1 });
    expect(() => compileAndRead({ writer, reader: { ...renamed, aliases: [] } })).toThrow('record old.space.R cannot be read as record N');
  });

  const compileAndRead = (input: object, bytes = long(1)): unknown => decodeWith(avro, bytes, { schema: compile(input) });

  test('reports a mismatch when compiling, or for a union when such a value is read', () => {
    expect(() => compileAndRead({ writer: 'string', reader: 'int' })).toThrow('string cannot be read as int');
    expect(() => compileAndRead({ writer: record([]), reader: record([{ name: 'x', type: 'int' }]) })).toThrow(
      'the field R.x is not in the data and has no default',
    );
    const union = { writer: ['int', 'string'], reader: 'int' };
    expect(read(union, hex('0002'))).toBe(1);
    expect(() => compileAndRead(union, hex('020261'))).toThrow('string cannot be read as int');
    const symbols = { writer: { type: 'enum', name: 'E', symbols: ['A', 'B'] }, reader: { type: 'enum', name: 'E', symbols: ['B'] } };
    expect(read(symbols, hex('02'))).toBe('B');
    expect(() => compileAndRead(symbols, hex('00'))).toThrow("the symbol A is not in the reader's enum E");
    expect(read({ ...symbols, reader: { ...symbols.reader, default: 'B' } }, hex('00'))).toBe('B');
  });

  test('rejects decimals of different scales', () => {
    const decimal = (scale: number): object => ({ type: 'bytes', logicalType: 'decimal', precision: 4, scale });
    expect(() => compileAndRead({ writer: decimal(1), reader: decimal(2) })).toThrow('cannot be read');
  });

  test("prefers the same type in a reader's union to a promotion, like Java (avsc and fastavro take the first match)", () => {
    expect(read({ writer: 'string', reader: ['bytes', 'string'] }, hex('0261'))).toBe('a');
    expect(read({ writer: 'bytes', reader: ['string', 'bytes'] }, hex('0261'))).toEqual(Uint8Array.of(0x61));
    expect(read({ writer: 'string', reader: ['null', 'bytes'] }, hex('0261'))).toEqual(Uint8Array.of(0x61));
    expect(read({ writer: 'int', reader: ['double', 'int'] }, long(1), { unions: 'wrapped' })).toEqual({ int: 1 });
    expect(read({ writer: 'int', reader: ['string', 'double'] }, long(1), { unions: 'wrapped' })).toEqual({ double: 1 });
  });

  test('rounds an int read as a float (avsc does not)', () => {
    expect(read({ writer: 'int', reader: 'float' }, long(16_777_217))).toBe(16_777_216);
  });

  test('supplies defaults of every type', () => {
    const fields = [
      { name: 'i', type: 'int', default: 3 },
      { name: 'l', type: 'long', default: 2 ** 40 },
      { name: 'd', type: 'double', default: 1 },
      { name: 's', type: 'string', default: 'x' },
      { name: 'b', type: 'bytes', default: '\u00ff' },
      { name: 'n', type: 'null', default: null },
      { name: 'u', type: ['null', 'int'], default: 5 },
      { name: 'e', type: { type: 'enum', name: 'E', symbols: ['A'] }, default: 'A' },
      { name: 'when', type: { type: 'int', logicalType: 'date' }, default: 1 },
      { name: 'yes', type: 'boolean', default: true },
      {
        name: 'inner',
        type: record(
          [
            { name: 'x', type: 'int' },
            { name: 'y', type: 'string', default: 'own' },
          ],
          { name: 'I' },
        ),
        default: { x: 9 },
      },
      { name: 'list', type: { type: 'array', items: 'I' }, default: [{ x: 1, y: 'z' }] },
      { name: 'map', type: { type: 'map', values: 'float' }, default: { a: 1.5 } },
      { name: 'dec', type: { type: 'bytes', logicalType: 'decimal', precision: 4, scale: 2 }, default: '\u0001\u0000' },
      { name: 'a', type: 'int' },
    ];
    const expected = {
      i: 3,
      l: 2 ** 40,
      d: 1,
      s: 'x',
      b: Uint8Array.of(255),
      n: null,
      u: 5,
      e: 'A',
      when: new Date(86_400_000),
      yes: true,
      inner: { x: 9, y: 'own' },
      list: [{ x: 1, y: 'z' }],
      map: { a: 1.5 },
      dec: '2.56',
      a: 1,
    };
    const input = {
      writer: record([
        { name: 'a', type: 'int' },
        { name: 'gone', type: { type: 'array', items: 'string' } },
      ]),
      reader: record(fields),
    };
    const bytes = new Bytes().long(1).long(-1).long(2).string('x').long(0).done();
    assertSame(read(input, bytes), expected);
    expect(() => compileAndRead({ writer: record([]), reader: record([{ name: 'x', type: 'int', default: 'no' }]) })).toThrow(
      'the default of R.x does not fit its type',
    );
  });
});

test.each<[string, unknown, string]>([
  ['text that is not JSON', '{', 'not JSON'],
  ['nothing', undefined, 'invalid Avro type'],
  ['a name that is not defined', 'Nothing', 'not JSON'],
  ['a reference that is not defined', { type: 'array', items: 'Nothing' }, 'the Avro type Nothing is not defined'],
  [
    'a name that is there twice',
    [
      { type: 'fixed', name: 'F', size: 1 },
      { type: 'fixed', name: 'F', size: 1 },
    ],
    'defined twice',
  ],
  ['a union in a union', ['int', ['null']], 'must not contain another union'],
  ['a union with a type twice', ['int', 'int'], 'duplicate int'],
  ['a record without fields', { type: 'record', name: 'R' }, 'no list of fields'],
  [
    'a field that is there twice',
    {
      type: 'record',
      name: 'R',
      fields: [
        { name: 'a', type: 'int' },
        { name: 'a', type: 'int' },
      ],
    },
    'duplicate field a',
  ],
  ['a fixed without a size', { type: 'fixed', name: 'F' }, 'has no size'],
  ['an enum without symbols', { type: 'enum', name: 'E' }, 'has no symbols'],
  ['an array without items', { type: 'array' }, 'requires the type of its items'],
  ['no schema at all', {}, 'at least one'],
])('refuses an invalid schema: %s', (_, json, message) => {
  expect(() => avro.compileSchema!(json, 'mine')).toThrow(message);
  try {
    void avro.compileSchema!(json, 'mine');
  } catch (error) {
    expect((error as { schema: string }).schema).toBe('mine');
  }
});

describe('an Avro container', () => {
  const row = {
    type: 'record',
    name: 'R',
    fields: [
      { name: 'a', type: 'int' },
      { name: 's', type: 'string' },
    ],
  };
  const rows = Array.from({ length: 50 }, (_, i) => ({ a: i, s: `text ${i} `.repeat(3) }));
  const data = new Bytes();
  for (const { a, s } of rows) data.long(a).string(s);
  /** Snappy with literals of 60 bytes only. */
  const snappy = (bytes: Uint8Array): Uint8Array => {
    const out = new Bytes();
    let size = bytes.length;
    for (; size >= 0x80; size >>= 7) out.list.push((size & 0x7f) | 0x80);
    out.list.push(size);
    for (let at = 0; at < bytes.length; at += 60) {
      const part = bytes.subarray(at, at + 60);
      out.bytes([(part.length - 1) << 2]).bytes(part);
    }
    const crc = crc32(bytes);
    return out.bytes([crc >>> 24, (crc >>> 16) & 255, (crc >>> 8) & 255, crc & 255]).done();
  };
  /** Zstandard with an uncompressed block. */
  const zstandard = (bytes: Uint8Array): Uint8Array => {
    const head = (bytes.length << 3) | 1;
    return Uint8Array.from([
      ...hex('28b52ffd 60'),
      (bytes.length - 256) & 255,
      (bytes.length - 256) >> 8,
      head & 255,
      (head >> 8) & 255,
      head >> 16,
      ...bytes,
    ]);
  };

  test.each<[string, (bytes: Uint8Array) => Uint8Array]>([
    ['null', (bytes) => bytes],
    ['deflate', (bytes) => deflateSync(bytes)],
    ['snappy', snappy],
    ['zstandard', zstandard],
  ])('decodes with several blocks: %s', (codec, compress) => {
    const block = { count: rows.length, data: compress(data.done()) };
    const empty = codec === 'null' ? [{ count: 0, data: new Uint8Array(0) }] : [];
    const bytes = container(row, codec, [block, ...empty, block]);
    expect(avro.prepare!(bytes)).toBeUndefined();
    assertSame(decodeWith(avro, bytes), [...rows, ...rows]);
    for (const size of [1, 7, 100, 700])
      assertSame(decodeWith(avro, bytes, { chunkSizes: Array.from({ length: bytes.length / size }, () => size) }), [...rows, ...rows]);
    const reader = { ...row, fields: [{ name: 's', type: 'string' }] };
    assertSame(
      decodeWith(avro, bytes, { schema: compile(reader) }),
      [...rows, ...rows].map(({ s }) => ({ s })),
    );
  });

  test('reports the record of an invalid UTF-8 string in a compressed block', () => {
    const broken = deflateSync(hex('02 04 61ff'));
    const bytes = container(row, 'deflate', [{ count: 1, data: broken }]);
    const offset = bytes.length - 16 - broken.length;
    expect(sameInEveryCut(avro, bytes)).toEqual({
      error: expect.stringContaining(`DecodeError | invalid-utf8 |  | ${offset} | a string is not valid UTF-8, at byte 3`) as string,
    });
  });

  test.each(['null', 'deflate'])('decodes through a block: %s', async (codec) => {
    const stored = codec === 'null' ? data.done() : deflateSync(data.done());
    const bytes = container(row, codec, [
      { count: rows.length, data: stored },
      { count: rows.length, data: stored },
    ]);
    const value = await throughBlock((sink) => {
      const reader = avro.createReader(sink, {}, resolveLimits(), undefined);
      for (let at = 0; at < bytes.length; at += 300) reader.push(bytes.subarray(at, at + 300));
      reader.end();
    });
    assertSame(value, [...rows, ...rows]);
  });

  test('decodes one or several single objects with registered schemas', () => {
    const schema = compile({ registered: [row, 'int'] }) as { registered: Record<string, unknown> };
    const prints = Object.keys(schema.registered).map(hex);
    const one = new Bytes().bytes([0xc3, 1]).bytes(prints[0]!).long(5).string('x').done();
    const two = new Bytes().bytes([0xc3, 1]).bytes(prints[1]!).long(7).done();
    const read = (bytes: Uint8Array, options: AvroOptions = {}): unknown => sameInEveryCut(avro, bytes, { schema, options });
    expect(read(one)).toEqual({ value: { a: 5, s: 'x' } });
    expect(read(two)).toEqual({ value: 7 });
    expect(read(Uint8Array.from([...one, ...two, ...one]), { sequence: true })).toEqual({ value: [{ a: 5, s: 'x' }, 7, { a: 5, s: 'x' }] });
    expect(read(Uint8Array.from([...one, ...two]))).toMatchObject({ error: expect.stringContaining('trailing-bytes') as string });
  });
});
