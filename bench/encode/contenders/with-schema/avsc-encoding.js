import { SCHEMAS } from '../../../schemas.js';
import { preparing, withNumbers } from '../../rows.js';

/**
 * An encoding by avsc into a buffer of the size that the last value took: `toBuffer` writes twice where its own is too
 * small. Times are numbers, which it takes as they are.
 *
 * @param {any} avsc
 * @param {(bytes: number) => any} allocate makes what it takes for bytes
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
