import { SchemaError } from '../../../errors.ts';
import {
  ARRAY,
  type AvroField,
  type AvroType,
  type AvroTypes,
  BYTES,
  DATE,
  DECIMAL,
  DURATION,
  ENUM,
  FIXED,
  INT,
  isNamed,
  KINDS,
  LONG,
  MAP,
  MICROS,
  MILLIS,
  NANOS,
  NO_LOGICAL,
  NULL,
  OWN_SCALE,
  RECORD,
  STRING,
  TIME,
  UNION,
  UUID,
} from './schema.ts';

/** Nesting depth of types in a schema's text. */
const MAX_DEPTH = 256;

/** Characters of a full name. */
const MAX_NAME_LENGTH = 1_000;
/** Characters of a symbol, which data repeat with one byte each: as many as a byte of input may expand to by default. */
const MAX_SYMBOL_LENGTH = 256;

const PRIMITIVES = new Map<string, number>(KINDS.slice(NULL, RECORD).map((name, kind) => [name, kind]));
const COMPLEX = new Map<string, number>([
  ['record', RECORD],
  ['error', RECORD],
  ['enum', ENUM],
  ['array', ARRAY],
  ['map', MAP],
  ['fixed', FIXED],
]);

/** Types with a name of their own, as in a schema. */
export const NAMED: ReadonlySet<string> = new Set(['record', 'error', 'enum', 'fixed']);

type Json = Record<string, unknown>;

/**
 * Parses a schema declaration (https://avro.apache.org/docs/1.12.0/specification/#schema-declaration): its JSON, as
 * text or parsed. The bare name of a primitive type is also accepted. Throws a SchemaError.
 */
export function parseSchema(input: unknown): AvroTypes {
  const json = parseJson(input);
  const parser = new Parser();
  const root = parser.type(json, '', 0);
  let text: string;
  try {
    text = JSON.stringify(json);
  } catch {
    throw new SchemaError('an Avro schema with attributes or defaults that are nested too deeply');
  }
  // Types keep nothing of the caller's objects, which may change, or be proxies, which cannot be posted to a worker.
  return json === input ? parseSchema(text) : { root, types: parser.types, json: text };
}

/** The JSON of a schema, which may be text. */
export function parseJson(input: unknown): unknown {
  if (typeof input !== 'string' || PRIMITIVES.has(input)) return input;
  try {
    return JSON.parse(input);
  } catch (error) {
    throw new SchemaError(`an Avro schema that is not JSON: ${(error as Error).message}`);
  }
}

/** Throws if types are nested too deeply. */
export function checkDepth(depth: number): void {
  if (depth > MAX_DEPTH) throw new SchemaError(`an Avro schema must not nest more than ${MAX_DEPTH} levels deep`);
}

class Parser {
  readonly types: AvroType[] = [];
  readonly #named = new Map<string, number>();
  readonly #primitives: number[] = [];

  /** Parses a type. Returns its index. */
  type(json: unknown, namespace: string, depth: number): number {
    checkDepth(depth);
    if (typeof json === 'string') return this.#reference(json, namespace);
    if (Array.isArray(json)) return this.#union(json, namespace, depth);
    if (typeof json !== 'object' || json === null) throw new SchemaError(`invalid Avro type: ${show(json)}`);
    const { type } = json as Json;
    if (typeof type === 'object') return this.type(type, namespace, depth + 1);
    if (typeof type !== 'string') throw new SchemaError(`an Avro type requires "type": ${show(json)}`);
    const primitive = PRIMITIVES.get(type);
    if (primitive !== undefined) return this.#primitive(primitive, json as Json);
    const kind = COMPLEX.get(type);
    if (kind === undefined) return this.#reference(type, namespace);
    return this.#complex(kind, json as Json, namespace, depth);
  }

  #add(kind: number, name: string = KINDS[kind]!): AvroType {
    const type: AvroType = {
      kind,
      name,
      aliases: [],
      logical: NO_LOGICAL,
      fields: [],
      symbols: [],
      default: undefined,
      size: 0,
      items: -1,
      branches: [],
      precision: 0,
      scale: 0,
    };
    this.types.push(type);
    return type;
  }

  #reference(name: string, namespace: string): number {
    const primitive = PRIMITIVES.get(name);
    if (primitive !== undefined) return this.#primitive(primitive, {});
    const found = this.#named.get(qualify(name, namespace)) ?? this.#named.get(name);
    if (found === undefined) throw new SchemaError(`the Avro type ${name} is not defined`);
    return found;
  }

  #primitive(kind: number, json: Json): number {
    if (json['logicalType'] === undefined && this.#primitives[kind] !== undefined) return this.#primitives[kind];
    const type = this.#add(kind);
    if (json['logicalType'] === undefined) this.#primitives[kind] = this.types.length - 1;
    setLogical(type, json);
    return this.types.length - 1;
  }

  #union(json: unknown[], namespace: string, depth: number): number {
    const union = this.#add(UNION);
    const index = this.types.length - 1;
    union.branches = json.map((branch) => this.type(branch, namespace, depth + 1));
    const seen = new Set<string>();
    for (const branch of union.branches) {
      const { kind, name } = this.types[branch]!;
      if (kind === UNION) throw new SchemaError('an Avro union must not contain another union');
      if (seen.has(name)) throw new SchemaError(`an Avro union with a duplicate ${name}`);
      seen.add(name);
    }
    return index;
  }

  #complex(kind: number, json: Json, outer: string, depth: number): number {
    if (!isNamed(kind)) {
      const type = this.#add(kind);
      const index = this.types.length - 1;
      const itemType = json[kind === ARRAY ? 'items' : 'values'];
      if (itemType === undefined) throw new SchemaError(`an Avro ${type.name} requires the type of its items`);
      type.items = this.type(itemType, outer, depth + 1);
      return index;
    }
    const { name: given, namespace: own, aliases } = json;
    if (typeof given !== 'string' || given === '') throw new SchemaError(`an Avro ${KINDS[kind]} without a name`);
    const name = qualify(given, typeof own === 'string' ? own : outer);
    if (this.#named.has(name)) throw new SchemaError(`the Avro type ${name} is defined twice`);
    if (PRIMITIVES.has(name)) throw new SchemaError(`an Avro ${KINDS[kind]} with the name of a primitive type: ${name}`);
    const namespace = name.slice(0, Math.max(0, name.lastIndexOf('.')));
    const type = this.#add(kind, name);
    const index = this.types.length - 1;
    this.#named.set(name, index);
    type.aliases = strings(aliases, `the aliases of ${name}`).map((alias) => qualify(alias, namespace));
    if (kind === RECORD) {
      this.#fields(type, json['fields'], namespace, depth);
    } else if (kind === ENUM) {
      setSymbols(type, json);
    } else {
      const { size } = json;
      if (!Number.isSafeInteger(size) || (size as number) < 0 || (size as number) >= 2 ** 31) {
        throw new SchemaError(`the Avro fixed ${name} has no size: ${show(size)}`);
      }
      type.size = size as number;
      setLogical(type, json);
    }
    return index;
  }

  #fields(record: AvroType, json: unknown, namespace: string, depth: number): void {
    if (!Array.isArray(json)) throw new SchemaError(`the Avro record ${record.name} has no list of fields`);
    const seen = new Set<string>();
    for (const item of json as (Json | null)[]) {
      const { name, type, aliases } = item ?? {};
      if (typeof name !== 'string' || name === '') throw new SchemaError(`a field of the Avro record ${record.name} without a name`);
      if (seen.has(name)) throw new SchemaError(`the Avro record ${record.name} has a duplicate field ${name}`);
      seen.add(name);
      if (type === undefined) throw new SchemaError(`the field ${name} of the Avro record ${record.name} has no type`);
      const field: AvroField = {
        name,
        aliases: strings(aliases, `the aliases of ${record.name}.${name}`),
        type: this.type(type, namespace, depth + 1),
      };
      if (Object.hasOwn(item!, 'default')) field.default = item!['default'];
      record.fields.push(field);
    }
  }
}

function setSymbols(type: AvroType, { symbols, default: symbol }: Json): void {
  if (!Array.isArray(symbols)) throw new SchemaError(`the Avro enum ${type.name} has no symbols`);
  type.symbols = strings(symbols, `the symbols of ${type.name}`);
  if (type.symbols.some(({ length }) => length > MAX_SYMBOL_LENGTH)) {
    throw new SchemaError(`the Avro enum ${type.name} has a symbol of more than ${MAX_SYMBOL_LENGTH} characters`);
  }
  if (new Set(type.symbols).size < type.symbols.length) throw new SchemaError(`the Avro enum ${type.name} has a duplicate symbol`);
  if (symbol === undefined) return;
  if (!type.symbols.includes(symbol as string)) throw new SchemaError(`the default of the Avro enum ${type.name} is not one of its symbols`);
  type.default = symbol as string;
}

/** Digits of a decimal. */
const MAX_DIGITS = 1_000_000;

/**
 * Sets the logical type if it is known and valid for the type
 * (https://avro.apache.org/docs/1.12.0/specification/#logical-types).
 */
function setLogical(type: AvroType, { logicalType, precision, scale = 0 }: Json): void {
  const { kind, size } = type;
  switch (logicalType) {
    case 'decimal': {
      if (kind !== BYTES && kind !== FIXED) return;
      if (!Number.isSafeInteger(precision) || !Number.isSafeInteger(scale)) return;
      const [digits, fraction] = [precision as number, scale as number];
      if (digits < 1 || fraction < 0 || fraction > digits || digits > MAX_DIGITS) return;
      if (kind === FIXED && digits > Math.floor(Math.log10(2) * (8 * size - 1))) return;
      type.logical = DECIMAL;
      type.precision = digits;
      type.scale = fraction;
      return;
    }
    case 'big-decimal':
      if (kind !== BYTES) return;
      type.logical = DECIMAL;
      type.precision = MAX_DIGITS;
      type.scale = OWN_SCALE;
      return;
    case 'date':
      if (kind === INT) type.logical = DATE;
      return;
    case 'time-millis':
      if (kind === INT) type.logical = TIME;
      return;
    case 'time-micros':
      if (kind === LONG) type.logical = TIME;
      return;
    case 'timestamp-millis':
    case 'local-timestamp-millis':
      if (kind === LONG) type.logical = MILLIS;
      return;
    case 'timestamp-micros':
    case 'local-timestamp-micros':
      if (kind === LONG) type.logical = MICROS;
      return;
    case 'timestamp-nanos':
    case 'local-timestamp-nanos':
      if (kind === LONG) type.logical = NANOS;
      return;
    case 'duration':
      if (kind === FIXED && size === 12) type.logical = DURATION;
      return;
    case 'uuid':
      if (kind === STRING || (kind === FIXED && size === 16)) type.logical = UUID;
      return;
    default:
  }
}

/** Full name; a name with a dot is already full. The length is limited, since each short name repeats the namespace. */
export function qualify(name: string, namespace: string): string {
  if (name.length + namespace.length > MAX_NAME_LENGTH) throw new SchemaError(`an Avro name of more than ${MAX_NAME_LENGTH} characters`);
  return name.includes('.') || namespace === '' ? name : `${namespace}.${name}`;
}

function strings(list: unknown, what: string): string[] {
  if (list === undefined || list === null) return [];
  if (!Array.isArray(list) || list.some((item) => typeof item !== 'string')) throw new SchemaError(`${what} must be a list of names`);
  return list as string[];
}

function show(json: unknown): string {
  if (Array.isArray(json)) return 'a list';
  if (typeof json === 'object' && json !== null) return `an object with ${Object.keys(json).slice(0, 4).join(', ') || 'nothing'}`;
  return String(json).slice(0, 80);
}
