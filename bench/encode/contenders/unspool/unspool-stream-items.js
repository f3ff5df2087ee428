import { createTripSource } from '../../../../demo/server/data/trips.mjs';
import { drained, setup as setupStream } from './unspool-stream.js';
import { FORMATS, load } from './unspool.js';

/** @type {import('../contender.js').Setup} */
export const setup = async (task) => {
  const { id, definition } = await load(task);
  const { createEncoder } = await import(`${task.library}/encode.js`);
  const encoder = createEncoder();
  const { row = (/** @type {object} */ trip) => trip } = FORMATS[task.format];
  const options = {
    format: id,
    // JSON has an array instead of a sequence.
    options: { sequence: id !== 'json' },
    // The schema of one trip.
    ...(definition && { schema: /** @type {any} */ (definition).fields[0].type.items }),
  };
  return {
    ...(await setupStream(task)),
    stream: { open: (rows) => rows, drain: (/** @type {number} */ rows) => drained(encoder.stream(items(rows, row), options)) },
  };
};

/**
 * Generates trips on demand.
 *
 * @param {number} count
 * @param {(trip: any) => object} row
 */
async function* items(count, row) {
  for (const trip of createTripSource().rows(count)) yield row(trip);
}
