import { internalized } from '../../../engine/internalized.ts';
import { EncodeError } from '../../../errors.ts';
import { Plans } from '../../../format/plans.ts';
import { keysOf, PLAIN, UNKNOWN_KEY, wellKnownKind } from '../schema/names.ts';
import type { ProtobufWriteOptions } from '../options.ts';
import { EGROUP, ENUM, type EnumSchema, type FieldSchema, GROUP, isPackable, LEN, MESSAGE, type ProtobufSchema, WIRE } from '../schema/schema.ts';

/** Operation of a field beyond the scalars, which use the number of their type in the schema. */
export const SUBMESSAGE = 32;
export const LIST = 33;
export const PACKED = 34;
export const MESSAGES = 35;
export const MAP = 36;
/** The unknown fields. */
export const UNKNOWN = 37;

/** Plan for writing a field. */
export class FieldNode {
  readonly key: string;
  /** A type of the schema, or one of the operations above. */
  readonly op: number;
  /** Type of one value. */
  readonly type: number;
  /** Field number and wire type. */
  readonly tag: number;
  /** Tag that ends a group; 0 if messages are length-prefixed. */
  readonly endTag: number;
  readonly isRequired: boolean;
  /** True if zero and empty values are left out. */
  readonly skipsZero: boolean;
  /** Node of the messages, or of a map's entries. */
  readonly message: MessageNode | undefined;
  readonly enumType: EnumNode | undefined;
  /** Bytes of the length of the map's last entry. */
  head = 1;

  constructor(key: string, op: number, field: FieldSchema, isEntry: boolean, message: MessageNode | undefined, enumType: EnumNode | undefined) {
    const { number, type, presence, oneof } = field;
    this.key = internalized(key);
    this.op = op;
    this.type = type;
    this.tag = number * 8 + (op === PACKED ? LEN : WIRE[type]!);
    this.endTag = type === GROUP ? number * 8 + EGROUP : 0;
    this.isRequired = presence === 'required';
    this.skipsZero = presence === 'implicit' && oneof < 0 && !isEntry && op < SUBMESSAGE;
    this.message = message;
    this.enumType = enumType;
  }
}

/** Numbers of an enum. */
export class EnumNode {
  readonly name: string;
  readonly byName: ReadonlyMap<string, number>;
  /** Numbers that a closed enum names; undefined if the enum is open. */
  readonly closed: ReadonlySet<number> | undefined;
  /** True if null stands for its only value (NullValue). */
  readonly isNull: boolean;

  constructor({ name, names, numbers, closed }: EnumSchema, values: boolean) {
    this.name = name;
    this.byName = new Map(names.map((one, index) => [one, numbers[index]!]));
    this.closed = closed ? new Set(numbers) : undefined;
    this.isNull = values && name === 'google.protobuf.NullValue';
  }
}

/** Plan for writing a message. */
export class MessageNode {
  /** Full name. */
  readonly name: string;
  /** Kind of well-known type. */
  readonly kind: number;
  /** True if the value is the JSON equivalent of the well-known type. */
  readonly isValue: boolean;
  /** True if its fields are left out of error paths, since the value lacks them. */
  readonly isTransparent: boolean;
  /** In the order of their numbers, with the unknown fields last. Filled in once all messages are known. */
  fields: FieldNode[] = [];
  /** Members of each oneof. */
  oneofs: FieldNode[][] = [];
  hasRequired = false;
  /** True for keys that the reader adds and no field has: `$unknown`, `@type`, and names of oneofs with the name of a member. */
  isOther: (key: string, item: unknown) => boolean = isMark;
  /** Bytes of the last message's length. */
  head = 1;

  constructor(name: string, kind: number, isValue: boolean, isTransparent = isValue) {
    this.name = name;
    this.kind = kind;
    this.isValue = isValue;
    this.isTransparent = isTransparent;
  }
}

/** Node of an Any whose type is known, and the keys of its two fields. */
interface AnyNode {
  readonly node: MessageNode;
  readonly typeKey: string;
  readonly valueKey: string;
}

/** True for a key that no field can have. Other libraries add such keys, for example `$typeName`. */
function isMark(key: string): boolean {
  return key.startsWith('$') || key.startsWith('@');
}

/** Plan for writing the messages of a schema. */
export class WritePlan {
  readonly root: MessageNode;
  readonly byName: ReadonlyMap<string, MessageNode>;
  readonly #anys = new Map<MessageNode | undefined, AnyNode>();

  constructor(schema: ProtobufSchema, options: ProtobufWriteOptions) {
    const values = options.wellKnownTypes === 'value';
    const nodes = schema.messages.map((message) => {
      const kind = wellKnownKind(message);
      return new MessageNode(message.name, kind, values && kind !== PLAIN);
    });
    const enums = schema.enums.map((item) => new EnumNode(item, values));
    for (const [index, message] of schema.messages.entries()) {
      const keys = keysOf(message, options.names ?? 'json', true, false);
      const fields = message.fields.map((field, at) => {
        const op = opOf(schema, field);
        return new FieldNode(
          keys[at]!,
          op,
          field,
          message.mapEntry,
          isMessage(field) ? nodes[field.ref] : undefined,
          field.type === ENUM ? enums[field.ref] : undefined,
        );
      });
      const node = nodes[index]!;
      node.fields = fields.toSorted((a, b) => a.tag - b.tag);
      node.oneofs = message.oneofs
        .map((_, oneof) => fields.filter((__, at) => message.fields[at]!.oneof === oneof))
        .filter(({ length }) => length > 1);
      node.hasRequired = options.partial !== true && fields.some(({ isRequired }) => isRequired);
      const oneofKeys = new Set(keys.slice(fields.length));
      if (oneofKeys.size > 0) node.isOther = (key, item) => isMark(key) || (typeof item === 'string' && oneofKeys.has(key));
      if (options.unknown !== 'drop' && !message.mapEntry) node.fields.push(UNKNOWN_FIELD);
    }
    this.root = nodes[schema.root]!;
    this.byName = new Map(nodes.map((node) => [node.name, node]));
  }

  /** Node of an Any given as its two fields, the second of which is a message of a type, or bytes. */
  anyOf(message: MessageNode | undefined): AnyNode {
    let known = this.#anys.get(message);
    if (known === undefined) {
      const node = new MessageNode('google.protobuf.Any', PLAIN, false, true);
      const [type, value] = this.byName.get(node.name)!.fields as [FieldNode, FieldNode];
      node.fields = [
        type,
        message === undefined ? value : new FieldNode(value.key, SUBMESSAGE, messageField(value.key, 2), false, message, undefined),
      ];
      known = { node, typeKey: type.key, valueKey: value.key };
      this.#anys.set(message, known);
    }
    return known;
  }
}

const UNKNOWN_FIELD = new FieldNode(UNKNOWN_KEY, UNKNOWN, messageField(UNKNOWN_KEY, 0), false, undefined, undefined);

/** A message field outside the schema. */
function messageField(name: string, number: number): FieldSchema {
  return {
    name,
    jsonName: name,
    number,
    type: MESSAGE,
    ref: -1,
    repeated: false,
    presence: 'explicit',
    oneof: -1,
    default: undefined,
    packed: false,
    utf8: false,
  };
}

function isMessage({ type }: FieldSchema): boolean {
  return type === MESSAGE || type === GROUP;
}

function opOf({ messages }: ProtobufSchema, field: FieldSchema): number {
  const { type, ref, repeated, packed } = field;
  if (!isMessage(field)) return !repeated ? type : packed && isPackable(type) ? PACKED : LIST;
  if (!repeated) return SUBMESSAGE;
  return messages[ref]!.mapEntry ? MAP : MESSAGES;
}

const plans = new Plans<ProtobufSchema, ProtobufWriteOptions, WritePlan>(
  ['names', 'unknown', 'wellKnownTypes', 'partial'],
  (schema, options) => new WritePlan(schema, options),
);

/** The plan for a schema and options, cached. */
export function writePlanFor(schema: ProtobufSchema, options: ProtobufWriteOptions): WritePlan {
  return plans.get(schema, options);
}

/** Index of the field with a key, if the fields before it, starting at `from`, are absent; otherwise −1. */
export function nextWith(fields: readonly FieldNode[], from: number, key: string, value: object): number {
  for (let index = from; index < fields.length; index += 1) {
    const { key: own } = fields[index]!;
    if (own === key) return index;
    if (Object.hasOwn(value, own)) return -1;
  }
  return -1;
}

/** Throws an EncodeError if a message has two members of a oneof. */
export function checkOneofs({ oneofs }: MessageNode, value: Record<string, unknown>): void {
  for (const members of oneofs) {
    let first: string | undefined;
    for (const { key, enumType } of members) {
      if (!Object.hasOwn(value, key) || value[key] === undefined || (value[key] === null && enumType?.isNull !== true)) continue;
      if (first !== undefined) throw new EncodeError('type', `a oneof must not have two members: ${first} and ${key}`);
      first = key;
    }
  }
}

/** True if null is a value of the field rather than its absence. */
export function takesNull({ message, enumType, op }: FieldNode): boolean {
  if (op === SUBMESSAGE) return message!.isValue && message!.name === 'google.protobuf.Value';
  return op !== PACKED && op !== LIST && enumType?.isNull === true;
}
