import type { Enum, Field, MapField, NamespaceBase, ReflectionObject, Root, Type } from 'protobufjs';
import { SchemaError } from '../../errors.ts';
import { numericDefault } from './default-value.ts';
import type { Definitions, FieldDefinition, MessageDefinition } from './definitions.ts';
import {
  BOOL, BYTES, type DefaultValue, DOUBLE, FIXED32, FIXED64, FLOAT, INT32, INT64, type Presence, SFIXED32, SFIXED64,
  SINT32, SINT64, STRING, UINT32, UINT64,
} from './schema.ts';

type Protobufjs = typeof import('protobufjs');

/** `.proto` texts by the path that imports them. */
export type Imports = Readonly<Record<string, string>>;

const SCALARS = new Map(Object.entries({
  double: DOUBLE, float: FLOAT, int64: INT64, uint64: UINT64, int32: INT32, fixed64: FIXED64, fixed32: FIXED32,
  bool: BOOL, string: STRING, bytes: BYTES, uint32: UINT32, sfixed32: SFIXED32, sfixed64: SFIXED64, sint32: SINT32,
  sint64: SINT64,
}));

/**
 * What a `.proto` text and those it imports define. The types of `google/protobuf` that protobufjs knows need not be
 * given; other files that are not given are returned as `absent`, and matter only if a type of theirs is used.
 */
export async function readProtoText(text: string, imports: Imports): Promise<{ definitions: Definitions; absent: string[] }> {
  const protobuf = await loadProtobufjs();
  const root = new protobuf.Root();
  const absent: string[] = [];
  const seen = new Set<string>();
  const queue: [file: string, text: string][] = [['', text]];
  for (let next = queue.shift(); next; next = queue.shift()) {
    const [file, source] = next;
    let parsed;
    try {
      parsed = protobuf.parse(withExactDefaults(source), root, { keepCase: true });
    } catch (error) {
      throw new SchemaError(`${file ? `${file}: ` : ''}${(error as Error).message}`);
    }
    for (const path of [...(parsed.imports ?? []), ...(parsed.weakImports ?? [])]) {
      if (seen.has(path)) continue;
      seen.add(path);
      const given = Object.hasOwn(imports, path) ? imports[path] : undefined;
      const common = protobuf.common.get(path);
      if (given !== undefined) queue.push([path, given]);
      else if (common?.nested) root.addJSON(common.nested);
      else absent.push(path);
    }
  }
  return { definitions: define(root, absent), absent };
}

/** What is skipped in a text, strings and comments; or a default of so many digits that a number would not be exact. */
const LONG_DEFAULT =
  /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\/\/[^\n]*|\/\*[^]*?\*\/|(\bdefault\s*=\s*)(-?)\s*(?:(0[0-7]{15,})|([1-9]\d{15,}|0[xX][\da-fA-F]{13,}))(?=\s*[,\]])/g;

/** An option of ours that has the digits of a default. */
const EXACT_DEFAULT = '(unspool.default)';

/** Gives the fields whose defaults protobufjs would round an option that has them as text. */
function withExactDefaults(source: string): string {
  return source.replace(LONG_DEFAULT, (all: string, head?: string, sign?: string, octal?: string, other?: string) =>
    head === undefined ? all : `${head}0, ${EXACT_DEFAULT} = "${sign}${octal === undefined ? other : `0o${octal.slice(1)}`}"`,
  );
}

async function loadProtobufjs(): Promise<Protobufjs> {
  const module: Protobufjs & { default?: Protobufjs } = await import('protobufjs');
  return module.default ?? module;
}

function define(root: Root, absent: readonly string[]): Definitions {
  try {
    root.resolveAll();
  } catch (error) {
    const hint = absent.length > 0 ? `; files that were not given: ${absent.join(', ')}` : '';
    throw new SchemaError(`${(error as Error).message}${hint}`);
  }
  const definitions: Definitions = { messages: [], enums: [] };
  walk(root, definitions);
  return definitions;
}

function walk(namespace: NamespaceBase, definitions: Definitions): void {
  for (const item of namespace.nestedArray) {
    if ('fieldsArray' in item) definitions.messages.push(...messagesOf(item as Type));
    if ('valuesById' in item) {
      const { values, fullName } = item as Enum;
      const closed = featuresOf(item)['enum_type'] === 'CLOSED';
      definitions.enums.push({ name: fullName.slice(1), closed, names: Object.keys(values), numbers: Object.values(values) });
    }
    if ('nestedArray' in item) walk(item as NamespaceBase, definitions);
  }
}

/** A message type and the entries of its maps. */
function messagesOf(type: Type): MessageDefinition[] {
  const oneofs = type.oneofsArray.filter((oneof) => !oneof.isProto3Optional);
  const message: MessageDefinition = {
    name: type.fullName.slice(1),
    fields: [],
    oneofs: oneofs.map(({ name }) => name),
    mapEntry: false,
  };
  const entries: MessageDefinition[] = [];
  for (const field of type.fieldsArray) {
    const definition = fieldOf(field, oneofs.indexOf(field.partOf!));
    if (field.map) {
      const entry = entryOf(message.name, field as unknown as MapField, definition);
      entries.push(entry);
      definition.typeName = entry.name;
      definition.type = 0;
      definition.repeated = true;
      definition.default = undefined;
    }
    message.fields.push(definition);
  }
  return [message, ...entries];
}

function fieldOf(field: Field, oneof: number): FieldDefinition {
  const { resolvedType, id, repeated } = field;
  // protobufjs names an extension by its full name, and a group by its type with a small first letter.
  const isGroup = resolvedType !== null && 'group' in resolvedType && resolvedType.group === true;
  const isExtension = field.name.startsWith('.');
  const name = isExtension ? `[${field.name.slice(1)}]` : isGroup ? resolvedType.name.toLowerCase() : (field.protoName ?? field.name);
  return {
    name,
    jsonName: isExtension || isGroup ? name : (field.jsonName ?? name),
    number: id,
    type: SCALARS.get(field.type) ?? 0,
    typeName: resolvedType ? resolvedType.fullName.slice(1) : '',
    delimited: field.delimited,
    repeated,
    presence: presenceOf(field),
    oneof,
    default: defaultOf(field),
  };
}

/** As protoc names the type of a map's entries. */
function entryNameOf(field: string): string {
  return `${field.replace(/(?:^|_)(.?)/g, (_, letter: string) => letter.toUpperCase())}Entry`;
}

function presenceOf(field: Field): Presence {
  if (field.required) return 'required';
  if (field.repeated || field.map) return 'implicit';
  if (field.partOf?.isProto3Optional) return 'optional';
  const isMessage = field.resolvedType !== null && 'fieldsArray' in field.resolvedType;
  return isMessage || field.hasPresence ? 'explicit' : 'implicit';
}

function entryOf(message: string, field: MapField, value: FieldDefinition): MessageDefinition {
  const common = { delimited: false, repeated: false, oneof: -1, default: undefined };
  return {
    name: `${message}.${entryNameOf(field.name)}`,
    fields: [
      { ...common, name: 'key', jsonName: 'key', number: 1, type: SCALARS.get(field.keyType) ?? 0, typeName: '', presence: 'implicit' },
      { ...common, name: 'value', jsonName: 'value', number: 2, type: value.type, typeName: value.typeName, presence: 'implicit' },
    ],
    oneofs: [],
    mapEntry: true,
  };
}

function defaultOf(field: Field): DefaultValue | undefined {
  const value = (field.options?.[EXACT_DEFAULT] ?? field.options?.['default']) as string | number | boolean | undefined;
  if (value === undefined || field.repeated) return undefined;
  const text = String(value);
  if (field.resolvedType) return text;
  if (field.type === 'string') return text;
  if (field.type === 'bytes') return bytesOf(text);
  return numericDefault(field.name, text, SCALARS.get(field.type) ?? 0);
}

/** Escapes of a bytes literal give one character for each byte. */
function bytesOf(text: string): Uint8Array {
  return /^[\0-\xff]*$/.test(text) ? Uint8Array.from(text, (char) => char.charCodeAt(0)) : new TextEncoder().encode(text);
}

function featuresOf(object: ReflectionObject): Record<string, string> {
  return (object as unknown as { _features: Record<string, string> })._features;
}
