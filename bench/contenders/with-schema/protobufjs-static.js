import { withDates } from '../plain.js';

/** @type {import('../contender.js').Contender} */
export const contender = {
  id: 'protobufjs-static',
  label: 'protobufjs, static code',
  kind: 'main',
  result: 'objects',
  formats: ['protobuf'],
  async setup({ dataset, list }) {
    const { Trips, Numbers } = await (dataset === 'trips' ? import('generated:protobufjs/trips') : import('generated:protobufjs/numbers'));
    const type = Trips ?? Numbers;
    return {
      decode: (buffer) => type.decode(new Uint8Array(buffer)),
      plain: (message) => withDates(type.toObject(message, { longs: Number, defaults: true }), list),
      close() {},
    };
  },
};
