import { Constants } from '../../../reading/constants.ts';
import { SchemaError } from '../../../errors.ts';
import type { Int64Mode } from '../../../reading/int64.ts';
import { Plans } from '../../../format/plans.ts';
import type { FlatBuffersOptions } from '../options.ts';
import {
  ARRAY,
  BOOL,
  type EnumSchema,
  type FieldSchema,
  type FlatBuffersSchema,
  isScalar,
  OBJ,
  SIZE,
  UBYTE,
  UNION,
  VECTOR,
  VECTOR64,
} from '../schema/schema.ts';

// Operations on a field or an item. A scalar's operation is its type; the others are numbered from here.
export const TABLE = 20;
export const STRUCT = 21;
/** An enum sent as its name. */
export const NAMED = 22;
export const ITEMS = 23;
export const BUFFER = 24;
export const NESTED = 25;
export const UNION_VALUE = 26;

/** Value sent for a missing field. */
export const NOTHING = 0;
export const NULL = 1;
export const DEFAULT = 2;

/** Binary kind of a typed array for each type: see `BINARY_KINDS`. */
const KINDS = Uint8Array.of(0, 0, 0, 2, 0, 4, 5, 6, 7, 10, 11, 8, 9);

/** A schema and options compiled into flat tables for the reader. */
export class Plan {
  readonly root: number;
  /** Required file identifier, empty for none. */
  readonly identifier: string;
  readonly int64: Int64Mode;

  // Per object:
  readonly keys: readonly (readonly string[])[];
  readonly names: readonly string[];
  readonly first: Int32Array;
  readonly count: Int32Array;
  /** Size of a struct; 0 for a table. */
  readonly size: Int32Array;
  /** For a struct, the offset of each field from four bytes before the struct, never 0. */
  readonly slots: readonly Int32Array[];

  // Per field; the fields of an object begin at `first`.
  readonly op: Uint8Array;
  /** Operation of the items, for `ITEMS` and `ARRAY`. */
  readonly item: Uint8Array;
  /** Scalar type under `NAMED` (also for items), or of a `BUFFER`. */
  readonly base: Uint8Array;
  /** Index of the object, enum or union. */
  readonly ref: Int32Array;
  /** Size in the table. */
  readonly width: Int32Array;
  readonly id: Int32Array;
  readonly length: Int32Array;
  readonly far: Uint8Array;
  readonly wide: Uint8Array;
  readonly required: Uint8Array;
  readonly fallback: Uint8Array;
  readonly defaults: readonly (number | bigint)[];
  readonly binaryKind: Uint8Array;

  /** For each union, the operation and object of its types. */
  readonly unions: readonly ReadonlyMap<number, { op: number; ref: number }>[];
  readonly constants: Constants;
  readonly #texts: string[] = [];
  readonly #known = new Map<string, number>();
  readonly #enums: readonly ReadonlyMap<bigint, string>[];
  readonly #flags: readonly EnumSchema[];
  /** Results of `nameOf`, per enum. */
  readonly #cache: Map<number | bigint, number>[];

  constructor(schema: FlatBuffersSchema, options: FlatBuffersOptions) {
    const { objects, enums } = schema;
    this.root = schema.root;
    this.identifier = options.identifier === 'ignore' ? '' : schema.identifier;
    this.int64 = options.int64 ?? 'auto';
    this.names = objects.map(({ name }) => name);
    this.keys = objects.map(({ fields }) => fields.map(({ name }) => name));
    this.count = Int32Array.from(objects, ({ fields }) => fields.length);
    this.first = new Int32Array(objects.length);
    for (let i = 1; i < objects.length; i += 1) this.first[i] = this.first[i - 1]! + this.count[i - 1]!;
    this.size = Int32Array.from(objects, ({ struct, size }) => (struct ? size : 0));
    this.slots = objects.map(({ struct, fields }) => Int32Array.from(fields, ({ offset }) => (struct ? offset + 4 : 0)));

    const fields = objects.flatMap((object) => object.fields);
    const inStruct = objects.flatMap((object) => object.fields.map(() => object.struct));
    const byName = options.enums === 'name';
    const opOf = (type: number, ref: number): number => {
      if (type === OBJ) return objects[ref]!.struct ? STRUCT : TABLE;
      if (type === UNION) return UNION_VALUE;
      return isScalar(type) && ref >= 0 && byName ? NAMED : type;
    };
    this.op = Uint8Array.from(fields, (field) => {
      const { type, element, ref, nested } = field;
      if (type !== VECTOR && type !== VECTOR64) return opOf(type, ref);
      if (nested >= 0 && options.nested !== 'bytes') return NESTED;
      return isBuffer(field, options.vectors ?? 'array') ? BUFFER : element === UNION ? UNION_VALUE : ITEMS;
    });
    this.item = Uint8Array.from(fields, ({ type, element, ref }) => (isList(type) ? opOf(element, ref) : 0));
    this.base = Uint8Array.from(fields, ({ type, element }) => (isList(type) ? element : type));
    this.ref = Int32Array.from(fields, ({ ref, nested }, index) => (this.op[index] === NESTED ? nested : ref));
    this.width = Int32Array.from(fields, ({ type, ref, far }) => {
      if (type === OBJ && objects[ref]!.struct) return objects[ref]!.size;
      return SIZE[type]! || (far ? 8 : 4);
    });
    this.id = Int32Array.from(fields, ({ id }) => id);
    this.length = Int32Array.from(fields, ({ length }) => length);
    this.far = Uint8Array.from(fields, ({ far }) => Number(far));
    this.wide = Uint8Array.from(fields, ({ type }) => Number(type === VECTOR64));
    this.required = Uint8Array.from(fields, ({ required, type }) => Number(required && !isScalar(type)));
    const given = options.defaults ?? 'implicit';
    this.fallback = Uint8Array.from(fields, ({ type, optional, deprecated, key }, index) => {
      if (deprecated || inStruct[index]) return NOTHING;
      if (isScalar(type) && !optional && (given !== 'none' || key)) return DEFAULT;
      return given === 'all' ? NULL : NOTHING;
    });
    this.defaults = fields.map((field) => field.default);
    this.binaryKind = Uint8Array.from(fields, ({ element }) => KINDS[element] ?? 0);

    this.unions = enums.map(({ union, values, types, refs }) => {
      const members = union ? values.map((value, index) => [Number(value), types[index]!, refs[index]!] as const) : [];
      return new Map(members.filter(([, type]) => type !== 0).map(([value, type, ref]) => [value, { op: opOf(type, ref), ref }]));
    });
    this.#enums = enums.map(({ names, values }) => new Map(values.map((value, index) => [value, names[index]!] as const).toReversed()));
    this.#flags = enums;
    this.#cache = enums.map(() => new Map<number, number>());
    for (const { names } of enums) for (const name of names) this.#constant(name);
    this.constants = new Constants(this.#texts);
  }

  /** Constant with the name of an enum's number; −1 if it has no name, −2 if the number combines several flags. */
  nameOf(index: number, value: number | bigint): number {
    const cache = this.#cache[index]!;
    let constant = cache.get(value);
    if (constant !== undefined) return constant;
    const name = this.#enums[index]!.get(BigInt(value)) ?? this.#enums[index]!.get(BigInt.asIntN(64, BigInt(value)));
    constant = name !== undefined ? this.#known.get(name)! : this.flagsOf(index, value) !== undefined ? -2 : -1;
    if (cache.size < 1000) cache.set(value, constant);
    return constant;
  }

  /** Names of all bits set in a number, if each has a name. */
  flagsOf(index: number, value: number | bigint): string | undefined {
    const { flags, names, values } = this.#flags[index]!;
    if (!flags || value === 0 || value === 0n) return undefined;
    let rest = BigInt.asUintN(64, BigInt(value));
    const found: string[] = [];
    for (const [at, bit] of values.entries()) {
      const bits = BigInt.asUintN(64, bit);
      if (bits === 0n || (rest & bits) !== bits) continue;
      found.push(names[at]!);
      rest &= ~bits;
    }
    return rest === 0n ? found.join(' ') : undefined;
  }

  #constant(text: string): void {
    if (!this.#known.has(text)) this.#known.set(text, this.#texts.push(text) - 1);
  }
}

function isList(type: number): boolean {
  return type === VECTOR || type === VECTOR64 || type === ARRAY;
}

/** True if a vector is sent as bytes. */
function isBuffer({ element, ref }: FieldSchema, vectors: 'array' | 'bytes' | 'typed'): boolean {
  if (ref >= 0 || vectors === 'array') return false;
  return vectors === 'bytes' ? element === UBYTE : isScalar(element) && element !== BOOL && KINDS[element] !== undefined;
}

const plans = new Plans<FlatBuffersSchema, FlatBuffersOptions, Plan>(
  ['int64', 'enums', 'defaults', 'vectors', 'nested', 'identifier'],
  (schema, options) => new Plan(schema, options),
);

/** The plan for a schema and options, cached. */
export function planFor(schema: FlatBuffersSchema | undefined, options: FlatBuffersOptions): Plan {
  if (!schema) throw new SchemaError('a schema is required: set the option schema', undefined, { format: 'flatbuffers' });
  return plans.get(schema, options);
}
