import numbers from '../../demo/server/schemas/numbers.jsbinary.json';
import trips from '../../demo/server/schemas/trips.jsbinary.json';

/** @type {Record<string, object>} */
const TYPES = { trips, numbers };

/** @param {string} dataset */
export const schemaOf = (dataset) => TYPES[dataset];
