import { withDates } from '../dates.js';

/** @type {import('../contender.js').Contender} */
export const contender = {
  id: 'protobufjs-reflection',
  label: 'protobufjs, reflection',
  kind: 'main',
  result: 'objects',
  needsList: false,
  formats: ['protobuf'],
  async setup({ dataset, list, schema }) {
    const [{ default: protobuf }, { schemaOf }] = await Promise.all([import('protobufjs'), import('../../schemas/protobuf.js')]);
    const { proto, message: name } = /** @type {ReturnType<typeof schemaOf>} */ (schema ?? schemaOf(String(dataset)));
    const type = protobuf.parse(proto, { keepCase: true }).root.resolveAll().lookupType(name);
    return {
      decode: (buffer) => type.decode(new Uint8Array(buffer)),
      plain: (message) => withDates(type.toObject(message, { longs: Number, defaults: schema === undefined }), list),
      close() {},
    };
  },
};
