// Rows of three doubles that use every bit of the mantissa. Pure: runs in Node and in a browser bundle.
import { Random } from './random.mjs';

/**
 * @typedef {object} Point
 * @property {number} x -1000 to 1000
 * @property {number} y 0 to 1
 * @property {number} z many magnitudes, both signs
 */

/** Incremented when the rows of a seed change. */
export const NUMBERS_VERSION = 1;

/**
 * @param {number} index
 * @param {number} [seed]
 * @returns {Point}
 */
export function pointAt(index, seed = 1) {
  const random = new Random(seed, index);
  return {
    x: random.unit() * 2000 - 1000,
    y: random.unit(),
    z: (random.unit() - 0.5) * (1 << random.below(24)),
  };
}

/**
 * @param {number} count
 * @param {number} [seed]
 * @returns {Generator<Point, void, void>}
 */
export function* points(count, seed = 1) {
  for (let index = 0; index < count; index++) yield pointAt(index, seed);
}

/**
 * The payload as one value.
 *
 * @param {number} count
 * @param {number} [seed]
 * @returns {{ items: Point[] }}
 */
export function numbers(count, seed = 1) {
  return { items: [...points(count, seed)] };
}
