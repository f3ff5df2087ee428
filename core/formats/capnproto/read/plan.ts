import { Constants } from '../../../reading/constants.ts';
import { SchemaError } from '../../../errors.ts';
import type { Int64Mode } from '../../../reading/int64.ts';
import { Plans } from '../../../format/plans.ts';
import type { CapnProtoOptions } from '../options.ts';
import { BITS, BOOL, type CapnProtoSchema, ENUM, type FieldSchema, GROUP, isPointer } from '../schema/schema.ts';

/** An enum sent as its name. */
export const NAMED = 20;

/** A position beyond every struct, which has at most 2 × 65,535 words. */
const FAR = 2 ** 28;

/** A schema and options compiled into flat tables for the reader. */
export class Plan {
  readonly root: number;
  readonly int64: Int64Mode;
  /** True if null pointers become their defaults. */
  readonly sendsDefaults: boolean;
  /** True if pointers without a default become null. */
  readonly sendsNull: boolean;
  readonly request: Uint8Array;

  // Per struct:
  readonly keys: readonly (readonly string[])[];
  readonly first: Int32Array;
  readonly count: Int32Array;
  /** Byte position of its union's discriminant; −1 for none. */
  readonly discriminant: Int32Array;

  // Per field; the fields of a struct begin at `first`.
  readonly op: Uint8Array;
  /** Index of its type. */
  readonly type: Int32Array;
  /** Struct of a group. */
  readonly group: Int32Array;
  /** Byte position of a scalar in the data section, or of a pointer in the pointer section. */
  readonly at: Int32Array;
  /** End of a scalar in the data section. */
  readonly end: Int32Array;
  /** Bit of a boolean. */
  readonly mask: Uint8Array;
  readonly member: Int32Array;
  readonly low: Int32Array;
  readonly high: Int32Array;
  readonly fields: readonly FieldSchema[];

  // Per type:
  readonly kind: Uint8Array;
  readonly ref: Int32Array;

  readonly constants: Constants;
  /** For each enum, the index of its first name among the constants, and the number of names. */
  readonly #enumFirst: number[] = [];
  readonly #enumCount: number[];
  /** Defaults of pointers, by field. */
  readonly values = new Map<number, unknown>();

  constructor(schema: CapnProtoSchema, options: CapnProtoOptions) {
    const { structs, types, enums } = schema;
    const byName = options.enums === 'name';
    const opOf = (type: number): number => (type === ENUM && byName ? NAMED : type);
    this.root = schema.root;
    this.int64 = options.int64 ?? 'auto';
    this.sendsDefaults = options.defaults !== 'none';
    this.sendsNull = options.defaults === 'all';
    this.request = schema.request;

    this.keys = structs.map(({ fields }) => fields.map(({ name }) => name));
    this.count = Int32Array.from(structs, ({ fields }) => fields.length);
    this.first = new Int32Array(structs.length);
    for (let i = 1; i < structs.length; i += 1) this.first[i] = this.first[i - 1]! + this.count[i - 1]!;
    this.discriminant = Int32Array.from(structs, ({ union, discriminantOffset }) => (union ? discriminantOffset * 2 : -1));

    const fields = structs.flatMap((struct) => struct.fields);
    const bits = fields.map(({ type }) => BITS[types[type]!.type]!);
    this.fields = fields;
    this.op = Uint8Array.from(fields, ({ type }) => opOf(types[type]!.type));
    this.type = Int32Array.from(fields, ({ type }) => type);
    this.group = Int32Array.from(fields, ({ type }) => (types[type]!.type === GROUP ? types[type]!.ref : -1));
    this.at = Int32Array.from(fields, ({ type, offset }, index) =>
      Math.min(FAR, isPointer(types[type]!.type) ? offset * 8 : Math.floor((offset * bits[index]!) / 8)),
    );
    this.end = Int32Array.from(fields, ({ offset }, index) => Math.min(FAR, Math.ceil(((offset + 1) * bits[index]!) / 8)));
    this.mask = Uint8Array.from(fields, ({ type, offset }) => (types[type]!.type === BOOL ? 1 << (offset % 8) : 0));
    this.member = Int32Array.from(fields, ({ discriminant }) => discriminant);
    this.low = Int32Array.from(fields, ({ low }) => low);
    this.high = Int32Array.from(fields, ({ high }) => high);

    this.kind = Uint8Array.from(types, ({ type }) => opOf(type));
    this.ref = Int32Array.from(types, ({ ref }) => ref);

    const texts: string[] = [];
    for (const { names } of enums) {
      this.#enumFirst.push(texts.length);
      for (const name of names) texts.push(name);
    }
    this.#enumCount = enums.map(({ names }) => names.length);
    this.constants = new Constants(texts);
  }

  /** Constant with the name of an enum's value, −1 if it has none. */
  nameOf(index: number, value: number): number {
    return value < this.#enumCount[index]! ? this.#enumFirst[index]! + value : -1;
  }
}

const plans = new Plans<CapnProtoSchema, CapnProtoOptions, Plan>(['int64', 'enums', 'defaults'], (schema, options) => new Plan(schema, options));

/** The plan for a schema and options, cached. */
export function planFor(schema: CapnProtoSchema | undefined, options: CapnProtoOptions): Plan {
  if (!schema) throw new SchemaError('a schema is required: set the option schema', undefined, { format: 'capnproto' });
  return plans.get(schema, options);
}
