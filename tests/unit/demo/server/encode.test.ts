import { decode } from '@msgpack/msgpack';
import { serialize } from 'bson';
import { Encoder as CborEncoder } from 'cbor-x';
import { decode as decodeByCbor2 } from 'cbor2';
import { Packr, Unpackr } from 'msgpackr';
import { describe, expect, it } from 'vitest';
import { mixed } from '../../../../demo/server/data/mixed/mixed.mjs';
import { points } from '../../../../demo/server/data/numbers.mjs';
import { createTripSource } from '../../../../demo/server/data/trips.mjs';
import { encodeDocument, encodeRows, streamRows } from '../../../../demo/server/encode.mjs';
import { encodingFor, encodings } from '../../../../demo/server/encodings.mjs';
import { lazyList } from '../../../../demo/server/rows.mjs';
import { schemas } from '../../../../demo/server/schemas.mjs';
import { loadFormat } from '../../../../core/formats/loaders.ts';
import { resolveLimits } from '../../../../core/limits.ts';
import { assertSame, decodeWith } from '../../../setup/ways/differential.ts';
import { throughBlock } from '../../../setup/ways/through-block.ts';
import { forSchema, plain } from '../../core/formats/avro/random.ts';
import { encode as encodeByJsBinary } from '../../core/formats/jsbinary/reference.ts';
import { protobufjsType } from '../../core/formats/protobuf/compare.ts';
import { encode as encodeBySizer, plain as plainForSizer } from '../../core/formats/sia/reference.ts';

const source = createTripSource(1);
const options = (count: number) => ({ key: 'trips', count, dataset: 'trips' });
const rowsAs = (id: string, count: number) => Buffer.from(encodeRows(id, tripsOf(count).values(), options(count)));

/** The first `count` trips. Keeps the longest list made so far. */
function tripsOf(count: number): Trip[] {
  if (made.length < count) made = source.take(count);
  return made.slice(0, count);
}

let made: Trip[] = [];

const timeOf = (text: string): number => Date.parse(`${text.replace(' ', 'T')}Z`);
const camel = (text: string): string => text.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
const present = (row: object): object => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
const named = (row: object): object => Object.fromEntries(Object.entries(row).map(([key, value]) => [camel(key), value]));
type Trip = ReturnType<typeof source.at>;
const withTimes = (trip: Trip) => ({ ...trip, started_at: timeOf(trip.started_at), ended_at: timeOf(trip.ended_at) });
const withDates = (trip: Trip) => ({ ...trip, started_at: new Date(timeOf(trip.started_at)), ended_at: new Date(timeOf(trip.ended_at)) });
const known = (trip: Trip) => ({ end_lat: trip.end_lat ?? Number.NaN, end_lng: trip.end_lng ?? Number.NaN });

/** Expected trip and reader options, by format. */
const READ: Record<string, { trip: (trip: Trip) => unknown; reading?: object }> = {
  avro: { trip: withDates },
  protobuf: { trip: (trip) => present(withTimes(trip)), reading: { enums: 'name', names: 'proto' } },
  jsbinary: { trip: (trip) => Object.fromEntries(Object.entries(withDates(trip)).map(([key, value]) => [key, value ?? undefined])) },
  flatbuffers: { trip: (trip) => present(withTimes(trip)), reading: { enums: 'name' } },
  capnproto: {
    trip: (trip) => named(present({ ...withTimes(trip), ...known(trip), rideable_type: camel(trip.rideable_type) })),
    reading: { enums: 'name', defaults: 'none' },
  },
  bebop: {
    trip: (trip) => ({
      ...withDates(trip),
      ...known(trip),
      end_station_name: trip.end_station_name ?? '',
      end_station_id: trip.end_station_id ?? '',
    }),
    reading: { enums: 'name' },
  },
};

async function readRows(id: string, bytes: Uint8Array, dataset: string): Promise<unknown> {
  const { format } = encodingFor(id);
  const module = await loadFormat(format);
  const schema = await module.compileSchema?.(schemas[dataset]![format]);
  return decodeWith(module, bytes, { schema, options: READ[format]?.reading ?? {} });
}

// Counts around the array length forms.
const COUNTS = [0, 1, 15, 16, 23, 24, 255, 256, 1500];

/** Well-known library that writes the same bytes, by encoding. */
const LIBRARIES: Record<string, (trips: Trip[]) => Uint8Array> = {
  json: (trips) => Buffer.from(JSON.stringify({ trips })),
  messagepack: (trips) => new Packr({ useRecords: false }).pack({ trips }),
  'messagepack-records': (trips) => new Packr({ useRecords: true }).pack({ trips }),
  cbor: (trips) => new CborEncoder({ useRecords: false, variableMapSize: true, tagUint8Array: false }).encode({ trips }),
  bson: (trips) => serialize({ trips }),
  sia: (trips) => encodeBySizer({ trips }),
  jsbinary: (trips) => encodeByJsBinary(schemas['trips']!['jsbinary'], { trips: trips.map(withDates) }),
  protobuf(trips) {
    const { proto, message } = schemas['trips']!['protobuf'] as { proto: string; message: string };
    const type = protobufjsType(proto, message);
    return type.encode(type.fromObject({ trips: trips.map((trip) => present(withTimes(trip))) })).finish();
  },
};

describe.each(Object.entries(LIBRARIES))('%s encoder', (id, encode) => {
  // From this count on, MessagePack and CBOR write counts of 4 bytes.
  it.each(/^(?:messagepack|cbor)$/.test(id) ? [...COUNTS, 65_536] : COUNTS)('writes the bytes of the well-known library for %i rows', (count) => {
    expect(rowsAs(id, count).equals(encode(tripsOf(count)))).toBe(true);
  });
});

describe('row encoder', () => {
  it('writes the bytes of JSON.stringify for mixed values', () => {
    const value = mixed(700, { features: encodingFor('json').carries });
    const bytes = Buffer.from(encodeRows('json', value.items, { key: 'items', count: 700, dataset: 'mixed' }));
    expect(bytes.equals(Buffer.from(JSON.stringify(value)))).toBe(true);
  });

  it('writes rows that independent decoders decode', () => {
    expect(decode(rowsAs('messagepack', 600))).toEqual({ trips: source.take(600) });
    expect(decodeByCbor2(rowsAs('cbor', 600))).toEqual({ trips: source.take(600) });
    const typed = { trips: tripsOf(600).map(withTimes) };
    expect(plain(forSchema(schemas['trips']!['avro']).fromBuffer(rowsAs('avro', 600)))).toEqual(plain(typed));
  });

  it.each([
    ['messagepack-records', {}],
    ['messagepack-records-bundled', { bundleStrings: true }],
  ])('writes keys once as %s, which msgpackr decodes', (id, packing) => {
    const bytes = rowsAs(id, 1000);
    expect(bytes.includes(Buffer.from([0xd4, 0x72]))).toBe(true);
    expect(bytes.length).toBeLessThan(rowsAs('messagepack', 1000).length * 0.6);
    expect(new Unpackr({ useRecords: true, ...packing }).unpack(bytes)).toEqual({ trips: source.take(1000) });
  });

  it.each([...encodings.keys()])('writes %s that decodes to the original rows, directly and from a block', async (id) => {
    const { format, datasets } = encodingFor(id);
    const bytes = rowsAs(id, 700);
    const trips = source.take(700).map(READ[format]?.trip ?? ((trip) => trip));
    assertSame(await readRows(id, bytes, 'trips'), { trips });
    const module = await loadFormat(format);
    const schema = await module.compileSchema?.(schemas['trips']![format]);
    const result = await throughBlock((sink) => {
      const reader = module.createReader(sink, READ[format]?.reading ?? {}, resolveLimits(), schema);
      for (let at = 0; at < bytes.length; at += 10_007) reader.push(bytes.subarray(at, at + 10_007));
      reader.end();
    });
    assertSame(result, { trips });
    if (datasets === undefined) return;
    const numbers = encodeRows(id, points(700), { key: 'items', count: 700, dataset: 'numbers' });
    assertSame(await readRows(id, numbers, 'numbers'), { items: [...points(700)] });
  });

  it.each([...encodings.keys()])('rejects %s if the count differs from the announced one', (id) => {
    expect(() => encodeRows(id, source.rows(3), options(4))).toThrow('There are 3 rows, not the 4 announced.');
    expect(() => encodeRows(id, source.rows(5), options(4))).toThrow('There are more than the 4 rows announced.');
    expect(() => encodeRows(id, source.rows(1), options(0))).toThrow('There are more than the 0 rows announced.');
  });

  it.each([...encodings.keys()])('writes the same bytes as a stream of %s', async (id) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of streamRows(id, source.rows(2_500), options(2_500))) chunks.push(chunk);
    expect(chunks.length).toBeGreaterThan(1);
    expect(Buffer.concat(chunks).equals(rowsAs(id, 2_500))).toBe(true);
  });

  it('includes every row if JSON batches many small ones', () => {
    const many = Array.from({ length: 20_000 }, (_, index) => index);
    const bytes = encodeRows('json', many, { key: 'items', count: many.length, dataset: 'mixed' });
    expect(JSON.parse(new TextDecoder().decode(bytes))).toEqual({ items: many });
  });

  it('consumes rows on demand in a stream', async () => {
    let taken = 0;
    const rows = (function* () {
      for (; taken < 100_000; taken += 1) yield source.at(taken);
    })();
    const reader = streamRows('messagepack', rows, options(100_000)).getReader();
    const { value } = await reader.read();
    expect(value!.length).toBeGreaterThan(10_000);
    expect(taken).toBeLessThan(20_000);
    await reader.cancel();
  });

  it('evicts rows from a lazy list once read', () => {
    const list = lazyList(points(10_000), 10_000, 100);
    expect([Array.isArray(list), list.length, list[9999]]).toEqual([true, 10_000, [...points(10_000)][9999]]);
    expect(list.slice(9_990)).toHaveLength(10);
    expect(() => list[0]).toThrow('Row 0 is gone');
  });
});

describe('encoding table', () => {
  it.each([...encodings.values()])('gives $id a media type and, without a schema, any document', async ({ id, mediaType, datasets, carries }) => {
    expect(mediaType).toMatch(/^[a-z]+\/[a-z.+-]+$/);
    if (datasets) {
      expect(() => encodeDocument(id, 1)).toThrow('does not encode other values');
      expect(() => encodeRows(id, [], { key: 'items', count: 0, dataset: 'mixed' })).toThrow('There is no schema');
      return;
    }
    const value = mixed(200, { features: carries });
    const { format } = encodingFor(id);
    // cbor-x writes every bigint in 8 bytes, and no other integer.
    const reading = format === 'cbor' ? { int64: 'bigint' } : {};
    const read = decodeWith(await loadFormat(format), encodeDocument(id, value), { options: reading });
    assertSame(read, format === 'sia' ? plainForSizer(value) : value);
  });

  it('lists the encodings in the error for an unknown name', () => {
    expect(() => encodingFor('yaml')).toThrow('No format is named "yaml". There are: json, messagepack,');
  });
});
