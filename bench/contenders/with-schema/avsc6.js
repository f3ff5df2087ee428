import { avscDecoding } from './avsc-decoding.js';

/** @type {import('../contender.js').Contender} */
export const contender = {
  id: 'avsc6',
  label: 'avsc 6 alpha',
  kind: 'main',
  result: 'objects',
  formats: ['avro'],
  async setup(payload) {
    // The library hashes names with a global Buffer.
    const { default: polyfill } = await import('buffer');
    Object.assign(globalThis, { Buffer: polyfill.Buffer });
    const { default: avsc } = await import('avsc6/etc/browser/avsc-types.js');
    return await avscDecoding(avsc, (buffer) => new Uint8Array(buffer), payload);
  },
};
