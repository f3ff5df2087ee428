/** @type {import('../contender.js').Contender} */
export const contender = {
  id: 'msgpack-lite',
  label: 'msgpack-lite',
  kind: 'main',
  result: 'objects',
  formats: ['messagepack'],
  async setup() {
    const { default: msgpack } = await import('msgpack-lite/lib/browser.js');
    return { decode: (buffer) => msgpack.decode(new Uint8Array(buffer)), close() {} };
  },
};
