/** @type {import('../contender.js').Contender} */
export const contender = {
  id: 'notepack',
  label: 'notepack.io',
  kind: 'main',
  result: 'objects',
  formats: ['messagepack'],
  async setup() {
    const { default: decode } = await import('notepack.io/browser/decode.js');
    return { decode: (buffer) => decode(buffer), close() {} };
  },
};
