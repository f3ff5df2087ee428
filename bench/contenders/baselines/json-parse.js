import { JSON_FORMATS, jsonDecoder } from '../decoders.js';

/** @type {import('../contender.js').Contender} */
export const contender = {
  id: 'json-parse',
  label: 'JSON.parse',
  kind: 'main',
  result: 'objects',
  formats: JSON_FORMATS,
  setup: () => ({ decode: jsonDecoder(), close() {} }),
};
