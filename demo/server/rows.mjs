// Prepares rows for a writer: in the form of a schema, and one at a time.

/** @typedef {import('./data/trips.mjs').Trip} Trip */

/** @type {Readonly<Record<string, (trip: Trip) => unknown>>} conversions of a trip to the form of the schema, by format */
const TRIPS = {
  avro: withTimes,
  flatbuffers: withTimes,
  protobuf: withTimes,
  jsbinary: withDates,
  bebop: (trip) => ({
    ...withDates(trip),
    end_station_name: trip.end_station_name ?? '',
    end_station_id: trip.end_station_id ?? '',
    end_lat: trip.end_lat ?? Number.NaN,
    end_lng: trip.end_lng ?? Number.NaN,
  }),
  capnproto: (trip) => ({
    rideId: trip.ride_id,
    rideableType: trip.rideable_type === 'electric_bike' ? 'electricBike' : 'classicBike',
    startedAt: milliseconds(trip.started_at),
    endedAt: milliseconds(trip.ended_at),
    startStationName: trip.start_station_name,
    startStationId: trip.start_station_id,
    endStationName: trip.end_station_name,
    endStationId: trip.end_station_id,
    startLat: trip.start_lat,
    startLng: trip.start_lng,
    endLat: trip.end_lat ?? Number.NaN,
    endLng: trip.end_lng ?? Number.NaN,
    memberCasual: trip.member_casual,
  }),
};

/**
 * Converts the rows of a dataset to the form of a format's schema; unchanged without a schema.
 *
 * @param {Iterable<unknown>} rows
 * @param {string} dataset
 * @param {string} format
 * @returns {Iterable<unknown>}
 */
export function fitted(rows, dataset, format) {
  const fit = dataset === 'trips' ? TRIPS[format] : undefined;
  return fit ? mapped(/** @type {Iterable<Trip>} */ (rows), fit) : rows;
}

/**
 * @template From
 * @param {Iterable<From>} rows
 * @param {(row: From) => unknown} map
 */
function* mapped(rows, map) {
  for (const row of rows) yield map(row);
}

/** @param {Trip} trip */
function withTimes(trip) {
  return { ...trip, started_at: milliseconds(trip.started_at), ended_at: milliseconds(trip.ended_at) };
}

/** @param {Trip} trip */
function withDates(trip) {
  return { ...trip, started_at: new Date(milliseconds(trip.started_at)), ended_at: new Date(milliseconds(trip.ended_at)) };
}

/** @param {string} text `YYYY-MM-DD HH:MM:SS.mmm` */
function milliseconds(text) {
  return Date.parse(`${text.replace(' ', 'T')}Z`);
}

/**
 * An array that takes each row from the iterable when it is read and keeps only the last ones, so that a writer, which
 * reads in order, never holds all rows.
 *
 * @param {Iterable<unknown>} rows
 * @param {number} count number of rows
 * @param {number} [most] number of rows kept
 * @returns {unknown[]} Reading throws a RangeError if the iterable has fewer or more rows.
 */
export function lazyList(rows, count, most = 64) {
  const iterator = rows[Symbol.iterator]();
  /** @type {unknown[]} */
  const kept = [];
  let taken = 0;
  let isTooLong = false;
  const checkEnd = () => {
    if (taken === count && !isTooLong) isTooLong = !iterator.next().done;
    // Thrown each time, as a writer may retry an item.
    if (isTooLong) throw new RangeError(`There are more than the ${count} rows announced.`);
  };
  /** @param {number} index */
  const at = (index) => {
    if (isTooLong) checkEnd();
    while (taken <= index) {
      const { done, value } = iterator.next();
      if (done) throw new RangeError(`There are ${taken} rows, not the ${count} announced.`);
      kept[taken++ % most] = value;
      checkEnd();
    }
    if (index < taken - most) throw new RangeError(`Row ${index} is gone: rows are read in order.`);
    return kept[index % most];
  };
  checkEnd();
  /**
   * True for indices, the only keys of an array that begin with a digit.
   *
   * @param {string | symbol} key
   */
  const isIndex = (key) => typeof key === 'string' && key < ':';
  return new Proxy(/** @type {unknown[]} */ ([]), {
    get: (target, key) => (key === 'length' ? count : isIndex(key) ? at(Number(key)) : Reflect.get(target, key)),
    has: (target, key) => (isIndex(key) ? Number(key) < count : Reflect.has(target, key)),
  });
}
