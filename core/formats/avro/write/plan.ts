import { SchemaError } from '../../../errors.ts';
import { internalized } from '../../../engine/internalized.ts';
import { Plans } from '../../../format/plans.ts';
import { defaultBytes } from '../schema/default-bytes.ts';
import type { AvroWriteOptions } from '../options.ts';
import * as avro from '../schema/schema.ts';
import type { AvroType, AvroTypes, Steps } from '../schema/schema.ts';

/** Operation of a node. */
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
/** A union of null and one other type, unwrapped. */
export const NULLABLE = 13;
/** A union whose branch is chosen by the value. */
export const PLAIN_UNION = 14;
/** A union whose values are wrapped. */
export const WRAPPED_UNION = 15;
export const DATE = 16;
/** A timestamp; `scale` is the number of its units per millisecond. */
export const INSTANT = 17;
export const DECIMAL = 18;
export const DURATION = 19;
export const UUID = 20;
/** Consecutive data; not a type of a schema. */
export const SEQUENCE = 21;

/** Plan for writing the values of a type. Properties that do not apply to its operation are empty. */
export class WriteNode {
  op: number;
  /** Name of the type. */
  name: string;
  fields: WriteField[] = [];
  /** Item of an array, a map or a sequence; for NULLABLE, the branch that is not null. */
  item: WriteNode | undefined = undefined;
  branches: readonly WriteNode[] = [];
  /** Index of null in a union, −1 if absent. */
  nullIndex = -1;
  symbols: readonly string[] = [];
  /** Size of a fixed; −1 for a decimal of type bytes. */
  size = -1;
  precision = 0;
  scale = 0;
  /** Bytes before each datum of a sequence. */
  prefix: Uint8Array | undefined = undefined;
  /** True if a long may be given as decimal text. */
  takesText = false;
  #indices: Map<string, number> | undefined;

  constructor(op: number, name: string) {
    this.op = op;
    this.name = name;
  }

  /** Index of an enum's symbol, or of the union branch with a name; −1 if unknown. */
  indexOf(name: unknown): number {
    this.#indices ??= new Map((this.op === ENUM ? this.symbols : this.branches.map((branch) => branch.name)).map((one, index) => [one, index]));
    return this.#indices.get(name as string) ?? -1;
  }
}

export class WriteField {
  readonly name: string;
  readonly node: WriteNode;
  /** Bytes of its default; undefined if it has none. */
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

/** Plan for writing data of a schema. Throws a SchemaError if a default does not fit its type. */
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

/** Sets up the conversion of a logical type. Returns false if values are given in the underlying type. */
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
