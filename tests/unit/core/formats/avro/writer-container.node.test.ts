import avsc from 'avsc';
import { inflateSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import avro from '../../../../../core/formats/avro/index.ts';
import { decompressSnappy } from '../../../../../core/formats/avro/container/snappy.ts';
import { compressSnappy } from '../../../../../core/formats/avro/container/snappy-writer.ts';
import writer, { avroSchemaOf, type AvroWriteOptions } from '../../../../../core/formats/avro/writer.ts';
import { createEncoder } from '../../../../../main/encode.ts';
import { encodeSync } from '../../../../../main/sync.ts';
import { caseCount } from '../../../../setup/properties/case-count.ts';
import { assertSame, decodeWith } from '../../../../setup/ways/differential.ts';
import { encodeErrorOf, encodeWith, fillerLeaving } from '../../../../setup/ways/encode-with.ts';
import { Dice, type Json, SchemaMaker, ValueMaker } from './random.ts';

const json = {
  type: 'record',
  name: 'Row',
  doc: 'kept',
  fields: [
    { name: 'id', type: 'int' },
    { name: 'text', type: 'string' },
    { name: 'list', type: { type: 'array', items: 'double' } },
  ],
};
const rows = Array.from({ length: 800 }, (_, id) => ({ id, text: `row ${id % 100}`, list: Array.from({ length: id % 7 }, (__, i) => i / 3) }));

async function encode(value: unknown, options: AvroWriteOptions, schema: unknown = json, inTurns = false): Promise<Uint8Array> {
  const setting = { framing: 'container', ...options } as const;
  await writer.prepare!(setting);
  return encodeWith(writer, value, { options: setting, schema: schema === null ? undefined : writer.compileSchema!(schema), inTurns });
}

async function decode(bytes: Uint8Array, options: object = {}): Promise<unknown> {
  await avro.prepare!(bytes);
  return decodeWith(avro, bytes, { options });
}

describe('Avro container writer', () => {
  it.each(['null', 'deflate', 'snappy'])('writes data that are read back with codec %s, with the same bytes in slices', async (codec) => {
    const syncMarker = Uint8Array.from({ length: 16 }, (_, i) => i);
    const bytes = await encode(rows, { codec, syncMarker, blockBytes: 3000 });
    expect(await decode(bytes)).toEqual(rows);
    expect(Buffer.compare(await encode(rows, { codec, syncMarker, blockBytes: 3000 }, json, true), bytes)).toBe(0);
    if (codec !== 'null') expect(bytes.length).toBeLessThan((await encode(rows, {})).length / 2);
  });

  it('writes a container, data and blocks larger than several chunks', async () => {
    const value = [...rows, { id: 1, text: 'x'.repeat(200_000), list: Array.from({ length: 20_000 }, (_, i) => i) }, ...rows, ...rows];
    for (const options of [{}, { blockBytes: 150_000 }, { codec: 'snappy', blockBytes: 150_000 }, { blockBytes: 1 }]) {
      const whole = await encode(value, { ...options, syncMarker: new Uint8Array(16) });
      expect(await decode(whole)).toEqual(value);
      expect(Buffer.compare(await encode(value, { ...options, syncMarker: new Uint8Array(16) }, json, true), whole)).toBe(0);
    }
  });

  it('uses a custom codec', async () => {
    const seen: number[] = [];
    const compress = (block: Uint8Array): Uint8Array => {
      seen.push(block.length);
      return compressSnappy(block);
    };
    const bytes = await encode(rows, { codec: 'mine', compress, blockBytes: 10_000 });
    expect(seen.length).toBeGreaterThan(1);
    expect(Buffer.from(bytes).includes('mine')).toBe(true);
    expect(encodeErrorOf(writer, rows, { schema: writer.compileSchema!(json), options: { framing: 'container', codec: 'zstandard' } })).toEqual({
      code: 'unsupported',
      path: undefined,
    });
  });

  it('writes deflate without a header or a checksum', async () => {
    const options = { codec: 'deflate', syncMarker: new Uint8Array(16) };
    const header = (await encode([], options)).length;
    const bytes = await encode([rows[1]], options);
    // One datum of less than 64 bytes.
    expect(bytes[header]).toBe(2);
    const data = bytes.subarray(header + 2, -16);
    expect(bytes[header + 1]).toBe(2 * data.length);
    expect([...inflateSync(data)]).toEqual([...encodeWith(writer, rows[1], { schema: writer.compileSchema!(json) })]);
  });

  it('writes the schema as given, and metadata', async () => {
    const text = Buffer.from(await encode([], { metadata: { 'app.name': 'ünspool', raw: Uint8Array.of(1) } })).toString();
    expect(text).toContain(JSON.stringify(json));
    expect(text).toContain('app.name');
    expect(text).toContain('ünspool');
  });

  it('writes no block if there are no data', async () => {
    const bytes = await encode([], {});
    expect(await decode(bytes)).toEqual([]);
    expect(bytes.length).toBe(
      4 + 1 + 1 + 'avro.schema'.length + 2 + JSON.stringify(json).length + 1 + 'avro.codec'.length + 1 + 'null'.length + 1 + 16,
    );
  });

  it('writes a random sync marker unless one is given', async () => {
    const [a, b] = await Promise.all([encode(rows, {}), encode(rows, {})]);
    expect(a.slice(-16)).not.toEqual(b.slice(-16));
    expect((await encode(rows, { syncMarker: new Uint8Array(16).fill(9) })).slice(-16)).toEqual(new Uint8Array(16).fill(9));
    await expect(encode(rows, { syncMarker: new Uint8Array(15) })).rejects.toMatchObject({ code: 'range' });
  });

  it('names an invalid datum, also after several slices', () => {
    const bad = [...rows, ...rows, { id: 'x', text: '', list: [] }];
    for (const inTurns of [false, true]) {
      expect(encodeErrorOf(writer, bad, { schema: writer.compileSchema!(json), options: { framing: 'container' }, inTurns })).toEqual({
        code: 'type',
        path: [rows.length * 2, 'id'],
      });
    }
    expect(encodeErrorOf(writer, {}, { schema: writer.compileSchema!(json), options: { framing: 'container' } })).toEqual({
      code: 'type',
      path: undefined,
    });
  });

  it('writes random data to the same bytes in slices of any length', async () => {
    for (let seed = 0; seed < caseCount(200); seed += 1) {
      const dice = new Dice(seed);
      const inner: Json = {
        type: 'record',
        name: 'Outer',
        fields: [
          { name: 'filler', type: 'bytes' },
          { name: 'list', type: { type: 'array', items: new SchemaMaker(dice).make() } },
        ],
      };
      const maker = new ValueMaker(dice, inner);
      const data = Array.from({ length: 8 }, (_, i) => ({
        ...(maker.make(inner) as object),
        filler: new Uint8Array(i === 0 ? fillerLeaving(500 + dice.below(1500)) : 0),
      }));
      const options = { syncMarker: new Uint8Array(16), blockBytes: dice.pick([1, 100, 70_000]), codec: dice.pick(['null', 'snappy']) };
      const bytes = await encode(data, options, inner);
      expect(Buffer.compare(await encode(data, options, inner, true), bytes), `seed ${seed}`).toBe(0);
      assertSame(await decode(bytes), data);
    }
  });
});

describe('an Avro container of items that arrive', () => {
  const encoder = createEncoder();
  const schema = json;
  const streamOf = (items: unknown, options: AvroWriteOptions): ReadableStream<Uint8Array> =>
    encoder.stream(items, { format: 'avro', schema, options: { framing: 'container', syncMarker: new Uint8Array(16), ...options } });
  async function* arriving<T>(items: readonly T[]): AsyncGenerator<T> {
    for (const [index, item] of items.entries()) {
      if (index % 700 === 0) await new Promise(setImmediate);
      yield item;
    }
  }

  it.each(['null', 'deflate', 'snappy'])('has the bytes of a container of a list, in blocks of any size, with codec %s', async (codec) => {
    const large = { id: 1, text: 'x'.repeat(200_000), list: Array.from({ length: 20_000 }, (_, index) => index) };
    for (const list of [[], rows.slice(0, 1), rows, [...rows, large, ...rows.slice(0, 10)]]) {
      for (const blockBytes of [1, 3000, 65_536]) {
        if (list.length > rows.length && blockBytes !== 65_536) continue;
        const options = { codec, blockBytes, syncMarker: new Uint8Array(16) };
        const bytes = new Uint8Array(await new Response(streamOf(arriving(list), options)).arrayBuffer());
        expect(Buffer.compare(bytes, await encode(list, options))).toBe(0);
      }
    }
  });

  it('is written by encodeSync from a generator, too', () => {
    const options = { framing: 'container', syncMarker: new Uint8Array(16) } as const;
    const compiled = writer.compileSchema!(json) as never;
    const [ofItems, ofList] = [rows.values(), rows].map((value) => encodeSync(writer, value as never, { schema: compiled, options }));
    expect(Buffer.compare(ofItems!, ofList!)).toBe(0);
  });

  it('is read by avsc, whose container is read alike', async () => {
    const bytes = Buffer.from(await new Response(streamOf(arriving(rows), { codec: 'deflate' })).arrayBuffer());
    const blocks = new avsc.streams.BlockDecoder();
    const read: unknown[] = [];
    blocks.on('data', (item: object) => read.push({ ...item }));
    const ended = new Promise((resolve, reject) => blocks.on('end', resolve).on('error', reject));
    blocks.end(bytes);
    await ended;
    expect(read).toEqual(rows);
  });

  it('emits each block once it is full, and holds no more than it', async () => {
    let taken = 0;
    const endless = function* (): Generator<object> {
      for (;;) {
        taken += 1;
        yield rows[taken % rows.length]!;
      }
    };
    const reader = streamOf(endless(), { blockBytes: 10_000 }).getReader();
    let received = 0;
    for (let chunk = 0; chunk < 8; chunk += 1) received += (await reader.read()).value!.length;
    await reader.cancel();
    // An item takes 12 bytes at least.
    expect(taken * 12).toBeLessThan(received + 2 * 2 ** 20);
  });

  it('names an item that is invalid by its index, and needs a schema', async () => {
    const read = (stream: ReadableStream): Promise<unknown> => new Response(stream).arrayBuffer();
    const bad = arriving([...rows, { ...rows[0], id: 'x' }]);
    await expect(read(streamOf(bad, {}))).rejects.toMatchObject({ name: 'EncodeError', code: 'type', path: [rows.length, 'id'] });
    const none = encoder.stream(arriving(rows), { format: 'avro', options: { framing: 'container' } });
    await expect(read(none)).rejects.toMatchObject({ name: 'SchemaError', format: 'avro' });
  });
});

describe('Avro schema inference', () => {
  it.each([
    [5, 'int'],
    [-0, 'double'],
    [2 ** 40, 'long'],
    [0.5, 'double'],
    [5n, 'long'],
    ['x', 'string'],
    [null, 'null'],
    [true, 'boolean'],
    [Uint8Array.of(1), 'bytes'],
    [new Date(0), { type: 'long', logicalType: 'timestamp-millis' }],
    [[], { type: 'array', items: 'null' }],
    [[1, 2 ** 40, null], { type: 'array', items: ['null', 'long'] }],
    [[1, 'a', 0.5], { type: 'array', items: ['double', 'string'] }],
    [
      { 'no name': 1, b: 'x' },
      { type: 'map', values: ['int', 'string'] },
    ],
    [new Map([['a', 1]]), { type: 'map', values: 'int' }],
    [
      [
        { id: 1, at: { x: 1 } },
        { id: 2, at: { x: 0.5 }, note: 'n' },
      ],
      {
        type: 'array',
        items: {
          type: 'record',
          name: 'Root',
          fields: [
            { name: 'id', type: 'int' },
            { name: 'at', type: { type: 'record', name: 'Root_at', fields: [{ name: 'x', type: 'double' }] } },
            { name: 'note', type: ['null', 'string'], default: null },
          ],
        },
      },
    ],
  ])('infers a schema from %o and writes it', (value, expected) => {
    expect(avroSchemaOf(value)).toEqual(expected);
    const schema = writer.compileSchema!(avroSchemaOf(value));
    const back = decodeWith(avro, encodeWith(writer, value, { schema }), {
      schema,
      options: { unions: 'plain', int64: typeof value === 'bigint' ? 'bigint' : 'auto' },
    });
    if (!(value instanceof Map) && !(Array.isArray(value) && value.some((item) => typeof item === 'object' && item !== null)))
      assertSame(back, value);
  });

  it('stores the inferred schema in a container', async () => {
    const value = rows.map((row, index) => (index % 3 === 0 ? { ...row, extra: { deep: [index] } } : row));
    const expected = value.map((row) => ({ extra: null, ...row }));
    assertSame(
      await decode(await encode(value, { codec: 'snappy' }, null)),
      expected.map(({ id, text, list, extra }) => ({ id, text, list, extra })),
    );
  });

  it('refuses values without an Avro type, and values nested too deeply', () => {
    let deep: unknown = [];
    for (let i = 0; i < 100_000; i += 1) deep = [deep];
    for (const [value, code] of [
      [Symbol('x'), 'unsupported'],
      [() => 1, 'unsupported'],
      [deep, 'depth'],
      [[new Date(), 2 ** 40], 'unsupported'],
      [new Map([[1, 1]]), 'unsupported'],
    ] as const) {
      expect(() => avroSchemaOf(value)).toThrow(expect.objectContaining({ code }));
    }
  });
});

describe('Snappy compressor', () => {
  it('compresses any bytes so that they are read back', () => {
    for (let seed = 0; seed < caseCount(600); seed += 1) {
      const dice = new Dice(seed);
      const length = dice.pick([0, 1, 3, 4, 60, 61, 256, 257, 70_000, 200_000]) + dice.below(5);
      const kinds = dice.pick([1, 2, 4, 256]);
      const data = Uint8Array.from({ length }, () => dice.below(kinds));
      if (dice.below(2) === 0) data.copyWithin(length >> 1, 0);
      assertSame(
        decompressSnappy(compressSnappy(data), () => undefined),
        data,
      );
    }
  });
});
