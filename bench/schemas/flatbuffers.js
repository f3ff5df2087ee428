import numbers from '../../demo/server/schemas/numbers.bfbs';
import trips from '../../demo/server/schemas/trips.bfbs';

/** @type {Record<string, object>} */
const SCHEMAS = {
  trips: { bfbs: trips, table: 'unspool.demo.Trips' },
  numbers: { bfbs: numbers, table: 'unspool.demo.Numbers' },
};

/** @param {string} dataset */
export const schemaOf = (dataset) => SCHEMAS[dataset];
