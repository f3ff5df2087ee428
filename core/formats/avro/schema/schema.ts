import { BYTES_PER_VALUE } from '../../../budget.ts';
import { LimitError } from '../../../errors.ts';

/** Types of Avro (https://avro.apache.org/docs/1.12.0/specification/). */
export const NULL = 0;
export const BOOLEAN = 1;
export const INT = 2;
export const LONG = 3;
export const FLOAT = 4;
export const DOUBLE = 5;
export const BYTES = 6;
export const STRING = 7;
export const RECORD = 8;
export const ENUM = 9;
export const ARRAY = 10;
export const MAP = 11;
export const UNION = 12;
export const FIXED = 13;

/** Names of the types in a schema. `error` is a record. */
export const KINDS = [
  'null',
  'boolean',
  'int',
  'long',
  'float',
  'double',
  'bytes',
  'string',
  'record',
  'enum',
  'array',
  'map',
  'union',
  'fixed',
] as const;

/** Logical types. An unknown one, or one that is invalid for its type, is ignored. */
export const NO_LOGICAL = 0;
export const DECIMAL = 1;
export const DATE = 2;
/** `time-millis` and `time-micros`, which are read like the underlying type. */
export const TIME = 3;
/** Instants and local timestamps, coarsest first. */
export const MILLIS = 4;
export const MICROS = 5;
export const NANOS = 6;
export const DURATION = 7;
export const UUID = 8;

/** Scale of a `big-decimal`, whose values have their own. */
export const OWN_SCALE = -1;

/** One field of a record. Plain data. */
export interface AvroField {
  name: string;
  aliases: string[];
  /** Index of its type. */
  type: number;
  /** As in the schema; absent if there is no default. */
  default?: unknown;
}

/** One type of a schema. Plain data. Properties that do not apply to its kind are empty. */
export interface AvroType {
  kind: number;
  /** Full name of a named type, else the kind's name. */
  name: string;
  /** Full names. */
  aliases: string[];
  logical: number;
  fields: AvroField[];
  symbols: string[];
  /** Symbol that replaces symbols unknown to the reader. */
  default: string | undefined;
  /** Size of a fixed in bytes. */
  size: number;
  /** Index of the type of an array's items or a map's values; −1 for other kinds. */
  items: number;
  /** Indices of a union's branches. */
  branches: number[];
  precision: number;
  scale: number;
}

/** All types of a schema, named types once. Plain data. */
export interface AvroTypes {
  root: number;
  types: AvroType[];
  /** The source JSON, as in a container's header. */
  json: string;
}

/** Result of `compileSchema`. Plain data. */
export interface AvroSchema {
  /** The schema that plain data are written with. */
  writerSchema: AvroTypes | undefined;
  /** The schema to read data as; undefined if it is the writer's. */
  readerSchema: AvroTypes | undefined;
  /** Schemas for single objects, by the hexadecimal digits of the fingerprint's bytes. */
  registered: Record<string, AvroTypes>;
}

/**
 * Counts the expansion of a schema during compilation: the values of defaults, which may refer to other defaults, and
 * the fields of records resolved against another schema. Both can far exceed the schema's text.
 */
export class Steps {
  #left: number;

  constructor(...schemas: readonly AvroTypes[]) {
    this.#left = schemas.reduce((sum, { json }) => sum + json.length, FREE_STEPS);
  }

  /** Throws a LimitError if the count exceeds the allowance for the schemas' text. */
  take(count: number): void {
    this.#left -= count;
    if (this.#left >= 0) return;
    throw new LimitError('expansion', 'the Avro schema expands too far: its defaults contain each other, or its records match many others');
  }

  /** Counts text before it is made of a default. */
  spendText(length: number): void {
    this.take(length / BYTES_PER_VALUE);
  }
}

const FREE_STEPS = 200_000;

/** True for types with a name of their own. */
export function isNamed(kind: number): boolean {
  return kind === RECORD || kind === ENUM || kind === FIXED;
}

/** Per type, 1 if its values take no bytes: null, an empty fixed, and records of only such fields. */
export function findEmptyTypes({ types }: AvroTypes): Uint8Array {
  const empty = new Uint8Array(types.length).fill(1);
  const usedBy: number[][] = types.map(() => []);
  const work: number[] = [];
  types.forEach(({ kind, size, fields }, index) => {
    if (kind === RECORD) for (const { type } of fields) usedBy[type]!.push(index);
    else if (kind !== NULL && !(kind === FIXED && size === 0)) work.push(index);
  });
  for (let next = work.pop(); next !== undefined; next = work.pop()) {
    if (empty[next] === 0) continue;
    empty[next] = 0;
    for (const user of usedBy[next]!) work.push(user);
  }
  return empty;
}

/** True if a union has branches that can be told apart only when wrapped, by the rules of avsc. */
export function isAmbiguous({ types }: AvroTypes, union: number): boolean {
  const groups = types[union]!.branches.map((branch) => groupOf(types[branch]!.kind));
  return new Set(groups).size < groups.length;
}

function groupOf(kind: number): string {
  if (kind === INT || kind === LONG || kind === FLOAT || kind === DOUBLE) return 'number';
  if (kind === BYTES || kind === FIXED) return 'binary';
  if (kind === STRING || kind === ENUM) return 'string';
  return kind === RECORD || kind === MAP ? 'object' : KINDS[kind]!;
}
