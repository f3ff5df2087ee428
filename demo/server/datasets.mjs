// All datasets, by their names in `?dataset=`. Node only, because the irregular documents are files.
import { irregularDocuments, irregularVersion, readIrregular } from './data/irregular.mjs';
import { MIXED_VERSION, mixedValues } from './data/mixed/mixed.mjs';
import { NUMBERS_VERSION, points } from './data/numbers.mjs';
import { orders, ORDERS_VERSION } from './data/orders.mjs';
import { readings, READINGS_VERSION } from './data/readings.mjs';
import { SMALL_CALLS_VERSION, stationsCall, tripsCall } from './data/small-calls.mjs';
import { createTripSource, TRIPS_VERSION } from './data/trips.mjs';

/**
 * A list with the requested number of rows, encoded as `{ [key]: rows }`.
 *
 * @typedef {object} ListDataset
 * @property {'list'} kind
 * @property {number | string} version
 * @property {string} key
 * @property {number} maxRows keeps payloads below 1 GB
 * @property {(count: number, seed: number, features: import('./data/mixed/mixed.mjs').MixedFeatures) => Iterable<unknown>} rows
 */

/**
 * One value of a fixed size.
 *
 * @typedef {object} ValueDataset
 * @property {'value'} kind
 * @property {number | string} version
 * @property {(seed: number) => unknown} value
 */

/**
 * One of several values, selected by `?document=`.
 *
 * @typedef {object} DocumentsDataset
 * @property {'documents'} kind
 * @property {readonly string[]} documents
 * @property {(document: string) => Promise<string>} versionOf
 * @property {(document: string) => Promise<unknown>} read
 */

/** @typedef {ListDataset | ValueDataset | DocumentsDataset} Dataset */

/** @type {ReadonlyMap<string, Dataset>} */
export const datasets = new Map(
  /** @type {[string, Dataset][]} */ ([
    [
      'trips',
      {
        kind: 'list',
        version: TRIPS_VERSION,
        key: 'trips',
        maxRows: 2_000_000,
        rows: (count, seed) => createTripSource(seed).rows(count),
      },
    ],
    ['numbers', { kind: 'list', version: NUMBERS_VERSION, key: 'items', maxRows: 6_000_000, rows: points }],
    ['orders', { kind: 'list', version: ORDERS_VERSION, key: 'orders', maxRows: 500_000, rows: orders }],
    ['readings', { kind: 'list', version: READINGS_VERSION, key: 'readings', maxRows: 2_000_000, rows: readings }],
    [
      'mixed',
      {
        kind: 'list',
        version: MIXED_VERSION,
        key: 'items',
        maxRows: 50_000,
        rows: (count, seed, features) => mixedValues(count, { seed, features }),
      },
    ],
    ['call-1k', { kind: 'value', version: `${SMALL_CALLS_VERSION}.${TRIPS_VERSION}`, value: tripsCall }],
    ['call-10k', { kind: 'value', version: `${SMALL_CALLS_VERSION}.${TRIPS_VERSION}`, value: stationsCall }],
    ['irregular', { kind: 'documents', documents: irregularDocuments, versionOf: irregularVersion, read: readIrregular }],
  ]),
);
