// Runs in the page: decodes a payload into rows, with all of its fields and with some of them.
import { LIBRARY, schemaOf } from '../contenders/unspool/unspool.js';

/** @typedef {{ name: string, dataset: string, format: string, rows: number, pick: readonly string[] }} PickCase */
/** @typedef {{ allMs: number, pickMs: number, allBytes: number, pickBytes: number }} PickSample */

/** Three of the 13 fields of a trip, and of orders three scalars or a nested one. */
const TRIP = ['trips.ride_id', 'trips.start_lat', 'trips.member_casual'];

/** The formats with a row kernel that the demo's trips exist in. @type {readonly PickCase[]} */
export const PICK_CASES = [
  ...['json', 'messagepack', 'cbor', 'bson', 'avro', 'protobuf', 'bebop', 'sia', 'jsbinary'].map((format) => ({
    name: `pick 3 of 13 fields, ${format}`,
    dataset: 'trips',
    format,
    rows: 300_000,
    pick: TRIP,
  })),
  ...['json', 'messagepack', 'cbor', 'bson'].flatMap((format) => [
    {
      name: `pick 3 of 12 fields of nested orders, ${format}`,
      dataset: 'orders',
      format,
      rows: 50_000,
      pick: ['orders.id', 'orders.placedAt', 'orders.total'],
    },
    { name: `pick a nested field of orders, ${format}`, dataset: 'orders', format, rows: 50_000, pick: ['orders.id', 'orders.customer.name'] },
  ]),
];

/** Rounds before the measured ones, in which the engine compiles the code. */
const WARM_UP = 2;

/** Bytes that workers have sent: the memory of the rows, until some are read. */
let sent = 0;

/** Counts the parts of results as they arrive. */
function countParts() {
  const own = /** @type {PropertyDescriptor} */ (Object.getOwnPropertyDescriptor(MessagePort.prototype, 'onmessage'));
  Object.defineProperty(MessagePort.prototype, 'onmessage', {
    configurable: true,
    set(listener) {
      own.set?.call(this, (/** @type {MessageEvent} */ event) => {
        sent += event.data.part?.byteLength ?? 0;
        listener.call(this, event);
      });
    },
  });
}

/**
 * Decodes a payload alternately with all fields and with those that are picked.
 *
 * @param {PickCase} given @param {string} url @param {number} runs
 * @returns {Promise<PickSample[]>}
 */
export async function measurePick({ dataset, format, pick }, url, runs) {
  const { createDecoder } = await import(LIBRARY);
  const bytes = new Uint8Array(await (await fetch(url)).arrayBuffer());
  const schema = await schemaOf(format, dataset);
  const decoder = createDecoder({ workers: 1 });
  const options = format === 'protobuf' ? { names: 'proto' } : {};
  const call = { format, schema, options, as: 'rows', route: 'worker', transfer: true };
  const time = async (/** @type {object} */ more) => {
    const payload = bytes.slice();
    sent = 0;
    const start = performance.now();
    await decoder.decode(payload, { ...call, ...more });
    return { ms: performance.now() - start, bytes: sent };
  };
  countParts();
  /** @type {PickSample[]} */
  const samples = [];
  for (let run = 0; run < runs + WARM_UP; run += 1) {
    const all = await time({});
    const picked = await time({ pick });
    samples.push({ allMs: all.ms, pickMs: picked.ms, allBytes: all.bytes, pickBytes: picked.bytes });
  }
  decoder.close();
  return samples.slice(WARM_UP);
}
