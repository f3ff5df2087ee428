import { calculateObjectSize, serialize, setInternalBufferSize } from 'bson';

/** @type {import('../contender.js').Setup} */
export const setup = () => ({
  prepare(value) {
    // bson writes into a buffer of fixed size.
    setInternalBufferSize(calculateObjectSize(value) + 1024);
    return value;
  },
  encode: (value) => serialize(value),
});
