import protobuf from 'protobufjs';
import { SCHEMAS } from '../../../schemas.js';
import { preparing, withEnums } from '../../rows.js';

/** @type {import('../contender.js').Setup} */
export const setup = (task) => {
  const { proto, message } = SCHEMAS.protobuf[task.dataset];
  const type = protobuf.parse(proto, { keepCase: true }).root.resolveAll().lookupType(message);
  return { prepare: preparing(task, withEnums), encode: (value) => type.encode(value).finish() };
};
