import protobuf from 'protobufjs';
import { MESSAGES, PROTO } from '../../../schemas/protobuf.js';
import { preparing, withEnums } from '../../rows.js';

/** @type {import('../contender.js').Setup} */
export const setup = (task) => {
  const type = protobuf.parse(PROTO[task.dataset], { keepCase: true }).root.resolveAll().lookupType(MESSAGES[task.dataset]);
  return { prepare: preparing(task, withEnums), encode: (value) => type.encode(value).finish() };
};
