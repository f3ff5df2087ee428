// Converts trips to the form of a schema. Conversions to plain objects are not part of the measured time.

/** @typedef {import('../../demo/server/data/trips.mjs').Trip} Trip */

const RIDEABLE_TYPES = ['electric_bike', 'classic_bike'];
const MEMBER_CASUAL = ['member', 'casual'];

/** Milliseconds since 1970 of `YYYY-MM-DD HH:MM:SS.mmm`. @param {string} text */
const milliseconds = (text) => Date.parse(`${text.replace(' ', 'T')}Z`);

/** Times as numbers. @param {Trip} trip */
export const withNumbers = (trip) => ({ ...trip, started_at: milliseconds(trip.started_at), ended_at: milliseconds(trip.ended_at) });

/** Times as Dates. @param {Trip} trip */
export const withDates = (trip) => ({
  ...trip,
  started_at: new Date(milliseconds(trip.started_at)),
  ended_at: new Date(milliseconds(trip.ended_at)),
});

/** Times and enums as numbers. @param {Trip} trip */
export const withEnums = (trip) => ({
  ...withNumbers(trip),
  rideable_type: RIDEABLE_TYPES.indexOf(trip.rideable_type),
  member_casual: MEMBER_CASUAL.indexOf(trip.member_casual),
});

/** Empty strings and NaN instead of null, times as Dates, enums as numbers. @param {Trip} trip */
export const withoutNulls = (trip) => ({
  ...withEnums(trip),
  started_at: new Date(milliseconds(trip.started_at)),
  ended_at: new Date(milliseconds(trip.ended_at)),
  end_station_name: trip.end_station_name ?? '',
  end_station_id: trip.end_station_id ?? '',
  end_lat: trip.end_lat ?? Number.NaN,
  end_lng: trip.end_lng ?? Number.NaN,
});

/**
 * Renames the fields as generated code does.
 *
 * @param {Record<string, unknown>} row
 */
export const camelCase = (row) =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name.replaceAll(/_(.)/g, (_, letter) => letter.toUpperCase()), value]));

/**
 * Creates the conversion of a task's value: converts each trip, and returns other values unchanged.
 *
 * @param {import('./contenders/contender.js').Task} task
 * @param {(trip: any) => object} row
 * @returns {(value: any) => unknown}
 */
export function preparing({ dataset }, row) {
  return dataset === 'trips' ? ({ trips }) => ({ trips: trips.map(row) }) : (value) => value;
}
