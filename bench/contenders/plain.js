// Conversions of decoded trips and points to plain objects.

/** Longest slice in milliseconds, and rows between two readings of the clock. */
const SLICE_MS = 4;
const ROWS_BETWEEN = 256;

/**
 * Replaces each numeric time by a Date, in one task as users of a library do. Rows without times are unchanged.
 *
 * @template {{ [list: string]: any }} Value
 * @param {Value} value
 * @param {string | null} list
 * @returns {Value}
 */
export function withDates(value, list) {
  for (const row of list === null ? [] : value[list]) setDates(row);
  return value;
}

/**
 * `withDates` in slices, so that the page stays responsive.
 *
 * @template {{ [list: string]: any }} Value
 * @param {Value} value
 * @param {string | null} list
 * @returns {Promise<Value>}
 */
export async function withDatesInSlices(value, list) {
  const rows = list === null ? [] : value[list];
  if (rows.length === 0 || !timesOf(rows[0])) return value;
  let begun = performance.now();
  for (let index = 0; index < rows.length; index += 1) {
    setDates(rows[index]);
    if (index % ROWS_BETWEEN !== 0 || performance.now() - begun < SLICE_MS) continue;
    await /** @type {{ scheduler: { yield(): Promise<void> } }} */ (/** @type {unknown} */ (globalThis)).scheduler.yield();
    begun = performance.now();
  }
  return value;
}

/** @param {any} row */
function setDates(row) {
  if (row.started_at !== undefined) {
    row.started_at = new Date(Number(row.started_at));
    row.ended_at = new Date(Number(row.ended_at));
  } else if (row.startedAt !== undefined) {
    row.startedAt = new Date(Number(row.startedAt));
    row.endedAt = new Date(Number(row.endedAt));
  }
}

/** @param {any} row */
function timesOf(row) {
  return row.started_at ?? row.startedAt;
}

/** Converts a trip whose properties have the names of generated code. @param {any} trip */
export function plainTrip(trip) {
  return {
    ride_id: trip.rideId,
    rideable_type: trip.rideableType,
    started_at: new Date(Number(trip.startedAt)),
    ended_at: new Date(Number(trip.endedAt)),
    start_station_name: trip.startStationName,
    start_station_id: trip.startStationId,
    end_station_name: trip.endStationName,
    end_station_id: trip.endStationId,
    start_lat: trip.startLat,
    start_lng: trip.startLng,
    end_lat: trip.endLat,
    end_lng: trip.endLng,
    member_casual: trip.memberCasual,
  };
}

/** @param {any} point */
export function plainPoint({ x, y, z }) {
  return { x, y, z };
}
