import { JSON_FORMATS, MSGPACKR_FORMATS } from '../decoders.js';

/** Rows in a message. */
const CHUNK = 2000;

/** @type {import('../contender.js').Contender} */
export const contender = {
  id: 'worker-chunked',
  label: 'worker + clone in chunks',
  kind: 'worker',
  result: 'objects',
  needsList: true,
  formats: [...JSON_FORMATS, ...MSGPACKR_FORMATS],
  setup({ format, list, repeated }) {
    const worker = new Worker('/bench/contenders/workers/clone-worker.js', { type: 'module' });
    worker.postMessage({ format });
    return {
      decode: (buffer) =>
        new Promise((resolve, reject) => {
          /** @type {unknown[]} */
          const rows = [];
          worker.onmessage = ({ data }) => {
            if (Array.isArray(data)) for (const row of data) rows.push(row);
            else resolve({ ...data, [String(list)]: rows });
          };
          worker.onerror = ({ message }) => reject(new Error(message));
          worker.postMessage({ buffer, chunk: CHUNK, list }, repeated ? [] : [buffer]);
        }),
      close: () => worker.terminate(),
    };
  },
};
