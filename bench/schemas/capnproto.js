import numbers from '../../demo/server/schemas/numbers.capnp.request';
import trips from '../../demo/server/schemas/trips.capnp.request';

/** @type {Record<string, object>} */
const SCHEMAS = { trips: { request: trips, struct: 'Trips' }, numbers: { request: numbers, struct: 'Numbers' } };

/** @param {string} dataset */
export const schemaOf = (dataset) => SCHEMAS[dataset];
