/** @type {import('../contender.js').Contender} */
export const contender = {
  id: 'bebop',
  label: 'bebop, generated',
  kind: 'main',
  result: 'objects',
  formats: ['bebop'],
  async setup({ dataset }) {
    const { Trips, Numbers } = await (dataset === 'trips' ? import('generated:bebop/trips') : import('generated:bebop/numbers'));
    const type = Trips ?? Numbers;
    return { decode: (buffer) => type.decode(new Uint8Array(buffer)), close() {} };
  },
};
