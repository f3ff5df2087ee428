import { withDates } from '../dates.js';

/** @type {import('../contender.js').Contender} */
export const contender = {
  id: 'protobufjs-static',
  label: 'protobufjs, static code',
  kind: 'main',
  result: 'objects',
  needsList: false,
  formats: ['protobuf'],
  async setup({ dataset, list }) {
    const generated = await (dataset === 'trips' ? import('../../generated/protobufjs/trips.js') : import('../../generated/protobufjs/numbers.js'));
    /** @type {any} */
    const type = 'Trips' in generated ? generated.Trips : generated.Numbers;
    return {
      decode: (buffer) => type.decode(new Uint8Array(buffer)),
      plain: (message) => withDates(type.toObject(message, { longs: Number, defaults: true }), list),
      close() {},
    };
  },
};
