import { Decoder } from '@msgpack/msgpack';

/** @type {import('../contender.js').Contender} */
export const contender = {
  id: 'msgpack-msgpack',
  label: '@msgpack/msgpack',
  kind: 'main',
  result: 'objects',
  formats: ['messagepack'],
  setup() {
    const decoder = new Decoder();
    return { decode: (buffer) => decoder.decode(buffer), close() {} };
  },
};
