// Bike trips with the columns of the public Citi Bike files. Pure: runs in Node and in a browser bundle.
import { mix32 } from './random.mjs';
import { createStations, LONGITUDE_SCALE, METRES_PER_DEGREE, withDecimals } from './stations.mjs';
import { createTimetable } from './timetable.mjs';

/**
 * @typedef {object} Trip
 * @property {string} ride_id 16 hexadecimal digits, upper case, unique within a seed
 * @property {'electric_bike' | 'classic_bike'} rideable_type
 * @property {string} started_at `YYYY-MM-DD HH:MM:SS.mmm`
 * @property {string} ended_at `YYYY-MM-DD HH:MM:SS.mmm`
 * @property {string} start_station_name
 * @property {string} start_station_id
 * @property {string | null} end_station_name null when the bike was not returned to a station
 * @property {string | null} end_station_id null when the bike was not returned to a station
 * @property {number} start_lat degrees, 4 to 9 decimals
 * @property {number} start_lng degrees, 4 to 9 decimals
 * @property {number | null} end_lat degrees, 4 to 9 decimals; null if the end is unknown
 * @property {number | null} end_lng degrees, 4 to 9 decimals; null if the end is unknown
 * @property {'member' | 'casual'} member_casual
 */

/**
 * @typedef {object} TripSource
 * @property {number} seed
 * @property {readonly import('./stations.mjs').Station[]} stations most popular first
 * @property {(index: number) => Trip} at one trip; depends on the seed and the index alone
 * @property {(count: number, from?: number) => Generator<Trip, void, void>} rows trips `from` to `from + count - 1`, lazily
 * @property {(count: number, from?: number) => Trip[]} take the same as an array
 */

/** Incremented when the rows of a seed change, which invalidates cached payloads. */
export const TRIPS_VERSION = 1;

const DESTINATIONS = 32;
const CANDIDATES = 192;
const MISSING_END_ONE_IN = 160;

/**
 * The endless list of trips of one seed. Row `i` does not depend on the requested number of rows. Rows are in order of
 * time, about a million per month, with a daily rhythm.
 *
 * @param {number} [seed]
 * @returns {TripSource}
 */
export function createTripSource(seed = 1) {
  if (lastSource?.seed === seed) return lastSource;
  lastSource = makeSource(seed);
  return lastSource;
}

/** The source made last, kept because its tables take longer to make than thousands of trips. @type {TripSource | undefined} */
let lastSource;

/** @param {number} seed @returns {TripSource} */
function makeSource(seed) {
  const stations = createStations(seed);
  const popular = popularityTable(stations.length);
  const destinations = destinationTable(stations, popular, seed);
  const timetable = createTimetable();
  const idKey = mix32(seed + 0x1d);
  const rowKey = mix32(seed + 0x20);

  let state = 0;
  const draw = () => {
    state = (state + 0x9e3779b9) | 0;
    return mix32(state);
  };
  /** @param {number} degrees */
  const nearby = (degrees) => {
    const bits = draw();
    return withDecimals(degrees + (bits / 0x100000000 - 0.5) * 0.0007, 6 + (bits & 3));
  };

  /** @param {number} index @returns {Trip} */
  const at = (index) => {
    state = mix32(index ^ rowKey);
    const idHigh = mix32(index ^ idKey);
    const idLow = draw();
    const choice = draw();
    const isMember = (choice & 0xff) < 205;
    const isElectric = ((choice >>> 8) & 0xff) < (isMember ? 150 : 175);
    const isMissing = ((choice >>> 16) * MISSING_END_ONE_IN) >>> 16 === 0;

    const route = draw();
    const startIndex = popular[route & 0xffff];
    const hop = (route >>> 16) & 0xff;
    const endIndex = hop < 6 ? startIndex : hop < 50 ? popular[draw() & 0xffff] : destinations[startIndex * DESTINATIONS + (route >>> 27)];
    const start = stations[startIndex];
    const end = stations[endIndex];

    const speed = (isElectric ? 4.4 : 3) * (0.6 + draw() / 0x100000000);
    const stops = (30 + 60 * -Math.log((draw() + 1) / 0x100000001)) * (isMember ? 1000 : 2600);
    const riding = startIndex === endIndex ? stops * 4 : (distance(start, end) * 1300) / speed;
    const startedAt = timetable.startOf(index, draw());
    const endedAt = startedAt + 20_000 + Math.round(riding + stops);

    const isStartLoose = isElectric && (choice & 0x30000) === 0;
    const isEndLoose = isMissing || (isElectric && (choice & 0xc0000) === 0);
    const isLost = isMissing && (choice & 0x100000) !== 0;
    return {
      ride_id: hex32(idHigh) + hex32(idLow),
      rideable_type: isElectric ? 'electric_bike' : 'classic_bike',
      started_at: timetable.text(startedAt),
      ended_at: timetable.text(endedAt),
      start_station_name: start.name,
      start_station_id: start.id,
      end_station_name: isMissing ? null : end.name,
      end_station_id: isMissing ? null : end.id,
      start_lat: isStartLoose ? nearby(start.lat) : start.lat,
      start_lng: isStartLoose ? nearby(start.lng) : start.lng,
      end_lat: isLost ? null : isEndLoose ? nearby(end.lat) : end.lat,
      end_lng: isLost ? null : isEndLoose ? nearby(end.lng) : end.lng,
      member_casual: isMember ? 'member' : 'casual',
    };
  };

  return {
    seed,
    stations,
    at,
    *rows(count, from = 0) {
      for (let index = from; index < from + count; index++) yield at(index);
    },
    take(count, from = 0) {
      return Array.from({ length: count }, (_, index) => at(from + index));
    },
  };
}

/**
 * One trip.
 *
 * @param {number} index
 * @param {number} [seed]
 * @returns {Trip}
 */
export function tripAt(index, seed = 1) {
  return createTripSource(seed).at(index);
}

/**
 * The payload as one value.
 *
 * @param {number} count
 * @param {number} [seed]
 * @returns {{ trips: Trip[] }}
 */
export function trips(count, seed = 1) {
  return { trips: createTripSource(seed).take(count) };
}

/**
 * 65,536 slots with station indices, distributed by popularity (Zipf with a flattened head, as in measured bike systems: the
 * busiest station has about 0.5 % of the trips), so that 16 random bits choose a station.
 *
 * @param {number} count
 */
function popularityTable(count) {
  const weights = Array.from({ length: count }, (_, rank) => 1 / (rank + 25) ** 0.95);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const table = new Uint16Array(0x10000);
  let slot = 0;
  let reached = 0;
  weights.forEach((weight, station) => {
    reached += weight;
    const until = Math.round((reached / total) * table.length);
    while (slot < until) table[slot++] = station;
  });
  return table;
}

/**
 * The destinations of each station: the nearest of a sample by popularity.
 *
 * @param {readonly import('./stations.mjs').Station[]} stations
 * @param {Uint16Array} popular
 * @param {number} seed
 */
function destinationTable(stations, popular, seed) {
  const table = new Uint16Array(stations.length * DESTINATIONS);
  const nearest = new Float64Array(CANDIDATES);
  stations.forEach((from, index) => {
    for (let draw = 0; draw < CANDIDATES; draw++) {
      const station = popular[mix32(mix32(seed + index) + draw) & 0xffff];
      const metres = Math.round(distance(from, stations[station]));
      nearest[draw] = metres * 0x10000 + station;
    }
    nearest.sort();
    for (let rank = 0; rank < DESTINATIONS; rank++) {
      table[index * DESTINATIONS + rank] = nearest[rank] % 0x10000;
    }
  });
  return table;
}

/**
 * @param {import('./stations.mjs').Station} from
 * @param {import('./stations.mjs').Station} to
 * @returns {number} metres
 */
function distance(from, to) {
  const north = to.lat - from.lat;
  const east = (to.lng - from.lng) * LONGITUDE_SCALE;
  return Math.sqrt(north * north + east * east) * METRES_PER_DEGREE;
}

/** `00` to `FF` */
const HEX = Array.from({ length: 0x100 }, (_, value) => value.toString(16).toUpperCase().padStart(2, '0'));

/** @param {number} bits */
function hex32(bits) {
  return HEX[bits >>> 24] + HEX[(bits >>> 16) & 0xff] + HEX[(bits >>> 8) & 0xff] + HEX[bits & 0xff];
}
