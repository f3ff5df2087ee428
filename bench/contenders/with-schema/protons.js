import { plainTrip } from '../plain.js';

/** @type {import('../contender.js').Contender} */
export const contender = {
  id: 'protons',
  label: 'protons, generated',
  kind: 'main',
  result: 'objects',
  formats: ['protobuf'],
  async setup({ dataset }) {
    const generated = await (dataset === 'trips' ? import('../../generated/protons/trips.js') : import('../../generated/protons/numbers.js'));
    /** @type {any} */
    const type = 'Trips' in generated ? generated.Trips : generated.Numbers;
    return {
      decode: (buffer) => type.decode(new Uint8Array(buffer)),
      // Names of fields are in camel case; points are plain already.
      ...(dataset === 'trips' && { plain: ({ trips }) => ({ trips: trips.map(plainTrip) }) }),
      close() {},
    };
  },
};
