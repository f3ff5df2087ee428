import type { LoadSchemaCode } from '../../format/format.ts';
import type { ProtobufSchema } from '../protobuf/schema/schema.ts';

/** Compiles a schema by the code of the format `protobuf`, which a page that has compiled one has already, and a worker never needs. */
export async function compileMessageSchema(input: unknown, name?: string, load?: LoadSchemaCode): Promise<ProtobufSchema> {
  const { default: protobuf } = await import('../protobuf/index.ts');
  return (await protobuf.compileSchema!(input, name, load))!;
}
