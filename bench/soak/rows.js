// Payloads of the soak test: their rows, and the files that a service worker fetches.

/** @typedef {{ id: number, name: string, score: number, tags: string[] | null, more?: { at: number, list: number[] } }} Row */
/** @typedef {'json' | 'messagepack' | 'cbor'} Format */

/** @type {readonly Format[]} */
export const FORMATS = ['json', 'messagepack', 'cbor'];
export const SMALL_ROWS = [1, 20, 100, 200];
export const LARGE_ROWS = [4_000, 15_000];

/** @param {number} count @returns {Row[]} */
export function makeRows(count) {
  return Array.from({ length: count }, (_, id) => ({
    id,
    name: `row ${id % 97}`,
    score: id / 7,
    tags: id % 5 === 0 ? ['first', `tag ${id}`] : null,
    ...(id % 3 === 0 && { more: { at: id, list: [id, id + 0.5, -id] } }),
  }));
}

/** The file of a payload, complete or truncated. @param {Format} format @param {number} count @param {boolean} isCut */
export const fileOf = (format, count, isCut) => `${format}-${count}${isCut ? '-cut' : ''}.bin`;
