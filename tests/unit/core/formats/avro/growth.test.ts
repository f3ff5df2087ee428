/** The work that a schema or a header causes grows no faster than its size. */
import { describe, expect, test } from 'vitest';
import { Bytes, container as writeContainer } from './bytes.ts';
import avro from '../../../../../core/formats/avro/index.ts';
import writer from '../../../../../core/formats/avro/writer.ts';
import { newHeader, readHeader } from '../../../../../core/formats/avro/container/container.ts';
import { compilePlan } from '../../../../../core/formats/avro/read/compile.ts';
import { parseSchema } from '../../../../../core/formats/avro/schema/parse.ts';
import { decodeWith } from '../../../../setup/ways/differential.ts';
import { encodeWith } from '../../../../setup/ways/encode-with.ts';

const typed = expect.objectContaining({ name: 'SchemaError' }) as Error;
const limited = expect.objectContaining({ name: 'LimitError', limit: 'expansion' }) as Error;

/** Records whose fields default to two of the previous record. */
function doubling(levels: number): object[] {
  const records: object[] = [{ type: 'record', name: 'R0', fields: [{ name: 'a', type: 'int', default: 1 }] }];
  for (let level = 1; level <= levels; level += 1) {
    const fields = ['a', 'b'].map((name) => ({ name, type: `R${level - 1}`, default: {} }));
    records.push({ type: 'record', name: `R${level}`, fields });
  }
  return records;
}

describe('Avro reader and writer of defaults that double with each level', () => {
  const types = doubling(40);
  const fields = [
    { name: 'types', type: ['null', ...types] },
    { name: 'last', type: 'R40', default: {} },
  ];
  const reader = { type: 'record', name: 'Root', fields };
  const root = { type: 'record', name: 'Root', fields: fields.slice(0, 1) };

  test('throws when reading', () => {
    const schema = avro.compileSchema!({ writer: root, reader });
    expect(() => decodeWith(avro, new Uint8Array(1), { schema })).toThrow(limited);
  });

  test('throws when writing', () => {
    const schema = writer.compileSchema!(reader);
    expect(() => encodeWith(writer, { types: null }, { schema })).toThrow(limited);
  });

  test('applies the defaults if there are few', () => {
    const few = { type: 'record', name: 'Root', fields: [{ name: 'last', type: ['null', ...doubling(10)], default: null }] };
    const schema = avro.compileSchema!(few);
    expect(decodeWith(avro, new Uint8Array(1), { schema })).toEqual({ last: null });
  });
});

test.each([
  ['string', 'string', 'x'.repeat(1_600)],
  ['binary', 'bytes', 'x'.repeat(1_600)],
  ['key of a map', { type: 'map', values: 'int' }, { ['x'.repeat(1_600)]: 1 }],
  ['string in a list', { type: 'array', items: 'string' }, ['x'.repeat(1_600)]],
])('limits how often a long default is repeated: %s', (_, type, json) => {
  const record = (fields: object[]): object => ({ type: 'array', items: { type: 'record', name: 'R', fields } });
  const id = { name: 'id', type: 'int' };
  const schema = avro.compileSchema!({ writer: record([id]), reader: record([id, { name: 'long', type, default: json }]) });
  // 1,600 characters cost 100 values. 100,000 are free, and each byte allows 16 more.
  const decode = (count: number): unknown[] =>
    decodeWith(avro, new Bytes().long(count).bytes(new Uint8Array(count)).long(0).done(), { schema }) as unknown[];
  expect(decode(1_000)).toHaveLength(1_000);
  expect(() => decode(1_300)).toThrow(limited);
});

test('limits the attempts to match a default to unions', () => {
  // Each level may be an A or a B, and the innermost value fits neither.
  const type = (name: string): object => ({ type: 'record', name, fields: [{ name: 'f', type: ['int', 'A', 'B'] }] });
  const a = { type: 'record', name: 'A', fields: [{ name: 'f', type: ['int', 'A', { ...type('B') }] }] };
  let value: unknown = 'neither';
  for (let level = 0; level < 100; level += 1) value = { f: value };
  const json = { type: 'record', name: 'Root', fields: [{ name: 'a', type: a, default: value }] };
  const schema = avro.compileSchema!({ writer: { type: 'record', name: 'Root', fields: [] }, reader: json });
  expect(() => decodeWith(avro, new Uint8Array(0), { schema })).toThrow(limited);
  expect(() => encodeWith(writer, {}, { schema: writer.compileSchema!(json) })).toThrow(limited);
});

test('writes a default of a million characters', () => {
  const text = 'x'.repeat(1_000_000);
  const schema = writer.compileSchema!({ type: 'record', name: 'R', fields: [{ name: 'a', type: 'string', default: text }] });
  expect(encodeWith(writer, {}, { schema })).toHaveLength(1_000_003);
});

describe('a compiled Avro schema', () => {
  /** Number of words in a plan. */
  const size = (json: unknown): number => {
    const types = parseSchema(json);
    const plan = compilePlan(types, undefined, {});
    return plan.code.length + plan.list.length;
  };

  test('contains the symbols of an enum once, for any number of fields', () => {
    const grown = [100, 200, 400].map((count) => {
      const symbols = Array.from({ length: count }, (_, index) => `S${index}`);
      const fields = Array.from({ length: count }, (_, index) => ({
        name: `f${index}`,
        type: index === 0 ? { type: 'enum', name: 'E', symbols } : 'E',
      }));
      return size({ type: 'record', name: 'R', fields });
    });
    expect(grown[1]! / grown[0]!).toBeLessThan(3);
    expect(grown[2]! / grown[1]!).toBeLessThan(3);
  });

  test('fails to compile if its records match many others', () => {
    // A ring of 100 records read as a ring of 101: every record is matched with every other.
    const others = Array.from({ length: 40 }, (_, index) => ({ name: `f${index}`, type: 'int' }));
    const ring = (count: number): unknown => {
      let next: unknown = 's0.X';
      for (let index = count - 1; index >= 0; index -= 1) {
        next = { type: 'record', name: `s${index}.X`, fields: [{ name: 'n', type: ['null', next] }, ...others] };
      }
      return next;
    };
    expect(() => compilePlan(parseSchema(ring(100)), parseSchema(ring(100)), {})).not.toThrow();
    const data = Uint8Array.from({ length: 300 }, (_, index) => (index % 41 === 0 ? 2 : 0));
    const schema = avro.compileSchema!({ writer: ring(100), reader: ring(101) });
    expect(() => decodeWith(avro, data, { schema })).toThrow(limited);
  });

  test('supports a type used in 130,000 fields', () => {
    const fields = Array.from({ length: 130_000 }, (_, index) => ({
      name: `f${index}`,
      type: index === 0 ? { type: 'fixed', name: 'F', size: 1 } : 'F',
    }));
    expect(size({ type: 'record', name: 'R', fields })).toBeGreaterThan(0);
  });
});

describe('an Avro schema text', () => {
  test('fails to compile if its names are long, since each use repeats them', () => {
    expect(() => parseSchema({ type: 'enum', name: 'E', namespace: 'n'.repeat(2_000), symbols: [] })).toThrow(typed);
  });

  test('fails to compile if it has a symbol of more than 256 characters, which data repeat with one byte each', () => {
    const parse = (length: number): unknown => parseSchema({ type: 'enum', name: 'E', symbols: ['s'.repeat(length)] });
    expect(() => parse(257)).toThrow(typed);
    expect(() => parse(256)).not.toThrow();
  });

  test('fails to compile if its attributes are nested deeply', () => {
    const nested = `{"type":"int","doc":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    expect(() => parseSchema(nested)).toThrow(typed);
  });
});

test('reads the header of a container in small chunks once', () => {
  /** Bytes read while a header grows by one byte at a time. */
  const reads = (entries: number): number => {
    const list = [...new TextEncoder().encode('Obj'), 1];
    list.push(((entries * 2) & 127) | 128, (entries * 2) >> 7);
    for (let index = 1; index < entries; index += 1) list.push(2, 0x6b, 2, 0x76);
    list.push(22, ...new TextEncoder().encode('avro.schema'), 10, ...new TextEncoder().encode('"int"'), 0, ...new Uint8Array(16));
    const bytes = Uint8Array.from(list);
    let count = 0;
    const counting = new Proxy(bytes, {
      get(target, key) {
        if (typeof key === 'string' && /^\d+$/.test(key)) count += 1;
        const value: unknown = Reflect.get(target, key, target);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
    const progress = newHeader();
    for (let to = 0; to < bytes.length; to += 1) {
      if (!('needed' in readHeader(counting, 0, to, 0, 1_000, progress))) throw new Error(`the header ended at byte ${to}`);
      if (count > 100 * bytes.length) break;
    }
    expect(readHeader(counting, 0, bytes.length, 0, 1_000, progress)).toMatchObject({ schema: '"int"', end: bytes.length });
    return count / bytes.length;
  };
  expect(reads(4_000)).toBeLessThan(reads(200) * 1.5);
});

test('reads a container whose header arrives byte by byte', () => {
  const bytes = writeContainer('int', 'null', [{ count: 2, data: Uint8Array.of(2, 4) }]);
  expect(decodeWith(avro, bytes, { chunkSizes: Array.from(bytes, () => 1) })).toEqual([1, 2]);
});

describe('Avro decimals of a scale that the data bring along', () => {
  const decimal = (scale: number): object => ({ type: 'bytes', logicalType: 'decimal', precision: scale, scale });
  const list = (scale: number, count: number): Uint8Array => {
    const data = new Bytes().long(count);
    for (let at = 0; at < count; at += 1) data.string(Uint8Array.of(7));
    return writeContainer({ type: 'array', items: decimal(scale) }, undefined, [{ count: 1, data: data.long(0).done() }]);
  };

  test('are charged for their zeros before these are made', () => {
    expect(() => decodeWith(avro, list(100_000, 10_000))).toThrow(limited);
    expect(() => decodeWith(avro, list(100_000, 1), { limits: { stringLength: 100_001 } })).toThrow(
      expect.objectContaining({ name: 'LimitError', limit: 'stringLength', offset: expect.any(Number) as number }),
    );
    expect(decodeWith(avro, list(30, 10_000), { limits: { expansion: 1 } })).toEqual([Array.from({ length: 10_000 }, () => `0.${'0'.repeat(29)}7`)]);
  });

  test('become numbers without their zeros', () => {
    const numbers = decodeWith(avro, list(1_000_000, 1000), { options: { decimals: 'number' }, limits: { stringLength: 10, expansion: 1 } });
    expect(numbers).toEqual([Array.from({ length: 1000 }, () => 0)]);
  });

  test('are charged where they are defaults', () => {
    const record = (fields: object[]): object => ({ type: 'record', name: 'R', fields });
    const fields = Array.from({ length: 100 }, (_, at) => ({ name: `f${at}`, type: decimal(1_000_000), default: '\u0007' }));
    const schema = avro.compileSchema!({ writer: record([]), reader: record(fields) });
    expect(() => decodeWith(avro, new Uint8Array(0), { schema })).toThrow(limited);
  });
});
