import { LimitError } from '../../../errors.ts';

/** The types of Avro (https://avro.apache.org/docs/1.12.0/specification/). */
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

/** By type its name in a schema; `error` is a record. */
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

/** Logical types. One that does not fit its type, or is not known, counts as none. */
export const NO_LOGICAL = 0;
export const DECIMAL = 1;
export const DATE = 2;
/** `time-millis` and `time-micros`, which are what their type is. */
export const TIME = 3;
/** Instants and local timestamps, from the coarsest on. */
export const MILLIS = 4;
export const MICROS = 5;
export const NANOS = 6;
export const DURATION = 7;
export const UUID = 8;

/** One field of a record. Plain data. */
export interface AvroField {
  name: string;
  aliases: string[];
  /** Index of its type. */
  type: number;
  /** As the schema has it; absent where it has none. */
  default?: unknown;
}

/** One type of a schema. Plain data; what a type of its kind does not have is empty. */
export interface AvroType {
  kind: number;
  /** The full name of a named type, else the kind's name. */
  name: string;
  /** Full names. */
  aliases: string[];
  logical: number;
  fields: AvroField[];
  symbols: string[];
  /** The symbol that stands for those which a reader does not know. */
  default: string | undefined;
  /** Bytes of a fixed. */
  size: number;
  /** Index of the type of an array's items or a map's values; −1 elsewhere. */
  items: number;
  /** Indices of a union's types. */
  branches: number[];
  precision: number;
  scale: number;
}

/** A schema: every type in it, named types once. Plain data. */
export interface AvroTypes {
  root: number;
  types: AvroType[];
  /** The JSON that it was read from, as a container's header holds it. */
  json: string;
}

/** What `compileSchema` returns. Plain data. */
export interface AvroSchema {
  /** What plain data are written with. */
  writerSchema: AvroTypes | undefined;
  /** What data are read as; undefined where that is what they are written with. */
  readerSchema: AvroTypes | undefined;
  /** Schemas that single objects name, by the hexadecimal digits of their fingerprint's bytes. */
  registered: Record<string, AvroTypes>;
}

/**
 * Counts what a schema is expanded to when it is compiled: the values of defaults, which may name other defaults, and the
 * fields of records that are read as those of another schema. Both can be far more than the schema's text.
 */
export class Steps {
  #left: number;

  constructor(...schemas: readonly AvroTypes[]) {
    this.#left = schemas.reduce((sum, { json }) => sum + json.length, FREE_STEPS);
  }

  /** Throws a LimitError where it is more than the text of the schemas allows. */
  take(count: number): void {
    this.#left -= count;
    if (this.#left >= 0) return;
    throw new LimitError('expansion', 'the Avro schema expands to too much: its defaults contain each other, or its records match many others');
  }
}

const FREE_STEPS = 200_000;

/** The types that have a name of their own. */
export function isNamed(kind: number): boolean {
  return kind === RECORD || kind === ENUM || kind === FIXED;
}

/** By type whether its values take no bytes at all: null, an empty fixed, and records of nothing else. */
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

/** Whether a union has types whose values are told apart only if they are wrapped, as avsc has it. */
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
