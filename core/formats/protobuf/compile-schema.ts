import { bytesIn } from '../../bytes/bytes-in.ts';
import { SchemaError } from '../../errors.ts';
import type { LoadSchemaCode } from '../../format/format.ts';
import type { DescriptorFile } from './schema/descriptor-objects.ts';
import type { ProtobufSchema } from './schema/schema.ts';

/** Compiles the user's schema. Throws a SchemaError that carries `name`. `load`: see `Format.compileSchema`. */
export async function compileProtobufSchema(
  input: unknown,
  name?: string,
  load: LoadSchemaCode = (code) => (code === 'proto-text' ? import('./schema/proto-text.ts') : import('./schema/proto-reflection.ts')),
): Promise<ProtobufSchema> {
  try {
    const { link } = await import('./schema/definitions.ts');
    const { proto, descriptorSet, message, imports, kind, typeName, file, root, fullName, strict } = (input ?? {}) as Record<string, unknown>;
    if (kind === 'message' && typeof typeName === 'string' && typeof file === 'object') {
      const { readDescriptor } = (await load('proto-text')) as typeof import('./schema/proto-text.ts');
      return link(readDescriptor(file as DescriptorFile), typeName, []);
    }
    if (typeof root === 'object' && root !== null) {
      const { descriptorsOfReflection } = (await load('proto-reflection')) as typeof import('./schema/proto-reflection.ts');
      const { definitionsOf } = await import('./schema/descriptor-set.ts');
      // A Type of protobuf.js has its name, which begins with a dot.
      const name = message ?? fullName;
      if (typeof name === 'string') return link(definitionsOf(descriptorsOfReflection(root)), name.replace(/^\./, ''), []);
    }
    if (typeof message !== 'string')
      throw new SchemaError('a Protocol Buffers schema requires the name of its message: { proto, descriptorSet or root, message }');
    if (typeof proto === 'string') {
      const { readProtoText } = (await load('proto-text')) as typeof import('./schema/proto-text.ts');
      const { definitions, absent, problems } = readProtoText(proto, (imports ?? {}) as Record<string, string>);
      if (strict === true && problems.length > 0) throw new SchemaError(problems[0]!);
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
