import msgpack from 'msgpack-lite';

/** @type {import('../contender.js').Setup} */
export const setup = () => ({ encode: (value) => msgpack.encode(value) });
