import { Random } from './random.mjs';
import { districts } from './streets.mjs';

/**
 * @typedef {object} Station
 * @property {string} id `5329.03`, `JC012` or `HB101`
 * @property {string} name a street corner or a landmark; no two stations share one
 * @property {number} lat degrees, 4 to 8 decimals
 * @property {number} lng degrees, 4 to 8 decimals
 */

/** Metres in one degree of latitude. */
export const METRES_PER_DEGREE = 111_320;
/** Length of a degree of longitude relative to one of latitude, at this city's latitude. */
export const LONGITUDE_SCALE = Math.cos((40.75 * Math.PI) / 180);

const DECIMALS = [4, 5, 6, 6, 6, 6, 7, 8];

/**
 * Rounds to exactly `decimals` decimals. The last digit is never 0, so that the shortest representation has all of them.
 *
 * @param {number} value
 * @param {number} decimals at most 9
 * @returns {number}
 */
export function withDecimals(value, decimals) {
  const scale = 10 ** decimals;
  const scaled = Math.round(value * scale);
  return (scaled % 10 === 0 ? scaled + 1 : scaled) / scale;
}

/**
 * 2,100 stations, most popular first.
 *
 * @param {number} seed
 * @returns {Station[]}
 */
export function createStations(seed) {
  const random = new Random(seed, 0x57a7);
  const ids = new Set();
  /** @type {(Station & { rank: number })[]} */
  const stations = [];
  for (const district of districts) {
    let index = 0;
    for (const cell of sampleCells(random, district)) {
      const street = Math.floor(cell / district.avenues.length);
      const avenue = cell % district.avenues.length;
      const landmark = district.landmarks[index++];
      const name = landmark ?? district.corner(district.streets[street], district.avenues[avenue], avenue);
      const position = placeOf(district, street, avenue, random);
      const rank = (random.unit() * (landmark === undefined ? 1 : 0.1)) / district.popularity;
      stations.push({ id: newId(random, district, ids), name, ...position, rank });
    }
  }
  stations.sort((left, right) => left.rank - right.rank);
  return stations.map(({ id, name, lat, lng }) => ({ id, name, lat, lng }));
}

/**
 * Distinct crossings of a district, as street × avenues + avenue.
 *
 * @param {Random} random
 * @param {import('./streets.mjs').District} district
 */
function sampleCells(random, district) {
  const cells = new Set();
  const total = district.streets.length * district.avenues.length;
  while (cells.size < district.stations) cells.add(random.below(total));
  return cells;
}

/**
 * @param {import('./streets.mjs').District} district
 * @param {number} street
 * @param {number} avenue
 * @param {Random} random
 */
function placeOf(district, street, avenue, random) {
  const bearing = (district.bearing * Math.PI) / 180;
  const along = street * district.spacing[0] + (random.unit() - 0.5) * 40;
  const across = avenue * district.spacing[1] + (random.unit() - 0.5) * 40;
  const north = along * Math.cos(bearing) - across * Math.sin(bearing);
  const east = along * Math.sin(bearing) + across * Math.cos(bearing);
  return {
    lat: withDecimals(district.origin[0] + north / METRES_PER_DEGREE, random.pick(DECIMALS)),
    lng: withDecimals(district.origin[1] + east / (METRES_PER_DEGREE * LONGITUDE_SCALE), random.pick(DECIMALS)),
  };
}

/**
 * @param {Random} random
 * @param {import('./streets.mjs').District} district
 * @param {Set<string>} taken
 */
function newId(random, district, taken) {
  for (;;) {
    const id =
      district.idPrefixes.length > 0
        ? random.pick(district.idPrefixes) + String(1 + random.below(199)).padStart(3, '0')
        : `${3000 + random.below(5900)}.${String(1 + random.below(12)).padStart(2, '0')}`;
    if (taken.has(id)) continue;
    taken.add(id);
    return id;
  }
}
