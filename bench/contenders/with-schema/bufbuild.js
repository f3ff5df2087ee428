import { plainPoint, plainTrip } from '../plain.js';

/** @type {import('../contender.js').Contender} */
export const contender = {
  id: 'bufbuild',
  label: '@bufbuild/protobuf',
  kind: 'main',
  result: 'objects',
  formats: ['protobuf'],
  async setup({ dataset }) {
    const [{ fromBinary }, generated] = await Promise.all([
      import('@bufbuild/protobuf'),
      dataset === 'trips' ? import('../../generated/bufbuild/trips.js') : import('../../generated/bufbuild/numbers.js'),
    ]);
    const schema = 'TripsSchema' in generated ? generated.TripsSchema : generated.NumbersSchema;
    return {
      decode: (buffer) => fromBinary(schema, new Uint8Array(buffer)),
      plain: (message) => (dataset === 'trips' ? { trips: message.trips.map(plainTrip) } : { items: message.items.map(plainPoint) }),
      close() {},
    };
  },
};
