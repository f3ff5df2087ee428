import * as fixed from '../../../bytes/fixed-scalars.ts';
import { internalized } from '../../../engine/internalized.ts';
import {
  BITS,
  BOOL,
  type CapnProtoSchema,
  ENUM,
  type FieldSchema,
  FLOAT32,
  FLOAT64,
  GROUP,
  INT16,
  INT32,
  INT64,
  INT8,
  isPointer,
  LIST,
  NO_UNION,
  STRUCT,
  UINT16,
  UINT32,
  UINT64,
  UINT8,
} from '../schema/schema.ts';

/** How each scalar type of the schema is written. */
const KINDS: Readonly<Record<number, number>> = {
  [BOOL]: fixed.BOOL,
  [INT8]: fixed.INT8,
  [UINT8]: fixed.UINT8,
  [INT16]: fixed.INT16,
  [UINT16]: fixed.UINT16,
  [ENUM]: fixed.UINT16,
  [INT32]: fixed.INT32,
  [UINT32]: fixed.UINT32,
  [INT64]: fixed.INT64,
  [UINT64]: fixed.UINT64,
  [FLOAT32]: fixed.FLOAT32,
  [FLOAT64]: fixed.FLOAT64,
};

/** Plan for writing the values of a type. */
export class TypeNode {
  readonly type: number;
  /** How a scalar is written. */
  readonly kind: number;
  /** Plan for the items of a list. */
  item: TypeNode | undefined = undefined;
  struct: StructNode | undefined = undefined;
  enumName = '';
  /** Values of an enum by name. */
  names: ReadonlyMap<string, number> = new Map();

  constructor(type: number) {
    this.type = type;
    this.kind = KINDS[type] ?? 0;
  }
}

/** Plan for writing a field. */
export interface FieldNode {
  readonly key: string;
  readonly node: TypeNode;
  /** Byte position of a scalar in the data section, or index of a pointer. */
  readonly position: number;
  /** Bit of a boolean in its byte. */
  readonly bit: number;
  /** Bits of the default. */
  readonly low: number;
  readonly high: number;
  /** Discriminant of a union's member; −1 for other fields. */
  readonly member: number;
  readonly isPointer: boolean;
}

/** Plan for writing a struct or a group. */
export class StructNode {
  readonly name: string;
  fields: FieldNode[] = [];
  members: FieldNode[] = [];
  hasGroups = false;
  /** Pointer fields and their keys; only for structs without groups. */
  pointerFields: FieldNode[] = [];
  pointerKeys: string[] = [];
  /** Byte position of the discriminant; −1 without a union. */
  discriminant = -1;
  dataWords = 0;
  pointers = 0;

  constructor(name: string) {
    this.name = name;
  }
}

const plans = new WeakMap<CapnProtoSchema, StructNode>();

/** Plan for writing messages of a schema. */
export function writePlanFor(schema: CapnProtoSchema): StructNode {
  let root = plans.get(schema);
  if (root === undefined) plans.set(schema, (root = compile(schema)));
  return root;
}

function compile({ types, structs, enums, root }: CapnProtoSchema): StructNode {
  const nodes = types.map(({ type }) => new TypeNode(type));
  const structNodes = structs.map(({ name }) => new StructNode(name));
  for (const [index, { type, ref }] of types.entries()) {
    const node = nodes[index]!;
    if (type === LIST) node.item = nodes[ref]!;
    else if (type === STRUCT || type === GROUP) node.struct = structNodes[ref]!;
    else if (type === ENUM) {
      node.enumName = enums[ref]!.name;
      node.names = new Map(enums[ref]!.names.map((name, value) => [name, value]));
    }
  }
  const fieldOf = ({ name, type, offset, discriminant, low, high }: FieldSchema): FieldNode => {
    const node = nodes[type]!;
    const bits = BITS[node.type]!;
    return {
      key: internalized(name),
      node,
      position: isPointer(node.type) ? offset : Math.floor((offset * bits) / 8),
      bit: node.type === BOOL ? offset % 8 : 0,
      low,
      high,
      member: discriminant === NO_UNION ? -1 : discriminant,
      isPointer: isPointer(node.type),
    };
  };
  for (const [index, { fields, union, discriminantOffset }] of structs.entries()) {
    const node = structNodes[index]!;
    node.fields = fields.map(fieldOf);
    node.hasGroups = node.fields.some(({ node: type }) => type.type === GROUP);
    node.pointerFields = node.fields.filter((field) => field.isPointer);
    node.pointerKeys = node.pointerFields.map(({ key }) => key);
    node.members = node.fields.filter(({ member }) => member >= 0);
    node.discriminant = union ? discriminantOffset * 2 : -1;
  }
  for (const node of structNodes) measure(node, node, new Set());
  return structNodes[root]!;
}

/** Measures a struct, including the fields of its groups. */
function measure(target: StructNode, from: StructNode, seen: Set<StructNode>): void {
  // A group that occurs several times has its fields in the same position.
  if (seen.has(from)) return;
  seen.add(from);
  const dataBytes = (end: number): void => {
    target.dataWords = Math.max(target.dataWords, Math.ceil(end / 8));
  };
  if (from.discriminant >= 0) dataBytes(from.discriminant + 2);
  for (const { node, position, isPointer: isOutside } of from.fields) {
    if (node.type === GROUP) measure(target, node.struct!, seen);
    else if (isOutside) target.pointers = Math.max(target.pointers, position + 1);
    else dataBytes(position + Math.ceil(BITS[node.type]! / 8));
  }
}
