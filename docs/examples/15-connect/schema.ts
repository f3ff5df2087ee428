import { create, type DescFile, type DescMessage, toBinary } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import type { FormatSchemas } from 'unspool';

const schemas = new WeakMap<DescMessage, FormatSchemas['protobuf']>();

/** The schema of a message, from the descriptors in the generated code. It is compiled once. */
export function schemaOf(message: DescMessage): FormatSchemas['protobuf'] {
  let schema = schemas.get(message);
  if (!schema) {
    const files = [...withImports(message.file)].map(({ proto }) => proto);
    const descriptorSet = toBinary(FileDescriptorSetSchema, create(FileDescriptorSetSchema, { file: files }));
    schema = { descriptorSet, message: message.typeName };
    schemas.set(message, schema);
  }
  return schema;
}

function withImports(file: DescFile, files = new Set<DescFile>()): Set<DescFile> {
  for (const imported of file.dependencies) withImports(imported, files);
  return files.add(file);
}
