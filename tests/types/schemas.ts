/** Tests of the types of schemas, checked by the compiler. Nothing here runs. */
import { createDecoder, type Decoder, defineSchema, type Rows, type TypedSchema } from 'unspool';
import { createEncoder } from 'unspool/encode';
import avroFormat from 'unspool/formats/avro';
import protobuf from 'unspool/formats/protobuf';
import avroEncoder from 'unspool/encoders/avro';
import { createPartial } from 'unspool/partial';
import { compileSchema, decodeSync, encodeSync } from 'unspool/sync';
import { expectAssignable, expectType } from './equal.ts';

interface Trip {
  id: string;
  minutes: number;
}

declare const bytes: Uint8Array;
const decoder = createDecoder();
const encoder = createEncoder();

/** The type of a schema that names it. */
export async function named(): Promise<void> {
  const trips = defineSchema<{ trips: Trip[] }>({ format: 'protobuf', schema: { proto: '', message: 'Trips' } });
  expectType<TypedSchema<{ trips: Trip[] }>>()(trips);
  expectType<{ trips: Trip[] }>()(await decoder.decode(bytes, { schema: trips }));
  expectType<Rows<Trip>>()((await decoder.decode(bytes, { schema: trips, as: 'rows' })).trips);
  expectType<{ trips: Trip[] }>()(await decoder.decode(bytes, { schema: trips, options: { names: 'proto' } }));
  const response = await decoder.fetch('/trips', { as: 'rows' });
  expectType<Rows<Trip>>()((await response.decode({ schema: trips })).trips);
  expectType<Rows<Trip>>()((await response.rows({ schema: trips })).trips);
  await encoder.encode({ trips: [] }, { schema: trips });
  await encoder.body({ trips: [] }, { schema: trips, compression: 'gzip' });
  createDecoder({ schemas: { trips } });
  // @ts-expect-error -- no such part of a schema
  defineSchema<Trip>({ format: 'protobuf', schema: { proto: '', mesage: 'Trip' } });
  // @ts-expect-error -- JSON takes no schema
  defineSchema<Trip>({ format: 'json', schema: {} });
  // @ts-expect-error -- no format and no schema
  await encoder.encode(1, {});
  // @ts-expect-error -- an option of other formats
  await encoder.encode(1, { format: 'json', options: { int64: 'float' } });
}

/** The types that are read from Avro schemas. */
export async function avro(): Promise<void> {
  const trip = defineSchema({
    format: 'avro',
    schema: {
      type: 'record',
      name: 'Trip',
      fields: [
        { name: 'id', type: 'string' },
        { name: 'minutes', type: 'int' },
        { name: 'distance', type: ['null', 'double'], default: null },
        { name: 'start', type: { type: 'long', logicalType: 'timestamp-millis' } },
        { name: 'kind', type: { type: 'enum', name: 'Kind', symbols: ['bike', 'foot'] } },
        { name: 'stops', type: { type: 'array', items: { type: 'record', name: 'Stop', fields: [{ name: 'at', type: 'float' }] } } },
        { name: 'tags', type: { type: 'map', values: 'boolean' } },
        { name: 'odometer', type: 'long' },
        { name: 'either', type: ['int', 'string'] },
        { name: 'wrapped', type: ['int', 'double'] },
        { name: 'again', type: 'Stop' },
        { name: 'end', type: ['null', { type: 'long', logicalType: 'timestamp-millis' }] },
        { name: 'price', type: { type: 'bytes', logicalType: 'decimal', precision: 6, scale: 2 } },
      ],
    },
  });
  const value = await decoder.decode(bytes, { schema: trip });
  expectType<{
    id: string;
    minutes: number;
    distance: number | null;
    start: Date;
    kind: 'bike' | 'foot';
    stops: { at: number }[];
    tags: Record<string, boolean>;
    odometer: number | bigint;
    either: string | number;
    wrapped: unknown;
    again: unknown;
    end: Date | null;
    price: string;
  }>()(value);
  const rows = await decoder.decode(bytes, {
    schema: defineSchema({ format: 'avro', schema: { type: 'array', items: { type: 'record', name: 'T', fields: [{ name: 'x', type: 'int' }] } } }),
    as: 'rows',
  });
  expectType<Rows<{ x: number }>>()(rows);
}

/** The types that are read from js-binary types. */
export async function jsBinary(): Promise<void> {
  const trips = defineSchema({ format: 'jsbinary', schema: [{ id: 'uint', name: 'string', 'at?': 'date', path: [{ x: 'float' }], raw: 'Buffer' }] });
  const [trip] = await decoder.decode(bytes, { schema: trips });
  expectType<{ id: number; name: string; path: { x: number }[]; raw: Uint8Array; at?: Date | undefined } | undefined>()(trip);
}

/** The type of a schema in every call that takes it. */
export async function inEveryCall(socket: WebSocket, rows: Rows<Trip>, later: AsyncIterable<Trip>): Promise<void> {
  const trips = defineSchema<{ trips: Trip[]; page: { stops: number[] } }>({ format: 'protobuf', schema: { proto: '', message: 'Trips' } });
  const trip = defineSchema<Trip>({ format: 'bebop', schema: { bop: '', record: 'Trip' } });
  for await (const value of decoder.messages(socket, { schema: trip })) expectType<Trip>()(value);
  for await (const values of decoder.messages(socket, { schema: trip, batch: true, policy: 'drop' })) expectType<Trip[]>()(values);
  for await (const value of decoder.messages(socket, { schema: trips, as: 'rows' })) expectType<Rows<Trip>>()(value.trips);
  for await (const value of decoder.messages<Trip[]>(socket, { as: 'rows' })) expectType<Rows<Trip>>()(value);
  for await (const value of decoder.partial(new Response(), { schema: trips })) expectType<string | undefined>()(value.trips?.[0]?.id);
  for await (const batch of decoder.batches(bytes, { schema: trips, path: 'trips' })) expectType<Trip[]>()(batch);
  for await (const batch of decoder.batches(bytes, { schema: trips, path: 'trips', as: 'rows' })) expectType<Rows<Trip>>()(batch);
  for await (const batch of decoder.batches(bytes, { schema: trips, path: ['page', 'stops'] })) expectType<number[]>()(batch);
  for await (const batch of decoder.batches(bytes, { schema: trips, path: 'page.stops' })) expectType<number[]>()(batch);
  for await (const batch of decoder.batches(bytes, { schema: trip, options: { sequence: true } })) expectType<Trip[]>()(batch);
  for await (const batch of decoder.batches<{ id: string }>(bytes, { schema: trips, path: 'trips' })) expectType<{ id: string }[]>()(batch);
  expectType<Rows<Trip>>()((await decoder.growingRows(bytes, { schema: trips, path: 'trips', onRows: (all) => all.at(0)?.minutes })).slice(0, 1));
  const response = await decoder.fetch('/trips');
  for await (const batch of response.batches({ schema: trips, path: 'trips' })) expectType<Trip[]>()(batch);
  expectType<Trip>()(await response.json({ schema: trip }));

  await encoder.encode({ id: 'a', minutes: 1 }, { schema: trip });
  await encoder.encode([{ id: 'a', minutes: 1 }], { schema: trip, options: { sequence: true } });
  await encoder.encode({ trips: rows }, { schema: trips });
  encoder.stream({ trips: later }, { schema: trips });
  // @ts-expect-error -- no such field
  await encoder.encode({ id: 'a', minuts: 1 }, { schema: trip });
  // @ts-expect-error -- text for a number
  await encoder.body({ trips: [{ id: 'a', minutes: '1' }] }, { schema: trips });
}

/** Names of schemas that carry types. */
export async function byName(socket: WebSocket): Promise<void> {
  const trip = defineSchema<Trip>({ format: 'bebop', schema: { bop: '', record: 'Trip' } });
  const trips = defineSchema<{ trips: Trip[] }>({ format: 'protobuf', schema: { proto: '', message: 'Trips' } });
  const own = createDecoder({
    schemas: { trip, trips: { ...trips, urls: /trips/ }, untyped: { format: 'bebop', schema: { bop: '', record: 'Trip' } } },
  });
  expectAssignable<Decoder>(own);
  expectType<Trip>()(await own.decode(bytes, { schema: 'trip' }));
  expectType<Rows<Trip>>()((await own.decode(bytes, { schema: 'trips', as: 'rows' })).trips);
  expectType<{ id: 1 }>()(await own.decode<{ id: 1 }>(bytes, { schema: 'trip' }));
  expectType<unknown>()(await own.decode(bytes, { schema: 'untyped' }));
  const expected: Trip = await own.decode(bytes, { schema: 'untyped' });
  expectType<unknown>()(await own.decode(bytes, { schema: 'other' }));
  const response = await own.fetch('/trips', { as: 'rows' });
  expectType<Rows<Trip>>()((await response.decode({ schema: 'trips' })).trips);
  expectType<{ trips: Trip[] }>()(await response.clone().json({ schema: 'trips' }));
  expectType<Rows<Trip>>()((await response.rows({ schema: 'trips' })).trips);
  for await (const batch of own.batches(bytes, { schema: 'trips', path: 'trips' })) expectType<Trip[]>()(batch);
  for await (const value of own.messages(socket, { schema: 'trip', batch: true })) expectType<Trip[]>()(value);
  for await (const value of own.partial(new Response(), { schema: 'trip' })) expectType<string | undefined>()(value.id);
  expectType<Rows<Trip>>()((await own.growingRows(bytes, { schema: 'trips', path: 'trips' })).slice(0, 1));
  expectType<Trip[]>()(await own.decode<Trip[]>(bytes, { format: 'json' }));
  expectType<Decoder>()(createDecoder({ workers: 1, schemas: undefined }));
  // @ts-expect-error -- no such part of a schema
  createDecoder({ schemas: { trip: { format: 'protobuf', schema: { proto: '', message: 'Trip' }, url: /x/ } } });
  void expected;
}

/** Compiled schemas carry the types of those that they were made from. */
export async function synchronous(): Promise<void> {
  const trip = await compileSchema(protobuf, defineSchema<Trip>({ format: 'protobuf', schema: { proto: '', message: 'Trip' } }));
  expectType<Trip>()(decodeSync(protobuf, bytes, { schema: trip }));
  expectType<Trip>()(decodeSync(protobuf, bytes, { schema: trip, options: { int64: 'bigint' } }));
  expectType<{ id: 1 }>()(decodeSync<{ id: 1 }>(protobuf, bytes, { schema: trip }));
  expectType<Trip>()(createPartial(protobuf, { schema: trip }).finish());
  const untyped = await compileSchema(protobuf, { proto: '', message: 'Trip' });
  expectType<unknown>()(decodeSync(protobuf, bytes, { schema: untyped }));
  expectType<Trip>()(decodeSync<Trip>(protobuf, bytes, { schema: untyped }));
  const ids = await compileSchema(avroFormat, defineSchema({ format: 'avro', schema: { type: 'array', items: 'int' } }));
  expectType<number[]>()(decodeSync(avroFormat, bytes, { schema: ids }));
  const written = await compileSchema(avroEncoder, defineSchema({ format: 'avro', schema: { type: 'array', items: 'int' } }));
  encodeSync(avroEncoder, [1, 2], { schema: written });
  // @ts-expect-error -- no number
  encodeSync(avroEncoder, ['1'], { schema: written });
  // @ts-expect-error -- the schema of another format
  decodeSync(protobuf, bytes, { schema: ids });
  // @ts-expect-error -- no such option
  decodeSync(protobuf, bytes, { schema: trip, options: { int46: 'bigint' } });
  // With the type of the value given, options are checked too.
  expectType<Trip>()(decodeSync<Trip>(protobuf, bytes, { schema: untyped, options: { names: 'json' } }));
  // @ts-expect-error -- no such value
  decodeSync<Trip>(protobuf, bytes, { schema: untyped, options: { names: 'jsn' } });
  // @ts-expect-error -- no such option
  decodeSync<Trip>(protobuf, bytes, { schema: untyped, options: { int46: 'bigint' } });
  // @ts-expect-error -- no such value
  createPartial<Trip>(protobuf, { schema: untyped, options: { names: 'jsn' } });
}
