import { createDecoder } from 'unspool';
import { createEncoder } from 'unspool/encode';
import { WorkerSocket } from 'unspool/socket';

/** Writes rows in a worker and reads them back. */
async function writeRows() {
  const decoder = createDecoder();
  const encoder = createEncoder({ worker: true });
  const value = await decoder.decode(await fetch('./large.json'), { as: 'rows', route: 'worker' });
  // Prevents the page from writing them.
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
  return { ...written, price: await takePrice(decoder) };
}

/**
 * Takes a message of a socket in a worker, which loads a format to read its key. Returns the type of a price.
 *
 * @param {import('unspool').Decoder} decoder
 */
async function takePrice(decoder) {
  const socket = new WorkerSocket('./ticks?rate=100');
  const { value } = await decoder.messages(socket, { format: 'messagepack', policy: 'latest', key: 'symbol' }).next();
  socket.close();
  return typeof value.price;
}

globalThis.outcome = writeRows();
