import type { ProtobufSchema } from '../../formats/protobuf/schema/schema.ts';
import type { FormatId } from '../../format/format-id.ts';
import { bsonGrammar } from './bson.ts';
import { cborGrammar } from './cbor.ts';
import type { Grammar } from './grammar.ts';
import { jsonGrammar } from './json.ts';
import { messagepackGrammar } from './messagepack.ts';
import { protobufGrammar } from './protobuf.ts';

/** The grammars of the formats with `previous`, by the format's options and the compiled schema. */
const GRAMMARS: Partial<Record<FormatId, (options: object, schema: unknown) => Grammar | undefined>> = {
  json: () => jsonGrammar,
  messagepack: () => messagepackGrammar,
  cbor: () => cborGrammar,
  bson: () => bsonGrammar,
  // Only equal payloads are found: blocks of a file are compressed, and the end of a record follows only from all of its fields.
  avro: () => undefined,
  protobuf: (options, schema) => (schema ? protobufGrammar(schema as ProtobufSchema, options) : undefined),
};

/** Names of the formats with `previous`. */
export const COMPARED: readonly string[] = Object.keys(GRAMMARS);

/**
 * The grammar of a format; undefined with options by which equal bytes may be other values: shared structures and values, or a
 * sequence or a check of the whole payload.
 */
export function grammarOf(format: FormatId, options: object, schema: unknown): Grammar | undefined {
  const { sequence, structures, packedValues, deterministic, valueExtensions, ranges, schemaless } = options as Record<string, unknown>;
  const isPlain = !(sequence || structures || packedValues || deterministic || valueExtensions || ranges || schemaless);
  return isPlain ? GRAMMARS[format]?.(options, schema) : undefined;
}
