import * as t from '../../../../../core/formats/capnproto/schema/schema.ts';
import type { CapnProtoSchema, FieldSchema, StructSchema } from '../../../../../core/formats/capnproto/schema/schema.ts';
import type { CapnProtoOptions } from '../../../../../core/formats/capnproto/index.ts';
import { Dice } from '../protobuf/random.ts';

export { Dice };

export type Value = Record<string, unknown>;

/** The member set in a value's union, which may be a null pointer. */
export const active = new WeakMap<Value, FieldSchema>();

/** A schema and the sizes of its structs; a group has the size of its struct. */
export interface Model {
  schema: CapnProtoSchema;
  sizes: { dataBytes: number; pointers: number }[];
}

const SCALARS = [t.VOID, t.BOOL, t.INT8, t.INT16, t.INT32, t.INT64, t.UINT8, t.UINT16, t.UINT32, t.UINT64, t.FLOAT32, t.FLOAT64, t.ENUM];
const TEXTS = ['', 'a', 'name', 'Grüße', '日本語', '😀', 'x'.repeat(70), '__proto__'];

/** A schema of a few structs with unions and groups. */
export function randomModel(dice: Dice): Model {
  const schema: CapnProtoSchema = {
    root: 0,
    types: [],
    structs: [],
    enums: [{ name: 'E', names: ['zero', 'one', 'two'] }],
    request: new Uint8Array(0),
  };
  const sizes: Model['sizes'] = [];
  const index = (type: number, ref: number): number => {
    const known = schema.types.findIndex((item) => item.type === type && item.ref === ref);
    return known >= 0 ? known : schema.types.push({ type, ref }) - 1;
  };
  const count = 1 + dice.below(4);
  for (let i = 0; i < count; i += 1) {
    schema.structs.push({ name: `S${i}`, fields: [], union: false, discriminantOffset: 0 });
    sizes.push({ dataBytes: 0, pointers: 0 });
  }
  const typeOf = (): number => {
    const kind = dice.below(10);
    if (kind < 5) return scalar();
    if (kind === 5) return index(t.TEXT, -1);
    if (kind === 6) return index(t.DATA, -1);
    if (kind === 7) return index(t.STRUCT, dice.below(count));
    const item = dice.pick([scalar, () => index(t.TEXT, -1), () => index(t.DATA, -1), () => index(t.STRUCT, dice.below(count))])();
    return index(t.LIST, item);
  };
  const scalar = (): number => {
    const type = dice.pick(SCALARS);
    return index(type, type === t.ENUM ? 0 : -1);
  };
  for (let i = 0; i < count; i += 1) {
    const layout = { bits: 0, pointers: 0 };
    const groups: number[] = [];
    const place = (bits: number): number => {
      const at = Math.ceil(layout.bits / bits);
      layout.bits = (at + 1) * bits;
      return at;
    };
    const fill = (struct: StructSchema, depth: number): void => {
      struct.union = dice.chance(0.4);
      if (struct.union) struct.discriminantOffset = place(16);
      const fields = depth === 0 ? dice.below(9) : 1 + dice.below(4);
      let members = 0;
      for (let f = 0; f < fields; f += 1) {
        const discriminant = struct.union && dice.chance(0.6) ? members++ : t.NO_UNION;
        const field: FieldSchema = { name: `f${f}`, type: 0, offset: 0, discriminant, low: 0, high: 0, at: -1, segment: -1 };
        struct.fields.push(field);
        if (depth < 2 && dice.chance(0.15)) {
          const group: StructSchema = { name: `${struct.name}.f${f}`, fields: [], union: false, discriminantOffset: 0 };
          const ref = schema.structs.push(group) - 1;
          sizes.push({ dataBytes: 0, pointers: 0 });
          groups.push(ref);
          field.type = index(t.GROUP, ref);
          fill(group, depth + 1);
          continue;
        }
        field.type = typeOf();
        const { type } = schema.types[field.type]!;
        const bits = t.BITS[type]!;
        if (t.isPointer(type)) field.offset = layout.pointers++;
        else if (bits > 0) field.offset = place(bits);
        if (bits > 0 && dice.chance(0.3)) Object.assign(field, randomBits(dice, type));
      }
    };
    fill(schema.structs[i]!, 0);
    // The library writes the pointer to an empty struct as null.
    const size = { dataBytes: Math.max(layout.pointers === 0 ? 8 : 0, Math.ceil(layout.bits / 64) * 8), pointers: layout.pointers };
    for (const at of [i, ...groups]) sizes[at] = size;
  }
  return { schema, sizes };
}

function randomBits(dice: Dice, type: number): { low: number; high: number } {
  const bits = t.BITS[type]!;
  const low = Math.floor(dice.next() * 2 ** 32) | 0;
  if (type === t.ENUM) return { low: dice.below(3), high: 0 };
  // Engines differ in the bits of a NaN.
  if (type === t.FLOAT32) return { low: 0x3f800000, high: 0 };
  if (type === t.FLOAT64) return { low: 0, high: 0x40080000 };
  return { low: bits < 32 ? low & ((1 << bits) - 1) : low, high: bits === 64 ? Math.floor(dice.next() * 2 ** 32) | 0 : 0 };
}

/** A number, boolean, bigint or null of a type, in the default form of decoded values. */
function randomScalar(dice: Dice, type: number): unknown {
  if (type === t.VOID) return null;
  if (type === t.BOOL) return dice.chance(0.5);
  if (type === t.ENUM) return dice.below(dice.chance(0.1) ? 60_000 : 3);
  if (type === t.FLOAT32) return Math.fround(dice.pick([0, -0, 1.5, -Infinity, dice.next(), 1e30]));
  if (type === t.FLOAT64) return dice.pick([0, -0, 1.5, Infinity, dice.next(), 1e300, 5e-324]);
  if (dice.chance(0.4)) return dice.below(4);
  const raw = (BigInt(Math.floor(dice.next() * 2 ** 32)) << 32n) | BigInt(Math.floor(dice.next() * 2 ** 32));
  const bits = dice.chance(0.3) ? Math.min(40, t.BITS[type]!) : t.BITS[type]!;
  const value = type <= t.INT64 ? BigInt.asIntN(bits, raw) : BigInt.asUintN(bits, raw);
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

/** A value of a struct. Scalars are always present; null pointers are absent. */
export function randomValue(dice: Dice, { schema }: Model, struct = schema.root, depth = 0): Value {
  const { fields, union } = schema.structs[struct]!;
  const value: Value = {};
  const members = fields.filter(({ discriminant }) => discriminant !== t.NO_UNION);
  const member = union && members.length > 0 ? dice.pick(members) : undefined;
  if (member) active.set(value, member);
  const one = (index: number): unknown => {
    const { type, ref } = schema.types[index]!;
    if (type === t.TEXT) return dice.pick(TEXTS);
    if (type === t.DATA) return Uint8Array.from({ length: dice.below(20) }, () => dice.below(256));
    if (type === t.STRUCT) return randomValue(dice, { schema, sizes: [] }, ref, depth + 1);
    if (type === t.LIST) return Array.from({ length: depth > 1 ? 0 : dice.below(dice.chance(0.05) ? 20 : 3) }, () => one(ref));
    return randomScalar(dice, type);
  };
  for (const field of fields) {
    if (field.discriminant !== t.NO_UNION && field !== member) continue;
    const { type, ref } = schema.types[field.type]!;
    if (type === t.GROUP) value[field.name] = randomValue(dice, { schema, sizes: [] }, ref, depth);
    else if (!t.isPointer(type)) value[field.name] = randomScalar(dice, type);
    else if (!dice.chance([0.2, 0.5, 0.8][depth] ?? 0.95)) value[field.name] = one(field.type);
  }
  return value;
}

/** Expected result of decoding a value with the options. */
export function expected({ schema }: Model, value: Value, options: CapnProtoOptions, struct = schema.root): Value {
  const result: Value = {};
  const { fields } = schema.structs[struct]!;
  const convert = (index: number, item: unknown): unknown => {
    const { type, ref } = schema.types[index]!;
    if (type === t.LIST) return (item as unknown[]).map((inner) => convert(ref, inner));
    if (type === t.STRUCT || type === t.GROUP) return expected({ schema, sizes: [] }, item as Value, options, ref);
    if (type === t.ENUM && options.enums === 'name') return schema.enums[0]!.names[item as number] ?? item;
    if (type !== t.INT64 && type !== t.UINT64) return item;
    if (options.int64 === 'bigint') return BigInt(item as number);
    if (options.int64 === 'number') return Number(item);
    return options.int64 === 'string' ? String(item) : item;
  };
  const member = active.get(value);
  for (const field of fields) {
    if (field.discriminant !== t.NO_UNION && field !== member) continue;
    const { type } = schema.types[field.type]!;
    if (Object.hasOwn(value, field.name)) result[field.name] = convert(field.type, value[field.name]);
    else if (options.defaults === 'none') {
      if (field === member) result[field.name] = null;
      continue;
    } else if (type === t.TEXT) result[field.name] = '';
    else if (type === t.DATA) result[field.name] = new Uint8Array(0);
    else if (type === t.LIST) result[field.name] = [];
    else if (options.defaults === 'all' || field === member) result[field.name] = null;
  }
  return result;
}
