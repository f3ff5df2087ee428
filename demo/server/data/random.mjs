// Seeded pseudo-random numbers: the same in every engine, and addressable by index.

/**
 * Mixes 32 bits into 32 pseudo-random bits. A bijection (the `lowbias32` mixer).
 *
 * @param {number} value any integer, of which the low 32 bits are used
 * @returns {number} 0 to 2³² - 1
 */
export function mix32(value) {
  let x = value | 0;
  x = Math.imul(x ^ (x >>> 16), 0x21f0aaad);
  x = Math.imul(x ^ (x >>> 15), 0x735a2d97);
  return (x ^ (x >>> 15)) >>> 0;
}

/**
 * A sequence of random numbers that depends only on `seed` and `index`, so that item `index` of a list can be generated
 * without the preceding items.
 */
export class Random {
  #state;

  /**
   * @param {number} seed
   * @param {number} [index]
   */
  constructor(seed, index = 0) {
    this.#state = mix32(mix32(seed) ^ index);
  }

  /** @returns {number} an integer from 0 to 2³² - 1 */
  bits() {
    this.#state = (this.#state + 0x9e3779b9) | 0;
    return mix32(this.#state);
  }

  /** @returns {number} 0 ≤ number < 1, with all 53 bits of a double random */
  unit() {
    const high = this.bits() >>> 5;
    const low = this.bits() >>> 6;
    return (high * 0x4000000 + low) / 0x20000000000000;
  }

  /**
   * @param {number} limit
   * @returns {number} an integer, 0 ≤ integer < limit
   */
  below(limit) {
    return Math.floor((this.bits() / 0x100000000) * limit);
  }

  /**
   * @param {number} probability 0 to 1
   * @returns {boolean}
   */
  chance(probability) {
    return this.bits() < probability * 0x100000000;
  }

  /**
   * @template T
   * @param {readonly T[]} items at least one
   * @returns {T}
   */
  pick(items) {
    return items[this.below(items.length)];
  }
}
