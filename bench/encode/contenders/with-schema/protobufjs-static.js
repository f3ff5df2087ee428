import { Numbers } from '../../../generated/protobufjs/numbers.js';
import { Trips } from '../../../generated/protobufjs/trips.js';
import { preparing, withEnums } from '../../rows.js';

/** @type {import('../contender.js').Setup} */
export const setup = (task) => {
  /** @type {any} */
  const type = task.dataset === 'trips' ? Trips : Numbers;
  return { prepare: preparing(task, withEnums), encode: (value) => type.encode(value).finish() };
};
