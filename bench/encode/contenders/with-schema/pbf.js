import { PbfWriter } from 'pbf';
import { writeNumbers } from 'generated:pbf/numbers';
import { writeTrips } from 'generated:pbf/trips';
import { preparing, withEnums } from '../../rows.js';

/** @type {import('../contender.js').Setup} */
export const setup = (task) => {
  const write = task.dataset === 'trips' ? writeTrips : writeNumbers;
  return {
    prepare: preparing(task, withEnums),
    encode(value) {
      const writer = new PbfWriter();
      write(value, writer);
      return writer.finish();
    },
  };
};
