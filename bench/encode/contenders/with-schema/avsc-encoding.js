import { SCHEMAS } from '../../../schemas.js';
import { preparing, withNumbers } from '../../rows.js';

/**
 * Creates an encoding with avsc into a buffer of the last value's size, as `toBuffer` writes twice if its own buffer is too
 * small. Times are numbers.
 *
 * @param {any} avsc
 * @param {(bytes: number) => any} allocate
 * @param {import('../contender.js').Task} task
 * @returns {import('../contender.js').Encoding}
 */
export function avscEncoding({ Type }, allocate, task) {
  const type = Type.forSchema(SCHEMAS.avro[task.dataset]);
  let size = 1024;
  return {
    prepare: preparing(task, withNumbers),
    encode(value) {
      const bytes = allocate(size);
      const end = type.encode(value, bytes, 0);
      if (end >= 0) return (size = end) === bytes.length ? bytes : bytes.subarray(0, end);
      size = bytes.length - end;
      return this.encode(value);
    },
    encodeSmall: (value) => type.toBuffer(value),
  };
}
