import { SchemaError } from '../../errors.ts';
import { DEFAULT_LIMITS } from '../../limits.ts';
import { ObjectSink } from '../../sinks/objects.ts';
import { numericDefault } from './default-value.ts';
import type { Definitions, FieldDefinition, MessageDefinition } from './definitions.ts';
import { jsonNameOf } from './definitions.ts';
import { descriptorSchema } from './descriptor-schema.ts';
import { ProtobufReader } from './reader.ts';
import {
  BYTES, type DefaultValue, ENUM, type EnumSchema, GROUP, MESSAGE, type Presence, STRING,
} from './schema.ts';

// The parts of descriptor.proto that matter here. Lists are always there.
interface FeatureSet {
  field_presence?: number;
  enum_type?: number;
  message_encoding?: number;
}
interface Options {
  features?: FeatureSet;
  map_entry?: boolean;
}
interface FieldDescriptor {
  name?: string;
  extendee?: string;
  number?: number;
  label?: number;
  type?: number;
  type_name?: string;
  default_value?: string;
  options?: Options;
  oneof_index?: number;
  json_name?: string;
  proto3_optional?: boolean;
}
interface EnumDescriptor {
  name?: string;
  value: { name?: string; number?: number }[];
  options?: Options;
}
interface Descriptor {
  name?: string;
  field: FieldDescriptor[];
  nested_type: Descriptor[];
  enum_type: EnumDescriptor[];
  extension: FieldDescriptor[];
  options?: Options;
  oneof_decl: { name?: string; options?: Options }[];
}
interface FileDescriptor {
  name?: string;
  package?: string;
  dependency: string[];
  message_type: Descriptor[];
  enum_type: EnumDescriptor[];
  extension: FieldDescriptor[];
  options?: Options;
  syntax?: string;
  edition?: number;
}

/** Values of the enums in FeatureSet. */
const EXPLICIT = 1;
const IMPLICIT = 2;
const LEGACY_REQUIRED = 3;
const OPEN = 1;
const CLOSED = 2;
const LENGTH_PREFIXED = 1;
const DELIMITED = 2;

const PROTO2: Required<FeatureSet> = { field_presence: EXPLICIT, enum_type: CLOSED, message_encoding: LENGTH_PREFIXED };
const PROTO3: Required<FeatureSet> = { field_presence: IMPLICIT, enum_type: OPEN, message_encoding: LENGTH_PREFIXED };
const EDITIONS: Required<FeatureSet> = { field_presence: EXPLICIT, enum_type: OPEN, message_encoding: LENGTH_PREFIXED };

/** What a FileDescriptorSet defines (https://protobuf.com/docs/descriptors); it also tells which files it lacks. */
export function readDescriptorSet(bytes: Uint8Array): { definitions: Definitions; absent: string[] } {
  const files = decode(bytes);
  const definitions: Definitions = { messages: [], enums: [] };
  const extensions: [FieldDescriptor, scope: string, Required<FeatureSet>][] = [];
  for (const file of files) {
    const base = file.syntax === 'editions' || file.edition ? EDITIONS : file.syntax === 'proto3' ? PROTO3 : PROTO2;
    const features = { ...base, ...file.options?.features };
    const scope = file.package ? `${file.package}.` : '';
    for (const item of file.enum_type) definitions.enums.push(enumOf(item, scope, features));
    for (const item of file.extension) extensions.push([item, scope, features]);
    // Types inside types are put behind them, so that no depth of nesting is a depth of calls.
    const queue = file.message_type.map((message): [Descriptor, string, Required<FeatureSet>] => [message, scope, features]);
    for (const [message, outer, inherited] of queue) {
      const own = { ...inherited, ...message.options?.features };
      const inner = `${outer}${message.name ?? ''}.`;
      definitions.messages.push(messageOf(message, outer, own));
      for (const item of message.enum_type) definitions.enums.push(enumOf(item, inner, own));
      for (const item of message.extension) extensions.push([item, inner, own]);
      queue.push(...message.nested_type.map((nested): [Descriptor, string, Required<FeatureSet>] => [nested, inner, own]));
    }
  }
  const byName = new Map(definitions.messages.map((message) => [message.name, message]));
  for (const [field, scope, features] of extensions) {
    const name = `[${scope}${field.name ?? ''}]`;
    byName.get(plainName(field.extendee))?.fields.push({ ...fieldOf(field, features, -1), name, jsonName: name });
  }
  const given = new Set(files.map(({ name }) => name));
  const absent = files.flatMap(({ dependency }) => dependency).filter((name) => !given.has(name));
  return { definitions, absent: [...new Set(absent)] };
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
  // The oneof of a proto3 `optional` is no oneof of the text.
  const synthetic = new Set(message.field.filter((field) => field.proto3_optional).map((field) => field.oneof_index));
  const oneofs = message.oneof_decl.map((_, index) => index).filter((index) => !synthetic.has(index));
  const fields = message.field.map((field) => {
    const oneof = field.oneof_index === undefined ? -1 : oneofs.indexOf(field.oneof_index);
    const inherited = oneof < 0 ? features : { ...features, ...message.oneof_decl[field.oneof_index!]?.options?.features };
    return fieldOf(field, inherited, oneof);
  });
  return {
    name: `${scope}${message.name ?? ''}`,
    fields,
    oneofs: oneofs.map((index) => message.oneof_decl[index]!.name ?? ''),
    mapEntry: message.options?.map_entry ?? false,
  };
}

function fieldOf(field: FieldDescriptor, inherited: Required<FeatureSet>, oneof: number): FieldDefinition {
  const features = { ...inherited, ...field.options?.features };
  const { name = '', type = 0, label = 1 } = field;
  const repeated = label === 3;
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
    default: field.default_value === undefined ? undefined : defaultOf(name, field.default_value, type),
  };
}

function presenceOf(field: FieldDescriptor, features: FeatureSet, isMessage: boolean, label: number): Presence {
  if (label === 2 || features.field_presence === LEGACY_REQUIRED) return 'required';
  if (field.proto3_optional) return 'optional';
  const isInOneof = field.oneof_index !== undefined;
  const explicit = isMessage || isInOneof || field.extendee !== undefined || features.field_presence === EXPLICIT;
  return explicit ? 'explicit' : 'implicit';
}

function enumOf(item: EnumDescriptor, scope: string, inherited: FeatureSet): EnumSchema {
  const features = { ...inherited, ...item.options?.features };
  return {
    name: `${scope}${item.name ?? ''}`,
    closed: features.enum_type === CLOSED,
    names: item.value.map(({ name }) => name ?? ''),
    numbers: item.value.map(({ number }) => number ?? 0),
  };
}

/** Type names begin with a dot when they are full, and in what compilers write they are. */
function plainName(name = ''): string {
  return name.replace(/^\./, '');
}

/** Defaults are text: of bytes with C escapes, of enums the name. */
function defaultOf(field: string, text: string, type: number): DefaultValue {
  switch (type) {
    case STRING:
    case ENUM:
      return text;
    case BYTES:
      return unescapeBytes(text);
    default:
      return numericDefault(field, text, type);
  }
}

const ESCAPES: Readonly<Record<string, number>> = {
  n: 10, r: 13, t: 9, a: 7, b: 8, f: 12, v: 11, '\\': 92, "'": 39, '"': 34, '?': 63,
};

function unescapeBytes(text: string): Uint8Array {
  const bytes: number[] = [];
  const encoder = new TextEncoder();
  for (const [part, octal, hex, other] of text.matchAll(/\\([0-7]{1,3})|\\x([0-9a-fA-F]{1,2})|\\(.)|[^\\]+/g)) {
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8));
    else if (hex !== undefined) bytes.push(Number.parseInt(hex, 16));
    else if (other !== undefined) bytes.push(ESCAPES[other] ?? other.charCodeAt(0));
    else bytes.push(...encoder.encode(part));
  }
  return Uint8Array.from(bytes);
}
