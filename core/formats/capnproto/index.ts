import { compileCapnProtoSchema } from './compile-schema.ts';
import { CapnProtoReader } from './reader.ts';
import type { CapnProtoSchema } from './schema.ts';
import type { Format } from '../format.ts';
import type { CapnProtoOptions } from './options.ts';

export type { CapnProtoOptions, CapnProtoSchemaInput } from './options.ts';

/**
 * Cap'n Proto (https://capnproto.org/encoding.html). Structs and groups become plain objects with the schema's names, in
 * the order of their declaration. Of a union the member that is set is there, in the object of the struct or group whose
 * union it is. Void is null, and so are capabilities. An untyped pointer becomes what its words say: a struct
 * `{ data, pointers }`, a list of numbers a typed array of unsigned integers.
 */
const capnproto: Format<CapnProtoOptions, CapnProtoSchema | undefined> = {
  createReader: (sink, options, limits, schema) => new CapnProtoReader(sink, options, limits, schema),

  compileSchema: compileCapnProtoSchema,
};

export default capnproto;
