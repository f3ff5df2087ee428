// What an encoder is. One file per format beside this one, named by the table in `../encode.mjs`.

/**
 * @typedef {object} ListOptions
 * @property {string} key the list's name: the encoded value is `{ [key]: rows }`
 * @property {number} count how many rows there are; format headers come first
 * @property {string} dataset what the rows are, for formats with a schema
 */

/**
 * @typedef {Iterable<Uint8Array<ArrayBuffer>>} Chunks pieces of a payload, in order; each stays valid after the next
 */

/**
 * @typedef {object} Encoder
 * @property {string} id the format's name in `?format=`
 * @property {string} mediaType sent as Content-Type
 * @property {number} version raised whenever the bytes for the same rows change
 * @property {import('../data/mixed.mjs').MixedFeatures} carries values beyond JSON that survive the format
 * @property {(rows: Iterable<unknown>, options: ListOptions) => Chunks} encode
 *   Must not hold all rows at once if the format lets it.
 * @property {((value: unknown) => Chunks) | undefined} [encodeDocument] any value; absent where a format needs a schema
 * @property {readonly string[]} [datasets] the datasets that the format has a schema for; absent: all
 */

/** Rows that are encoded together: large enough to be fast, small enough to be forgotten soon. */
export const BATCH = 512;

/**
 * @template T
 * @param {Iterable<T>} rows
 * @param {number} [size]
 * @returns {Generator<T[], void, void>} arrays of `size` rows, the last one shorter, none empty
 */
export function* batches(rows, size = BATCH) {
  /** @type {T[]} */
  let batch = [];
  for (const row of rows) {
    batch.push(row);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/**
 * Passes rows on and checks their number at the end, for formats that have written it already.
 *
 * @template T
 * @param {Iterable<T>} rows
 * @param {number} count
 * @returns {Generator<T, void, void>}
 * @throws {RangeError} if there were more or fewer rows than `count`
 */
export function* counted(rows, count) {
  let seen = 0;
  for (const row of rows) {
    if (++seen > count) throw new RangeError(`There are more than the ${count} rows announced.`);
    yield row;
  }
  if (seen < count) throw new RangeError(`There are ${seen} rows, not the ${count} announced.`);
}

/**
 * @param {Chunks} chunks
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function joinChunks(chunks) {
  const parts = [...chunks];
  const bytes = new Uint8Array(parts.reduce((total, part) => total + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return bytes;
}
