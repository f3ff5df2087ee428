import { encode } from 'cbor2';

/** @type {import('../contender.js').Setup} */
export const setup = () => ({ encode: (value) => encode(value) });
