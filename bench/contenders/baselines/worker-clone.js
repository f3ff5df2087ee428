import { JSON_FORMATS, MSGPACKR_FORMATS } from '../decoders.js';

/** @type {import('../contender.js').Contender} */
export const contender = {
  id: 'worker-clone',
  label: 'worker + structured clone',
  kind: 'worker',
  result: 'objects',
  formats: [...JSON_FORMATS, ...MSGPACKR_FORMATS],
  setup({ format, repeated }) {
    const worker = new Worker('/bench/contenders/workers/clone-worker.js', { type: 'module' });
    worker.postMessage({ format });
    return {
      decode: (buffer) =>
        new Promise((resolve, reject) => {
          worker.onmessage = ({ data }) => resolve(data);
          worker.onerror = ({ message }) => reject(new Error(message));
          worker.postMessage({ buffer }, repeated ? [] : [buffer]);
        }),
      close: () => worker.terminate(),
    };
  },
};
