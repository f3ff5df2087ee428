// Readings of weather stations: small nested records. Pure: runs in Node and in a browser bundle.
import { Random } from './random.mjs';

/** Incremented when the rows of a seed change. */
export const READINGS_VERSION = 1;

const STATES = ['ok', 'ok', 'ok', 'low battery', 'calibrating'];

/**
 * The list of readings of one seed. A reading depends only on the seed and its index.
 *
 * @param {number} count
 * @param {number} seed
 */
export function* readings(count, seed) {
  for (let index = 0; index < count; index += 1) yield readingAt(index, seed);
}

/**
 * @param {number} index
 * @param {number} seed
 */
export function readingAt(index, seed) {
  const random = new Random(seed, index);
  return {
    id: 5_000_000 + index,
    time: 1_764_460_800_000 + index * 250,
    station: { id: `WS-${1000 + random.below(9000)}`, place: { latitude: 45 + random.unit() * 3, longitude: 6 + random.unit() * 4 } },
    wind: { speed: Math.round(random.unit() * 300) / 10, direction: random.below(360), gusts: [random.below(40), random.below(40)] },
    temperature: Math.round(random.unit() * 500 - 150) / 10,
    state: random.pick(STATES),
  };
}
