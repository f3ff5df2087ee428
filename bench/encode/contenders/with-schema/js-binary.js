import { SCHEMAS } from '../../../schemas.js';
import { preparing, withDates } from '../../rows.js';

/** @type {import('../contender.js').Setup} */
export const setup = async (task) => {
  // The library uses a global Buffer.
  const { default: polyfill } = await import('buffer');
  Object.assign(globalThis, { Buffer: polyfill.Buffer });
  const { default: jsBinary } = await import('js-binary');
  const type = new jsBinary.Type(SCHEMAS.jsbinary[task.dataset]);
  return { prepare: preparing(task, withDates), encode: (value) => type.encode(value) };
};
