import numbers from '../../demo/server/schemas/numbers.avsc';
import trips from '../../demo/server/schemas/trips.avsc';

/** @type {Record<string, object>} */
export const AVRO = { trips, numbers };

/** @param {string} dataset */
export const schemaOf = (dataset) => AVRO[dataset];
