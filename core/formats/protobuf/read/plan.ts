import { Constants } from '../../../reading/constants.ts';
import { SchemaError } from '../../../errors.ts';
import { Plans } from '../../../format/plans.ts';
import { keysOf, PLAIN, wellKnownKind } from '../schema/names.ts';
import type { ProtobufOptions } from '../options.ts';
import {
  BOOL,
  DOUBLE,
  ENUM,
  type EnumSchema,
  type FieldSchema,
  FLOAT,
  GROUP,
  I32,
  I64,
  INT64,
  isPackable,
  LEN,
  MESSAGE,
  type ProtobufSchema,
  SINT64,
  STRING,
  UINT64,
  WIRE,
} from '../schema/schema.ts';

export { ANY, DURATION, FIELD_MASK, PLAIN, TIMESTAMP, UNKNOWN_KEY, UNWRAPPED } from '../schema/names.ts';

/** Field types beyond those of the schema: an enum sent as its name, and an enum that stands for null (NullValue). */
export const ENUM_NAME = 19;
export const NULL_VALUE = 20;
/** A string that need not be UTF-8. */
export const RAW_STRING = 21;
export const OTHER = 0;
export const UNLESS_ZERO = 32;

/** Shape of a field: one scalar, one message, a list of scalars, a list of messages, or a map. */
export const SCALAR = 0;
export const SUBMESSAGE = 1;
export const LIST = 2;
export const MESSAGES = 3;
export const MAP = 4;

/** Flags of a field. */
const SKIP_ZERO = 1;
const REQUIRED = 2;
/** Its default is sent if it is missing. */
export const DEFAULTED = 4;
/** A closed enum, which accepts only the numbers it names; for a map, its values' enum is closed. */
export const CLOSED = 8;
/** Its default is the number 0. */
export const ZERO = 16;

/** Bits of a tag's entry, and the shifts of `quick` and of the field's index. Entry 0 is an unknown field. */
const KNOWN = 1;
/** The value is a packed list. */
export const PACKED = 2;
/** The field is in a oneof or has a closed enum. */
export const CAREFUL = 4;
/** Occurrences add up: lists, maps and messages. */
export const MANY = 8;
export const QUICK = 4;
export const INDEX = 10;

/** Tags below this have their entry in a table, others in a Map. A message with few fields has a shorter table. */
const MAX_DENSE = 4096;
const MIN_DENSE = 256;
const DENSE_EACH = 64;

export const UNKNOWN_KEYS = ['number', 'wireType', 'data'] as const;

/** A schema and options compiled into flat tables for the reader. */
export class Plan {
  readonly root: number;
  readonly int64: 'auto' | 'number' | 'bigint' | 'string';
  /** True if 64-bit integers become numbers where exact. */
  readonly sendsNumbers: boolean;
  readonly mapsAsObjects: boolean;
  readonly keepUnknown: boolean;
  readonly oneofKeys: boolean;
  readonly sendsDefaults: boolean;
  readonly checksRequired: boolean;

  // Per message:
  readonly names: readonly string[];
  readonly first: Int32Array;
  readonly count: Int32Array;
  readonly oneofCount: Int32Array;
  readonly kind: Uint8Array;
  /** Entry of a field by tag: `index << INDEX` and bits. */
  readonly tables: readonly Int32Array[];
  readonly otherTags: readonly ReadonlyMap<number, number>[];
  /** Keys of the record: the fields, then the oneofs and the unknown fields if the options ask for them. */
  readonly keys: readonly (readonly string[])[];
  readonly required: readonly (readonly number[])[];
  /** 1 if a message whose fields come in the order of their numbers may be read in a single pass. */
  readonly inOrder: Uint8Array;

  // Per field; the fields of a message begin at `first`.
  readonly type: Uint8Array;
  /** Wire type of one value, and its bytes (0 if they vary). */
  readonly wire: Uint8Array;
  readonly sizes: Uint8Array;
  readonly ref: Int32Array;
  readonly shape: Uint8Array;
  readonly flags: Uint8Array;
  /** Type of a scalar, plus `UNLESS_ZERO` if zero is not sent; `OTHER` for anything else. */
  readonly quick: Uint8Array;
  readonly number: Int32Array;
  /** Index in the message's oneofs, −1 if in none. */
  readonly oneof: Int32Array;
  readonly fields: readonly FieldSchema[];

  /** Strings from outside the input: names of enums and fields. */
  readonly constants: Constants;
  /** Constant of a number, per enum. */
  readonly enums: readonly ReadonlyMap<number, number>[];
  /** Constant of the name, per field. */
  readonly fieldNames: Int32Array;

  readonly #byName: ReadonlyMap<string, number>;

  constructor(schema: ProtobufSchema, options: ProtobufOptions) {
    const { messages } = schema;
    const values = options.wellKnownTypes === 'value';
    this.root = schema.root;
    this.int64 = options.int64 ?? 'auto';
    this.sendsNumbers = this.int64 === 'auto' || this.int64 === 'number';
    this.mapsAsObjects = options.maps !== 'map';
    this.keepUnknown = options.unknown === 'keep';
    this.oneofKeys = options.oneofs ?? false;
    this.sendsDefaults = options.defaults !== 'none';
    this.checksRequired = !(options.partial ?? false);

    this.names = messages.map(({ name }) => name);
    this.#byName = new Map(messages.map(({ name }, index) => [name, index]));
    this.count = Int32Array.from(messages, ({ fields }) => fields.length);
    this.oneofCount = Int32Array.from(messages, ({ oneofs }) => oneofs.length);
    this.first = new Int32Array(messages.length);
    for (let i = 1; i < messages.length; i += 1) this.first[i] = this.first[i - 1]! + this.count[i - 1]!;
    this.kind = Uint8Array.from(messages, (message) => (values ? wellKnownKind(message) : PLAIN));
    this.keys = messages.map((message) => keysOf(message, options.names ?? 'json', this.oneofKeys, this.keepUnknown));
    this.required = messages.map(({ fields }) => fields.flatMap(({ presence }, index) => (presence === 'required' ? [index] : [])));

    const fields = messages.flatMap((message) => message.fields);
    this.fields = fields;
    this.ref = Int32Array.from(fields, ({ ref }) => ref);
    this.wire = Uint8Array.from(fields, ({ type }) => WIRE[type]!);
    this.sizes = this.wire.map((wire) => (wire === I64 ? 8 : wire === I32 ? 4 : 0));
    this.number = Int32Array.from(fields, ({ number }) => number);
    this.oneof = Int32Array.from(fields, ({ oneof }) => oneof);
    this.type = Uint8Array.from(fields, ({ type, ref, utf8 }) => {
      if (type === STRING && !utf8) return RAW_STRING;
      if (type !== ENUM) return type;
      if (values && schema.enums[ref]!.name === 'google.protobuf.NullValue') return NULL_VALUE;
      return options.enums === 'name' ? ENUM_NAME : ENUM;
    });
    this.shape = Uint8Array.from(fields, ({ type, ref, repeated }) => {
      if (type !== MESSAGE && type !== GROUP) return repeated ? LIST : SCALAR;
      if (!repeated) return SUBMESSAGE;
      return messages[ref]!.mapEntry ? MAP : MESSAGES;
    });
    this.flags = Uint8Array.from(fields, (field, index) => {
      const { presence } = field;
      const implicit = presence === 'implicit' && field.oneof < 0;
      const all = options.defaults === 'all' && field.oneof < 0 && presence !== 'optional';
      const wanted = implicit || all || this.shape[index]! >= LIST;
      return (
        (implicit && this.shape[index] === SCALAR && !this.sendsDefaults ? SKIP_ZERO : 0) |
        (presence === 'required' ? REQUIRED : 0) |
        (wanted && this.sendsDefaults ? DEFAULTED : 0) |
        (isClosed(schema, field) ? CLOSED : 0) |
        (this.shape[index] === SCALAR && !field.default && this.#isInteger(this.type[index]!) ? ZERO : 0)
      );
    });

    this.quick = this.type.map((type, index) =>
      this.shape[index] !== SCALAR ? OTHER : (this.flags[index]! & SKIP_ZERO) === 0 ? type : type | UNLESS_ZERO,
    );

    this.inOrder = Uint8Array.from(messages, ({ fields, oneofs }, index) => {
      const ascending = fields.every(({ number }, at) => at === 0 || number > fields[at - 1]!.number);
      const closed = fields.some((_, at) => (this.flags[this.first[index]! + at]! & CLOSED) !== 0);
      const plain = this.kind[index] === PLAIN && oneofs.length === 0 && this.required[index]!.length === 0;
      return plain && ascending && !closed && !this.keepUnknown ? 1 : 0;
    });

    const dense: Int32Array[] = [];
    const otherTags: Map<number, number>[] = [];
    for (const [index, { fields }] of messages.entries()) {
      const most = fields.reduce((tag, { number }) => Math.max(tag, number * 8 + 8), 8);
      const table = new Int32Array(Math.min(most, MAX_DENSE, MIN_DENSE + fields.length * DENSE_EACH));
      const others = new Map<number, number>();
      for (const [local, { number, type, repeated, oneof }] of fields.entries()) {
        const field = this.first[index]! + local;
        const careful = oneof >= 0 || (this.flags[field]! & CLOSED) !== 0 ? CAREFUL : 0;
        const entry = (local << INDEX) | (this.quick[field]! << QUICK) | KNOWN | careful | (this.shape[field] === SCALAR ? 0 : MANY);
        const set = (tag: number, value: number): void => {
          if (tag < table.length) table[tag] = value;
          else others.set(tag, value);
        };
        set(number * 8 + WIRE[type]!, entry);
        if (repeated && isPackable(type)) set(number * 8 + LEN, entry | PACKED);
      }
      dense.push(table);
      otherTags.push(others);
    }
    this.tables = dense;
    this.otherTags = otherTags;

    const constants: string[] = [];
    const known = new Map<string, number>();
    const constant = (text: string): number => {
      let index = known.get(text);
      if (index === undefined) known.set(text, (index = constants.push(text) - 1));
      return index;
    };
    this.enums = schema.enums.map((type) => numberNames(type, constant));
    this.fieldNames = Int32Array.from(messages.flatMap(({ fields }, index) => fields.map((_, local) => constant(this.keys[index]![local]!))));
    this.constants = new Constants(constants);
  }

  /** Index of the message type with a full name, −1 if unknown. */
  messageNamed(name: string): number {
    return this.#byName.get(name) ?? -1;
  }

  /** The entry of a tag in a message. */
  entry(type: number, tag: number): number {
    const table = this.tables[type]!;
    return tag < table.length ? table[tag]! : (this.otherTags[type]!.get(tag) ?? 0);
  }

  /** True if the enum of a field has a name for a number. */
  isNamed(field: number, value: number): boolean {
    return this.enums[this.ref[field]!]!.has(value);
  }

  /** True if values of a field's type are sent as integers. */
  #isInteger(type: number): boolean {
    if (type === BOOL || type > SINT64 || WIRE[type] === LEN || type === DOUBLE || type === FLOAT) return false;
    const isLong = type === INT64 || type === UINT64 || type === SINT64 || WIRE[type] === I64;
    return this.sendsNumbers || !isLong;
  }
}

function isClosed({ enums, messages }: ProtobufSchema, { type, ref }: FieldSchema): boolean {
  if (type === ENUM) return enums[ref]!.closed;
  if (type !== MESSAGE) return false;
  const { mapEntry, fields } = messages[ref]!;
  return mapEntry && fields[1]!.type === ENUM && enums[fields[1]!.ref]!.closed;
}

function numberNames({ names, numbers }: EnumSchema, constant: (text: string) => number): Map<number, number> {
  const byNumber = new Map<number, number>();
  for (const [index, number] of numbers.entries()) {
    if (!byNumber.has(number)) byNumber.set(number, constant(names[index]!));
  }
  return byNumber;
}

/** Options that a plan depends on. */
export const NAMES = ['names', 'int64', 'enums', 'defaults', 'maps', 'oneofs', 'unknown', 'wellKnownTypes', 'partial'] as const;

const plans = new Plans<ProtobufSchema, ProtobufOptions, Plan>(NAMES, (schema, options) => new Plan(schema, options));

/** The plan for a schema and options, cached. */
export function planFor(schema: ProtobufSchema | undefined, options: ProtobufOptions): Plan {
  if (!schema) throw new SchemaError('a schema is required: set the option schema', undefined, { format: 'protobuf' });
  return plans.get(schema, options);
}
