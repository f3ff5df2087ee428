import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../../../scripts/run.mjs';
import type { FormatId } from '../../../../core/format/format-id.ts';
import type { SchemaDefinition } from '../../../../main/encode.ts';

const file = (name: string): Buffer => readFileSync(join(ROOT, 'demo/server/schemas', name));

/** Schemas of `{ trips: [...] }`, by the formats that need one. */
export const SCHEMAS: Readonly<Partial<Record<FormatId, SchemaDefinition['schema']>>> = {
  avro: JSON.parse(file('trips.avsc').toString()) as object,
  protobuf: { proto: file('trips.proto').toString(), message: 'unspool.demo.Trips' },
  flatbuffers: { bfbs: new Uint8Array(file('trips.bfbs')) },
  capnproto: { request: new Uint8Array(file('trips.capnp.request')), struct: 'Trips' },
  bebop: { bop: file('trips.bop').toString(), record: 'Trips' },
  jsbinary: JSON.parse(file('trips.jsbinary.json').toString()) as object,
};

/** Trip that every format can represent, except for the field names of Cap'n Proto and Protocol Buffers. */
export interface AnyTrip {
  ride_id: string;
  rideable_type: string;
  started_at: Date;
  ended_at: Date;
  start_station_name: string;
  start_station_id: string;
  end_station_name: string;
  end_station_id: string;
  start_lat: number;
  start_lng: number;
  end_lat: number;
  end_lng: number;
  member_casual: string;
}

/** Trip with a number and a text. */
export function tripOf(number: number, text: string): AnyTrip {
  return {
    ride_id: text,
    rideable_type: number % 2 === 0 ? 'electric_bike' : 'classic_bike',
    started_at: new Date(1.6e12 + Math.trunc(number)),
    ended_at: new Date(1.7e12 + Math.trunc(number)),
    start_station_name: `${text} ↦`,
    start_station_id: String(number),
    end_station_name: Array.from(text).slice(1).join(''),
    end_station_id: '',
    start_lat: number / 3,
    start_lng: number,
    end_lat: -number / 7,
    end_lng: 0.5,
    member_casual: text.length % 2 === 0 ? 'member' : 'casual',
  };
}

/** Formats whose schema has milliseconds for the times. */
const IN_MILLISECONDS: readonly FormatId[] = ['protobuf', 'flatbuffers', 'capnproto'];

/** Trip in the form of a format's schema: with milliseconds for times, and the names of Cap'n Proto and Protocol Buffers. */
export function asIn(format: FormatId, trip: AnyTrip): object {
  const fields = Object.entries(trip).map(([key, value]: [string, unknown]) => {
    const time = value instanceof Date && IN_MILLISECONDS.includes(format) ? value.getTime() : value;
    const isEnum = key === 'rideable_type' || key === 'member_casual';
    if (format === 'capnproto') return [camel(key), isEnum ? camel(time as string) : time];
    return [format === 'protobuf' ? camel(key) : key, time];
  });
  return Object.fromEntries(fields) as object;
}

function camel(text: string): string {
  return text.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
