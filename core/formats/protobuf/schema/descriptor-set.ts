import { SchemaError } from '../../../errors.ts';
import { DEFAULT_LIMITS } from '../../../limits.ts';
import { ObjectSink } from '../../../sinks/objects/objects.ts';
import { numericDefault } from './default-value.ts';
import type { Definitions, FieldDefinition, MessageDefinition } from './definitions.ts';
import { checkName, jsonNameOf } from './definitions.ts';
import { descriptorSchema } from './descriptor-schema.ts';
import {
  CLOSED,
  DELIMITED,
  type Descriptor,
  type EnumDescriptor,
  EXPANDED,
  EXPLICIT,
  type FeatureSet,
  type FieldDescriptor,
  type FileDescriptor,
  IMPLICIT,
  LEGACY_REQUIRED,
  LENGTH_PREFIXED,
  NONE,
  OPEN,
  PACKED,
  REPEATED,
  REQUIRED,
  VERIFY,
} from './descriptors.ts';
import { unescapeBytes } from './escapes.ts';
import { ProtobufReader } from '../reader.ts';
import { BYTES, type DefaultValue, ENUM, type EnumSchema, GROUP, MESSAGE, type Presence, STRING } from './schema.ts';

const PROTO2: Required<FeatureSet> = {
  field_presence: EXPLICIT,
  enum_type: CLOSED,
  repeated_field_encoding: EXPANDED,
  utf8_validation: NONE,
  message_encoding: LENGTH_PREFIXED,
};
const PROTO3: Required<FeatureSet> = {
  field_presence: IMPLICIT,
  enum_type: OPEN,
  repeated_field_encoding: PACKED,
  utf8_validation: VERIFY,
  message_encoding: LENGTH_PREFIXED,
};
const EDITIONS: Required<FeatureSet> = {
  field_presence: EXPLICIT,
  enum_type: OPEN,
  repeated_field_encoding: PACKED,
  utf8_validation: VERIFY,
  message_encoding: LENGTH_PREFIXED,
};

/** The defaults by number of the enum Edition (google/protobuf/descriptor.proto): proto2, proto3, 2023 and 2024. */
const BY_EDITION = new Map([
  [998, PROTO2],
  [999, PROTO3],
  [1000, EDITIONS],
  [1001, EDITIONS],
]);

/** The features of a file that says nothing else. Throws a SchemaError for an unknown edition, whose defaults may be others. */
function defaultsOf({ name, syntax, edition }: FileDescriptor): Required<FeatureSet> {
  if (edition) return BY_EDITION.get(edition) ?? failEdition(name, edition);
  if (syntax === 'editions') return EDITIONS;
  return syntax === 'proto3' ? PROTO3 : PROTO2;
}

function failEdition(name: string | undefined, edition: number): never {
  throw new SchemaError(`unknown edition ${edition} of the file ${name}; expected 2023 (1000) or 2024 (1001)`);
}

/** Reads the definitions of a FileDescriptorSet (https://protobuf.com/docs/descriptors), and the files that it lacks. */
export function readDescriptorSet(bytes: Uint8Array): { definitions: Definitions; absent: string[] } {
  const files = decode(bytes);
  const given = new Set(files.map(({ name }) => name));
  const absent = files.flatMap(({ dependency }) => dependency).filter((name) => !given.has(name));
  return { definitions: definitionsOf(files), absent: [...new Set(absent)] };
}

/** Collects the definitions of files. */
export function definitionsOf(files: readonly FileDescriptor[]): Definitions {
  const definitions: Definitions = { messages: [], enums: [] };
  const extensions: [FieldDescriptor, scope: string, Required<FeatureSet>][] = [];
  for (const file of files) {
    const features = { ...defaultsOf(file), ...file.options?.features };
    const scope = file.package ? `${file.package}.` : '';
    for (const item of file.enum_type) definitions.enums.push(enumOf(item, scope, features));
    for (const item of file.extension) extensions.push([item, scope, features]);
    // Nested types are queued after their parents, so deep nesting does not recurse.
    const queue = file.message_type.map((message): [Descriptor, string, Required<FeatureSet>] => [message, scope, features]);
    for (const [message, outer, inherited] of queue) {
      const own = { ...inherited, ...message.options?.features };
      const innerScope = `${outer}${message.name ?? ''}.`;
      definitions.messages.push(messageOf(message, outer, own));
      for (const item of message.enum_type) definitions.enums.push(enumOf(item, innerScope, own));
      for (const item of message.extension) extensions.push([item, innerScope, own]);
      for (const nested of message.nested_type) queue.push([nested, innerScope, own]);
    }
  }
  const byName = new Map(definitions.messages.map((message) => [message.name, message]));
  for (const [field, scope, features] of extensions) {
    const name = `[${scope}${field.name ?? ''}]`;
    byName.get(plainName(field.extendee))?.fields.push({ ...fieldOf(field, features, -1), name, jsonName: name });
  }
  return definitions;
}

function decode(bytes: Uint8Array): FileDescriptor[] {
  const sink = new ObjectSink();
  try {
    const reader = new ProtobufReader(sink, {}, DEFAULT_LIMITS, descriptorSchema());
    reader.push(bytes);
    reader.end();
  } catch (error) {
    throw new SchemaError(`the FileDescriptorSet cannot be read: ${(error as Error).message}`);
  }
  return (sink.result as { file: FileDescriptor[] }).file;
}

function messageOf(message: Descriptor, scope: string, features: Required<FeatureSet>): MessageDefinition {
  // A proto3 `optional` is declared as a synthetic oneof, which the text does not have.
  const synthetic = new Set(message.field.filter((field) => field.proto3_optional).map((field) => field.oneof_index));
  const oneofs = message.oneof_decl.map((_, index) => index).filter((index) => !synthetic.has(index));
  const oneofIndices = new Map<number | undefined, number>(oneofs.map((index, place) => [index, place]));
  const fields = message.field.map((field) => {
    const oneof = oneofIndices.get(field.oneof_index) ?? -1;
    const inherited = oneof < 0 ? features : { ...features, ...message.oneof_decl[field.oneof_index!]?.options?.features };
    return fieldOf(field, inherited, oneof);
  });
  return {
    name: checkName(`${scope}${message.name ?? ''}`),
    fields,
    oneofs: oneofs.map((index) => message.oneof_decl[index]!.name ?? ''),
    mapEntry: message.options?.map_entry ?? false,
  };
}

function fieldOf(field: FieldDescriptor, inherited: Required<FeatureSet>, oneof: number): FieldDefinition {
  const features = { ...inherited, ...field.options?.features };
  const { name = '', type = 0, label = 1 } = field;
  const repeated = label === REPEATED;
  const isMessage = type === MESSAGE || type === GROUP;
  return {
    name,
    jsonName: field.json_name ?? jsonNameOf(name),
    number: field.number ?? 0,
    type,
    typeName: plainName(field.type_name),
    delimited: type === GROUP || (type === MESSAGE && features.message_encoding === DELIMITED),
    repeated,
    presence: repeated ? 'implicit' : presenceOf(field, features, isMessage, label),
    oneof,
    packed: field.options?.packed ?? features.repeated_field_encoding === PACKED,
    utf8: type === STRING && features.utf8_validation !== NONE,
    default: field.default_value === undefined ? undefined : defaultOf(name, field.default_value, type),
  };
}

function presenceOf(field: FieldDescriptor, features: FeatureSet, isMessage: boolean, label: number): Presence {
  if (label === REQUIRED || features.field_presence === LEGACY_REQUIRED) return 'required';
  if (field.proto3_optional) return 'optional';
  const isInOneof = field.oneof_index !== undefined;
  const explicit = isMessage || isInOneof || field.extendee !== undefined || features.field_presence === EXPLICIT;
  return explicit ? 'explicit' : 'implicit';
}

function enumOf(item: EnumDescriptor, scope: string, inherited: FeatureSet): EnumSchema {
  const features = { ...inherited, ...item.options?.features };
  return {
    name: checkName(`${scope}${item.name ?? ''}`),
    closed: features.enum_type === CLOSED,
    names: item.value.map(({ name }) => name ?? ''),
    numbers: item.value.map(({ number }) => number ?? 0),
  };
}

/** A full type name begins with a dot; compilers write only full names. */
function plainName(name = ''): string {
  return name.replace(/^\./, '');
}

/** Parses a default, which is text: with C escapes for bytes, the name for an enum. */
function defaultOf(field: string, text: string, type: number): DefaultValue {
  switch (type) {
    case STRING:
    case ENUM:
      return text;
    // The type is unknown until it is resolved.
    case 0:
      return text;
    case BYTES:
      return unescapeBytes(text);
    default:
      return numericDefault(field, text, type);
  }
}
