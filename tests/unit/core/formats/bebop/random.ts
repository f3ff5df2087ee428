import { BinarySchema } from 'bebop';
import * as t from '../../../../../core/formats/bebop/schema/schema.ts';
import type { BebopSchema, EnumSchema } from '../../../../../core/formats/bebop/schema/schema.ts';
import type { BebopOptions } from '../../../../../core/formats/bebop/index.ts';
import { Dice } from '../protobuf/random.ts';

export { Dice };

const NAMES = ['', 'bool', 'byte', 'uint16', 'int16', 'uint32', 'int32', 'uint64', 'int64', 'float32', 'float64', 'string', 'guid', 'date'];
const TEXTS = ['', 'a', 'name', 'Grüße', '日本語', '😀', 'x'.repeat(70), '__proto__'];

/** Type in the form that the tests build. */
type Type = { kind: number } | { array: Type } | { key: number; value: Type } | { named: string };

interface Definition {
  name: string;
  kind: 'struct' | 'message' | 'union' | 'enum';
  fields: { name: string; type: Type; index: number }[];
  branches: { discriminator: number; named: string }[];
  base: number;
  flags: boolean;
  members: [name: string, value: bigint][];
}

/** Schema in both forms. */
export interface Model {
  text: string;
  binary: Uint8Array<ArrayBuffer>;
  root: string;
  definitions: Definition[];
}

/** Random schema of a few structs, messages, unions and enums. */
export function randomModel(dice: Dice): Model {
  const definitions: Definition[] = [];
  const add = (name: string, kind: Definition['kind']): Definition => {
    const definition: Definition = { name, kind, fields: [], branches: [], base: t.UINT32, flags: false, members: [] };
    definitions.push(definition);
    return definition;
  };
  const plain = add('Plain', 'enum');
  plain.base = dice.pick([t.INT16, t.INT32, t.INT64]);
  plain.members = [
    ['Minus', -1n],
    ['Zero', 0n],
    ['Two', 2n],
  ];
  const flags = add('Flags', 'enum');
  Object.assign(flags, {
    base: dice.pick([t.BYTE, t.UINT16, t.UINT32, t.UINT64]),
    flags: true,
    members: [
      ['A', 1n],
      ['B', 2n],
      ['C', 8n],
      ['AB', 3n],
    ],
  });
  const count = 1 + dice.below(4);
  const records = Array.from({ length: count }, (_, i) => add(`R${i}`, dice.chance(0.5) ? 'struct' : 'message'));
  const unions = dice.chance(0.6) ? [add('U', 'union')] : [];
  for (const union of unions) {
    const branches = records.filter(() => dice.chance(0.7));
    union.branches = branches.map(({ name }, at) => ({ discriminator: at * 3 + 1, named: name }));
    if (branches.length === 0) union.branches.push({ discriminator: 9, named: 'R0' });
  }
  const typeOf = (index: number, isStruct: boolean, depth: number): Type => {
    const kind = dice.below(12);
    if (kind < 6 || depth > 2) return { kind: 1 + dice.below(13) };
    if (kind < 8) return { named: dice.pick(['Plain', 'Flags']) };
    if (kind === 8) {
      // Structs contain only later definitions, so none contains itself.
      const others = isStruct && depth === 0 ? records.slice(index + 1) : records;
      return others.length > 0 ? { named: dice.pick(others).name } : { kind: t.STRING };
    }
    if (kind === 9 && unions.length > 0 && (!isStruct || depth > 0)) return { named: 'U' };
    if (kind === 10) return { key: dice.pick([1, 2, 3, 4, 5, 6, 7, 8, 11, 12]), value: typeOf(index, isStruct, depth + 1) };
    const item = typeOf(index, isStruct, depth + 1);
    // A binary schema cannot express arrays of maps, and the library's writer rejects arrays of arrays of bytes.
    return 'key' in item || ('array' in item && (hasMap(item) || hasBytes(item))) ? item : { array: item };
  };
  for (const [index, record] of records.entries()) {
    const fields = dice.below(7);
    for (let f = 0; f < fields; f += 1) {
      record.fields.push({ name: `f${f}`, type: typeOf(index, record.kind === 'struct', 0), index: record.kind === 'message' ? f * 2 + 1 : 0 });
    }
  }
  return { definitions, root: 'R0', text: textOf(definitions, dice), binary: binaryOf(definitions) };
}

function hasMap(type: Type): boolean {
  return 'array' in type ? hasMap(type.array) : 'key' in type;
}

function hasBytes(type: Type): boolean {
  return 'array' in type ? hasBytes(type.array) : 'kind' in type && type.kind === t.BYTE;
}

function nameOf(type: Type, dice: Dice): string {
  if ('kind' in type) return NAMES[type.kind]!;
  if ('named' in type) return type.named;
  if ('array' in type) return dice.chance(0.5) ? `${nameOf(type.array, dice)}[]` : `array[${nameOf(type.array, dice)}]`;
  return `map[${NAMES[type.key]}, ${nameOf(type.value, dice)}]`;
}

function textOf(definitions: readonly Definition[], dice: Dice): string {
  return definitions
    .map(({ name, kind, fields, branches, base, flags, members }) => {
      const body = {
        struct: () => fields.map((field) => `${nameOf(field.type, dice)} ${field.name};`),
        message: () => fields.map((field) => `@note("; }") ${field.index} -> ${nameOf(field.type, dice)} ${field.name}; // } `),
        union: () => branches.map(({ discriminator, named }) => `${discriminator} -> ${named};`),
        enum: () => members.map(([member, value]) => `/* { */ ${member} = ${value < 0n ? value : `0x${value.toString(16)}`};`),
      }[kind]();
      const head =
        kind === 'enum'
          ? `${flags ? '[flags]\n' : ''}enum ${name} : ${NAMES[base]}`
          : `${dice.chance(0.2) && kind === 'struct' ? 'mut ' : ''}${kind} ${name}`;
      return `${head} {\n  ${body.join('\n  ')}\n}`;
    })
    .join('\n\n');
}

/** Binary schema as bebopc makes it. */
function binaryOf(definitions: readonly Definition[]): Uint8Array<ArrayBuffer> {
  const bytes: number[] = [];
  const encoder = new TextEncoder();
  const int = (value: number | bigint, size: number): void => {
    for (let i = 0n, rest = BigInt.asUintN(64, BigInt(value)); i < size; i += 1n, rest >>= 8n) bytes.push(Number(rest & 0xffn));
  };
  const text = (value: string): void => void bytes.push(...encoder.encode(value), 0);
  const index = (name: string): number => definitions.findIndex((definition) => definition.name === name);
  const idOf = (type: Type): number => ('kind' in type ? -type.kind : 'named' in type ? index(type.named) : 'array' in type ? -14 : -15);
  const nested = (type: Type): void => {
    if ('array' in type) {
      let around = 0;
      let item = type.array;
      for (; 'array' in item; item = item.array) around += 1;
      int(around, 1);
      int(idOf(item), 4);
    } else if ('key' in type) {
      int(-type.key, 4);
      int(idOf(type.value), 4);
      nested(type.value);
    }
  };
  int(3, 1);
  int(definitions.length, 4);
  for (const { name, kind, fields, branches, base, flags, members } of definitions) {
    text(name);
    int({ struct: 1, message: 2, union: 3, enum: 4 }[kind], 1);
    // A decorator with an argument.
    int(1, 1);
    text('opcode');
    int(1, 1);
    text('fourcc');
    int(-t.STRING, 4);
    text('IKEA');
    if (kind === 'enum') {
      int(-base, 4);
      int(Number(flags), 1);
      int(1, 4);
      int(members.length, 1);
      for (const [member, value] of members) {
        text(member);
        int(0, 1);
        int(value, t.SIZE[base]!);
      }
    } else if (kind === 'union') {
      int(5, 4);
      int(branches.length, 1);
      for (const branch of branches) {
        int(branch.discriminator, 1);
        int(index(branch.named), 4);
      }
    } else {
      if (kind === 'struct') int(1, 1);
      int(1, 4);
      if (kind === 'struct') int(0, 1);
      int(fields.length, 1);
      for (const field of fields) {
        text(field.name);
        int(idOf(field.type), 4);
        nested(field.type);
        int(0, 1);
        if (kind === 'message') int(field.index, 1);
      }
    }
  }
  int(0, 4);
  return Uint8Array.from(bytes);
}

/** Value in the form that the reference library takes and returns. */
export function randomValue(dice: Dice, model: Model, name = model.root, depth = 0): unknown {
  const { kind, fields, branches, base, members } = model.definitions.find((definition) => definition.name === name)!;
  if (kind === 'enum') {
    const value = dice.pick(members)[1];
    return base === t.UINT64 || base === t.INT64 ? value : Number(value);
  }
  if (kind === 'union') {
    const { discriminator, named } = dice.pick(branches);
    return { discriminator, value: randomValue(dice, model, named, depth + 1) };
  }
  const value: Record<string, unknown> = {};
  for (const field of fields) {
    if (kind === 'message' && dice.chance([0.2, 0.5, 0.8][depth] ?? 0.95)) continue;
    value[field.name] = one(dice, model, field.type, depth);
  }
  return value;
}

function one(dice: Dice, model: Model, type: Type, depth: number): unknown {
  if ('named' in type) return randomValue(dice, model, type.named, depth + 1);
  const count = depth > 1 ? 0 : dice.below(dice.chance(0.05) ? 20 : 3);
  if ('array' in type) {
    const items = Array.from({ length: count }, () => one(dice, model, type.array, depth + 1));
    return 'kind' in type.array && type.array.kind === t.BYTE ? Uint8Array.from(items as number[]) : items;
  }
  if ('key' in type) return new Map(Array.from({ length: count }, () => [scalar(dice, type.key), one(dice, model, type.value, depth + 1)]));
  return scalar(dice, type.kind);
}

function scalar(dice: Dice, kind: number): unknown {
  const raw = (BigInt(Math.floor(dice.next() * 2 ** 32)) << 32n) | BigInt(Math.floor(dice.next() * 2 ** 32));
  const small = dice.chance(0.4) ? BigInt(dice.below(4)) : raw;
  switch (kind) {
    case t.BOOL:
      return dice.chance(0.5);
    case t.FLOAT32:
      return Math.fround(dice.pick([0, -0, 1.5, -Infinity, Number.NaN, dice.next()]));
    case t.FLOAT64:
      return dice.pick([0, -0, 1.5, Infinity, Number.NaN, dice.next(), 5e-324]);
    case t.STRING:
      return dice.pick(TEXTS);
    case t.GUID:
      return Array.from({ length: 32 }, () => dice.below(16).toString(16))
        .join('')
        .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
    case t.DATE:
      return new Date(dice.pick([0, -1, -62_135_596_800_000, 1_700_000_000_123, 253_402_300_799_999, dice.below(2 ** 31)]));
    case t.UINT64:
      return BigInt.asUintN(64, small);
    case t.INT64:
      return BigInt.asIntN(64, small);
    case t.INT16:
    case t.INT32:
      return Number(BigInt.asIntN(t.SIZE[kind]! * 8, small));
    default:
      return Number(BigInt.asUintN(t.SIZE[kind]! * 8, small));
  }
}

/** Encodes a value with the reference library's writer. */
export function encode(model: Model, value: unknown, name = model.root): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(referenceOf(model).writer.write(name, value as Record<string, unknown>));
}

const references = new WeakMap<Model, BinarySchema>();

export function referenceOf(model: Model): BinarySchema {
  let schema = references.get(model);
  if (!schema) {
    references.set(model, (schema = new BinarySchema(model.binary)));
    schema.get();
  }
  return schema;
}

/** Expected result of decoding with the options. */
export function expected(model: Model, value: unknown, options: BebopOptions, type: Type = { named: model.root }): unknown {
  if ('named' in type) {
    const { kind, fields, branches, base, flags, members } = model.definitions.find(({ name }) => name === type.named)!;
    if (kind === 'enum') return enumOf({ base, flags, members }, value as number | bigint, options);
    if (kind === 'union') {
      const { discriminator, value: inner } = value as { discriminator: number; value: unknown };
      return {
        discriminator,
        value: expected(model, inner, options, { named: branches.find((branch) => branch.discriminator === discriminator)!.named }),
      };
    }
    const record = value as Record<string, unknown>;
    return Object.fromEntries(
      fields.filter(({ name }) => Object.hasOwn(record, name)).map((field) => [field.name, expected(model, record[field.name], options, field.type)]),
    );
  }
  if ('array' in type) return Array.isArray(value) ? value.map((item) => expected(model, item, options, type.array)) : value;
  if ('key' in type) {
    const pairs = [...(value as Map<unknown, unknown>)].map(
      // The keys of an object are exact.
      ([key, item]) =>
        [expected(model, key, options.maps === 'object' ? {} : options, { kind: type.key }), expected(model, item, options, type.value)] as const,
    );
    if (options.maps !== 'object') return new Map(pairs);
    const result = {};
    for (const [key, item] of pairs)
      Object.defineProperty(result, String(key), { value: item, enumerable: true, configurable: true, writable: true });
    return result;
  }
  return integer(type.kind, value, options);
}

function integer(kind: number, value: unknown, { int64 }: BebopOptions): unknown {
  if (kind !== t.UINT64 && kind !== t.INT64) return value;
  if (int64 === 'bigint') return value;
  if (int64 === 'string') return String(value);
  return int64 === 'number' || Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

function enumOf({ base, flags, members }: Pick<Definition, 'base' | 'flags' | 'members'>, value: number | bigint, options: BebopOptions): unknown {
  if (options.enums !== 'name') return integer(base, value, options);
  const number = BigInt(value);
  const exact = members.find(([, member]) => member === number);
  if (exact) return exact[0];
  const names = flags ? members.filter(([name, bit]) => name.length === 1 && (number & bit) === bit).map(([name]) => name) : [];
  return names.length > 0 ? names.join(' ') : integer(base, value, options);
}

/** Compiled schema keyed by name, independent of the order of its tables. */
export function byNames({ types, records, unions, enums, root }: BebopSchema): unknown {
  const show = (index: number): string => {
    const { kind, ref, key } = types[index]!;
    if (kind === t.ARRAY) return `${show(ref)}[]`;
    if (kind === t.MAP) return `map[${show(key)}, ${show(ref)}]`;
    const named =
      kind === t.ENUM ? enums[ref]!.name : kind === t.UNION ? unions[ref]!.name : kind >= t.STRUCT && kind !== t.BYTES ? records[ref]!.name : '';
    return `${kind} ${named}`;
  };
  const sorted = <T extends { name: string }>(list: readonly T[]): T[] => list.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return {
    root: show(root),
    records: sorted(records).map(({ name, fields }) => ({ name, fields: fields.map((field) => ({ ...field, type: show(field.type) })) })),
    unions: sorted(unions).map(({ name, branches }) => ({ name, branches: branches.map((branch) => ({ ...branch, type: show(branch.type) })) })),
    enums: sorted<EnumSchema>(enums),
  };
}
