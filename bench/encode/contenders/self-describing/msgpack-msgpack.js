import { Encoder } from '@msgpack/msgpack';

/** @type {import('../contender.js').Setup} */
export const setup = () => {
  const encoder = new Encoder();
  // Returns the encoder's buffer without a copy; the next call overwrites it.
  return { encode: (value) => encoder.encodeSharedRef(value) };
};
