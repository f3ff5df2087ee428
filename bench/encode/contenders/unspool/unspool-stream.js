import { trips } from '../../../../demo/server/data/trips.mjs';
import { load } from './unspool.js';

/** @type {import('../contender.js').Setup} */
export const setup = async (task) => {
  const { id, definition, prepare } = await load(task);
  const { createEncoder } = await import(`${task.library}/encode.js`);
  const encoder = createEncoder();
  const options = { format: id, ...(definition && { schema: definition }) };
  return {
    ...(prepare && { prepare }),
    encode: (value) => encoder.encode(value, options),
    stream: {
      open: (rows) => (prepare ? prepare(trips(rows)) : trips(rows)),
      drain: (value) => drained(encoder.stream(value, options)),
    },
    close: () => encoder.close(),
  };
};

/**
 * Reads a whole stream without keeping its bytes.
 *
 * @param {ReadableStream<Uint8Array>} stream
 * @returns {Promise<number>} its bytes
 */
export async function drained(stream) {
  let bytes = 0;
  await stream.pipeTo(new WritableStream({ write: (chunk) => void (bytes += chunk.length) }));
  return bytes;
}
