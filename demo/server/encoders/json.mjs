import { JSON_FEATURES } from '../data/mixed.mjs';
import { batches, counted } from './encoder.mjs';

const utf8 = new TextEncoder();

/** @type {import('./encoder.mjs').Encoder} JSON, byte for byte what `JSON.stringify` gives. */
export const json = {
  id: 'json',
  mediaType: 'application/json',
  version: 1,
  carries: JSON_FEATURES,

  *encode(rows, { key, count }) {
    yield utf8.encode(`{${JSON.stringify(key)}:[`);
    let separator = '';
    for (const batch of batches(counted(rows, count))) {
      yield utf8.encode(separator + JSON.stringify(batch).slice(1, -1));
      separator = ',';
    }
    yield utf8.encode(']}');
  },

  encodeDocument: (value) => [utf8.encode(JSON.stringify(value))],
};
