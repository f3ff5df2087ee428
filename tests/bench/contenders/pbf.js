import { withDates } from './dates.js';

/** @type {import('./contender.js').Contender} */
export const contender = {
  id: 'pbf',
  label: 'pbf, generated',
  kind: 'main',
  result: 'objects',
  needsList: false,
  formats: ['protobuf'],
  // Optional fields that are absent become empty text and 0.
  loses: true,
  async setup({ dataset, list }) {
    const [{ PbfReader }, generated] = await Promise.all([
      import('pbf'),
      dataset === 'trips' ? import('../generated/pbf/trips.js') : import('../generated/pbf/numbers.js'),
    ]);
    const read = 'readTrips' in generated ? generated.readTrips : generated.readNumbers;
    return {
      decode: (buffer) => read(new PbfReader(new Uint8Array(buffer)), undefined),
      plain: (value) => withDates(value, list),
      close() {},
    };
  },
};
