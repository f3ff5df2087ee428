// Ways to use a payload that comes over the network. One is given a response, and tells when it has rows.
import { JSONParser } from '@streamparser/json';
import { decodeArrayStream } from '@msgpack/msgpack';
import { FORMATS, LIBRARY, SCHEMAS } from '../contenders/unspool.js';

/**
 * @typedef {object} StreamContender
 * @property {string} id
 * @property {string} label
 * @property {readonly string[]} formats
 * @property {(response: Response, rows: (count: number) => void, format: string) => Promise<unknown>} use
 *   Calls `rows` with the number of new rows whenever there are some, and resolves when all are there.
 */

const JSON_FORMATS = ['json'];
const CLONED = ['json', 'messagepack', 'messagepack-records'];
const ALL = ['json', 'messagepack', 'messagepack-records', 'avro', 'protobuf'];

/** The key of the list in the root map: what lies up to its end is no part of the array. */
const KEY = 'trips';
/** A column that every trip has. */
const COLUMN = 'ride_id';

/** @type {any} */
let decoder;
/** @type {Worker | undefined} */
let worker;

/** @param {string} format */
async function unspool(format) {
  decoder ??= (await import(LIBRARY)).createDecoder();
  const id = String(FORMATS.get(format));
  return { format: id, schema: (await SCHEMAS[id]?.())?.schemaOf('trips') };
}

/** @type {readonly StreamContender[]} */
export const STREAM_CONTENDERS = [
  {
    id: 'response-json',
    label: 'response.json()',
    formats: JSON_FORMATS,
    async use(response, rows) {
      const value = await response.json();
      rows(value.trips.length);
      return value;
    },
  },
  {
    id: 'worker-clone',
    label: 'arrayBuffer() + worker',
    formats: CLONED,
    async use(response, rows, format) {
      if (!worker) {
        worker = new Worker('/bench/contenders/workers/clone-worker.js', { type: 'module' });
        worker.postMessage({ format });
      }
      const buffer = await response.arrayBuffer();
      const value = await new Promise((resolve) => {
        /** @type {Worker} */ (worker).onmessage = ({ data }) => resolve(data);
        /** @type {Worker} */ (worker).postMessage({ buffer }, [buffer]);
      });
      rows(value.trips.length);
      return value;
    },
  },
  {
    id: 'streamparser-json',
    label: '@streamparser/json',
    formats: JSON_FORMATS,
    async use(response, rows) {
      /** @type {unknown[]} */
      const trips = [];
      const parser = new JSONParser({ paths: ['$.trips.*'], keepStack: false });
      parser.onValue = ({ value }) => void trips.push(value);
      for await (const chunk of chunksOf(response)) {
        const before = trips.length;
        parser.write(chunk);
        if (trips.length > before) rows(trips.length - before);
      }
      return trips;
    },
  },
  {
    id: 'msgpack-stream',
    label: 'decodeArrayStream',
    formats: ['messagepack'],
    async use(response, rows) {
      const trips = [];
      for await (const trip of decodeArrayStream(afterKey(chunksOf(response)))) {
        trips.push(trip);
        rows(1);
      }
      return trips;
    },
  },
  batches('unspool-batches', 'Unspool, batches of objects', 'objects'),
  batches('unspool-batches-rows', 'Unspool, batches as Rows', 'rows'),
  batches('unspool-batches-columns', 'Unspool, batches as columns', 'columns'),
  {
    id: 'unspool-rows',
    label: 'Unspool, Rows that grow',
    formats: ALL,
    async use(response, rows, format) {
      const options = await unspool(format);
      const onRows = (/** @type {unknown} */ _, /** @type {number} */ added) => rows(added);
      return await (await decoder.rows(response, { ...options, path: 'trips', onRows })).done;
    },
  },
  {
    id: 'unspool-objects',
    label: 'Unspool, all objects',
    formats: ALL,
    async use(response, rows, format) {
      const options = await unspool(format);
      const value = await decoder.decode(response, options);
      rows(value.trips.length);
      return value;
    },
  },
];

/**
 * A loop over batches that keeps them all.
 *
 * @param {string} id
 * @param {string} label
 * @param {'objects' | 'rows' | 'columns'} as
 * @returns {StreamContender}
 */
function batches(id, label, as) {
  return {
    id,
    label,
    formats: ALL,
    async use(response, rows, format) {
      const options = await unspool(format);
      const trips = [];
      for await (const batch of decoder.batches(response, { ...options, path: 'trips', as })) {
        trips.push(batch);
        rows(as === 'columns' ? batch[COLUMN].length : batch.length);
      }
      return trips;
    },
  };
}

/** @param {Response} response @returns {AsyncGenerator<Uint8Array>} */
async function* chunksOf(response) {
  const reader = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
}

/** @param {AsyncIterable<Uint8Array>} chunks @returns {AsyncGenerator<Uint8Array>} */
async function* afterKey(chunks) {
  let found = false;
  for await (const chunk of chunks) {
    const head = found ? '' : String.fromCharCode(...chunk.subarray(0, 64));
    yield found ? chunk : chunk.subarray(head.indexOf(KEY) + KEY.length);
    found = true;
  }
}
