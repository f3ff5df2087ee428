// Deeply mixed, irregular values. Pure: runs in Node and in a browser bundle.
import { Random } from '../random.mjs';
import { mixedKey, mixedNumber, mixedString } from './scalars.mjs';

/**
 * Kinds of values beyond JSON.
 *
 * @typedef {object} MixedFeatures
 * @property {boolean} [nonFinite] NaN, Infinity, -Infinity
 * @property {boolean} [negativeZero] -0, which `JSON.stringify` writes as 0
 * @property {boolean} [undefined] as item and as field
 * @property {boolean} [bigint] from -2⁶³ to 2⁶⁴ - 1
 * @property {boolean} [largeBigint] beyond 64 bits
 * @property {boolean} [date]
 * @property {boolean} [bytes] Uint8Array
 * @property {boolean} [map] with keys of any scalar kind
 * @property {boolean} [set]
 * @property {boolean} [loneSurrogates] strings with lone surrogates
 */

/** Incremented when the values of a seed change. */
export const MIXED_VERSION = 1;

/** @type {Readonly<MixedFeatures>} kinds that survive JSON, including lone surrogates */
export const JSON_FEATURES = Object.freeze({ loneSurrogates: true });

/** @type {Readonly<Required<MixedFeatures>>} */
export const ALL_FEATURES = Object.freeze({
  nonFinite: true,
  negativeZero: true,
  undefined: true,
  bigint: true,
  largeBigint: true,
  date: true,
  bytes: true,
  map: true,
  set: true,
  loneSurrogates: true,
});

/**
 * One value with up to `depth` levels of mixed content and single chains of up to 60 levels, determined by seed, index and
 * options. Without `features` it survives JSON, and strings have no lone surrogates. Any key may occur as an own property,
 * including `__proto__`. At the default depth, the mean size is about 3 KB of JSON.
 *
 * @param {number} index
 * @param {{ seed?: number, depth?: number, features?: MixedFeatures }} [options] default depth: 4
 * @returns {unknown}
 */
export function mixedAt(index, { seed = 1, depth = 4, features = {} } = {}) {
  return new MixedMaker(new Random(seed, index), features).value(depth);
}

/**
 * @param {number} count
 * @param {{ seed?: number, depth?: number, features?: MixedFeatures }} [options]
 * @returns {Generator<unknown, void, void>}
 */
export function* mixedValues(count, options) {
  for (let index = 0; index < count; index++) yield mixedAt(index, options);
}

/**
 * The payload as one value.
 *
 * @param {number} count
 * @param {{ seed?: number, depth?: number, features?: MixedFeatures }} [options]
 * @returns {{ items: unknown[] }}
 */
export function mixed(count, options) {
  return { items: [...mixedValues(count, options)] };
}

class MixedMaker {
  #random;
  #features;

  /**
   * @param {Random} random
   * @param {MixedFeatures} features
   */
  constructor(random, features) {
    this.#random = random;
    this.#features = features;
  }

  /**
   * @param {number} depth remaining levels
   * @returns {unknown}
   */
  value(depth) {
    if (depth <= 0 || this.#random.chance(0.2)) return this.#scalar();
    switch (this.#random.below(9)) {
      case 0:
        return this.#list(depth);
      case 1:
        return this.#records(depth);
      case 2:
        return this.#sparseRecords(depth);
      case 3:
        return this.#polymorphicRecords(depth);
      case 4:
        return this.#chain();
      case 5:
        return this.#matrix();
      case 6:
        return this.#random.chance(0.3) ? this.#collection(depth) : this.#list(depth);
      default:
        return this.#object(depth);
    }
  }

  /** @returns {unknown} */
  #scalar() {
    const random = this.#random;
    switch (random.below(10)) {
      case 0:
        return null;
      case 1:
        return random.chance(0.5);
      case 2:
      case 3:
      case 4:
        return mixedNumber(random, this.#features);
      case 5:
        return this.#special();
      default:
        return mixedString(random, this.#features);
    }
  }

  /** A scalar beyond JSON, if the features include one. */
  #special() {
    const random = this.#random;
    const features = this.#features;
    switch (random.below(5)) {
      case 0:
        if (features.undefined) return undefined;
        break;
      case 1:
        if (features.date) return new Date(random.below(4_000_000) * 1_000_003 - 1_000_000_000_000);
        break;
      case 2:
        if (features.bytes) return Uint8Array.from({ length: random.below(40) }, () => random.below(256));
        break;
      case 3:
        if (features.largeBigint) return this.#integer(65 + random.below(130));
        break;
      default:
        if (features.bigint) return BigInt.asIntN(64, this.#integer(64));
    }
    return random.below(1000);
  }

  /** @param {number} bits */
  #integer(bits) {
    let value = 0n;
    for (let have = 0; have < bits; have += 32) value = (value << 32n) | BigInt(this.#random.bits());
    value = BigInt.asUintN(bits, value);
    return this.#random.chance(0.5) ? value : -value;
  }

  /** Items of any kind, some of them repeated. @param {number} depth */
  #list(depth) {
    return Array.from({ length: this.#random.below(7) }, () => this.value(depth - 1));
  }

  /** Fields of any kind under keys of any kind. @param {number} depth */
  #object(depth) {
    const object = {};
    const size = this.#random.below(8);
    for (let field = 0; field < size; field++) define(object, mixedKey(this.#random), this.value(depth - 1));
    return object;
  }

  /** Similar records, with occasional different records and other values. @param {number} depth */
  #records(depth) {
    const keys = Array.from({ length: 1 + this.#random.below(5) }, () => mixedKey(this.#random));
    const kinds = keys.map(() => this.#random.below(4));
    return Array.from({ length: this.#random.below(30) }, () => {
      if (this.#random.chance(0.06)) return this.value(depth - 2);
      const record = {};
      keys.forEach((key, column) => define(record, key, this.#cell(kinds[column], depth)));
      return record;
    });
  }

  /** @param {number} kind @param {number} depth */
  #cell(kind, depth) {
    if (this.#random.chance(0.05)) return null;
    if (kind === 0) return this.#random.below(100_000);
    if (kind === 1) return mixedString(this.#random, this.#features);
    return kind === 2 ? this.#random.unit() : this.value(depth - 3);
  }

  /** Records with a few of very many fields. @param {number} depth */
  #sparseRecords(depth) {
    return Array.from({ length: this.#random.below(20) }, () => {
      const record = {};
      const size = this.#random.below(5);
      for (let field = 0; field < size; field++) {
        define(record, `field${this.#random.below(300)}`, this.value(depth - 2));
      }
      return record;
    });
  }

  /** Records whose fields keep their names and change their kinds. @param {number} depth */
  #polymorphicRecords(depth) {
    return Array.from({ length: this.#random.below(20) }, (_, id) => ({
      id: this.#random.chance(0.5) ? id : String(id),
      type: this.#random.pick(['text', 'number', 'list', 'record']),
      value: this.#random.chance(0.3) ? this.value(depth - 1) : this.#scalar(),
      ...(this.#random.chance(0.3) ? { error: { code: this.#random.below(600), message: 'Not available' } } : {}),
    }));
  }

  /** One value inside up to 60 arrays and objects. */
  #chain() {
    let value = this.#scalar();
    const depth = this.#random.below(60);
    for (let level = 0; level < depth; level++) {
      if (this.#random.chance(0.5)) value = [value];
      else value = define({}, mixedKey(this.#random), value);
    }
    return value;
  }

  #matrix() {
    const width = this.#random.below(6);
    return Array.from({ length: this.#random.below(12) }, () => Array.from({ length: width }, () => mixedNumber(this.#random, this.#features)));
  }

  /** A Map or a Set, if the features include one. @param {number} depth */
  #collection(depth) {
    const size = this.#random.below(5);
    const values = () => Array.from({ length: size }, () => this.value(depth - 1));
    if (this.#features.map && this.#random.chance(0.5)) return new Map(values().map((value) => [this.#mapKey(), value]));
    return this.#features.set ? new Set(values()) : values();
  }

  #mapKey() {
    return this.#random.chance(0.3) ? this.#random.below(1000) : mixedKey(this.#random);
  }
}

/**
 * Defines an own property, even for the key `__proto__`.
 *
 * @param {object} object
 * @param {string} key
 * @param {unknown} value
 */
function define(object, key, value) {
  return Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
}
