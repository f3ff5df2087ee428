import { Packr } from 'msgpackr';

/** @type {import('../contender.js').Setup} */
export const setup = ({ format }) => {
  const packr = new Packr({ useRecords: format !== 'messagepack', bundleStrings: format === 'messagepack-bundled' });
  return { encode: (value) => packr.pack(value) };
};
