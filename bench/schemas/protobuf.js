import numbers from '../../demo/server/schemas/numbers.proto';
import trips from '../../demo/server/schemas/trips.proto';

/** @type {Record<string, string>} */
export const PROTO = { trips, numbers };

/** @type {Record<string, string>} */
export const MESSAGES = { trips: 'unspool.demo.Trips', numbers: 'unspool.demo.Numbers' };

/** @param {string} dataset */
export const schemaOf = (dataset) => ({ proto: PROTO[dataset], message: MESSAGES[dataset] });
