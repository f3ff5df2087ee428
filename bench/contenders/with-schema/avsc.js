import { avscDecoding } from './avsc-decoding.js';

/** @type {import('../contender.js').Contender} */
export const contender = {
  id: 'avsc',
  label: 'avsc 5',
  kind: 'main',
  result: 'objects',
  formats: ['avro'],
  async setup(payload) {
    const [{ default: polyfill }, { default: avsc }] = await Promise.all([import('buffer'), import('avsc/etc/browser/avsc-types.js')]);
    return await avscDecoding(avsc, (buffer) => polyfill.Buffer.from(buffer), payload);
  },
};
