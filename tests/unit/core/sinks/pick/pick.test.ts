import { describe, expect, test } from 'vitest';
import { createTripSource } from '../../../../../demo/server/data/trips.mjs';
import { orders } from '../../../../../demo/server/data/orders.mjs';
import { fitted } from '../../../../../demo/server/rows.mjs';
import { schemas } from '../../../../../demo/server/schemas.mjs';
import avro from '../../../../../core/formats/avro/index.ts';
import avroWriter from '../../../../../core/formats/avro/writer.ts';
import bebop from '../../../../../core/formats/bebop/index.ts';
import bebopWriter from '../../../../../core/formats/bebop/writer.ts';
import bson from '../../../../../core/formats/bson/index.ts';
import bsonWriter from '../../../../../core/formats/bson/writer.ts';
import capnproto from '../../../../../core/formats/capnproto/index.ts';
import capnprotoWriter from '../../../../../core/formats/capnproto/writer.ts';
import cbor from '../../../../../core/formats/cbor/index.ts';
import cborWriter from '../../../../../core/formats/cbor/writer.ts';
import flatbuffers from '../../../../../core/formats/flatbuffers/index.ts';
import flatbuffersWriter from '../../../../../core/formats/flatbuffers/writer.ts';
import jsbinary from '../../../../../core/formats/jsbinary/index.ts';
import jsbinaryWriter from '../../../../../core/formats/jsbinary/writer.ts';
import json from '../../../../../core/formats/json/index.ts';
import jsonWriter from '../../../../../core/formats/json/writer.ts';
import messagepack from '../../../../../core/formats/messagepack/index.ts';
import messagepackWriter from '../../../../../core/formats/messagepack/writer.ts';
import protobuf from '../../../../../core/formats/protobuf/index.ts';
import protobufWriter from '../../../../../core/formats/protobuf/writer.ts';
import sia from '../../../../../core/formats/sia/index.ts';
import siaWriter from '../../../../../core/formats/sia/writer.ts';
import type { FormatId } from '../../../../../core/format/format-id.ts';
import { DecodeError } from '../../../../../core/errors.ts';
import { PickSink } from '../../../../../core/sinks/pick/pick-sink.ts';
import { wrapper } from '../../../../../core/shaping.ts';
import type { PickPath } from '../../../../../core/sinks/pick/tree.ts';
import { DecodeSession } from '../../../../../core/format/decode-session.ts';
import { resolveLimits } from '../../../../../core/limits.ts';
import { RowSink } from '../../../../../core/kernels/row-sink.ts';
import { ObjectSink } from '../../../../../core/sinks/objects/objects.ts';
import { mutate, Random } from '../../../../fuzz/mutate.ts';
import { caseCount } from '../../../../setup/properties/case-count.ts';
import fc from '../../../../setup/properties/property.ts';
import { decodeColumns, type KernelCase, type KernelOutcome, sameWithKernels } from '../../../../setup/kernels/kernel-outcomes.ts';
import { giveKernel, kernelOf } from '../../../../setup/kernels/kernels.ts';
import { toHex } from '../../../../setup/values/hex.ts';
import { encodeWith } from '../../../../setup/ways/encode-with.ts';
import { assertSame } from '../../../../setup/ways/differential.ts';

interface Case {
  id?: FormatId;
  format: unknown;
  writer: unknown;
  /** Options of both directions, and of the writer. */
  options?: object;
  writing?: object;
}

const FORMATS: Readonly<Record<string, Case>> = {
  json: { format: json, writer: jsonWriter },
  messagepack: { format: messagepack, writer: messagepackWriter },
  cbor: { format: cbor, writer: cborWriter },
  bson: { format: bson, writer: bsonWriter },
  sia: { format: sia, writer: siaWriter },
  avro: { format: avro, writer: avroWriter },
  protobuf: { format: protobuf, writer: protobufWriter, options: { names: 'proto' } },
  bebop: { format: bebop, writer: bebopWriter },
  jsbinary: { format: jsbinary, writer: jsbinaryWriter },
  flatbuffers: { format: flatbuffers, writer: flatbuffersWriter },
  capnproto: { format: capnproto, writer: capnprotoWriter },
  'MessagePack with records': { id: 'messagepack', format: messagepack, writer: messagepackWriter, writing: { records: true } },
  'MessagePack with records and bundled strings': {
    id: 'messagepack',
    format: messagepack,
    writer: messagepackWriter,
    writing: { records: true, bundleStrings: true },
  },
  'CBOR with records': { id: 'cbor', format: cbor, writer: cborWriter, writing: { records: true } },
};

/** The rest of a value: the definition that `pick` is held against. */
function picked(value: unknown, paths: readonly (readonly string[])[]): unknown {
  if (paths.some(({ length }) => length === 0)) return value;
  if (Array.isArray(value)) return value.map((item) => picked(item, paths));
  if (value === null || typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const left: [string, unknown][] = [];
  for (const [key, inner] of Object.entries(value)) {
    const within = paths.filter(([first]) => first === key).map((path) => path.slice(1));
    if (within.length > 0) left.push([key, picked(inner, within)]);
  }
  return Object.fromEntries(left);
}

const keysOf = (path: PickPath): readonly string[] => (typeof path === 'string' ? path.split('.') : path);

/** Decodes into objects with the reader. */
function decodeObjects({ id, format, bytes, schema, options = {}, pick, limits }: KernelCase): KernelOutcome {
  const module = format as typeof json;
  const sink = new ObjectSink((tag, inner) => module.revive?.(tag, inner));
  const wrap = pick && wrapper({ pick }, {});
  try {
    const session = new DecodeSession({ id, format: module, options, schema, limits: resolveLimits(limits), wrap }, sink);
    session.end(bytes.slice());
  } catch (error) {
    const { name, code, limit, offset, path, reason } = error as Record<string, unknown>;
    if (name !== 'DecodeError' && name !== 'LimitError') throw error;
    return { error: { name, code, limit, offset, path: path as unknown[] | undefined, reason } };
  }
  return { value: sink.result };
}

/** Decodes all and leaves out what is not picked, as `pick` must. */
async function samePicked(
  given: KernelCase & { pick: readonly PickPath[] },
  sizes?: readonly number[],
  forms: readonly boolean[] = [false],
): Promise<number> {
  const { pick } = given;
  const paths = pick.map(keysOf);
  const whole = decodeObjects({ ...given, pick: undefined });
  const expected = 'value' in whole ? { value: picked(whole.value, paths) } : whole;
  assertSamePlace(decodeObjects(given), expected);
  let total = 0;
  for (const raw of forms) {
    const { outcome, rows } = await sameWithKernels({ ...given, raw, ...(sizes && { sizes }) });
    // The path of an invalid string is lost once its list has ended.
    if ('error' in outcome && 'error' in expected && outcome.error.code === 'invalid-utf8') outcome.error.path = expected.error.path;
    assertSamePlace(outcome, expected);
    total += rows;
  }
  return total;
}

/** All bytes at once in every second case, and in chunks in the others. */
const oneSize = (index: number, { length }: Uint8Array): number[] => [index % 2 === 0 ? length : 1000];

/** Between two fields of a record, the path may name the next field. */
function assertSamePlace(outcome: KernelOutcome, expected: KernelOutcome): void {
  if ('error' in outcome && 'error' in expected) {
    const { path = [] } = outcome.error;
    const { path: other = [] } = expected.error;
    if (path.length === other.length - 1) outcome.error.path = [...path, ...other.slice(-1)];
  }
  assertSame(outcome, expected);
}

const trips = { trips: createTripSource(3).take(40) };

async function encodeTrips(name: string): Promise<Omit<KernelCase, 'pick'>> {
  const { id = name as FormatId, format, writer, options = {}, writing } = FORMATS[name]!;
  const definition = (schemas['trips'] as Record<string, unknown>)[id];
  const schema = definition && (await (format as { compileSchema(schema: unknown): unknown }).compileSchema(definition));
  const written = definition && (await (writer as { compileSchema(schema: unknown): unknown }).compileSchema(definition));
  const rows = [...fitted(trips.trips, 'trips', id)];
  return { id, format, schema, options, bytes: encodeWith(writer, { trips: rows }, { schema: written, options: { ...options, ...writing } }) };
}

const encoded = new Map<string, Promise<Omit<KernelCase, 'pick'>>>();

/** The trips in a format, encoded once. */
function tripsIn(name: string): Promise<Omit<KernelCase, 'pick'>> {
  if (!encoded.has(name)) encoded.set(name, encodeTrips(name));
  return encoded.get(name)!;
}

const PICKS: readonly (readonly PickPath[])[] = [
  ['trips.ride_id', 'trips.start_lat', 'trips.member_casual', 'trips.rideId', 'trips.startLat', 'trips.memberCasual'],
  ['trips.end_station_name', 'trips.end_lat', 'trips.started_at', 'trips.endStationName', 'trips.endLat', 'trips.startedAt'],
  ['trips.nothing'],
  ['trips'],
];

describe.each(Object.keys(FORMATS))('pick in %s', (name) => {
  test('decodes the same as decoding all trips and leaving out the other fields', async () => {
    const given = await tripsIn(name);
    for (const [index, pick] of PICKS.entries()) await samePicked({ ...given, pick }, oneSize(index, given.bytes));
    await samePicked({ ...given, bytes: given.bytes.slice(0, 2500), pick: PICKS[0]! }, [7]);
  });

  test('reports the errors of damaged payloads as a decode of all of it does', async () => {
    const { bytes, ...given } = await tripsIn(name);
    const random = new Random(7);
    const seeds = [bytes.slice(0, 2500), bytes.slice(0, 12_000)];
    for (let run = 0; run < caseCount(40); run += 1) {
      const mutated = mutate(random, random.pick(seeds), seeds);
      try {
        await samePicked({ ...given, bytes: mutated, pick: random.pick(PICKS) }, [mutated.length + 1, 1 + random.below(mutated.length + 1)]);
      } catch (error) {
        throw new Error(`${toHex(mutated)}: ${(error as Error).message}`, { cause: error });
      }
    }
  });
});

/** Formats that hold any value, and their kernels. */
const FREE = ['json', 'messagepack', 'cbor', 'bson', 'sia'] as const;

describe.each(FREE)('pick of nested values in %s', (id) => {
  const { format, writer } = FORMATS[id]!;
  const encode = (value: unknown): Uint8Array => encodeWith(writer, value);

  test('skips nested containers, and leads through lists and objects', async () => {
    const value = { orders: [...orders(60, 2)], total: 60 };
    const bytes = encode(value);
    const flat = ['orders.id', 'orders.placed', 'orders.total'];
    const rows = await samePicked({ id, format, bytes, pick: flat });
    if (id !== 'sia') expect(rows).toBeGreaterThan(40);
    for (const [index, pick] of [
      ['orders.customer.name', 'orders.id'],
      ['orders.lines.sku'],
      ['orders.lines'],
      ['total'],
      ['orders.customer.address.city', 'orders.lines.price'],
    ].entries())
      await samePicked({ id, format, bytes, pick }, oneSize(index, bytes));
  });

  test('equals a decode of all with the other keys left out, for any value and any paths', async () => {
    const key = fc.constantFrom('id', 'name', 'a', 'b', '__proto__', 'é', 'a key of thirty-three characters');
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom(null, true, 1, -7, 0.5, 2 ** 40, '', 'text', 'größer', 'x'.repeat(80)),
        tie('list'),
        tie('object'),
      ),
      list: fc.array(tie('tree'), { maxLength: 4 }),
      object: fc.array(fc.tuple(key, tie('tree')), { maxLength: 5 }).map((entries) => Object.fromEntries(entries)),
    }));
    const record = fc.record({ id: fc.integer(), name: fc.string(), a: tree, b: tree }, { requiredKeys: ['id'] });
    const paths = fc.array(fc.array(key, { minLength: 1, maxLength: 3 }), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(fc.array(record, { maxLength: 30 }), tree, paths, fc.nat(300), async (list, rest, within, size) => {
        const pick = [...within.map((path) => ['list', ...path]), ...within.map((path) => ['rest', ...path])];
        await samePicked({ id, format, bytes: encode({ list, rest }), pick }, [100_000, size + 1]);
      }),
      { numRuns: 60 },
    );
  });

  test('finds errors in what is skipped, with their place', async () => {
    const list = Array.from({ length: 60 }, (_, at) => ({ id: at, skip: { deep: [1, { text: `text ${at}` }], last: at }, name: `n ${at}` }));
    const bytes = encode({ list });
    const place = toHex(bytes).indexOf(toHex(new TextEncoder().encode('text 41'))) / 2;
    const broken = bytes.slice();
    broken[place + 2] = 0xff;
    const outcome = decodeObjects({ id, format, bytes: broken, pick: ['list.id'] });
    expect('error' in outcome || id === 'sia').toBe(true);
    for (const size of [13, bytes.length]) await samePicked({ id, format, bytes: broken, pick: ['list.id'] }, [size]);
    for (let cut = 1; cut < bytes.length; cut += 397)
      await samePicked({ id, format, bytes: bytes.slice(0, cut), pick: ['list.id', 'list.name'] }, [cut]);
  });

  test('counts skipped values towards the limits', async () => {
    const list = Array.from({ length: 60 }, (_, at) => ({ id: at, skip: [[at], { at }], name: `n ${at}` }));
    const bytes = encode({ list });
    const limits = [
      ...[90, 270, 363, 420, 480, 600].map((values) => ({ values })),
      ...[2, 3, 4, 5].map((depth) => ({ depth })),
      ...[3, 4, 5].map((stringLength) => ({ stringLength })),
    ];
    for (const [index, limit] of limits.entries()) await samePicked({ id, format, bytes, pick: ['list.id'], limits: limit }, oneSize(index, bytes));
  });

  test('builds rows without the columns that are not picked', async () => {
    const list = Array.from({ length: 400 }, (_, at) => ({ id: at, a: `a ${at}`, b: at / 3, name: `n ${at % 9}`, c: at % 2 ? null : true }));
    const all = await decodeColumns({ id, format, bytes: encode({ list }) }, 1e6, 'with an eager kernel');
    const some = await decodeColumns({ id, format, bytes: encode({ list }), pick: ['list.id', 'list.name'] }, 1e6, 'with an eager kernel');
    assertSame(some.outcome, { value: { list: list.map(({ id: number, name }) => ({ id: number, name })) } });
    expect(some.rows).toBe(all.rows);
  });
});

/** Formats whose nested records stay bytes. */
const LAZY = ['json', 'messagepack', 'cbor', 'bson'] as const;

describe.each(LAZY)('pick of nested values in lazy rows in %s', (id) => {
  const { format, writer } = FORMATS[id]!;
  const lazy = (
    value: unknown,
    pick: readonly PickPath[],
    more: Partial<Omit<KernelCase, 'pick'>> = {},
    sizes?: readonly number[],
  ): Promise<number> => samePicked({ id, format, bytes: encodeWith(writer, value), pick, ...more }, sizes, [true]);

  test('keeps the bytes of the parts, whether these are objects, items of lists or whole values', async () => {
    const value = { orders: [...orders(120, 2)] };
    const bytes = encodeWith(writer, value);
    const picks = [['orders.id', 'orders.customer.name'], ['orders.lines.sku'], ['orders.lines', 'orders.shipping.address.location.lat']];
    let rows = 0;
    for (const [index, pick] of picks.entries()) {
      rows += await lazy({}, pick, { bytes }, oneSize(index, bytes));
      const sent = bytesOfBlock({ id, format, bytes }, pick);
      expect(sent).toBeLessThan(0.6 * bytesOfBlock({ id, format, bytes }));
    }
    expect(rows).toBeGreaterThan(40);
  });

  test('keeps columns if only plain values are picked of nested records', async () => {
    const list = Array.from({ length: 300 }, (_, at) => ({ id: at, text: `${at}`, nested: [{ at, text: 'x'.repeat(80) }], name: `n ${at % 9}` }));
    const bytes = encodeWith(writer, { list });
    const columns = bytesOfBlock({ id, format, bytes }, ['list.id', 'list.name']);
    expect(columns).toBeLessThan(0.4 * bytesOfBlock({ id, format, bytes }, ['list.id', 'list.name', 'list.nested']));
    await lazy({ list }, ['list.id', 'list.name']);
  });

  test('equals a decode of all with the other keys left out, for any records and any paths', async () => {
    const key = fc.constantFrom('id', 'a', 'b', '__proto__', 'é', 'q"\\', 'a key of thirty-three characters');
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom(null, true, 1, -7, 0.5, 2 ** 40, '', 'größer', 'x'.repeat(80)),
        tie('list'),
        tie('object'),
      ),
      list: fc.array(tie('tree'), { maxLength: 4 }),
      object: fc.array(fc.tuple(key, tie('tree')), { maxLength: 20 }).map((entries) => Object.fromEntries(entries)),
    }));
    const record = fc.record({ id: fc.integer(), a: tree, b: tree, é: tree }, { requiredKeys: ['id'] });
    const paths = fc.array(fc.array(key, { minLength: 1, maxLength: 3 }), { maxLength: 4 });
    const first = Array.from({ length: 34 }, (_, at) => ({ id: at, a: { b: { id: at, é: [at] }, a: 'x' }, b: [{ id: at }, { a: at, 'q"\\': 1 }] }));
    await fc.assert(
      fc.asyncProperty(fc.array(record, { maxLength: 12 }), paths, fc.nat(700), async (list, within, size) => {
        const pick = [['list', 'a', 'b'], ...within.map((path) => ['list', ...path])];
        await lazy({ list: [...first, ...list, ...first.slice(0, 9)] }, pick, {}, [100_000, size + 1]);
      }),
      { numRuns: 30 },
    );
  });

  test('finds the errors of parts that are kept and dropped, and counts both towards the limits', async () => {
    const list = Array.from({ length: 90 }, (_, at) => ({
      id: at,
      kept: { deep: [1, { text: `text ${at}` }] },
      skip: { deep: [{ last: `last ${at}` }] },
    }));
    const bytes = encodeWith(writer, { list });
    const pick = ['list.id', 'list.kept.deep.text'];
    const random = new Random(3);
    for (let run = 0; run < caseCount(60); run += 1) {
      const mutated = mutate(random, bytes, [bytes]);
      try {
        await lazy({}, pick, { bytes: mutated }, [mutated.length + 1, 1 + random.below(mutated.length + 1)]);
      } catch (error) {
        throw new Error(`${toHex(mutated)}: ${(error as Error).message}`, { cause: error });
      }
    }
    for (const limits of [{ values: 500 }, { values: 720 }, { values: 2000 }, { depth: 4 }, { depth: 5 }, { stringLength: 6 }, { stringLength: 3 }])
      await lazy({ list }, pick, { limits });
  });
});

test('pick reads JSON of lazy rows with white space, escaped keys and repeated keys as JSON.parse does', async () => {
  const records = Array.from({ length: 80 }, (_, at) => {
    const key = at % 7 === 3 ? '\\u0061' : 'a';
    const again = at % 5 === 2 ? ', "a" : [ ]' : '';
    return `{ "id" : ${at} , "skip" : [ { } , "\\u00e9\\"" , -1.5e+3 ] , "${key}" : { "b" : [ 1 , { "c" : ${at} , "d" : "x" } ] , "e" : { } }${again} }`;
  });
  const bytes = new TextEncoder().encode(`{ "list" : [ ${records.join(' ,\n ')} ] }`);
  for (const pick of [['list.a.b.c'], ['list.a.e', 'list.id'], ['list.a']])
    await samePicked({ id: 'json', format: json, bytes, pick }, undefined, [true]);
});

/** Bytes of the parts of a block, with a kernel. */
function bytesOfBlock({ id, format, bytes }: Pick<KernelCase, 'id' | 'format' | 'bytes'>, pick?: readonly PickPath[]): number {
  const kernel = kernelOf('with an eager kernel', format as typeof json);
  let sum = 0;
  const sink = new RowSink((part) => (sum += part.byteLength), resolveLimits(), { raw: true, picked: pick !== undefined }, kernel);
  const wrap = pick && wrapper({ pick }, {});
  new DecodeSession({ id, format: format as typeof json, options: {}, limits: resolveLimits(), wrap }, sink).end(bytes.slice());
  sink.finish();
  giveKernel(kernel, 'with an eager kernel', format as typeof json);
  return sum;
}

describe('pick of values with identity', () => {
  const read = (build: (sink: PickSink) => void, pick: readonly PickPath[]): unknown => {
    const objects = new ObjectSink();
    build(new PickSink(objects, pick));
    return objects.result;
  };

  /** `{ a: &1 { id, x }, b: *1 }` */
  const shared = (sink: PickSink): void => {
    sink.beginObject(2, 0, 0);
    sink.keyText('a', 0, 0);
    sink.anchor(1, 0, 0);
    sink.beginObject(2, 0, 0);
    sink.keyText('id', 0, 0);
    sink.integer(1, 0, 0);
    sink.keyText('x', 0, 0);
    sink.integer(2, 0, 0);
    sink.endObject(0);
    sink.keyText('b', 0, 0);
    sink.reference(1, 0, 0);
    sink.endObject(0);
  };

  test('keeps references between parts that are kept as a whole', () => {
    const value = read(shared, ['a', 'b']) as { a: object; b: object };
    expect(value).toEqual({ a: { id: 1, x: 2 }, b: { id: 1, x: 2 } });
    expect(value.a).toBe(value.b);
    expect(read(shared, ['a.id'])).toEqual({ a: { id: 1 } });
  });

  test('rejects references to parts that are left out', () => {
    for (const pick of [['b'], ['a.id', 'b'], ['a', 'b.id']]) expect(() => read(shared, pick)).toThrow(DecodeError);
  });
});

describe('the option pick', () => {
  test('rejects anything but a list of paths', () => {
    for (const pick of ['id', [1], [[1]], {}, [null]]) expect(() => wrapper({ pick: pick as never }, {})).toThrow('invalid option pick');
    expect(() => wrapper({ pick: ['id'] }, { previous: undefined })).toThrow('pick and previous');
  });
});
