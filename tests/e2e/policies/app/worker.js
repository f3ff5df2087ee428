import { createDecoder } from './unspool/index.js';
import { decodeAll } from './decode-all.js';

const { trustedTypes } = globalThis;
const policy = trustedTypes.createPolicy('application', { createScriptURL: (url) => url });
const createWorker = () => new Worker(policy.createScriptURL('./unspool/worker.js'), { type: 'module' });

globalThis.outcome = decodeAll(createDecoder({ createWorker })).then((all) => [Object.keys(all).length, all['large.msgpack'].route]);
