import { SchemaError } from '../../../errors.ts';
import { internalized } from '../../../writing/internalized.ts';
import { Plans } from '../../plans.ts';
import { defaultBytes } from '../schema/default-bytes.ts';
import type { AvroWriteOptions } from '../options.ts';
import * as avro from '../schema/schema.ts';
import type { AvroType, AvroTypes, Steps } from '../schema/schema.ts';

/** What a node writes. */
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
export const FIXED = 12;
/** A union of null and one other type, whose values are not wrapped. */
export const NULLABLE = 13;
/** A union whose type is found by the value. */
export const PLAIN_UNION = 14;
/** A union whose values are wrapped. */
export const WRAPPED_UNION = 15;
export const DATE = 16;
/** A timestamp, whose `scale` is how many of its units a millisecond has. */
export const INSTANT = 17;
export const DECIMAL = 18;
export const DURATION = 19;
export const UUID = 20;
/** Data one after the other: no type of a schema. */
export const SEQUENCE = 21;

/** What writes the values of a type. What a node of its kind does not have is empty. */
export class WriteNode {
  op: number;
  /** The type's name. */
  name: string;
  fields: WriteField[] = [];
  /** Of an array, a map or a sequence; of a NULLABLE the type that is not null. */
  item: WriteNode | undefined = undefined;
  branches: readonly WriteNode[] = [];
  /** The index of null in a union; −1 where it has none. */
  nullIndex = -1;
  symbols: readonly string[] = [];
  /** Bytes of a fixed; −1 where a decimal is of type bytes. */
  size = -1;
  precision = 0;
  scale = 0;
  /** What precedes each datum of a sequence. */
  prefix: Uint8Array | undefined = undefined;
  /** Whether decimal text stands for a long. */
  takesText = false;
  #places: Map<string, number> | undefined;

  constructor(op: number, name: string) {
    this.op = op;
    this.name = name;
  }

  /** The index of a symbol of an enum, or of the type of a union that has the name; −1 where there is none. */
  indexOf(name: unknown): number {
    this.#places ??= new Map((this.op === ENUM ? this.symbols : this.branches.map((branch) => branch.name)).map((one, index) => [one, index]));
    return this.#places.get(name as string) ?? -1;
  }
}

export class WriteField {
  readonly name: string;
  readonly node: WriteNode;
  /** The bytes of its default; undefined where it has none. */
  readonly fallback: Uint8Array | undefined;

  constructor(name: string, node: WriteNode, fallback: Uint8Array | undefined) {
    this.name = internalized(name);
    this.node = node;
    this.fallback = fallback;
  }
}

const plans = new Plans<AvroTypes, AvroWriteOptions, WriteNode>(['unions', 'int64', 'logicalTypes'], (types, options) =>
  new Compiler(types, options).root(),
);

/** What writes data of a schema. Throws a SchemaError where a default does not fit its type. */
export function writePlanFor(types: AvroTypes, options: AvroWriteOptions): WriteNode {
  return plans.get(types, options);
}

const PRIMITIVES: readonly number[] = [NULL, BOOLEAN, INT, LONG, FLOAT, DOUBLE, BYTES, STRING];
const UNITS = new Map([
  [avro.MILLIS, 1],
  [avro.MICROS, 1000],
  [avro.NANOS, 1_000_000],
]);

class Compiler {
  readonly #schema: AvroTypes;
  readonly #options: AvroWriteOptions;
  readonly #nodes = new Map<number, WriteNode>();
  readonly #steps: Steps;

  constructor(schema: AvroTypes, options: AvroWriteOptions) {
    this.#schema = schema;
    this.#steps = new avro.Steps(schema);
    this.#options = options;
  }

  root(): WriteNode {
    return this.#node(this.#schema.root);
  }

  #node(index: number): WriteNode {
    const known = this.#nodes.get(index);
    if (known !== undefined) return known;
    const type = this.#schema.types[index]!;
    const node = new WriteNode(PRIMITIVES[type.kind] ?? NULL, type.name);
    this.#nodes.set(index, node);
    if (type.kind === avro.LONG) node.takesText = this.#options.int64 === 'string';
    if (type.logical !== avro.NO_LOGICAL && this.#options.logicalTypes !== false && setLogical(node, type)) return node;
    switch (type.kind) {
      case avro.FIXED:
        node.op = FIXED;
        node.size = type.size;
        break;
      case avro.ENUM:
        node.op = ENUM;
        node.symbols = type.symbols;
        break;
      case avro.ARRAY:
      case avro.MAP:
        node.op = type.kind === avro.MAP ? MAP : ARRAY;
        node.item = this.#node(type.items);
        break;
      case avro.RECORD:
        node.op = RECORD;
        node.fields = type.fields.map((field) => new WriteField(field.name, this.#node(field.type), this.#fallback(type, field)));
        break;
      case avro.UNION:
        this.#union(node, index, type);
        break;
      default:
    }
    return node;
  }

  #fallback({ name }: AvroType, field: avro.AvroField): Uint8Array | undefined {
    if (!('default' in field)) return undefined;
    const bytes = defaultBytes(this.#schema, field.type, field.default, this.#steps);
    if (bytes === undefined) throw new SchemaError(`the default of ${name}.${field.name} does not fit its type`);
    return bytes;
  }

  #union(node: WriteNode, index: number, { branches }: AvroType): void {
    const { unions = 'auto' } = this.#options;
    const isWrapped = unions === 'auto' ? avro.isAmbiguous(this.#schema, index) : unions === 'wrapped';
    node.nullIndex = branches.findIndex((branch) => this.#schema.types[branch]!.kind === avro.NULL);
    node.op = isWrapped ? WRAPPED_UNION : branches.length === 2 && node.nullIndex >= 0 ? NULLABLE : PLAIN_UNION;
    node.branches = branches.map((branch) => this.#node(branch));
    if (node.op === NULLABLE) node.item = node.branches[1 - node.nullIndex]!;
  }
}

/** Whether the values are taken as what the logical type means. */
function setLogical(node: WriteNode, { kind, logical, size, precision, scale }: AvroType): boolean {
  if (kind === avro.FIXED) node.size = size;
  switch (logical) {
    case avro.DATE:
      node.op = DATE;
      return true;
    case avro.MILLIS:
    case avro.MICROS:
    case avro.NANOS:
      node.op = INSTANT;
      node.scale = UNITS.get(logical)!;
      return true;
    case avro.DECIMAL:
      node.op = DECIMAL;
      node.precision = precision;
      node.scale = scale;
      return true;
    case avro.DURATION:
      node.op = DURATION;
      return true;
    case avro.UUID:
      if (kind !== avro.FIXED) return false;
      node.op = UUID;
      return true;
    default:
      return false;
  }
}
