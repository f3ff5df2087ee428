import { SchemaError } from '../../../errors.ts';
import { unknownType } from '../../../format/unknown-type.ts';
import {
  BOOL,
  type DefaultValue,
  ENUM,
  type EnumSchema,
  type FieldSchema,
  FIXED32,
  FIXED64,
  GROUP,
  INT32,
  INT64,
  isPackable,
  MESSAGE,
  type MessageSchema,
  type Presence,
  type ProtobufSchema,
  SFIXED32,
  SFIXED64,
  SINT32,
  SINT64,
  STRING,
  UINT32,
  UINT64,
  WIRE,
} from './schema.ts';

/** Largest field number. */
const MAX_NUMBER = 2 ** 29 - 1;
/**
 * Characters of a full name. Limits the work, since a package is split into each of its names, and a scope is walked
 * at each lookup.
 */
const MAX_NAME_LENGTH = 500;
/** Types allowed as a map's key. */
const KEYS = new Set([INT32, INT64, UINT32, UINT64, SINT32, SINT64, FIXED32, FIXED64, SFIXED32, SFIXED64, BOOL, STRING]);

/** A field whose type has not been resolved yet. */
export interface FieldDefinition {
  name: string;
  jsonName: string;
  number: number;
  /** Type number; 0 if only the name tells whether it is a message or an enum. */
  type: number;
  /** Full name of the message or enum type, '' for scalars. */
  typeName: string;
  /** Its messages are delimited, like groups. */
  delimited: boolean;
  repeated: boolean;
  presence: Presence;
  oneof: number;
  /** An enum's default is a name. */
  default: DefaultValue | undefined;
  /** From the options alone, even if the type cannot be packed. */
  packed: boolean;
  utf8: boolean;
}

/** A message type whose fields' types have not been resolved yet. */
export interface MessageDefinition {
  name: string;
  fields: FieldDefinition[];
  oneofs: string[];
  mapEntry: boolean;
}

/** Definitions of schema files, from either form of schema. */
export interface Definitions {
  messages: MessageDefinition[];
  enums: EnumSchema[];
}

/** Returns a full name, or throws if it is too long. */
export function checkName(name: string): string {
  if (name.length > MAX_NAME_LENGTH) throw new SchemaError(`a full name of more than ${MAX_NAME_LENGTH} characters: ${name.slice(0, 40)}…`);
  return name;
}

/** Resolves the types by name. `absent` are files that were not given, which an error mentions. */
export function link({ messages, enums }: Definitions, root: string, absent: readonly string[]): ProtobufSchema {
  const messageIndex = new Map(messages.map(({ name }, index) => [name, index]));
  const enumIndex = new Map(enums.map(({ name }, index) => [name, index]));

  const numbers = new Map<EnumSchema, Map<DefaultValue, number>>();
  const numbersOf = (item: EnumSchema): Map<DefaultValue, number> => {
    let found = numbers.get(item);
    if (found === undefined) {
      numbers.set(item, (found = new Map()));
      for (const [index, name] of item.names.entries()) {
        const number = item.numbers[index]!;
        if (!found.has(name)) found.set(name, number);
        found.set(number, number);
      }
    }
    return found;
  };

  const field = ({ name: message, mapEntry }: MessageDefinition, definition: FieldDefinition): FieldSchema => {
    const { typeName, name, jsonName, number, repeated, packed, oneof, utf8 } = definition;
    // A map's entry always has a key and a value.
    const presence = mapEntry ? 'implicit' : definition.presence;
    let { type } = definition;
    let ref = -1;
    if (typeName !== '') {
      const enumRef = enumIndex.get(typeName);
      ref = enumRef ?? messageIndex.get(typeName) ?? -1;
      if (ref < 0) {
        const hint = absent.length > 0 ? `; files that were not given: ${absent.join(', ')}` : '';
        throw new SchemaError(`${message}.${name} has the undefined type ${typeName}${hint}`);
      }
      // Map entries, and messages in them, are length-prefixed, whatever encoding the file or the field declares.
      const delimited = definition.delimited && !mapEntry && messages[ref]?.mapEntry !== true;
      type = enumRef === undefined ? (delimited ? GROUP : MESSAGE) : ENUM;
    }
    if (ref < 0 && (WIRE[type] === undefined || type === 0 || type === MESSAGE || type === GROUP || type === ENUM)) {
      throw new SchemaError(`the field ${name} of ${message} has no type`);
    }
    let value = definition.default;
    if (type === ENUM) value = enumDefault(enums[ref]!, value, numbersOf);
    return { name, jsonName, number, type, ref, repeated, presence, oneof, default: value, packed: packed && repeated && isPackable(type), utf8 };
  };

  const linked: MessageSchema[] = messages.map((message) => {
    const { name, fields, oneofs, mapEntry } = message;
    checkFields(message);
    return { name, fields: fields.map((item) => field(message, item)), oneofs, mapEntry };
  });
  const index = messageIndex.get(root.replace(/^\./, ''));
  if (index === undefined) {
    const names = messages.filter(({ mapEntry }) => !mapEntry).map(({ name }) => name);
    throw unknownType('message', root, names);
  }
  return { root: index, messages: linked, enums };
}

/** Checks that field numbers are unique and in range, and that a map's entry has a key and a value. */
function checkFields({ name: message, fields, mapEntry }: MessageDefinition): void {
  const names = new Map<number, string>();
  const seen = new Set<string>();
  for (const { name, number } of fields) {
    if (seen.has(name)) throw new SchemaError(`${message} has two fields with the name ${name}`);
    seen.add(name);
    const other = names.get(number);
    if (other !== undefined) throw new SchemaError(`the fields ${other} and ${name} of ${message} have the same number ${number}`);
    if (!(number >= 1 && number <= MAX_NUMBER)) {
      throw new SchemaError(`the field ${name} of ${message} has the invalid number ${number}; expected 1 to ${MAX_NUMBER}`);
    }
    names.set(number, name);
  }
  const isEntry = fields.length === 2 && fields[0]!.number === 1 && fields[1]!.number === 2 && KEYS.has(fields[0]!.type) && !fields[1]!.repeated;
  if (mapEntry && !isEntry) throw new SchemaError(`the map entry ${message} has no key and value`);
}

function enumDefault(
  item: EnumSchema,
  value: DefaultValue | undefined,
  numbersOf: (item: EnumSchema) => ReadonlyMap<DefaultValue, number>,
): number | undefined {
  if (value === undefined) return item.numbers[0];
  const number = numbersOf(item).get(typeof value === 'number' ? value : String(value));
  if (number === undefined) throw new SchemaError(`the enum ${item.name} has no value ${String(value)}`);
  return number;
}

/** Name of a field in the JSON mapping. */
export function jsonNameOf(name: string): string {
  return name.replace(/_+(.?)/g, (_, letter: string) => letter.toUpperCase());
}
