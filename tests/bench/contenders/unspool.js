import { JSON_FORMATS, MSGPACKR_FORMATS } from './decoders.js';

/** Where the benchmark's server has the built library; loaded as it is, not bundled. */
const LIBRARY = '/dist/index.js';

/** Unspool's own name of each encoding. */
const FORMATS = new Map([
  ...JSON_FORMATS.map((format) => /** @type {const} */ ([format, 'json'])),
  ...MSGPACKR_FORMATS.map((format) => /** @type {const} */ ([format, 'messagepack'])),
]);

/**
 * @param {Pick<import('./contender.js').Contender, 'id' | 'label' | 'result'> & { codegen: boolean }} options
 * @returns {import('./contender.js').Contender}
 */
export function unspool({ id, label, result, codegen }) {
  return {
    id,
    label,
    kind: 'unspool',
    result,
    needsList: false,
    formats: [...FORMATS.keys()],
    async setup({ format: encoding, repeated }) {
      const { createDecoder } = await import(LIBRARY);
      const decoder = createDecoder({ codegen });
      const options = { format: FORMATS.get(encoding), as: result, transfer: !repeated };
      return { decode: (buffer) => decoder.decode(buffer, options), close: () => decoder.close() };
    },
  };
}
