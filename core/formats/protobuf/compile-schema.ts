import { bytesIn } from '../../bytes/bytes-in.ts';
import { SchemaError } from '../../errors.ts';
import type { LoadSchemaCode } from '../../format/format.ts';
import type { DescriptorFile } from './schema/descriptor-objects.ts';
import type { ProtobufSchema } from './schema/schema.ts';

/** Compiles the user's schema. Throws a SchemaError that carries `name`. `load`: see `Format.compileSchema`. */
export async function compileProtobufSchema(
  input: unknown,
  name?: string,
  load: LoadSchemaCode = () => import('./schema/proto-text.ts'),
): Promise<ProtobufSchema> {
  try {
    const { link } = await import('./schema/definitions.ts');
    const { proto, descriptorSet, message, imports, kind, typeName, file } = (input ?? {}) as Record<string, unknown>;
    if (kind === 'message' && typeof typeName === 'string' && typeof file === 'object') {
      const { readDescriptor } = (await load('proto-text')) as typeof import('./schema/proto-text.ts');
      return link(readDescriptor(file as DescriptorFile), typeName, []);
    }
    if (typeof message !== 'string')
      throw new SchemaError('a Protocol Buffers schema requires the name of its message: { proto or descriptorSet, message }');
    if (typeof proto === 'string') {
      const { readProtoText } = (await load('proto-text')) as typeof import('./schema/proto-text.ts');
      const { definitions, absent } = readProtoText(proto, (imports ?? {}) as Record<string, string>);
      return link(definitions, message, absent);
    }
    const bytes = bytesIn(descriptorSet)?.slice();
    if (bytes) {
      const { readDescriptorSet } = await import('./schema/descriptor-set.ts');
      const { definitions, absent } = readDescriptorSet(bytes);
      return link(definitions, message, absent);
    }
    throw new SchemaError('invalid Protocol Buffers schema: expected { proto, message } or { descriptorSet, message }');
  } catch (error) {
    throw error instanceof SchemaError && error.schema === undefined ? new SchemaError(error.reason, name, { format: 'protobuf' }) : error;
  }
}
