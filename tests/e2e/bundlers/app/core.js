import { createDecoder } from 'unspool/core';
import { decodeOne } from './decode-one.js';

const createWorker = () => new Worker(new URL('./core-worker.js', import.meta.url), { type: 'module' });
const decoder = createDecoder({
  formats: { json: () => import('unspool/formats/json'), cbor: () => import('unspool/formats/cbor') },
  createWorker,
});

globalThis.accept = decoder.accept;
globalThis.outcome = decodeOne(decoder);
