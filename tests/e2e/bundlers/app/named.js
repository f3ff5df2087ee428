import { createDecoder } from 'unspool';
import { decodeAll } from './decode-all.js';

const decoder = createDecoder({ createWorker: () => new Worker('/workers/unspool.js', { type: 'module' }) });

globalThis.outcome = decodeAll(decoder);
