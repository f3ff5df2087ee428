/** @type {import('../contender.js').Contender} */
export const contender = {
  id: 'cbor-x',
  label: 'cbor-x',
  kind: 'main',
  result: 'objects',
  formats: ['cbor', 'cbor-records'],
  async setup({ format }) {
    const { Decoder } = await import('cbor-x');
    const decoder = new Decoder({ useRecords: format === 'cbor-records', mapsAsObjects: true });
    return { decode: (buffer) => decoder.decode(new Uint8Array(buffer)), close() {} };
  },
};
