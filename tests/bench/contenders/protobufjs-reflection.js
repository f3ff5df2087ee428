import { withDates } from './dates.js';

/** @type {import('./contender.js').Contender} */
export const contender = {
  id: 'protobufjs-reflection',
  label: 'protobufjs, reflection',
  kind: 'main',
  result: 'objects',
  needsList: false,
  formats: ['protobuf'],
  async setup({ dataset, list }) {
    const [{ default: protobuf }, { PROTO, MESSAGES }] = await Promise.all([import('protobufjs'), import('../schemas/protobuf.js')]);
    const { root } = protobuf.parse(PROTO[String(dataset)], { keepCase: true });
    const type = root.resolveAll().lookupType(MESSAGES[String(dataset)]);
    return {
      decode: (buffer) => type.decode(new Uint8Array(buffer)),
      plain: (message) => withDates(type.toObject(message, { longs: Number, defaults: true }), list),
      close() {},
    };
  },
};
