import { Encoder } from 'cbor-x';

/** @type {import('../contender.js').Setup} */
export const setup = ({ format }) => {
  const encoder = new Encoder({ useRecords: format === 'cbor-records', mapsAsObjects: true });
  return { encode: (value) => encoder.encode(value) };
};
