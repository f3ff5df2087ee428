// FlatBuffers, by the schemas in ../schemas, as flatc's code writes them: each string by itself, defaults left out.
import { Builder } from 'flatbuffers';
import { counted } from './encoder.mjs';

/** @type {Record<string, (builder: Builder, rows: Iterable<any>) => number>} */
const writers = { trips: writeTrips, numbers: writeNumbers };

/** @type {import('./encoder.mjs').Encoder} */
export const flatbuffers = {
  id: 'flatbuffers',
  mediaType: 'application/x-flatbuffers',
  version: 1,
  carries: Object.freeze({}),
  datasets: Object.keys(writers),

  // A buffer is written from its end, so it is one chunk.
  *encode(rows, { count, dataset }) {
    const write = writers[dataset];
    if (!write) throw new RangeError(`There is no FlatBuffers schema for ${dataset}.`);
    const builder = new Builder(1024);
    const list = write(builder, counted(rows, count));
    builder.startObject(1);
    builder.addFieldOffset(0, list, 0);
    builder.finish(builder.endObject());
    yield Uint8Array.from(builder.asUint8Array());
  },
};

/**
 * @param {Builder} builder
 * @param {Iterable<import('../data/trips.mjs').Trip>} trips
 */
function writeTrips(builder, trips) {
  const offsets = [];
  for (const trip of trips) offsets.push(writeTrip(builder, trip));
  builder.startVector(4, offsets.length, 4);
  for (let index = offsets.length - 1; index >= 0; index--) builder.addOffset(/** @type {number} */ (offsets[index]));
  return builder.endVector();
}

/**
 * @param {Builder} builder
 * @param {import('../data/trips.mjs').Trip} trip
 */
function writeTrip(builder, trip) {
  const id = builder.createString(trip.ride_id);
  const startName = builder.createString(trip.start_station_name);
  const startId = builder.createString(trip.start_station_id);
  const endName = builder.createString(trip.end_station_name);
  const endId = builder.createString(trip.end_station_id);
  builder.startObject(13);
  builder.addFieldOffset(0, id, 0);
  builder.addFieldInt8(1, trip.rideable_type === 'electric_bike' ? 0 : 1, 0);
  builder.addFieldInt64(2, milliseconds(trip.started_at), 0n);
  builder.addFieldInt64(3, milliseconds(trip.ended_at), 0n);
  builder.addFieldOffset(4, startName, 0);
  builder.addFieldOffset(5, startId, 0);
  builder.addFieldOffset(6, endName, 0);
  builder.addFieldOffset(7, endId, 0);
  builder.addFieldFloat64(8, trip.start_lat, 0);
  builder.addFieldFloat64(9, trip.start_lng, 0);
  if (trip.end_lat !== null) builder.addFieldFloat64(10, trip.end_lat, null);
  if (trip.end_lng !== null) builder.addFieldFloat64(11, trip.end_lng, null);
  builder.addFieldInt8(12, trip.member_casual === 'member' ? 0 : 1, 0);
  return builder.endObject();
}

/**
 * @param {Builder} builder
 * @param {Iterable<import('../data/numbers.mjs').Point>} points
 */
function writeNumbers(builder, points) {
  const all = [...points];
  builder.startVector(24, all.length, 8);
  for (let index = all.length - 1; index >= 0; index--) {
    const { x, y, z } = /** @type {import('../data/numbers.mjs').Point} */ (all[index]);
    builder.prep(8, 24);
    builder.writeFloat64(z);
    builder.writeFloat64(y);
    builder.writeFloat64(x);
  }
  return builder.endVector();
}

/** @param {string} text `YYYY-MM-DD HH:MM:SS.mmm` */
function milliseconds(text) {
  return BigInt(Date.parse(`${text.replace(' ', 'T')}Z`));
}
