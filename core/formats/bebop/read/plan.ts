import { Constants } from '../../../reading/constants.ts';
import { SchemaError } from '../../../errors.ts';
import type { Int64Mode } from '../../../reading/int64.ts';
import { Plans } from '../../../format/plans.ts';
import type { BebopOptions } from '../options.ts';
import { type BebopSchema, ENUM, type EnumSchema, SIZE, STRUCT } from '../schema/schema.ts';

/** A schema with options, as flat tables for the reader. */
export class Plan {
  readonly root: number;
  readonly int64: Int64Mode;
  readonly mapsAsObjects: boolean;
  readonly enumNames: boolean;

  // Tables by type.
  /** For an enum sent as a number, the number's kind. */
  readonly kind: Uint8Array;
  readonly ref: Int32Array;
  readonly key: Int32Array;
  /** Bytes of every value; 0 if they vary. */
  readonly size: Uint8Array;
  /** 1 if a value takes no bytes. */
  readonly empty: Uint8Array;
  /** For an enum sent by name, the kind of its numbers. */
  readonly base: Uint8Array;

  // Tables by record.
  readonly keys: readonly (readonly string[])[];
  readonly fieldTypes: readonly Int32Array[];
  /** By record, and by index in a message: the field, −1 if unknown. */
  readonly fieldAt: readonly Int16Array[];

  /** By union, and by discriminator: the type of the branch. */
  readonly branches: readonly ReadonlyMap<number, number>[];

  readonly constants: Constants;
  readonly #enums: readonly EnumSchema[];
  /** By enum: its bits, at most 64, and the first name of each. */
  readonly #bits: readonly ReadonlyMap<bigint, string>[];
  readonly #names: readonly ReadonlyMap<bigint, number>[];
  readonly #cache: readonly Map<number | bigint, number>[];

  constructor(schema: BebopSchema, options: BebopOptions) {
    const { types, records, unions, enums } = schema;
    this.root = schema.root;
    this.int64 = options.int64 ?? 'auto';
    this.mapsAsObjects = options.maps === 'object';
    this.enumNames = options.enums === 'name';
    this.base = Uint8Array.from(types, ({ kind, ref }) => (kind === ENUM ? enums[ref]!.base : 0));
    this.kind = Uint8Array.from(types, ({ kind }, index) => (kind === ENUM && !this.enumNames ? this.base[index]! : kind));
    this.ref = Int32Array.from(types, ({ ref }) => ref);
    this.key = Int32Array.from(types, ({ key }) => key);
    this.size = Uint8Array.from(types, ({ kind }, index) => (kind === ENUM ? SIZE[this.base[index]!]! : SIZE[kind]!));
    this.keys = records.map(({ fields }) => fields.map(({ name }) => name));
    this.fieldTypes = records.map(({ fields }) => Int32Array.from(fields, ({ type }) => type));
    this.fieldAt = records.map(({ fields }) => {
      const table = new Int16Array(256).fill(-1);
      for (const [field, { index }] of fields.entries()) table[index] = field;
      return table;
    });
    this.empty = new Uint8Array(types.length);
    // Resolves structs from those without fields upwards. By type: how many fields may take bytes, and which structs
    // have a field of this type.
    const full = types.map(({ kind, ref }) => (kind === STRUCT ? records[ref]!.fields.length : -1));
    const usedBy: number[][] = types.map(() => []);
    for (const [index, { kind, ref }] of types.entries()) {
      if (kind === STRUCT) for (const { type } of records[ref]!.fields) usedBy[type]!.push(index);
    }
    const work = types.flatMap((_, index) => (full[index] === 0 ? [index] : []));
    for (let next = work.pop(); next !== undefined; next = work.pop()) {
      this.empty[next] = 1;
      for (const user of usedBy[next]!) if ((full[user]! -= 1) === 0) work.push(user);
    }
    this.branches = unions.map(({ branches }) => new Map(branches.map(({ discriminator, type }) => [discriminator, type])));

    const texts: string[] = [];
    this.#enums = enums;
    this.#bits = enums.map(bitsOf);
    this.#names = enums.map(({ names, values }) => {
      const byValue = new Map<bigint, number>();
      for (const [index, value] of values.entries()) {
        const constant = texts.push(names[index]!) - 1;
        if (!byValue.has(value)) byValue.set(value, constant);
      }
      return byValue;
    });
    this.#cache = enums.map(() => new Map<number | bigint, number>());
    this.constants = new Constants(texts);
  }

  /** The constant with the name of an enum's number; −1 if it has no name, −2 if it has several. */
  nameOf(index: number, value: number | bigint): number {
    const cache = this.#cache[index]!;
    let constant = cache.get(value);
    if (constant !== undefined) return constant;
    constant = this.#names[index]!.get(BigInt(value)) ?? (this.flagsOf(index, value) === undefined ? -1 : -2);
    if (cache.size < 1000) cache.set(value, constant);
    return constant;
  }

  /** The names of all bits of a number, if every bit has one. */
  flagsOf(index: number, value: number | bigint): string | undefined {
    const { flags } = this.#enums[index]!;
    if (!flags || value === 0 || value === 0n) return undefined;
    let rest = BigInt.asUintN(64, BigInt(value));
    const found: string[] = [];
    for (const [bit, name] of this.#bits[index]!) {
      if ((rest & bit) === 0n) continue;
      found.push(name);
      rest &= ~bit;
    }
    return rest === 0n ? found.join(' ') : undefined;
  }
}

/** The values that are a single bit, with their names. */
function bitsOf({ flags, names, values }: EnumSchema): Map<bigint, string> {
  const bits = new Map<bigint, string>();
  if (!flags) return bits;
  for (const [at, value] of values.entries()) {
    const bit = BigInt.asUintN(64, value);
    if (bit !== 0n && (bit & (bit - 1n)) === 0n && !bits.has(bit)) bits.set(bit, names[at]!);
  }
  return bits;
}

/** The options that a plan depends on. */
export const NAMES = ['int64', 'enums', 'maps'] as const;

const plans = new Plans<BebopSchema, BebopOptions, Plan>(NAMES, (schema, options) => new Plan(schema, options));

/** The plan for a schema and options, made once. */
export function planFor(schema: BebopSchema | undefined, options: BebopOptions): Plan {
  if (!schema) throw new SchemaError('a schema is required: set the option schema', undefined, { format: 'bebop' });
  return plans.get(schema, options);
}
