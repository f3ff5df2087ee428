// Bebop, by the schemas in ../schemas, as bebopc's code writes them: a struct's fields one after the other.
import { BebopView } from 'bebop';
import { batches, counted } from './encoder.mjs';

/** @type {Record<string, (row: any, view: BebopView) => void>} */
const writers = { trips: writeTrip, numbers: writePoint };

/** @type {import('./encoder.mjs').Encoder} */
export const bebop = {
  id: 'bebop',
  mediaType: 'application/x-bebop',
  version: 1,
  carries: Object.freeze({}),
  datasets: Object.keys(writers),

  *encode(rows, { count, dataset }) {
    const write = writers[dataset];
    if (!write) throw new RangeError(`There is no Bebop schema for ${dataset}.`);
    const view = BebopView.getInstance();
    view.startWriting();
    view.writeUint32(count);
    yield Uint8Array.from(view.toArray());
    for (const batch of batches(counted(rows, count))) {
      view.startWriting();
      for (const row of batch) write(row, view);
      yield Uint8Array.from(view.toArray());
    }
  },
};

/**
 * @param {import('../data/trips.mjs').Trip} trip
 * @param {BebopView} view
 */
function writeTrip(trip, view) {
  view.writeString(trip.ride_id);
  view.writeByte(trip.rideable_type === 'electric_bike' ? 0 : 1);
  view.writeDate(dateOf(trip.started_at));
  view.writeDate(dateOf(trip.ended_at));
  view.writeString(trip.start_station_name);
  view.writeString(trip.start_station_id);
  view.writeString(trip.end_station_name ?? '');
  view.writeString(trip.end_station_id ?? '');
  view.writeFloat64(trip.start_lat);
  view.writeFloat64(trip.start_lng);
  view.writeFloat64(trip.end_lat ?? Number.NaN);
  view.writeFloat64(trip.end_lng ?? Number.NaN);
  view.writeByte(trip.member_casual === 'member' ? 0 : 1);
}

/**
 * @param {import('../data/numbers.mjs').Point} point
 * @param {BebopView} view
 */
function writePoint({ x, y, z }, view) {
  view.writeFloat64(x);
  view.writeFloat64(y);
  view.writeFloat64(z);
}

/** @param {string} text `YYYY-MM-DD HH:MM:SS.mmm` */
function dateOf(text) {
  return new Date(`${text.replace(' ', 'T')}Z`);
}
