import { bare, canonicalRow } from './canonical.js';

// Compares the values of two contenders by digest.

/** Longer lists are sampled. */
const FULL_ROWS = 20_000;
/** Sampled rows at even distances, and at each end of the list. */
const SAMPLED_ROWS = 1000;

const number = new Float64Array(1);
const words = new Uint32Array(number.buffer);

/**
 * Hashes a value with its types and the order of its keys; of a long list, the length and a sample of the rows.
 *
 * @param {any} value
 * @param {string | null} list the key of the long list in the root
 * @param {boolean} [canonical] whether values are compared by meaning
 * @returns {{ digest: string, rows: number | null }}
 */
export function digestOf(value, list, canonical = false) {
  const hash = new Hash();
  const rows = list === null ? null : value[list];
  if (canonical && rows !== null) {
    const indices = rows.length <= FULL_ROWS ? new Array(rows.length).keys() : sample(rows.length);
    for (const index of indices) hash.value(canonicalRow(rows.at(index)));
  } else if (canonical) {
    hash.value(bare(value));
  } else if (rows === null || rows.length <= FULL_ROWS) {
    hash.value(value);
  } else {
    hash.value({ ...value, [String(list)]: rows.length });
    for (const index of sample(rows.length)) hash.value(rows.at(index));
  }
  return { digest: hash.text(), rows: rows === null ? null : rows.length };
}

/** @param {number} length */
function* sample(length) {
  for (let index = 0; index < SAMPLED_ROWS; index += 1) {
    yield index;
    yield Math.floor((index * length) / SAMPLED_ROWS);
    yield length - 1 - index;
  }
}

class Hash {
  #high = 0x811c9dc5;
  #low = 0x9e3779b9;
  #values = 0;

  /** @param {number} word */
  #add(word) {
    this.#high = Math.imul(this.#high ^ word, 0x01000193);
    this.#low = Math.imul((this.#low << 5) ^ (this.#low >>> 27) ^ word, 0x85ebca6b);
  }

  /** @param {string} text */
  #text(text) {
    this.#add(text.length);
    for (let index = 0; index < text.length; index += 1) this.#add(text.charCodeAt(index));
  }

  /** @param {any} value */
  value(value) {
    this.#values += 1;
    if (value === null || value === undefined || typeof value === 'boolean') {
      this.#text(String(value));
    } else if (typeof value === 'number') {
      number[0] = value;
      this.#add(words[0]);
      this.#add(words[1]);
    } else if (typeof value === 'string') {
      this.#text(value);
    } else if (typeof value === 'object') {
      this.#object(value);
    } else {
      this.#text(`${typeof value} ${String(value)}`);
    }
  }

  /** @param {any} value */
  #object(value) {
    if (value instanceof Date) {
      this.#text(`date ${value.getTime()}`);
    } else if (Array.isArray(value)) {
      this.#add(value.length);
      for (const item of value) this.value(item);
    } else if (typeof value.toArray === 'function') {
      this.#object(value.toArray());
    } else {
      for (const key of Object.keys(value)) {
        this.#text(key);
        this.value(value[key]);
      }
    }
  }

  text() {
    const hex = [this.#high, this.#low].map((word) => (word >>> 0).toString(16).padStart(8, '0'));
    return `${hex.join('')}-${this.#values}`;
  }
}
