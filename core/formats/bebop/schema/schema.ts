import { SchemaError } from '../../../errors.ts';
import { unknownType } from '../../../format/unknown-type.ts';

// Scalars have the numbers of the binary schema without their sign.
export const BOOL = 1;
export const BYTE = 2;
export const UINT16 = 3;
export const INT16 = 4;
export const UINT32 = 5;
export const INT32 = 6;
export const UINT64 = 7;
export const INT64 = 8;
export const FLOAT32 = 9;
export const FLOAT64 = 10;
export const STRING = 11;
export const GUID = 12;
export const DATE = 13;
export const ARRAY = 14;
export const MAP = 15;
export const STRUCT = 16;
export const MESSAGE = 17;
export const UNION = 18;
export const ENUM = 19;
/** An array of bytes. */
export const BYTES = 20;

/** By kind: the bytes of every value, 0 if they vary. */
export const SIZE = Uint8Array.of(0, 1, 1, 2, 2, 4, 4, 8, 8, 4, 8, 0, 16, 8, 0, 0, 0, 0, 0, 0, 0);

/** One type. Plain data. */
export interface TypeSchema {
  kind: number;
  /** Index of the record, union or enum; for an array or map, the type of its values. */
  ref: number;
  /** The type of a map's keys; −1 for other types. */
  key: number;
}

/** A struct or message. Plain data. */
export interface RecordSchema {
  name: string;
  fields: {
    name: string;
    /** Index in `types`. */
    type: number;
    /** The number before it in a message; 0 in a struct. */
    index: number;
    /** True for a field of a message with the decorator `deprecated`: it is read, but not written. */
    isDeprecated?: boolean;
  }[];
}

/** One union. Plain data. */
export interface UnionSchema {
  name: string;
  branches: { discriminator: number; type: number }[];
}

/** One enum. Plain data. */
export interface EnumSchema {
  name: string;
  /** The kind of its numbers. */
  base: number;
  /** True if its values are bits, any number of which may be set. */
  flags: boolean;
  names: string[];
  values: bigint[];
}

/** Result of `compileSchema`. Plain data. */
export interface BebopSchema {
  /** Index of a payload's type. */
  root: number;
  types: TypeSchema[];
  records: RecordSchema[];
  unions: UnionSchema[];
  enums: EnumSchema[];
}

/** Types by the names of their definitions. */
export type Named = ReadonlyMap<string, number>;

/** Builds the tables of a schema, with each type once. */
export class Tables {
  readonly types: TypeSchema[] = [];
  readonly records: RecordSchema[] = [];
  readonly unions: UnionSchema[] = [];
  readonly enums: EnumSchema[] = [];
  readonly #known = new Map<string, number>();

  type(kind: number, ref = -1, key = -1): number {
    const id = `${kind} ${ref} ${key}`;
    let index = this.#known.get(id);
    if (index === undefined) this.#known.set(id, (index = this.types.push({ kind, ref, key }) - 1));
    return index;
  }

  array(item: number): number {
    return this.types[item]!.kind === BYTE ? this.type(BYTES) : this.type(ARRAY, item);
  }

  map(key: number, value: number): number {
    return this.type(MAP, value, key);
  }

  /** The schema for payloads of the type named `root`. Rejects types that cannot be read. */
  finish(named: Named, root: string): BebopSchema {
    const index = named.get(root);
    const records = [...named].filter(([, type]) => this.types[type]!.kind !== ENUM).map(([name]) => name);
    if (index === undefined || !records.includes(root)) {
      throw unknownType('record', root, records);
    }
    for (const { name, fields } of this.records) {
      const names = new Set(fields.map((field) => field.name));
      if (names.size < fields.length) throw new SchemaError(`${name} has two fields with the same name`);
      const numbers = new Set(fields.map((field) => field.index));
      if (fields.length > 0 && !numbers.has(0) && numbers.size < fields.length) throw new SchemaError(`${name} has two fields with the same index`);
    }
    for (const { name, branches } of this.unions) {
      if (new Set(branches.map(({ discriminator }) => discriminator)).size < branches.length) {
        throw new SchemaError(`${name} has two branches with the same discriminator`);
      }
      if (branches.some(({ type }) => this.types[type]!.kind !== STRUCT && this.types[type]!.kind !== MESSAGE)) {
        throw new SchemaError(`${name} has a branch that is not a struct or message`);
      }
    }
    if (this.types.some(({ key }) => key >= 0 && this.types[key]!.kind > DATE && this.types[key]!.kind !== ENUM)) {
      throw new SchemaError('a map whose keys are not scalars');
    }
    this.#refuseEndless();
    const { types, records: all, unions, enums } = this;
    return { root: index, types, records: all, unions, enums };
  }

  /** Rejects a struct that contains itself, which would never end. */
  #refuseEndless(): void {
    const state = new Map<number, boolean>();
    for (const [first] of this.types.entries()) {
      const stack: [type: number, next: number][] = [[first, 0]];
      while (stack.length > 0) {
        const top = stack.at(-1)!;
        const { kind, ref } = this.types[top[0]]!;
        const field = kind === STRUCT ? this.records[ref]!.fields[top[1]] : undefined;
        if (field === undefined || state.get(top[0]) === true) {
          state.set(top[0], true);
          stack.pop();
          continue;
        }
        state.set(top[0], false);
        top[1] += 1;
        if (this.types[field.type]!.kind !== STRUCT) continue;
        if (state.get(field.type) === false) throw new SchemaError(`the struct ${this.records[ref]!.name} contains itself`);
        stack.push([field.type, 0]);
      }
    }
  }
}
