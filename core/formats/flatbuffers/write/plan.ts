import * as fixed from '../../../bytes/fixed-scalars.ts';
import { internalized } from '../../../engine/internalized.ts';
import {
  ARRAY,
  BOOL,
  BYTE,
  DOUBLE,
  type EnumSchema,
  type FieldSchema,
  FLOAT,
  type FlatBuffersSchema,
  INT,
  isScalar,
  LONG,
  OBJ,
  SHORT,
  SIZE,
  STRING,
  UBYTE,
  UINT,
  ULONG,
  UNION,
  USHORT,
  UTYPE,
  VECTOR,
  VECTOR64,
} from '../schema/schema.ts';

/** Operations on a field or an item. From TEXT on, values are stored outside the table or vector, which has their offset. */
export const SCALAR = 0;
export const STRUCT = 1;
export const FIXED_ARRAY = 2;
export const TEXT = 3;
export const TABLE = 4;
export const CHOICE = 5;
export const LIST = 6;
export const NESTED = 7;

/** How each scalar type of the schema is written. */
const KINDS: Readonly<Record<number, number>> = {
  [UTYPE]: fixed.UINT8,
  [BOOL]: fixed.BOOL,
  [BYTE]: fixed.INT8,
  [UBYTE]: fixed.UINT8,
  [SHORT]: fixed.INT16,
  [USHORT]: fixed.UINT16,
  [INT]: fixed.INT32,
  [UINT]: fixed.UINT32,
  [LONG]: fixed.INT64,
  [ULONG]: fixed.UINT64,
  [FLOAT]: fixed.FLOAT32,
  [DOUBLE]: fixed.FLOAT64,
};

/** Plan for writing a scalar, an item or a member of a union. */
export interface ValueNode {
  readonly op: number;
  /** How a scalar is written. */
  readonly kind: number;
  readonly size: number;
  readonly align: number;
  readonly object: ObjectNode | undefined;
  readonly enumType: EnumNode | undefined;
}

/** Plan for writing a field. */
export interface FieldNode extends ValueNode {
  readonly key: string;
  readonly id: number;
  /** Offset in a struct. */
  readonly offset: number;
  /** Default of a scalar; undefined if it is absent by default. */
  readonly fallback: number | bigint | undefined;
  readonly isRequired: boolean;
  /** Plan for the items of a vector or array. */
  readonly item: ValueNode | undefined;
  /** Number of items of an array. */
  readonly length: number;
  /** Key of a union's type, or of the types of a vector of unions. */
  readonly typeKey: string;
  /** Index of the type field, −1 for other fields than unions. */
  readonly typeIndex: number;
  /** True if the vector's length has 64 bits. */
  readonly isLong: boolean;
}

/** Numbers of an enum, and the types of a union. */
export class EnumNode {
  readonly name: string;
  readonly isFlags: boolean;
  readonly byName: ReadonlyMap<string, bigint>;
  members: ReadonlyMap<number, ValueNode> = new Map();

  constructor({ name, flags, names, values }: EnumSchema) {
    this.name = name;
    this.isFlags = flags;
    this.byName = new Map(names.map((one, index) => [one, values[index]!]));
  }
}

/** Layout of a table with a certain set of fields, which corresponds to one vtable. */
export interface Layout {
  readonly fields: readonly FieldNode[];
  /** Offset of each field from the table's start. */
  readonly slots: readonly number[];
  /** Indices of the fields stored in the table, and of those stored outside. */
  readonly inside: readonly number[];
  readonly outside: readonly number[];
  readonly size: number;
  readonly align: number;
  readonly vtable: Uint8Array;
}

/** Plan for writing a table or a struct. */
export class ObjectNode {
  readonly name: string;
  readonly isStruct: boolean;
  size: number;
  align = 1;
  /** In the order of their ids. */
  fields: FieldNode[] = [];
  /** The field by which vectors are sorted. */
  key: FieldNode | undefined;
  readonly #layouts = new Map<number | string, Layout>();
  #lastMask = -1;
  #last: Layout | undefined;

  constructor(name: string, isStruct: boolean, size: number) {
    this.name = name;
    this.isStruct = isStruct;
    this.size = size;
  }

  /** Layout of a table with these field values; `mask` has a bit for each of the first 31 fields that is present. */
  layoutOf(mask: number, values: readonly unknown[]): Layout {
    const isWhole = this.fields.length <= MASK_BITS;
    if (isWhole && mask === this.#lastMask) return this.#last!;
    const key = isWhole ? mask : values.map((value) => (value === undefined ? 0 : 1)).join('');
    let layout = this.#layouts.get(key);
    if (layout === undefined) this.#layouts.set(key, (layout = layOut(this.fields, values)));
    this.#lastMask = isWhole ? mask : -1;
    this.#last = layout;
    return layout;
  }
}

/** Fields whose presence fits into the bits of a number. */
const MASK_BITS = 31;

/** Lays out aligned fields after the four bytes of the vtable's offset: large fields first, others in the gaps. */
function layOut(fields: readonly FieldNode[], values: readonly unknown[]): Layout {
  const present = fields.flatMap((_, index) => (values[index] === undefined ? [] : [index]));
  const slots = fields.map(() => 0);
  const align = present.reduce((most, index) => Math.max(most, fields[index]!.align), 4);
  const isFree = (from: number, width: number): boolean =>
    slots.every((slot, index) => slot === 0 || slot >= from + width || slot + fields[index]!.size <= from);
  let size = 4;
  for (const index of present.toSorted((a, b) => fields[b]!.align - fields[a]!.align)) {
    const { align: step, size: width } = fields[index]!;
    let at = Math.ceil(4 / step) * step;
    while (!isFree(at, width)) at += step;
    slots[index] = at;
    size = Math.max(size, at + width);
  }
  const last = present.length === 0 ? -1 : fields[present.at(-1)!]!.id;
  const vtable = new DataView(new ArrayBuffer(4 + 2 * (last + 1)));
  vtable.setUint16(0, vtable.byteLength, true);
  vtable.setUint16(2, size, true);
  for (const index of present) vtable.setUint16(4 + 2 * fields[index]!.id, slots[index]!, true);
  const isOutside = (index: number): boolean => fields[index]!.op >= TEXT;
  return {
    fields,
    slots,
    inside: present.filter((index) => !isOutside(index)),
    outside: present.filter(isOutside),
    size,
    align,
    vtable: new Uint8Array(vtable.buffer),
  };
}

/** Converts to a number if that is exact, as for most values. */
function exact(value: number | bigint): number | bigint {
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

const plans = new WeakMap<FlatBuffersSchema, ObjectNode>();

/** Plan for writing payloads of a schema. */
export function writePlanFor(schema: FlatBuffersSchema): ObjectNode {
  let root = plans.get(schema);
  if (root === undefined) plans.set(schema, (root = compile(schema)));
  return root;
}

function compile({ objects, enums, root }: FlatBuffersSchema): ObjectNode {
  const nodes = objects.map(({ name, struct, size }) => new ObjectNode(name, struct, size));
  const enumNodes = enums.map((item) => new EnumNode(item));
  const aligns: number[] = [];
  // Visits each struct once: nested structs can have exponentially many parts.
  const alignOf = (index: number): number =>
    (aligns[index] ??= objects[index]!.fields.reduce((most, { type, element, ref }) => {
      const item = type === ARRAY ? element : type;
      return Math.max(most, item === OBJ ? alignOf(ref) : SIZE[item]!);
    }, 1));
  for (const [index, node] of nodes.entries()) if (node.isStruct) node.align = alignOf(index);
  const valueOf = (type: number, ref: number): ValueNode => {
    const object = type === OBJ ? nodes[ref]! : undefined;
    const isInline = object?.isStruct === true;
    const op = isScalar(type) ? SCALAR : type === STRING ? TEXT : type === UNION ? CHOICE : isInline ? STRUCT : TABLE;
    const size = isInline ? object.size : isScalar(type) ? SIZE[type]! : 4;
    return {
      op,
      kind: KINDS[type] ?? 0,
      size,
      align: isInline ? object.align : size,
      object,
      enumType: type !== OBJ && ref >= 0 ? enumNodes[ref] : undefined,
    };
  };
  for (const [index, { union, values, types, refs }] of enums.entries()) {
    if (!union) continue;
    const members = values.map((value, at) => [Number(value), types[at]!, refs[at]!] as const).filter(([, type]) => type !== 0);
    enumNodes[index]!.members = new Map(members.map(([value, type, ref]) => [value, valueOf(type, ref)]));
  }
  const fieldOf = (field: FieldSchema, _index: number, all: readonly FieldSchema[]): FieldNode => {
    const { name, id, type, element, ref, nested, length, offset, default: fallback, optional, required, far } = field;
    const isVector = type === VECTOR || type === VECTOR64;
    const hasItems = isVector || type === ARRAY;
    const item = hasItems ? valueOf(element, ref) : undefined;
    const base = hasItems ? { ...item!, op: type === ARRAY ? FIXED_ARRAY : nested >= 0 ? NESTED : LIST } : valueOf(type, ref);
    const width = type === ARRAY ? item!.size * length : base.op >= TEXT ? (far ? 8 : 4) : base.size;
    return {
      ...base,
      size: width,
      align: base.op >= TEXT ? width : base.align,
      object: nested >= 0 ? nodes[nested] : base.object,
      item,
      key: internalized(name),
      id,
      offset,
      length,
      isRequired: required && !isScalar(type),
      fallback: isScalar(type) && !optional ? exact(fallback) : undefined,
      typeKey: `${name}_type`,
      typeIndex: (item ?? base).op === CHOICE ? all.findIndex(({ name: other }) => other === `${name}_type`) : -1,
      isLong: type === VECTOR64,
    };
  };
  for (const [index, node] of nodes.entries()) {
    const { fields } = objects[index]!;
    node.fields = fields.map(fieldOf);
    node.key = node.fields[fields.findIndex(({ key }) => key)];
  }
  return nodes[root]!;
}
