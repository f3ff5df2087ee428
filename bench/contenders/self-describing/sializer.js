/** @type {import('../contender.js').Contender} */
export const contender = {
  id: 'sializer',
  label: 'sializer',
  kind: 'main',
  result: 'objects',
  formats: ['sia'],
  async setup() {
    const { default: polyfill } = await import('buffer');
    Object.assign(globalThis, { Buffer: polyfill.Buffer });
    const { default: sializer } = await import('sializer');
    return { decode: (buffer) => new sializer.DeSia().deserialize(polyfill.Buffer.from(buffer)), close() {} };
  },
};
