import { SchemaError } from '../../../errors.ts';
import { besideOf } from '../../../format/beside-of.ts';
import { checkSchema, findRoot, MAX_NAME_LENGTH } from './check.ts';
import {
  type DefaultText,
  type EnumDeclaration,
  type Fail,
  type FbsFile,
  type FieldDeclaration,
  floatOf,
  integerOf,
  type ObjectDeclaration,
  parseFbs,
  type TypeUse,
} from './fbs-parser.ts';
import {
  ARRAY,
  BOOL,
  BYTE,
  DOUBLE,
  type EnumSchema,
  type FieldSchema,
  FLOAT,
  type FlatBuffersSchema,
  isScalar,
  LONG,
  OBJ,
  type ObjectSchema,
  NO_FIELD,
  NONE,
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
} from './schema.ts';

/** Limit on the characters of all texts together, and on the definitions and fields. */
const MAX_LENGTH = 16_000_000;
const MAX_COUNT = 200_000;
const MAX_FILES = 1_000;
/** Nesting depth of structs. */
const MAX_DEPTH = 100;

const BITS = (type: number): number => 8 * SIZE[type]!;
const isUnsigned = (type: number): boolean => type === UBYTE || type === USHORT || type === UINT || type === ULONG || type === UTYPE || type === BOOL;

/**
 * Reads a schema from an `.fbs` text and the texts that it includes, by their paths: the same schema as from the `.bfbs` that flatc
 * writes. `root` is the name of the payload's table, by default that of `root_type`. Throws a SchemaError with the file, the line and
 * the column.
 */
export function readFbsText(text: string, imports: Readonly<Record<string, string>>, root: string | undefined): FlatBuffersSchema {
  const file: FbsFile = { objects: [], enums: [], root: undefined, identifier: '' };
  const seen = new Set<string>();
  let length = 0;
  const read = (source: string, path: string): void => {
    // A file may be included by several paths.
    if (seen.has(source)) return;
    seen.add(source);
    length += source.length;
    if (length > MAX_LENGTH) throw new SchemaError(`the .fbs texts have more than ${MAX_LENGTH} characters`);
    if (seen.size > MAX_FILES) throw new SchemaError(`the .fbs text includes more than ${MAX_FILES} files`);
    parseFbs(source, file, path, (included, fail) => {
      const found = [included, besideOf(path, included)].find((each) => Object.hasOwn(imports, each));
      read(imports[found ?? fail(`the included file ${included.slice(0, 100)} is not in imports`)]!, found!);
    });
  };
  read(text, '');
  return new Linker(file).link(root);
}

/** The definition of a name. */
interface Found {
  readonly name: string;
  readonly order: number;
  /** Declaration of a table or struct, or of an enum or union. */
  readonly object: ObjectDeclaration | undefined;
  readonly enum: EnumDeclaration | undefined;
}

/** Where the types of a schema are, by name. */
class Names {
  readonly #all = new Map<string, Found>();
  /** Definitions by the last part of their names. */
  readonly #short = new Map<string, Found[]>();

  constructor({ objects, enums }: FbsFile) {
    for (const object of objects) this.#define({ name: object.name, order: object.order, object, enum: undefined }, object.fail);
    for (const item of enums) this.#define({ name: item.name, order: item.order, object: undefined, enum: item }, item.fail);
  }

  #define(found: Found, fail: Fail): void {
    const { name } = found;
    if (name.length > MAX_NAME_LENGTH) fail(`a full name of more than ${MAX_NAME_LENGTH} characters`);
    if (this.#all.has(name)) fail(`${name} is defined twice`);
    this.#all.set(name, found);
    const short = name.slice(name.lastIndexOf('.') + 1);
    const others = this.#short.get(short);
    if (others) others.push(found);
    else this.#short.set(short, [found]);
  }

  /**
   * The definition of a name that is used in a scope: the nearest in it and those around it that precedes the use, else the nearest,
   * else the next with the name in any scope.
   */
  find(name: string, scope: string, order: number): Found | undefined {
    let later: Found | undefined;
    for (let outer = scope; ; outer = outer.slice(0, Math.max(0, outer.lastIndexOf('.')))) {
      const found = this.#all.get(outer === '' ? name : `${outer}.${name}`);
      if (found && found.order <= order) return found;
      later ??= found;
      if (outer === '') break;
    }
    return later ?? this.#short.get(name)?.find((found) => found.order > order);
  }
}

/** Resolves the types of declarations, and lays out structs and tables. */
class Linker {
  readonly #file: FbsFile;
  readonly #names: Names;
  /** Indices in the schema, which is sorted by name, like a .bfbs. */
  readonly #index = new Map<object, number>();
  readonly #objects: ObjectDeclaration[];
  readonly #enums: EnumDeclaration[];
  readonly #layouts = new Map<ObjectDeclaration, { schema: ObjectSchema; align: number }>();
  readonly #enumSchemas = new Map<EnumDeclaration, EnumSchema>();
  #count = 0;

  constructor(file: FbsFile) {
    this.#file = file;
    this.#names = new Names(file);
    const byName = (a: { name: string }, b: { name: string }): number => (a.name < b.name ? -1 : 1);
    this.#objects = file.objects.toSorted(byName);
    this.#enums = file.enums.toSorted(byName);
    for (const list of [this.#objects, this.#enums]) list.forEach((each, index) => this.#index.set(each, index));
  }

  link(root: string | undefined): FlatBuffersSchema {
    const enums = this.#enums.map((each) => this.#enum(each));
    const objects = this.#objects.map((each) => this.#layout(each, 0).schema);
    checkSchema({ objects, enums });
    const { root: own, identifier } = this.#file;
    const rootName = own && (this.#names.find(own.name, own.scope, own.order)?.name ?? own.fail(`the root type ${own.name} is not defined`));
    return { ...findRoot(objects, root, rootName, identifier, '{ fbs, root }'), objects, enums };
  }

  #take(count: number): void {
    this.#count += count;
    if (this.#count > MAX_COUNT) throw new SchemaError(`the schema has more than ${MAX_COUNT} parts`);
  }

  /** Type numbers of a use in a scope, and the index of what it names. */
  #resolve(
    { base, name, list, fail }: TypeUse,
    scope: string,
    order: number,
  ): { type: number; element: number; ref: number; length: number; of?: Found } {
    let type = base;
    let ref = -1;
    let of: Found | undefined;
    if (type === undefined) {
      of = this.#names.find(name, scope, order) ?? fail(`the type ${name.slice(0, 100)} is not defined`);
      ref = this.#index.get(of.object ?? of.enum!)!;
      type = of.object ? OBJ : of.enum!.union ? UNION : this.#baseOf(of.enum!);
    }
    const common = { ref, ...(of && { of }) };
    if (list === undefined) return { type, element: NONE, length: 0, ...common };
    return { type: list === 'vector' ? VECTOR : ARRAY, element: type, length: list === 'vector' ? 0 : list, ...common };
  }

  #baseOf({ type, fail }: EnumDeclaration): number {
    const base = type?.base;
    if (base === undefined || type!.list !== undefined || base < BYTE || base > ULONG) return fail('the type of an enum must be an integer');
    return base;
  }

  #enum(declaration: EnumDeclaration): EnumSchema {
    const known = this.#enumSchemas.get(declaration);
    if (known) return known;
    const { name, scope, order, union, attributes, fail } = declaration;
    const base = union ? UTYPE : this.#baseOf(declaration);
    const flags = attributes.has('bit_flags');
    this.#take(declaration.values.length + 1);
    let next = 0n;
    const values = declaration.values.map((each) => {
      const value = each.value ?? next;
      next = value + 1n;
      if (flags ? value < 0n || value >= BigInt(BITS(base)) : !fits(value, base)) each.fail(`the value ${value} of ${each.name} is out of range`);
      let [type, ref] = [NONE, -1];
      if (each.type) {
        ({ type, ref } = this.#resolve(each.type, scope, order));
        if (type !== OBJ && type !== STRING) each.fail(`the union ${name} may only have tables, structs and strings`);
      }
      return { name: each.name, value: flags ? 1n << value : value, type, ref, fail: each.fail };
    });
    values.sort((a, b) => (a.value < b.value ? -1 : a.value > b.value ? 1 : 0));
    const seen = new Set<string>();
    for (const [index, each] of values.entries()) {
      if (index > 0 && values[index - 1]!.value === each.value)
        each.fail(`${values[index - 1]!.name} and ${each.name} of ${name} have the same value`);
      if (seen.has(each.name)) each.fail(`${name} has two values with the name ${each.name}`);
      seen.add(each.name);
    }
    if (values.length === 0) fail(`the enum ${name} has no values`);
    const schema: EnumSchema = {
      name,
      union,
      flags,
      names: values.map((each) => each.name),
      values: values.map(({ value }) => BigInt.asIntN(64, value)),
      types: values.map(({ type }) => type),
      refs: values.map(({ ref }) => ref),
    };
    this.#enumSchemas.set(declaration, schema);
    return schema;
  }

  #layout(declaration: ObjectDeclaration, depth: number): { schema: ObjectSchema; align: number } {
    const known = this.#layouts.get(declaration);
    if (known) return known;
    const { name, struct, fail } = declaration;
    if (depth > MAX_DEPTH) fail(`the struct ${name} contains itself, or is nested more than ${MAX_DEPTH} levels deep`);
    this.#take(declaration.fields.length + 1);
    const made = struct ? this.#struct(declaration, depth) : this.#table(declaration);
    this.#layouts.set(declaration, made);
    return made;
  }

  #struct({ name, scope, order, fields, attributes, fail }: ObjectDeclaration, depth: number): { schema: ObjectSchema; align: number } {
    const schema: ObjectSchema = { name, struct: true, size: 0, fields: [] };
    let align = 1;
    const names = new Set<string>();
    for (const [id, field] of fields.entries()) {
      addName(names, name, field);
      const { of, ...type } = this.#resolve(field.type, scope, order);
      const item = type.type === ARRAY ? type.element : type.type;
      if (!isScalar(item) && !(item === OBJ && of?.object?.struct)) field.fail(`the struct ${name} may only have numbers, enums and structs`);
      if (field.default && integerOf(field.default.text) !== 0n) field.fail('a field of a struct has no default');
      const inner = item === OBJ ? this.#layout(of!.object!, depth + 1) : undefined;
      const [size, own] = inner ? [inner.schema.size, inner.align] : [SIZE[item]!, SIZE[item]!];
      align = Math.max(align, own);
      const offset = Math.ceil(schema.size / own) * own;
      schema.size = offset + size * (type.type === ARRAY ? type.length : 1);
      schema.fields.push({ ...NO_FIELD, name: field.name, id, ...type, offset, default: zeroOf(type.type), key: field.attributes.has('key') });
    }
    const forced = attributes.get('force_align');
    if (forced !== undefined) {
      const wanted = Number(forced);
      if (!(wanted >= align && wanted <= 32 && Number.isInteger(Math.log2(wanted)))) fail(`invalid force_align of ${name}: ${forced.slice(0, 40)}`);
      align = wanted;
    }
    if (schema.size === 0) fail(`the struct ${name} has no fields`);
    schema.size = Math.ceil(schema.size / align) * align;
    return { schema, align };
  }

  #table(declaration: ObjectDeclaration): { schema: ObjectSchema; align: number } {
    const { name, scope, order, fields } = declaration;
    const made: { field: FieldSchema; id: number | undefined; fail: Fail }[] = [];
    const names = new Set<string>();
    for (const field of fields) {
      addName(names, name, field);
      const { attributes, fail } = field;
      const { of, ...type } = this.#resolve(field.type, scope, order);
      if (type.type === ARRAY) fail('an array must be in a struct');
      const written = attributes.get('id');
      const id = written === undefined ? undefined : Number(written);
      const item = type.type === VECTOR ? type.element : type.type;
      const schema = { ...NO_FIELD, name: field.name, ...type, ...this.#flags(field, type), ...this.#default(field, type, of, scope, order) };
      if (attributes.has('nested_flatbuffer')) schema.nested = this.#nested(field, type, scope, order);
      if (item === UNION) {
        // A field with the type precedes a union.
        const types = type.type === VECTOR ? { type: VECTOR, element: UTYPE } : { type: UTYPE, element: NONE };
        const kind = {
          ...NO_FIELD,
          name: `${field.name}_type`,
          ...types,
          ref: type.ref,
          deprecated: schema.deprecated,
          required: type.type === VECTOR && schema.required,
        };
        addName(names, name, { ...field, name: kind.name });
        made.push({ field: kind, id: id === undefined ? undefined : id - 1, fail });
        if (type.type === VECTOR) kind.optional = schema.optional;
      }
      made.push({ field: schema, id, fail });
    }
    const numbered = made.filter(({ id }) => id !== undefined).length;
    if (numbered > 0 && numbered < made.length) made.find(({ id }) => id === undefined)!.fail(`all fields of ${name} or none must have an id`);
    if (numbered > 0) made.sort((a, b) => a.id! - b.id!);
    const laid = made.map(({ field, id, fail }, index) => {
      if (id !== undefined && id !== index) fail(`the ids of ${name} must be consecutive from 0; ${index} is missing, or given twice`);
      return { ...field, id: index, offset: 4 + 2 * index };
    });
    return { schema: { name, struct: false, size: 0, fields: laid }, align: 1 };
  }

  #flags(
    { attributes, default: text, fail, type: { base } }: FieldDeclaration,
    type: { type: number; element: number },
  ): Partial<FieldSchema> & { deprecated: boolean; required: boolean; optional: boolean } {
    const key = attributes.has('key');
    const required = attributes.has('required') || (base === STRING && type.type === STRING && key);
    if (required && isScalar(type.type)) fail('a number cannot be required');
    const far = attributes.has('offset64') || attributes.has('vector64');
    const isList = type.type === STRING || type.type === VECTOR;
    if (far && !isList) fail('only strings and vectors can have offsets of 64 bits');
    return {
      key,
      required,
      far,
      deprecated: attributes.has('deprecated'),
      // As flatc has it, to which the text 0 is no default.
      optional: isScalar(type.type)
        ? text?.text === 'null' && text.kind === 'name'
        : !required && !(isList && text !== undefined && text.text !== '0'),
      ...(attributes.has('vector64') && { type: VECTOR64 }),
    };
  }

  #nested({ attributes, fail }: FieldDeclaration, type: { type: number; element: number }, scope: string, order: number): number {
    const name = attributes.get('nested_flatbuffer')!;
    if (type.type !== VECTOR || type.element !== UBYTE) fail('only a vector of ubyte can hold a nested buffer');
    const found = this.#names.find(name, scope, order)?.object;
    return found ? this.#index.get(found)! : fail(`the nested buffer of ${name.slice(0, 100)} is not defined`);
  }

  /** The default of a field of a table. */
  #default(
    { default: text, attributes, fail }: FieldDeclaration,
    { type }: { type: number },
    of: Found | undefined,
    scope: string,
    order: number,
  ): { default: number | bigint } {
    if (!isScalar(type)) {
      const isList = type === STRING || type === VECTOR;
      if (text && !(isList ? text.kind === 'string' || text.kind === 'list' : integerOf(text.text) === 0n))
        text.fail('the field cannot have this default');
      return { default: zeroOf(type) };
    }
    const isNull = text?.kind === 'name' && text.text === 'null';
    if (isNull && attributes.has('key')) text.fail('a key cannot be null');
    if (!text || isNull) {
      const item = of?.enum && !isNull ? this.#enum(of.enum) : undefined;
      if (item && !item.flags && !item.values.includes(0n)) fail(`a default is required: the enum ${item.name} has no value 0`);
      return { default: zeroOf(type) };
    }
    if (type === FLOAT || type === DOUBLE) {
      const value = floatOf(text.text);
      if (Number.isNaN(value) && !/^[+-]?nan$/i.test(text.text)) text.fail(`${text.text.slice(0, 40)} is not a number`);
      return { default: value };
    }
    const value = this.#integer(text, type, of?.enum, scope, order);
    if (type === LONG) return { default: BigInt.asIntN(64, value) };
    if (type === ULONG) return { default: BigInt.asUintN(64, value) };
    return { default: type === BOOL ? Number(value !== 0n) : Number(value) };
  }

  #integer(text: DefaultText, type: number, of: EnumDeclaration | undefined, scope: string, order: number): bigint {
    let value = integerOf(text.text);
    if (type === BOOL && (text.text === 'true' || text.text === 'false')) value = text.text === 'true' ? 1n : 0n;
    if (value === undefined && text.kind !== 'number') {
      value = 0n;
      // Flags may be joined in a string.
      for (const name of text.text.split(/\s+/)) value |= this.#valueOf(name, of, scope, order) ?? text.fail(`unknown value ${name.slice(0, 100)}`);
    }
    if (value === undefined || !fits(value, type)) return text.fail(`the default ${text.text.slice(0, 40)} does not fit its type`);
    if (of) {
      const { flags, values, name } = this.#enum(of);
      if (!flags && !values.includes(BigInt.asIntN(64, value))) text.fail(`${text.text.slice(0, 40)} is not a value of the enum ${name}`);
    }
    return value;
  }

  /** The value of a name in an enum, or of the full name of one. */
  #valueOf(name: string, of: EnumDeclaration | undefined, scope: string, order: number): bigint | undefined {
    const dot = name.lastIndexOf('.');
    const item = dot < 0 ? of : this.#names.find(name.slice(0, dot), scope, order)?.enum;
    if (!item) return undefined;
    const { names, values } = this.#enum(item);
    const value = values[names.indexOf(name.slice(dot + 1))];
    return value !== undefined && isUnsigned(this.#baseOf(item)) ? BigInt.asUintN(64, value) : value;
  }
}

function addName(names: Set<string>, owner: string, { name, fail }: Pick<FieldDeclaration, 'name' | 'fail'>): void {
  if (names.has(name)) fail(`${owner} has two fields with the name ${name}`);
  names.add(name);
}

function fits(value: bigint, type: number): boolean {
  const bits = BITS(type);
  return isUnsigned(type) ? BigInt.asUintN(bits, value) === value : BigInt.asIntN(bits, value) === value;
}

function zeroOf(type: number): number | bigint {
  return type === LONG || type === ULONG ? 0n : 0;
}
