import { Encoder } from '@msgpack/msgpack';

/** @type {import('../contender.js').Setup} */
export const setup = () => {
  const encoder = new Encoder();
  // The bytes are its own buffer, which the next call writes to: no copy.
  return { encode: (value) => encoder.encodeSharedRef(value) };
};
