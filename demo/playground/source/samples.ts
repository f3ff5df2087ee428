import type { FormatId } from 'unspool';
import bebopSchema from '../../server/schemas/trips.bop?raw';
import protoSchema from '../../server/schemas/trips.proto?raw';
import { orders } from '../../server/data/orders.mjs';
import { createTripSource } from '../../server/data/trips.mjs';
import { fitted } from '../../server/rows.mjs';
import type { Source } from './source.ts';

/** A payload that the page makes itself. */
interface Sample {
  id: string;
  label: string;
  format: FormatId;
  value: () => unknown;
  schema?: { name: string; text: string; type: string };
}

const trips = (count: number, format = 'json'): unknown => ({ trips: [...fitted(createTripSource().rows(count), 'trips', format)] });

export const SAMPLES: readonly Sample[] = [
  { id: 'trips-json', label: 'Trips, JSON', format: 'json', value: () => trips(5_000) },
  { id: 'trips-messagepack', label: 'Trips, MessagePack', format: 'messagepack', value: () => trips(5_000) },
  { id: 'orders-cbor', label: 'Orders, CBOR', format: 'cbor', value: () => ({ orders: [...orders(2_000, 1)] }) },
  {
    id: 'trips-protobuf',
    label: 'Trips, Protocol Buffers',
    format: 'protobuf',
    value: () => trips(5_000, 'protobuf'),
    schema: { name: 'trips.proto', text: protoSchema, type: 'unspool.demo.Trips' },
  },
  {
    id: 'trips-bebop',
    label: 'Trips, Bebop',
    format: 'bebop',
    value: () => trips(5_000, 'bebop'),
    schema: { name: 'trips.bop', text: bebopSchema, type: 'Trips' },
  },
];

/** Writes a sample in its format. */
export async function makeSample({ id, format, value, schema }: Sample): Promise<Source & { schemas: File[]; type: string }> {
  const { createEncoder } = await import('unspool/encode');
  const options = {
    format,
    ...(format === 'protobuf' && { schema: { proto: schema!.text, message: schema!.type }, options: { names: 'proto' } }),
    ...(format === 'bebop' && { schema: { bop: schema!.text, record: schema!.type } }),
  };
  const bytes = await createEncoder().encode(value(), options as { format: 'json' });
  return {
    name: id,
    bytes: bytes.slice(),
    contentType: '',
    schemas: schema ? [new File([schema.text], schema.name)] : [],
    type: schema?.type ?? '',
  };
}
