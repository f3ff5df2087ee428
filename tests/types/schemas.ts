/** Tests of the types of schemas, checked by the compiler. Nothing here runs. */
import { createDecoder, defineSchema, type Rows, type TypedSchema } from 'unspool';
import { createEncoder } from 'unspool/encode';
import { expectType } from './equal.ts';

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
  expectType<{ id: number; name: string; path: { x: number }[]; raw: Uint8Array; at?: Date } | undefined>()(trip);
}
