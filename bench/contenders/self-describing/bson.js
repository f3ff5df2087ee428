/** @type {import('../contender.js').Contender} */
export const contender = {
  id: 'bson',
  label: 'bson',
  kind: 'main',
  result: 'objects',
  formats: ['bson'],
  async setup() {
    const { deserialize } = await import('bson');
    return { decode: (buffer) => deserialize(new Uint8Array(buffer)), close() {} };
  },
};
