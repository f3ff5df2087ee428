import { deflateSync } from 'fflate';
import { beforeAll, describe, expect, test } from 'vitest';
import avro from '../../../../../core/formats/avro/index.ts';
import { loadCodecs } from '../../../../../core/formats/avro/container/codecs.ts';
import { decodeWith, type DecodeSetting, sameInEveryCut } from '../../../../setup/ways/differential.ts';
import { hex } from '../../../../setup/values/hex.ts';
import { Bytes, container, SYNC } from './bytes.ts';

beforeAll(async () => {
  await loadCodecs();
});

const compile = (json: unknown): unknown => avro.compileSchema!(json);

/** The error as text. */
function failure(bytes: Uint8Array, setting: DecodeSetting = {}): string {
  try {
    return `the value ${JSON.stringify(decodeWith(avro, bytes, setting))}`;
  } catch (error) {
    const { name, code, limit, offset, message } = error as Record<string, unknown>;
    if (!['DecodeError', 'LimitError', 'SchemaError'].includes(name as string)) throw error;
    return [name, limit ?? code, offset, message].join(' | ');
  }
}

const ENUM = { type: 'enum', name: 'E', symbols: ['A', 'B'] };

describe('Avro reader', () => {
  test.each<[string, unknown, string, string, number?]>([
    ['a boolean of 2', 'boolean', '02', 'malformed', 0],
    ['a truncated int', 'int', '80', 'truncated'],
    ['an int has more than 32 bits', 'int', '8080808020', 'malformed', 0],
    ['an int without an end', 'int', 'ffffffffffffffffffff01', 'malformed', 0],
    ['a long of more than 64 bits', 'long', 'ffffffffffffffffff02', 'malformed', 0],
    ['a truncated long', 'long', 'ffffffffff', 'truncated'],
    ['a truncated float', 'float', '000000', 'truncated'],
    ['a truncated double', 'double', '00000000000000', 'truncated'],
    ['a truncated string', 'string', '0a6162', 'truncated'],
    ['a string of a negative length', 'string', '01', 'malformed', 0],
    ['a string that is not UTF-8', 'string', '0461ff', 'invalid-utf8', 2],
    ['truncated bytes', 'bytes', '0601', 'truncated'],
    ['bytes of a negative length', 'bytes', '03', 'malformed', 0],
    ['a truncated fixed', { type: 'fixed', name: 'F', size: 4 }, '010203', 'truncated'],
    ['an unknown symbol', ENUM, '04', 'malformed', 0],
    ['a negative symbol', ENUM, '01', 'malformed', 0],
    ['an unknown branch of a union', ['null', 'int'], '04', 'malformed', 0],
    ['a negative type of a union', ['null', 'int'], '03', 'malformed', 0],
    ['a truncated value of a union', ['null', 'int'], '02', 'truncated'],
    ['an array without an end', { type: 'array', items: 'int' }, '0202', 'truncated'],
    ['a truncated array head', { type: 'array', items: 'int' }, '01', 'truncated'],
    ['an array with a block of a negative size', { type: 'array', items: 'int' }, '0101', 'malformed', 0],
    ['a map with a truncated key', { type: 'map', values: 'int' }, '020461', 'truncated'],
    ['a map with a key that is not UTF-8', { type: 'map', values: 'int' }, '0202ff0000', 'invalid-utf8', 2],
    [
      'a truncated record',
      {
        type: 'record',
        name: 'R',
        fields: [
          { name: 'a', type: 'int' },
          { name: 'b', type: 'int' },
        ],
      },
      '02',
      'truncated',
    ],
    ['bytes after the value', 'int', '0200', 'trailing-bytes', 1],
    ['bytes after no bytes', 'null', '00', 'trailing-bytes', 0],
    ['a truncated duration', { type: 'fixed', name: 'D', size: 12, logicalType: 'duration' }, '0000', 'truncated'],
  ])('rejects with a code and an offset: %s', (_, json, text, code, offset = hex(text).length) => {
    const schema = compile(json);
    expect(failure(hex(text), { schema })).toContain(`DecodeError | ${code} | ${offset} |`);
    sameInEveryCut(avro, hex(text), { schema });
  });

  test('rejects data without a schema', () => {
    expect(failure(hex('02'))).toContain('SchemaError | schema |');
    expect(failure(hex('c30100'), { schema: compile({ registered: ['int'] }) })).toContain('DecodeError | truncated | 3');
    expect(failure(hex('c301000000000000000000'), { schema: compile({ registered: ['int'] }) })).toContain('has the fingerprint 0000000000000000');
  });
});

describe('an Avro container', () => {
  const row = { type: 'record', name: 'R', fields: [{ name: 'a', type: 'int' }] };
  const good = container(row, 'null', [{ count: 2, data: Uint8Array.of(2, 4) }]);
  const start = good.length - 20;
  const change = (at: number, byte: number): Uint8Array => good.with(at, byte);

  test('decodes if it is complete', () => {
    expect(decodeWith(avro, good)).toEqual([{ a: 1 }, { a: 2 }]);
    expect(sameInEveryCut(avro, good)).toEqual({ value: [{ a: 1 }, { a: 2 }] });
    expect(decodeWith(avro, container(row, undefined, []))).toEqual([]);
  });

  test('fails if a sync marker differs', () => {
    expect(failure(change(good.length - 1, 0))).toContain(`malformed | ${start + 4} | the sync marker`);
  });

  test("fails if a block's count does not match its data", () => {
    expect(failure(change(start, 2))).toContain(`malformed | ${start + 3} | a block is longer than its data`);
    expect(failure(change(start, 6))).toContain(`malformed | ${start + 4} | a block is shorter than its data`);
    expect(failure(change(start, 1))).toContain(`malformed | ${start} | a block has a negative number of data`);
    expect(failure(change(start + 1, 1))).toContain(`malformed | ${start + 1} | a block has a negative length`);
    for (const at of [start, start + 1]) for (const byte of [1, 2, 6]) sameInEveryCut(avro, change(at, byte));
  });

  test('fails if truncated at any byte', () => {
    for (let length = 4; length < good.length; length += 1) {
      const error = failure(good.subarray(0, length));
      if (length === start) expect(error).toBe('the value []');
      else expect(error).toContain('truncated');
    }
  });

  test('fails if its schema is invalid or its codec unknown', () => {
    expect(failure(container({ type: 'nothing' }, 'null', []))).toContain(
      'DecodeError | malformed | 0 | the schema of the container is invalid: the Avro type nothing is not defined',
    );
    expect(failure(container(row, 'lzma', []))).toContain('DecodeError | unsupported | 0 | the codec lzma is not built in');
    expect(failure(new Bytes().bytes([0x4f, 0x62, 0x6a, 1]).long(0).bytes(SYNC).done())).toContain('has no avro.schema');
    const nested = `${'{"type":"array","items":'.repeat(100_000)}"int"${'}'.repeat(100_000)}`;
    expect(failure(container({ text: nested }, 'null', []))).toMatch(/DecodeError \| malformed \| 0 \| .*(?:nest more than 256 levels|not JSON)/);
  });

  test('fails if a compressed block is invalid', () => {
    const data = Uint8Array.of(2, 4);
    for (const codec of ['deflate', 'snappy', 'zstandard']) {
      for (const content of ['', '00', '0001', 'ffffffffffff', '05ffff', '28b52ffd', '28b52ffd0000', '28b52ffd200000', '28b52ffd20020100ff']) {
        const bytes = container(row, codec, [{ count: 2, data: hex(content) }]);
        expect(failure(bytes)).toMatch(/DecodeError \| malformed \| \d+/);
      }
    }
    const deflated = container(row, 'deflate', [{ count: 3, data: deflateSync(data) }]);
    expect(failure(deflated)).toMatch(/malformed \| \d+ \| a block is shorter than its data, at byte 2 of the decompressed block/);
    sameInEveryCut(avro, deflated);
    // Snappy with a wrong checksum.
    const literal = Uint8Array.of(2, 0x04, 2, 4, 0, 0, 0, 0);
    expect(failure(container(row, 'snappy', [{ count: 2, data: literal }]))).toContain('the checksum is wrong');
  });
});

describe('limited Avro reader', () => {
  const nulls = { type: 'array', items: 'null' };
  const empty = { type: 'record', name: 'R', fields: Array.from({ length: 100 }, (_, i) => ({ name: `f${i}`, type: 'null' })) };

  test('bounds the number of values that take no bytes', () => {
    const bytes = new Bytes().long(100_000_000).long(0).done();
    expect(failure(bytes, { schema: compile(nulls) })).toContain('LimitError | expansion | 0');
    const records = new Bytes().long(50_000).long(0).done();
    expect(failure(records, { schema: compile({ type: 'array', items: empty }) })).toContain('LimitError | expansion | 3');
    expect(failure(container('null', 'null', [{ count: 100_000_000, data: new Uint8Array() }]))).toContain('LimitError | expansion');
    const skipped = { type: 'record', name: 'S', fields: [{ name: 'a', type: nulls }] };
    expect(failure(bytes, { schema: compile({ writer: skipped, reader: { ...skipped, fields: [] } }) })).toContain('LimitError | expansion');
  });

  test('bounds counts larger than the remaining input', () => {
    for (const json of [nulls, { type: 'array', items: 'int' }, { type: 'map', values: 'int' }]) {
      expect(failure(new Bytes().long(2n ** 62n).done(), { schema: compile(json) })).toContain('LimitError | values | 0');
      expect(
        failure(
          new Bytes()
            .long(-(2n ** 63n))
            .long(8)
            .done(),
          { schema: compile(json) },
        ),
      ).toContain('LimitError | values | 0');
    }
    expect(failure(new Bytes().long(2n ** 40n).done(), { schema: compile('string') })).toContain('LimitError | stringLength | 0');
    expect(failure(new Bytes().long(2n ** 40n).done(), { schema: compile('bytes') })).toContain('LimitError | binaryLength | 0');
    expect(failure(container('int', 'null', [{ count: 2n ** 50n, data: new Uint8Array() }]))).toContain('LimitError | values');
  });

  test('bounds the defaults of records that take no bytes', () => {
    const many = Array.from({ length: 500 }, (_, i) => ({ name: `f${i}`, type: 'int', default: i }));
    const writer = { type: 'array', items: { type: 'record', name: 'R', fields: [] } };
    const reader = { type: 'array', items: { type: 'record', name: 'R', fields: many } };
    expect(failure(new Bytes().long(1000).long(0).done(), { schema: compile({ writer, reader }) })).toContain('LimitError | expansion');
  });

  test('bounds recursive schemas', () => {
    const list = { type: 'record', name: 'List', fields: [{ name: 'next', type: ['null', 'List'] }] };
    const deep = Uint8Array.from({ length: 100_000 }, () => 2);
    expect(failure(deep, { schema: compile(list) })).toContain('LimitError | depth | 1000');
    const endless = { type: 'record', name: 'Endless', fields: [{ name: 'again', type: 'Endless' }] };
    expect(failure(new Uint8Array(1), { schema: compile(endless) })).toContain('LimitError | depth | 0');
    const skipped = {
      writer: { type: 'record', name: 'T', fields: [{ name: 'list', type: list }] },
      reader: { type: 'record', name: 'T', fields: [] },
    };
    expect(failure(deep, { schema: compile(skipped) })).toContain('LimitError | depth');
    const arrays = { type: 'record', name: 'A', fields: [{ name: 'a', type: { type: 'array', items: 'A' } }] };
    expect(failure(deep, { schema: compile(arrays), limits: { depth: 7 } })).toContain('LimitError | depth | 3');
  });

  test('bounds data with extreme compression', () => {
    const zeros = deflateSync(new Uint8Array(8_000_000), { level: 9 });
    expect(zeros.length).toBeLessThan(10_000);
    expect(failure(container('int', 'deflate', [{ count: 8_000_000, data: zeros }]))).toContain('LimitError | expansion');
    const snappy = new Bytes().bytes([0xff, 0xff, 0xff, 0xff, 0x0f, 0, 0, 0, 0]).done();
    expect(failure(container('int', 'snappy', [{ count: 1, data: snappy }]))).toContain('LimitError | expansion');
    // One Zstandard block that declares 1 GiB, and many that each repeat a byte 131,072 times.
    const declared = hex('28b52ffd a0 00000040 01 00 00');
    expect(failure(container('int', 'zstandard', [{ count: 1, data: declared }]))).toContain('LimitError | expansion');
    const block = hex('020010 00');
    const repeated = Uint8Array.from([...hex('28b52ffd 00 58'), ...Array.from({ length: 5000 }, () => [...block]).flat(), ...hex('010000')]);
    expect(failure(container('int', 'zstandard', [{ count: 1, data: repeated }]))).toContain('LimitError | expansion');
    const small = hex('080000 00');
    const window = Uint8Array.from([...hex('28b52ffd 00 88'), ...Array.from({ length: 50_000 }, () => [...small]).flat(), ...hex('010000')]);
    expect(failure(container('int', 'zstandard', [{ count: 1, data: window }]))).toMatch(/LimitError \| expansion|malformed/);
  });
});
