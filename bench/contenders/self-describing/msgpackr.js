import { MSGPACKR_FORMATS, msgpackrDecoder } from '../decoders.js';

/** @type {import('../contender.js').Contender} */
export const contender = {
  id: 'msgpackr',
  label: 'msgpackr',
  kind: 'main',
  result: 'objects',
  formats: MSGPACKR_FORMATS,
  setup: ({ format }) => ({ decode: msgpackrDecoder(format), close() {} }),
};
