import { Constants } from '../../../reading/constants.ts';
import { SchemaError } from '../../../errors.ts';
import type { Int64Mode } from '../../../reading/int64.ts';
import { Plans } from '../../plans.ts';
import type { CapnProtoOptions } from '../options.ts';
import { BITS, BOOL, type CapnProtoSchema, ENUM, type FieldSchema, GROUP, isPointer } from '../schema.ts';

/** An enum that is sent by name. */
export const NAMED = 20;

/** A place that no struct reaches: it has at most 2 × 65,535 words. */
const FAR = 2 ** 28;

/** A schema and the options, as the flat tables that the reader works by. */
export class Plan {
  readonly root: number;
  readonly int64: Int64Mode;
  /** Null pointers become their defaults. */
  readonly sendsDefaults: boolean;
  /** Pointers that have no default become null. */
  readonly sendsNull: boolean;
  readonly request: Uint8Array;

  // By struct.
  readonly keys: readonly (readonly string[])[];
  readonly first: Int32Array;
  readonly count: Int32Array;
  /** Where the discriminant of its union is, in bytes; −1 where it has none. */
  readonly discriminant: Int32Array;

  // By field, those of a struct from `first` on.
  readonly op: Uint8Array;
  /** Index of its type. */
  readonly type: Int32Array;
  /** The struct of a group. */
  readonly group: Int32Array;
  /** Of a scalar its byte in the data section, of a pointer its byte among them. */
  readonly at: Int32Array;
  /** The end of a scalar in the data section. */
  readonly end: Int32Array;
  /** The bit of a boolean. */
  readonly mask: Uint8Array;
  readonly member: Int32Array;
  readonly low: Int32Array;
  readonly high: Int32Array;
  readonly fields: readonly FieldSchema[];

  // By type.
  readonly kind: Uint8Array;
  readonly ref: Int32Array;

  readonly constants: Constants;
  /** By enum, where its names begin among the constants, and how many there are. */
  readonly #enumFirst: number[] = [];
  readonly #enumCount: number[];
  /** Values of pointers' defaults, by field. */
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

  /** The constant that is the name of an enum's value, −1 where it has none. */
  nameOf(index: number, value: number): number {
    return value < this.#enumCount[index]! ? this.#enumFirst[index]! + value : -1;
  }
}

const plans = new Plans<CapnProtoSchema, CapnProtoOptions, Plan>(['int64', 'enums', 'defaults'], (schema, options) => new Plan(schema, options));

/** The plan for a schema and options, made once. */
export function planFor(schema: CapnProtoSchema | undefined, options: CapnProtoOptions): Plan {
  if (!schema) throw new SchemaError('a schema is required: set the option schema', undefined, { format: 'capnproto' });
  return plans.get(schema, options);
}
