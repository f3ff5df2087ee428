import { avscEncoding } from './avsc-encoding.js';

/** @type {import('../contender.js').Setup} */
export const setup = async (task) => {
  // The library hashes names with a global Buffer.
  const { default: polyfill } = await import('buffer');
  Object.assign(globalThis, { Buffer: polyfill.Buffer });
  const { default: avsc } = await import('avsc6/etc/browser/avsc-types.js');
  return avscEncoding(avsc, (bytes) => new Uint8Array(bytes), task);
};
