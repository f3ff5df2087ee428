// Protocol Buffers, by the schemas in ../schemas, as protoc's code writes them: fields in order, zeros left out.
import { PbfWriter } from 'pbf';
import { batches, counted } from './encoder.mjs';

/** @type {Record<string, (row: any, writer: PbfWriter) => void>} */
const writers = { trips: writeTrip, numbers: writePoint };

/** @type {import('./encoder.mjs').Encoder} */
export const protobuf = {
  id: 'protobuf',
  mediaType: 'application/x-protobuf',
  version: 1,
  carries: Object.freeze({}),
  datasets: Object.keys(writers),

  *encode(rows, { count, dataset }) {
    const write = writers[dataset];
    if (!write) throw new RangeError(`There is no Protocol Buffers schema for ${dataset}.`);
    for (const batch of batches(counted(rows, count))) {
      const writer = new PbfWriter();
      for (const row of batch) writer.writeMessage(1, write, row);
      yield Uint8Array.from(writer.finish());
    }
  },
};

/**
 * @param {import('../data/trips.mjs').Trip} trip
 * @param {PbfWriter} writer
 */
function writeTrip(trip, writer) {
  writer.writeStringField(1, trip.ride_id);
  if (trip.rideable_type !== 'electric_bike') writer.writeVarintField(2, 1);
  writer.writeVarintField(3, milliseconds(trip.started_at));
  writer.writeVarintField(4, milliseconds(trip.ended_at));
  writer.writeStringField(5, trip.start_station_name);
  writer.writeStringField(6, trip.start_station_id);
  if (trip.end_station_name !== null) writer.writeStringField(7, trip.end_station_name);
  if (trip.end_station_id !== null) writer.writeStringField(8, trip.end_station_id);
  writeDouble(9, trip.start_lat, writer);
  writeDouble(10, trip.start_lng, writer);
  if (trip.end_lat !== null) writer.writeDoubleField(11, trip.end_lat);
  if (trip.end_lng !== null) writer.writeDoubleField(12, trip.end_lng);
  if (trip.member_casual !== 'member') writer.writeVarintField(13, 1);
}

/**
 * @param {import('../data/numbers.mjs').Point} point
 * @param {PbfWriter} writer
 */
function writePoint({ x, y, z }, writer) {
  writeDouble(1, x, writer);
  writeDouble(2, y, writer);
  writeDouble(3, z, writer);
}

/**
 * @param {number} field
 * @param {number} value
 * @param {PbfWriter} writer
 */
function writeDouble(field, value, writer) {
  if (!Object.is(value, 0)) writer.writeDoubleField(field, value);
}

/** @param {string} text `YYYY-MM-DD HH:MM:SS.mmm` */
function milliseconds(text) {
  return Date.parse(`${text.replace(' ', 'T')}Z`);
}
