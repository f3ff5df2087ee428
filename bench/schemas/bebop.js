import numbers from '../../demo/server/schemas/numbers.bop';
import trips from '../../demo/server/schemas/trips.bop';

/** @type {Record<string, object>} */
const SCHEMAS = { trips: { bop: trips, record: 'Trips' }, numbers: { bop: numbers, record: 'Numbers' } };

/** @param {string} dataset */
export const schemaOf = (dataset) => SCHEMAS[dataset];
