import { internalized } from '../../../engine/internalized.ts';
import { type BebopSchema, ENUM, type EnumSchema, MESSAGE, STRUCT, UNION } from '../schema/schema.ts';

/** Plan for writing the values of a type. Properties that do not apply to its kind are empty. */
export class WriteNode {
  readonly kind: number;
  /** The name of a record, union or enum. */
  name = '';
  fields: FieldNode[] = [];
  /** The items of an array, or the values of a map. */
  item: WriteNode | undefined = undefined;
  key: WriteNode | undefined = undefined;
  /** By discriminator. */
  branches: ReadonlyMap<number, WriteNode> = new Map();
  /** The kind of an enum's numbers, and their names. */
  base = 0;
  values: ReadonlyMap<string, bigint> = new Map();
  isFlags = false;

  constructor(kind: number) {
    this.kind = kind;
  }
}

/** Plan for writing a field of a struct or message. */
export class FieldNode {
  readonly name: string;
  readonly node: WriteNode;
  /** The number before it in a message. */
  readonly index: number;
  /** True for a field of a message that bebopc's code reads, but does not write. */
  readonly isDeprecated: boolean;

  constructor(name: string, node: WriteNode, index: number, isDeprecated: boolean) {
    this.name = internalized(name);
    this.node = node;
    this.index = index;
    this.isDeprecated = isDeprecated;
  }
}

const plans = new WeakMap<BebopSchema, WriteNode>();

/** The plan for writing payloads of a schema, made once. */
export function writePlanFor(schema: BebopSchema): WriteNode {
  let root = plans.get(schema);
  if (root === undefined) plans.set(schema, (root = compile(schema)));
  return root;
}

function compile({ types, records, unions, enums, root }: BebopSchema): WriteNode {
  const nodes = types.map(({ kind }) => new WriteNode(kind));
  for (const [index, { kind, ref, key }] of types.entries()) {
    const node = nodes[index]!;
    if (kind === ENUM) setEnum(node, enums[ref]!);
    else if (kind === UNION) {
      node.name = unions[ref]!.name;
      node.branches = new Map(unions[ref]!.branches.map(({ discriminator, type }) => [discriminator, nodes[type]!]));
    } else if (key >= 0) {
      node.key = nodes[key]!;
      node.item = nodes[ref]!;
    } else if (ref >= 0 && records[ref] !== undefined && isRecord(kind)) {
      node.name = records[ref].name;
      node.fields = records[ref].fields.map(
        ({ name, type, index: number, isDeprecated = false }) => new FieldNode(name, nodes[type]!, number, isDeprecated),
      );
    } else if (ref >= 0) node.item = nodes[ref]!;
  }
  return nodes[root]!;
}

function isRecord(kind: number): boolean {
  return kind === MESSAGE || kind === STRUCT;
}

function setEnum(node: WriteNode, { name, base, flags, names, values }: EnumSchema): void {
  node.name = name;
  node.base = base;
  node.isFlags = flags;
  node.values = new Map(names.map((one, index) => [one, values[index]!]));
}
