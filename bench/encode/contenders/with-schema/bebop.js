import { Numbers } from 'generated:bebop/numbers';
import { Trips } from 'generated:bebop/trips';
import { camelCase, preparing, withoutNulls } from '../../rows.js';

/** @type {import('../contender.js').Setup} */
export const setup = (task) => {
  const type = task.dataset === 'trips' ? Trips : Numbers;
  return { prepare: preparing(task, (trip) => camelCase(withoutNulls(trip))), encode: (value) => type.encode(value) };
};
