// js-binary as its package writes it, by the types in ../schemas.
// @ts-expect-error: the package has no types.
import { Type } from 'js-binary';
import { batches, counted } from './encoder.mjs';

/** The rows' types, as in `../schemas/*.jsbinary.json`, and what makes a row fit. */
const TRIP = {
  ride_id: 'string',
  rideable_type: 'string',
  started_at: 'date',
  ended_at: 'date',
  start_station_name: 'string',
  start_station_id: 'string',
  'end_station_name?': 'string',
  'end_station_id?': 'string',
  start_lat: 'float',
  start_lng: 'float',
  'end_lat?': 'float',
  'end_lng?': 'float',
  member_casual: 'string',
};
const POINT = { x: 'float', y: 'float', z: 'float' };

/** @type {Record<string, { type: object, fit: (row: any) => unknown }>} */
const datasets = {
  trips: {
    type: TRIP,
    fit: (/** @type {import('../data/trips.mjs').Trip} */ trip) => ({
      ...trip,
      started_at: date(trip.started_at),
      ended_at: date(trip.ended_at),
    }),
  },
  numbers: { type: POINT, fit: (row) => row },
};

/** @type {import('./encoder.mjs').Encoder} */
export const jsbinary = {
  id: 'jsbinary',
  mediaType: 'application/x-js-binary',
  version: 1,
  carries: Object.freeze({}),
  datasets: Object.keys(datasets),

  *encode(rows, { count, dataset }) {
    const known = datasets[dataset];
    if (!known) throw new RangeError(`There is no js-binary type for ${dataset}.`);
    // An array is its length and its items, and an object of one field is that field.
    yield Uint8Array.from(new Type('uint').encode(count));
    const type = new Type([known.type]);
    for (const batch of batches(counted(rows, count))) {
      yield Uint8Array.from(type.encode(batch.map(known.fit))).subarray(batch.length < 0x80 ? 1 : 2);
    }
  },
};

/** @param {string} text `YYYY-MM-DD HH:MM:SS.mmm` */
function date(text) {
  return new Date(`${text.replace(' ', 'T')}Z`);
}
