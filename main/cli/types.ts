import { check } from '../../core/check-names.ts';
import { SchemaError } from '../../core/errors.ts';
import type { FormatId } from '../../core/format/format-id.ts';
import { ABOUT } from '../../core/formats/registry.ts';
import { avroTypes } from './types/avro.ts';
import { bebopTypes } from './types/bebop.ts';
import { capnProtoTypes } from './types/capnproto.ts';
import { flatBuffersTypes } from './types/flatbuffers.ts';
import { jsBinaryTypes } from './types/js-binary.ts';
import { jsonSchemaTypes } from './types/json-schema.ts';
import { protobufTypes } from './types/protobuf.ts';
import { endingOf, isJsonSchema, type SchemaFile } from './schema-file.ts';

type WriteTypes = (file: SchemaFile, root: string | undefined, warn: (problem: string) => void) => string | Promise<string>;

const WRITERS: Readonly<Record<string, WriteTypes>> = {
  avro: avroTypes,
  bebop: bebopTypes,
  capnproto: capnProtoTypes,
  flatbuffers: flatBuffersTypes,
  jsbinary: jsBinaryTypes,
  'json-schema': jsonSchemaTypes,
  protobuf: protobufTypes,
};

/** The format of a schema by its path. Throws a SchemaError if the path does not tell. */
export function formatOf(path: string): string {
  if (isJsonSchema(path)) return 'json-schema';
  const ending = endingOf(path);
  const format = Object.keys(WRITERS).find((id) => ABOUT[id as FormatId]?.schemaFiles?.[ending]);
  if (format === undefined) throw new SchemaError(`the format of ${path} is not known: add --format with one of ${Object.keys(WRITERS).join(', ')}`);
  return format;
}

/**
 * TypeScript for the values of a schema, as they are decoded with the default options of the format.
 *
 * @param root the type of the payload; by default all types of a text, or the root type of a FlatBuffers schema
 * @param warn receives what the compiler of the format refuses, and Unspool takes
 */
export async function typesOf(format: string, file: SchemaFile, root?: string, warn: (problem: string) => void = () => {}): Promise<string> {
  check('unknown format', format, Object.keys(WRITERS));
  try {
    return await WRITERS[format]!(file, root, warn);
  } catch (error) {
    // Imports of Google that a schema does not use are rarely there.
    const missing = (file.missing ?? []).filter((path) => !path.startsWith('google/'));
    if (!(error instanceof SchemaError) || missing.length === 0) throw error;
    throw new SchemaError(`${error.message}: ${missing.join(', ')} was not found; add the folder that its path begins in with -I`);
  }
}
