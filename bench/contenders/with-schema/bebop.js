/** @type {import('../contender.js').Contender} */
export const contender = {
  id: 'bebop',
  label: 'bebop, generated',
  kind: 'main',
  result: 'objects',
  needsList: false,
  formats: ['bebop'],
  async setup({ dataset }) {
    const generated = await (dataset === 'trips' ? import('../../generated/bebop/trips.js') : import('../../generated/bebop/numbers.js'));
    /** @type {any} */
    const type = 'Trips' in generated ? generated.Trips : generated.Numbers;
    return { decode: (buffer) => type.decode(new Uint8Array(buffer)), close() {} };
  },
};
