import { Numbers } from 'generated:protobufjs/numbers';
import { Trips } from 'generated:protobufjs/trips';
import { preparing, withEnums } from '../../rows.js';

/** @type {import('../contender.js').Setup} */
export const setup = (task) => {
  const type = task.dataset === 'trips' ? Trips : Numbers;
  return { prepare: preparing(task, withEnums), encode: (value) => type.encode(value).finish() };
};
