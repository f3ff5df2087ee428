import * as t from '../../../../../core/formats/flatbuffers/schema/schema.ts';
import type { EnumSchema, FieldSchema, FlatBuffersSchema, ObjectSchema } from '../../../../../core/formats/flatbuffers/schema/schema.ts';
import type { FlatBuffersOptions } from '../../../../../core/formats/flatbuffers/index.ts';
import { Dice } from '../protobuf/random.ts';
import { NestedBuffer, type Value } from './encode.ts';
import { field } from './reflection.ts';

export { Dice };

const SCALARS = [t.BOOL, t.BYTE, t.UBYTE, t.SHORT, t.USHORT, t.INT, t.UINT, t.LONG, t.ULONG, t.FLOAT, t.DOUBLE];
/** Least number and bits of each type. */
const RANGES: Record<number, [signed: boolean, bits: number]> = {
  [t.BYTE]: [true, 8],
  [t.UBYTE]: [false, 8],
  [t.SHORT]: [true, 16],
  [t.USHORT]: [false, 16],
  [t.INT]: [true, 32],
  [t.UINT]: [false, 32],
  [t.LONG]: [true, 64],
  [t.ULONG]: [false, 64],
  [t.UTYPE]: [false, 8],
};
const TEXTS = ['', 'a', 'name', 'Grüße', '日本語', '😀', 'x'.repeat(70), 'a\0b', '__proto__'];

/** A schema of a few objects, enums and a union. The tables come last. */
export function randomSchema(dice: Dice): FlatBuffersSchema {
  const enums: EnumSchema[] = [
    {
      name: 't.Plain',
      union: false,
      flags: false,
      names: ['Minus', 'Zero', 'Two', 'Both'],
      values: [-1n, 0n, 2n, 3n],
      types: [0, 0, 0, 0],
      refs: [-1, -1, -1, -1],
    },
    { name: 't.Flags', union: false, flags: true, names: ['A', 'B', 'D'], values: [1n, 2n, 8n], types: [0, 0, 0], refs: [-1, -1, -1] },
  ];
  const objects: ObjectSchema[] = [];
  const scalar = (): [type: number, ref: number] => {
    if (dice.chance(0.2))
      return dice.chance(0.5) ? [dice.pick([t.BYTE, t.SHORT, t.INT, t.LONG]), 0] : [dice.pick([t.UBYTE, t.USHORT, t.UINT, t.ULONG]), 1];
    return [dice.pick(SCALARS), -1];
  };
  const structs = 1 + dice.below(3);
  for (let index = 0; index < structs; index += 1) objects.push(randomStruct(dice, `t.S${index}`, objects, scalar));
  const tables = 1 + dice.below(3);
  for (let index = 0; index < tables; index += 1) objects.push({ name: `t.T${index}`, struct: false, size: 0, fields: [] });
  const members = objects.map((_, index) => index).filter(() => dice.chance(0.6));
  enums.push({
    name: 't.Union',
    union: true,
    flags: false,
    names: ['NONE', ...members.map((index) => objects[index]!.name.replace('.', '_')), 'Text'],
    values: [0n, ...members.map((_, index) => BigInt(index + 1)), BigInt(members.length + 1)],
    types: [0, ...members.map(() => t.OBJ), t.STRING],
    refs: [-1, ...members, -1],
  });
  for (const object of objects.slice(structs)) randomFields(dice, object, objects.length, structs, scalar);
  return { root: structs, identifier: dice.pick(['', 'TEST']), objects, enums };
}

function randomStruct(dice: Dice, name: string, structs: readonly ObjectSchema[], scalar: () => [number, number]): ObjectSchema {
  const fields: FieldSchema[] = [];
  let end = 0;
  let most = 1;
  const count = 1 + dice.below(4);
  for (let id = 0; id < count; id += 1) {
    const [type, enumRef] = structs.length > 0 && dice.chance(0.25) ? [t.OBJ, dice.below(structs.length)] : scalar();
    const isStruct = type === t.OBJ;
    const size = isStruct ? structs[enumRef]!.size : t.SIZE[type]!;
    const align = isStruct ? alignOf(structs[enumRef]!, structs) : size;
    const offset = Math.ceil(end / align) * align;
    const length = dice.chance(0.2) ? 1 + dice.below(3) : 0;
    fields.push(
      length > 0
        ? field(`f${id}`, id, t.ARRAY, { element: type, ref: enumRef, length, offset })
        : field(`f${id}`, id, type, { ref: enumRef, offset }),
    );
    end = offset + size * Math.max(1, length);
    most = Math.max(most, align);
  }
  return { name, struct: true, size: Math.ceil(end / most) * most, fields };
}

function alignOf({ fields }: ObjectSchema, structs: readonly ObjectSchema[]): number {
  return Math.max(
    ...fields.map(({ type, element, ref }) => {
      const item = type === t.ARRAY ? element : type;
      return item === t.OBJ ? alignOf(structs[ref]!, structs) : t.SIZE[item]!;
    }),
  );
}

function randomFields(dice: Dice, object: ObjectSchema, objects: number, structs: number, scalar: () => [number, number]): void {
  const count = dice.below(9);
  let id = 0;
  for (let index = 0; index < count; index += 1) {
    if (dice.chance(0.1)) id += dice.below(4);
    const name = `f${index}`;
    const kind = dice.below(12);
    const ref = dice.below(objects);
    if (kind < 5) {
      const [type, enumRef] = scalar();
      const optional = dice.chance(0.2);
      const value = optional || dice.chance(0.5) ? (type === t.LONG || type === t.ULONG ? 0n : 0) : randomScalar(dice, type);
      object.fields.push(
        field(name, id, type, {
          // The Builder does not distinguish −0 from 0.
          ref: enumRef,
          optional,
          default: typeof value === 'boolean' ? Number(value) : wide(type, value === 0 ? 0 : value),
          deprecated: dice.chance(0.05),
          key: !optional && dice.chance(0.1),
        }),
      );
    } else if (kind === 5) {
      object.fields.push(field(name, id, t.STRING));
    } else if (kind === 6) {
      object.fields.push(field(name, id, t.OBJ, { ref }));
    } else if (kind === 7) {
      object.fields.push(field(`${name}_type`, id, t.UTYPE, { ref: 2 }), field(name, id + 1, t.UNION, { ref: 2 }));
      id += 1;
    } else if (kind === 8) {
      object.fields.push(
        field(`${name}_type`, id, t.VECTOR, { element: t.UTYPE, ref: 2 }),
        field(name, id + 1, t.VECTOR, { element: t.UNION, ref: 2 }),
      );
      id += 1;
    } else if (kind === 9) {
      const [element, enumRef] = scalar();
      object.fields.push(field(name, id, t.VECTOR, { element, ref: enumRef }));
    } else if (kind === 10) {
      const isText = dice.chance(0.3);
      object.fields.push(field(name, id, t.VECTOR, { element: isText ? t.STRING : t.OBJ, ref: isText ? -1 : ref }));
    } else {
      object.fields.push(field(name, id, t.VECTOR, { element: t.UBYTE, nested: dice.chance(0.7) ? structs + dice.below(objects - structs) : -1 }));
    }
    id += 1;
  }
}

function wide(type: number, value: number | bigint): number | bigint {
  return type === t.LONG || type === t.ULONG ? BigInt(value) : value;
}

/** A number, boolean or bigint of a type, in the default form of decoded values. */
function randomScalar(dice: Dice, type: number): number | bigint | boolean {
  if (type === t.BOOL) return dice.chance(0.5);
  if (type === t.FLOAT) return Math.fround(dice.pick([0, -0, 1.5, -3.25, Infinity, Number.NaN, dice.next(), 1e30]));
  if (type === t.DOUBLE) return dice.pick([0, -0, 1.5, -Infinity, Number.NaN, dice.next(), 1e300, 5e-324]);
  const [signed, bits] = RANGES[type]!;
  if (dice.chance(0.4)) return dice.below(4);
  const raw = (BigInt(Math.floor(dice.next() * 2 ** 32)) << 32n) | BigInt(Math.floor(dice.next() * 2 ** 32));
  const value = signed ? BigInt.asIntN(dice.chance(0.5) ? bits : Math.min(bits, 40), raw) : BigInt.asUintN(bits, raw);
  const near = Number(value);
  return Number.isSafeInteger(near) ? near : value;
}

/** A value of an object; missing fields are absent. */
export function randomValue(dice: Dice, schema: FlatBuffersSchema, index = schema.root, depth = 0): Value {
  const { fields, struct } = schema.objects[index]!;
  const value: Value = {};
  for (const item of fields) {
    const { name, type, element, ref, length, nested } = item;
    // A union's type is generated with its value.
    if (type === t.UTYPE || (type === t.VECTOR && element === t.UTYPE)) continue;
    if (!struct && dice.chance([0.2, 0.5, 0.8][depth] ?? 0.95)) continue;
    const one = (kind: number): unknown => {
      if (kind === t.STRING) return dice.pick(TEXTS);
      return kind === t.OBJ ? randomValue(dice, schema, ref, depth + 1) : randomScalar(dice, kind);
    };
    const member = (): [number, unknown] => {
      const { types, refs } = schema.enums[2]!;
      const at = dice.below(types.length);
      if (types[at] === 0) return [0, null];
      return [at, types[at] === t.STRING ? dice.pick(TEXTS) : randomValue(dice, schema, refs[at], depth + 1)];
    };
    if (type === t.UNION) {
      const [at, inner] = member();
      if (at > 0) Object.assign(value, { [`${name}_type`]: at, [name]: inner });
    } else if (type === t.VECTOR && element === t.UNION) {
      const members = Array.from({ length: dice.below(3) }, member);
      Object.assign(value, { [`${name}_type`]: members.map(([at]) => at), [name]: members.map(([, inner]) => inner) });
    } else if (type === t.VECTOR && nested >= 0) {
      value[name] = new NestedBuffer(randomValue(dice, schema, nested, depth + 1));
    } else if (type === t.VECTOR || type === t.ARRAY) {
      value[name] = Array.from({ length: type === t.ARRAY ? length : dice.below(dice.chance(0.05) ? 20 : 3) }, () => one(element));
    } else {
      value[name] = one(type);
    }
  }
  return value;
}

/** Expected result of decoding a value, given the options and the `forceDefaults` used for encoding. */
export function expected(schema: FlatBuffersSchema, value: Value, options: FlatBuffersOptions, forced: boolean, index = schema.root): Value {
  const { fields, struct } = schema.objects[index]!;
  const result: Value = {};
  const scalar = (type: number, ref: number, item: unknown): unknown => {
    if (options.enums === 'name' && ref >= 0) {
      const { values, names, flags } = schema.enums[ref]!;
      const number = BigInt(item as number);
      const exact = values.indexOf(number);
      if (exact >= 0) return names[exact];
      const bits = values.map((bit, at) => [bit, names[at]!] as const).filter(([bit]) => (number & bit) === bit);
      if (flags && number !== 0n && bits.reduce((sum, [bit]) => sum + bit, 0n) === number) return bits.map(([, name]) => name).join(' ');
    }
    if (type !== t.LONG && type !== t.ULONG) return item;
    if (options.int64 === 'bigint') return BigInt(item as number);
    if (options.int64 === 'number') return Number(item);
    return options.int64 === 'string' ? String(item) : item;
  };
  const convert = (type: number, ref: number, item: unknown): unknown =>
    type === t.STRING || item === null ? item : type === t.OBJ ? expected(schema, item as Value, options, forced, ref) : scalar(type, ref, item);
  const member = (item: unknown, type: number): unknown => {
    const { types, refs } = schema.enums[2]!;
    return convert(types[type]!, refs[type]!, item);
  };
  for (const { name, type, element, ref, default: fallback, optional, deprecated, key, nested } of fields) {
    const plain = typeof fallback === 'bigint' && Number.isSafeInteger(Number(fallback)) ? Number(fallback) : fallback;
    const byDefault = type === t.BOOL ? fallback !== 0 : plain;
    let item = value[name];
    // The Builder omits values equal to the default, and takes −0 for 0.
    if (!struct && !forced && !optional && t.isScalar(type) && item === byDefault) item = undefined;
    if (item === undefined) {
      if (deprecated || struct) continue;
      const isDefault = t.isScalar(type) && !optional && (options.defaults !== 'none' || key);
      if (isDefault) result[name] = scalar(type, ref, byDefault);
      else if (options.defaults === 'all') result[name] = null;
    } else if (type === t.UNION) {
      result[name] = member(item, value[`${name}_type`] as number);
    } else if (type === t.VECTOR && element === t.UNION) {
      result[name] = (item as unknown[]).map((inner, at) => member(inner, (value[`${name}_type`] as number[])[at]!));
    } else if (item instanceof NestedBuffer) {
      result[name] = expected(schema, item.value, options, forced, nested);
    } else if (type === t.VECTOR || type === t.ARRAY) {
      const items = (item as unknown[]).map((inner) => convert(element, ref, inner));
      result[name] = type === t.ARRAY ? items : packed(items, item as number[], element, ref, options);
    } else {
      result[name] = convert(type, ref, item);
    }
  }
  return result;
}

const CLASSES = new Map<number, (items: (number | bigint)[]) => unknown>([
  [t.BYTE, (items) => Int8Array.from(items as number[])],
  [t.UBYTE, (items) => Uint8Array.from(items as number[])],
  [t.SHORT, (items) => Int16Array.from(items as number[])],
  [t.USHORT, (items) => Uint16Array.from(items as number[])],
  [t.INT, (items) => Int32Array.from(items as number[])],
  [t.UINT, (items) => Uint32Array.from(items as number[])],
  [t.LONG, (items) => BigInt64Array.from(items.map(BigInt))],
  [t.ULONG, (items) => BigUint64Array.from(items.map(BigInt))],
  [t.FLOAT, (items) => Float32Array.from(items as number[])],
  [t.DOUBLE, (items) => Float64Array.from(items as number[])],
]);

function packed(items: unknown[], raw: number[], element: number, ref: number, { vectors }: FlatBuffersOptions): unknown {
  const make = CLASSES.get(element);
  if (ref >= 0 || !make || vectors === undefined || vectors === 'array' || (vectors === 'bytes' && element !== t.UBYTE)) return items;
  return make(raw);
}
