import { SchemaError } from '../../errors.ts';
import { CapnProtoReader } from './reader.ts';
import { readRequest } from './request.ts';
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

  compileSchema(input, name) {
    const { request, struct } = (input ?? {}) as Record<string, unknown>;
    try {
      if (!(request instanceof Uint8Array || request instanceof ArrayBuffer) || typeof struct !== 'string') {
        throw new SchemaError('invalid Cap’n Proto schema: expected { request, struct }');
      }
      return readRequest(request instanceof Uint8Array ? request.slice() : new Uint8Array(request), struct);
    } catch (error) {
      const reason = error instanceof SchemaError ? error.reason : `the request is not sound: ${(error as Error).message}`;
      throw new SchemaError(reason, name, { format: 'capnproto' });
    }
  },
};

export default capnproto;
