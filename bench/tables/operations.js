// What is measured, on a million trips: each contender does the same with its own table.

/**
 * @typedef {object} Operation
 * @property {string} name
 * @property {number} [limitMs] goal for Unspool
 * @property {'number' | 'date' | 'dictionary' | 'text'} [kind] kind of the sorted column
 * @property {string} [key] the column that is sorted or grouped by
 * @property {'condition' | 'predicate'} [filter]
 * @property {boolean} [groups]
 */

/** @type {readonly Operation[]} */
export const OPERATIONS = [
  { name: 'sort by a number', key: 'start_lat', kind: 'number', limitMs: 250 },
  { name: 'sort by a date', key: 'started_at', kind: 'date', limitMs: 250 },
  { name: 'sort by repeated strings', key: 'start_station_name', kind: 'dictionary', limitMs: 250 },
  { name: 'sort by unique strings', key: 'ride_id', kind: 'text', limitMs: 800 },
  { name: 'filter by a condition', filter: 'condition', limitMs: 40 },
  { name: 'filter by a predicate', filter: 'predicate' },
  { name: 'group by repeated strings, and count', key: 'start_station_name', groups: true },
];

/** The values that the filters look for. */
export const WANTED = { member: 'casual', north: 41.9 };
