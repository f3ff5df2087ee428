/** @type {import('../contender.js').Contender} */
export const contender = {
  id: 'js-binary',
  label: 'js-binary',
  kind: 'main',
  result: 'objects',
  formats: ['jsbinary'],
  async setup({ dataset }) {
    // The library uses a global Buffer.
    const { default: polyfill } = await import('buffer');
    Object.assign(globalThis, { Buffer: polyfill.Buffer });
    const [{ default: jsBinary }, { SCHEMAS }] = await Promise.all([import('js-binary'), import('../../schemas.js')]);
    const type = new jsBinary.Type(SCHEMAS.jsbinary[String(dataset)]);
    return { decode: (buffer) => type.decode(polyfill.Buffer.from(buffer)), close() {} };
  },
};
