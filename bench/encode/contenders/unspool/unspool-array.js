import { load } from './unspool.js';

/** @type {import('../contender.js').Setup} */
export const setup = async (task) => {
  const { sync, writer, settings, prepare } = await load(task);
  return { ...(prepare && { prepare }), encode: (value) => sync.encodeSync(writer, value, settings) };
};
