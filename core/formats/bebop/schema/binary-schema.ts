import { SchemaError } from '../../../errors.ts';
import { decodeUtf8 } from '../../../bytes/text/text.ts';
import {
  ARRAY,
  type BebopSchema,
  BOOL,
  BYTE,
  DATE,
  ENUM,
  FLOAT32,
  FLOAT64,
  GUID,
  INT16,
  INT32,
  INT64,
  MAP,
  MESSAGE,
  SIZE,
  STRING,
  STRUCT,
  Tables,
  UINT16,
  UINT32,
  UINT64,
  UNION,
} from './schema.ts';

/** Kinds of definitions. */
const KINDS = [0, STRUCT, MESSAGE, UNION, ENUM];

/**
 * Reads the binary schema in the code that bebopc generates (https://docs.bebop.sh/reference/binary-schema). Names end
 * with a zero. Types are 32-bit numbers: definitions from 0, scalars and lists below 0.
 */
export function readBinarySchema(bytes: Uint8Array, root: string): BebopSchema {
  const input = new Input(bytes);
  const version = input.number(BYTE);
  if (version !== 3) throw new SchemaError(`unsupported binary schema version ${version}; expected 3`);
  const tables = new Tables();
  const count = input.number(UINT32);
  // Definitions contain their kinds, and may refer to later definitions, so a first pass reads all kinds.
  const start = input.at;
  const kinds: number[] = [];
  const refs: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const kind = skip(input);
    kinds.push(kind);
    refs.push(
      kind === UNION
        ? tables.unions.push({ name: '', branches: [] }) - 1
        : kind === ENUM
          ? tables.enums.push({ name: '', base: UINT32, flags: false, names: [], values: [] }) - 1
          : tables.records.push({ name: '', fields: [] }) - 1,
    );
  }
  const reader = new Definitions(input, tables, (id) => {
    if (kinds[id] === undefined) throw new SchemaError(`unknown type ${id}`);
    return tables.type(kinds[id], refs[id]);
  });
  input.at = start;
  const named = new Map<string, number>();
  for (let index = 0; index < count; index += 1) named.set(reader.definition(refs[index]!), tables.type(kinds[index]!, refs[index]));
  return tables.finish(named, root);
}

/** Skips a definition. Returns its kind. */
function skip(input: Input): number {
  const tables = new Tables();
  const any = tables.records.push({ name: '', fields: [] }) - 1;
  tables.unions.push({ name: '', branches: [] });
  tables.enums.push({ name: '', base: UINT32, flags: false, names: [], values: [] });
  const reader = new Definitions(input, tables, () => tables.type(STRUCT, any));
  reader.definition(0);
  return reader.kind;
}

class Definitions {
  kind = 0;
  readonly #input: Input;
  readonly #tables: Tables;
  readonly #defined: (id: number) => number;

  constructor(input: Input, tables: Tables, defined: (id: number) => number) {
    this.#input = input;
    this.#tables = tables;
    this.#defined = defined;
  }

  /** Reads a definition into the record, union or enum at `ref`. Returns its name. */
  definition(ref: number): string {
    const input = this.#input;
    const name = input.name();
    const kind = KINDS[input.number(BYTE)];
    if (!kind) throw new SchemaError(`${name} has an unknown kind`);
    this.kind = kind;
    this.#decorators();
    if (kind === ENUM) this.#enum(name, ref);
    else if (kind === UNION) this.#union(name, ref);
    else this.#record(name, ref, kind === MESSAGE);
    return name;
  }

  /** Reads an enum: base type, whether its values are bits, minimum size, members. */
  #enum(name: string, ref: number): void {
    const input = this.#input;
    const base = -input.number(INT32);
    if (base < BYTE || base > INT64) throw new SchemaError(`${name} is an enum without an integer type`);
    const flags = input.number(BYTE) !== 0;
    input.skip(4);
    const target = this.#tables.enums[ref]!;
    Object.assign(target, { name, base, flags });
    const count = input.number(BYTE);
    for (let index = 0; index < count; index += 1) {
      target.names.push(input.name());
      this.#decorators();
      target.values.push(input.integer(base));
    }
  }

  /** Reads a union: minimum size, branches. */
  #union(name: string, ref: number): void {
    const input = this.#input;
    input.skip(4);
    const target = this.#tables.unions[ref]!;
    target.name = name;
    const count = input.number(BYTE);
    for (let index = 0; index < count; index += 1) {
      const discriminator = input.number(BYTE);
      target.branches.push({ discriminator, type: this.#defined(input.number(INT32)) });
    }
  }

  /**
   * Reads a record: for a struct whether it is mutable, minimum size, for a struct whether its size is fixed, fields.
   */
  #record(name: string, ref: number, isMessage: boolean): void {
    const input = this.#input;
    input.skip(isMessage ? 4 : 6);
    const target = this.#tables.records[ref]!;
    target.name = name;
    const count = input.number(BYTE);
    for (let index = 0; index < count; index += 1) {
      const field = input.name();
      const type = this.#type(input.number(INT32), `${name}.${field}`, 0);
      const isDeprecated = this.#decorators().has('deprecated') && isMessage;
      target.fields.push({ name: field, type, index: isMessage ? input.number(BYTE) : 0, ...(isDeprecated && { isDeprecated }) });
    }
  }

  #type(id: number, field: string, depth: number): number {
    const input = this.#input;
    const tables = this.#tables;
    if (depth > 50) throw new SchemaError(`${field} has maps nested too deep`);
    if (id >= 0) return this.#defined(id);
    const kind = -id;
    if (kind <= DATE) return tables.type(kind);
    if (kind === ARRAY) {
      // The number of arrays around the innermost, and its item type.
      const around = input.number(BYTE);
      const item = input.number(INT32);
      if (-item > DATE) throw new SchemaError(`${field} is an array of maps, which a binary schema does not describe`);
      let type = tables.array(this.#type(item, field, depth));
      for (let level = 0; level < around; level += 1) type = tables.array(type);
      return type;
    }
    if (kind === MAP) {
      const key = input.number(INT32);
      const value = input.number(INT32);
      return tables.map(this.#type(key, field, depth + 1), this.#type(value, field, depth + 1));
    }
    throw new SchemaError(`${field} has the unknown type ${id}`);
  }

  /** Skips decorators: a name and arguments, each a name, a type and a value. Returns their names. */
  #decorators(): Set<string> {
    const input = this.#input;
    const names = new Set<string>();
    for (let count = input.number(BYTE); count > 0; count -= 1) {
      names.add(input.name());
      for (let parts = input.number(BYTE); parts > 0; parts -= 1) {
        input.name();
        const kind = -input.number(INT32);
        if (kind === STRING) input.name();
        else if (kind === GUID || SIZE[kind]) input.skip(SIZE[kind]!);
        else throw new SchemaError('a decorator with an argument of an unknown type');
      }
    }
    return names;
  }
}

class Input {
  at = 0;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  skip(size: number): number {
    const { at } = this;
    if (at + size > this.#bytes.length) throw new SchemaError('the binary schema is incomplete');
    this.at += size;
    return at;
  }

  name(): string {
    const end = this.#bytes.indexOf(0, this.at);
    if (end < 0) throw new SchemaError('the binary schema is incomplete');
    const text = decodeUtf8(this.#bytes, this.at, end, -1);
    this.at = end + 1;
    return text;
  }

  number(kind: number): number {
    return Number(this.integer(kind));
  }

  integer(kind: number): bigint {
    const at = this.skip(SIZE[kind]!);
    const view = this.#view;
    switch (kind) {
      case BOOL:
      case BYTE:
        return BigInt(view.getUint8(at));
      case UINT16:
        return BigInt(view.getUint16(at, true));
      case INT16:
        return BigInt(view.getInt16(at, true));
      case UINT32:
        return BigInt(view.getUint32(at, true));
      case INT32:
        return BigInt(view.getInt32(at, true));
      case UINT64:
        return view.getBigUint64(at, true);
      case INT64:
        return view.getBigInt64(at, true);
      case FLOAT32:
      case FLOAT64:
      default:
        throw new SchemaError('a number that is not an integer');
    }
  }
}
