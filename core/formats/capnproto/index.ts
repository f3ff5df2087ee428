import { compileCapnProtoSchema } from './compile-schema.ts';
import { CapnProtoReader } from './reader.ts';
import type { CapnProtoSchema } from './schema/schema.ts';
import type { Format } from '../../format/format.ts';
import { READ_OPTIONS, type CapnProtoOptions } from './options.ts';

export type { CapnProtoOptions, CapnProtoSchemaInput } from './options.ts';

/**
 * Cap'n Proto (https://capnproto.org/encoding.html). Structs and groups become plain objects with the schema's names,
 * in declaration order. Of a union, the object of its struct or group has only the member that is set. Void and
 * capabilities are null. An untyped pointer is decoded from its words: a struct becomes `{ data, pointers }`, a list
 * of numbers a typed array of unsigned integers.
 */
const capnproto: Format<CapnProtoOptions, CapnProtoSchema | undefined> = {
  options: READ_OPTIONS,
  createReader: (sink, options, limits, schema) => new CapnProtoReader(sink, options, limits, schema),

  compileSchema: compileCapnProtoSchema,
};

export default capnproto;
