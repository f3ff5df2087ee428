// Ways to use a payload while it arrives.
import { JSONParser } from '@streamparser/json';
import { decodeArrayStream } from '@msgpack/msgpack';
import { FORMATS, LIBRARY, schemaOf } from '../contenders/unspool/unspool.js';

/**
 * @typedef {object} StreamContender
 * @property {string} id
 * @property {string} label
 * @property {readonly string[]} formats
 * @property {(url: string) => Promise<Response>} [fetch] requests the payload; default: `fetch`
 * @property {(response: Response, rows: (count: number) => void, format: string, list: string) => Promise<unknown>} use
 *   Calls `rows` with the number of new rows of the list as they arrive, and resolves after the last.
 */

const JSON_FORMATS = ['json'];
const CLONED = ['json', 'messagepack', 'messagepack-records'];
const ALL = ['json', 'messagepack', 'messagepack-records', 'avro', 'protobuf'];

/** By list, a column of its items. */
const COLUMNS = /** @type {Record<string, string>} */ ({ trips: 'ride_id', orders: 'id', readings: 'id' });

/** @type {any} */
let decoder;
/** @type {Worker | undefined} */
let worker;

/** Loads the library, as a page does before it requests a payload. */
export async function prepare() {
  decoder ??= (await import(LIBRARY)).createDecoder();
}

/** Names the result in the request, as the guides recommend. @param {'objects' | 'rows' | 'columns'} as */
const fetchAs = (as) => (/** @type {string} */ url) => decoder.fetch(url, { as });

/** @param {string} format */
async function unspool(format) {
  const id = String(FORMATS.get(format));
  return { format: id, schema: await schemaOf(id, 'trips') };
}

/** @type {readonly StreamContender[]} */
export const STREAM_CONTENDERS = [
  {
    id: 'response-json',
    label: 'response.json()',
    formats: JSON_FORMATS,
    async use(response, rows, _, list) {
      const value = await response.json();
      rows(value[list].length);
      return value;
    },
  },
  {
    id: 'worker-clone',
    label: 'arrayBuffer() + worker',
    formats: CLONED,
    async use(response, rows, format, list) {
      if (!worker) {
        worker = new Worker('/bench/contenders/workers/clone-worker.js', { type: 'module' });
        worker.postMessage({ format });
      }
      const buffer = await response.arrayBuffer();
      const value = await new Promise((resolve) => {
        /** @type {Worker} */ (worker).onmessage = ({ data }) => resolve(data);
        /** @type {Worker} */ (worker).postMessage({ buffer }, [buffer]);
      });
      rows(value[list].length);
      return value;
    },
  },
  {
    id: 'streamparser-json',
    label: '@streamparser/json',
    formats: JSON_FORMATS,
    async use(response, rows, _, list) {
      /** @type {unknown[]} */
      const items = [];
      const parser = new JSONParser({ paths: [`$.${list}.*`], keepStack: false });
      parser.onValue = ({ value }) => void items.push(value);
      for await (const chunk of chunksOf(response)) {
        const before = items.length;
        parser.write(chunk);
        if (items.length > before) rows(items.length - before);
      }
      return items;
    },
  },
  {
    id: 'msgpack-stream',
    label: 'decodeArrayStream',
    formats: ['messagepack'],
    async use(response, rows, _, list) {
      const items = [];
      for await (const item of decodeArrayStream(afterKey(chunksOf(response), list))) {
        items.push(item);
        rows(1);
      }
      return items;
    },
  },
  batches('unspool-batches', 'Unspool, batches of objects', 'objects'),
  batches('unspool-batches-rows', 'Unspool, batches as Rows', 'rows'),
  batches('unspool-batches-columns', 'Unspool, batches as columns', 'columns'),
  {
    id: 'unspool-rows',
    label: 'Unspool, Rows that grow',
    formats: ALL,
    fetch: fetchAs('rows'),
    async use(response, rows, format, list) {
      const options = await unspool(format);
      const onRows = (/** @type {unknown} */ _, /** @type {number} */ added) => rows(added);
      return await (
        await decoder.growingRows(response, { ...options, path: list, onRows })
      ).done;
    },
  },
  {
    id: 'unspool-objects',
    label: 'Unspool, all objects',
    formats: ALL,
    fetch: fetchAs('objects'),
    async use(response, rows, format, list) {
      const options = await unspool(format);
      const value = await decoder.decode(response, options);
      rows(value[list].length);
      return value;
    },
  },
];

/**
 * Loops over batches and keeps all of them.
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
    fetch: fetchAs(as),
    async use(response, rows, format, list) {
      const options = await unspool(format);
      const all = [];
      for await (const batch of decoder.batches(response, { ...options, path: list, as })) {
        all.push(batch);
        rows(as === 'columns' ? batch[COLUMNS[list]].length : batch.length);
      }
      return all;
    },
  };
}

/** @param {Response} response @returns {AsyncGenerator<Uint8Array>} */
async function* chunksOf(response) {
  const reader = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
}

/**
 * Skips the bytes before the array: all up to the end of the list's key.
 *
 * @param {AsyncIterable<Uint8Array>} chunks
 * @param {string} key
 * @returns {AsyncGenerator<Uint8Array>}
 */
async function* afterKey(chunks, key) {
  let found = false;
  for await (const chunk of chunks) {
    const head = found ? '' : String.fromCharCode(...chunk.subarray(0, 64));
    yield found ? chunk : chunk.subarray(head.indexOf(key) + key.length);
    found = true;
  }
}
