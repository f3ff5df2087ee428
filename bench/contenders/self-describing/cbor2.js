/** @type {import('../contender.js').Contender} */
export const contender = {
  id: 'cbor2',
  label: 'cbor2',
  kind: 'main',
  result: 'objects',
  formats: ['cbor'],
  async setup() {
    const { decode } = await import('cbor2');
    return { decode: (buffer) => decode(new Uint8Array(buffer)), close() {} };
  },
};
