// Payloads of the size of typical API calls. Pure: runs in Node and in a browser bundle.
import { Random } from './random.mjs';
import { createTripSource } from './trips.mjs';

/** Incremented when the values of a seed change. */
export const SMALL_CALLS_VERSION = 1;

const SERVICES = ['rental', 'return', 'valet', 'charging', 'e-bike', 'wheelchair ramp'];
const STATIONS_PER_PAGE = 22;

/**
 * A payload of about 1 KB of JSON: three trips.
 *
 * @param {number} [seed]
 */
export function tripsCall(seed = 1) {
  return { trips: createTripSource(seed).take(3) };
}

/**
 * A payload of about 10 KB of JSON like an API response: an envelope, nested records, short lists, optional fields.
 *
 * @param {number} [seed]
 */
export function stationsCall(seed = 1) {
  const random = new Random(seed, 0x5ca11);
  const { stations } = createTripSource(seed);
  const total = stations.length;
  return {
    status: 'ok',
    requestId: `${random.bits().toString(16).padStart(8, '0')}-${random.bits().toString(16).padStart(8, '0')}`,
    generatedAt: '2024-06-30T21:04:17.512Z',
    page: { number: 1, size: STATIONS_PER_PAGE, total, next: '/v1/stations?page=2', previous: null },
    data: stations.slice(0, STATIONS_PER_PAGE).map((station) => stationRecord(station, random)),
    links: { self: '/v1/stations?page=1', last: `/v1/stations?page=${Math.ceil(total / STATIONS_PER_PAGE)}` },
    warnings: [],
  };
}

/**
 * @param {import('./stations.mjs').Station} station
 * @param {Random} random
 */
function stationRecord(station, random) {
  const capacity = 15 + random.below(60);
  const bikes = random.below(capacity);
  const electric = random.below(bikes + 1);
  return {
    id: station.id,
    name: station.name,
    location: { lat: station.lat, lng: station.lng },
    capacity,
    available: { classic: bikes - electric, electric, docks: capacity - bikes, disabled: random.below(3) },
    isRenting: random.chance(0.97),
    isReturning: random.chance(0.98),
    services: SERVICES.filter(() => random.chance(0.4)),
    ...(random.chance(0.15) ? { notice: 'Temporarily moved across the street: "roadworks".' } : {}),
    lastReported: 1719781400 + random.below(57),
    rating: random.chance(0.8) ? Math.round(random.unit() * 50) / 10 : null,
    batteries: Array.from({ length: Math.min(electric, 6) }, () => ({ bike: random.below(0x100000), charge: random.below(101) / 100 })),
  };
}
