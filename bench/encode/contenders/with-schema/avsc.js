import { avscEncoding } from './avsc-encoding.js';

/** @type {import('../contender.js').Setup} */
export const setup = async (task) => {
  const [{ default: polyfill }, { default: avsc }] = await Promise.all([import('buffer'), import('avsc/etc/browser/avsc-types.js')]);
  return avscEncoding(avsc, (bytes) => polyfill.Buffer.allocUnsafe(bytes), task);
};
