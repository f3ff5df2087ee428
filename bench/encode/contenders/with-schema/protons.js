import { Numbers } from '../../../generated/protons/numbers.js';
import { Trips } from '../../../generated/protons/trips.js';
import { camelCase, preparing, withNumbers } from '../../rows.js';

/** @type {import('../contender.js').Setup} */
export const setup = (task) => {
  /** @type {any} */
  const type = task.dataset === 'trips' ? Trips : Numbers;
  // Enums are strings.
  return { prepare: preparing(task, (trip) => camelCase(withNumbers(trip))), encode: (value) => type.encode(value) };
};
