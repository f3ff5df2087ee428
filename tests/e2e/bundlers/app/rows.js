import { createDecoder } from 'unspool';
import { createEncoder } from 'unspool/encode';

/** Has rows written by a worker, and tells what is read of that. */
async function writeRows() {
  const decoder = createDecoder();
  const encoder = createEncoder({ worker: true });
  const value = await decoder.decode(await fetch('./large.json'), { as: 'rows', route: 'worker' });
  // The page, which would write them otherwise, cannot.
  Object.defineProperty(value.trips, Symbol.for('unspool.records'), {
    value() {
      throw new Error('the rows are written on the page');
    },
  });
  /** @type {Record<string, unknown>} */
  const written = {};
  for (const format of /** @type {const} */ (['json', 'messagepack', 'cbor'])) {
    written[format] = await decoder.decode(await encoder.encode(value, { format }), { format });
  }
  return written;
}

globalThis.outcome = writeRows();
