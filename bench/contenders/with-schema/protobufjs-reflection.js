import { withDates } from '../plain.js';

/** @type {import('../contender.js').Contender} */
export const contender = {
  id: 'protobufjs-reflection',
  label: 'protobufjs, reflection',
  kind: 'main',
  result: 'objects',
  formats: ['protobuf'],
  async setup({ dataset, list, schema }) {
    const [{ default: protobuf }, { SCHEMAS }] = await Promise.all([import('protobufjs'), import('../../schemas.js')]);
    const { proto, message: name } = /** @type {{ proto: string, message: string }} */ (schema ?? SCHEMAS.protobuf[String(dataset)]);
    const type = protobuf.parse(proto, { keepCase: true }).root.resolveAll().lookupType(name);
    return {
      decode: (buffer) => type.decode(new Uint8Array(buffer)),
      plain: (message) => withDates(type.toObject(message, { longs: Number, defaults: schema === undefined }), list),
      close() {},
    };
  },
};
