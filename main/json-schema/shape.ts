import { SchemaError } from '../../core/errors.ts';
import { pascal, unique } from '../../core/format/schema-names.ts';

/** A JSON Schema (draft 2020-12), parsed. Schemas of TypeBox are JSON Schemas. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

/** Values other than null that a place of the JSON Schema allows. */
export type Shape =
  | { readonly kind: 'null' | 'boolean' | 'string' | 'number' | 'int32' | 'integer' }
  | { readonly kind: 'enum'; readonly symbols: readonly string[] }
  | { readonly kind: 'array'; readonly items: Place }
  | { readonly kind: 'map'; readonly values: Place }
  | { readonly kind: 'record'; readonly record: RecordShape };

/** A shape where it is used. */
export interface Place {
  readonly shape: Shape;
  readonly isNullable: boolean;
  /** JSON pointer to the place in the JSON Schema, as a fragment. */
  readonly pointer: string;
}

/** An object with known keys. The same object of the JSON Schema is the same record everywhere, which may contain itself. */
export interface RecordShape {
  readonly name: string;
  readonly fields: Map<string, Place & { readonly isRequired: boolean }>;
}

/** Keywords that allow values beyond those of the other keywords, or that join several schemas. */
const JOINING = ['allOf', 'if', 'then', 'else', 'dependentSchemas', 'prefixItems', 'patternProperties', '$dynamicRef', '$recursiveRef'];

const MIN_INT32 = -(2 ** 31);
const MAX_INT32 = 2 ** 31 - 1;

/** Reads a JSON Schema. Throws a SchemaError with the pointer to the first part that has no counterpart in `target`. */
export function shapeOf(schema: JsonSchema, name: string, target: string): Place {
  return new ShapeReader(schema, target).readAll(name);
}

/** Throws the error of a part without counterpart. */
export function refuse(pointer: string, target: string, part: string): never {
  throw new SchemaError(`${part} has no counterpart in ${target} (at ${pointer} of the JSON Schema)`);
}

/** A pointer to a part of the schema at another pointer. */
export function pointerTo(pointer: string, ...steps: readonly (string | number)[]): string {
  return [pointer, ...steps.map((step) => String(step).replaceAll('~', '~0').replaceAll('/', '~1'))].join('/');
}

class ShapeReader {
  readonly #root: JsonSchema;
  readonly #target: string;
  readonly #records = new Map<JsonSchema, RecordShape>();
  readonly #names = new Set<string>();
  /** Schemas that are being read. The fields of records are read later, so that a record may contain itself. */
  readonly #open = new Set<JsonSchema>();
  readonly #pending: (() => void)[] = [];

  constructor(root: JsonSchema, target: string) {
    this.#root = root;
    this.#target = target;
  }

  readAll(name: string): Place {
    const root = this.#place(this.#root, '#', name);
    for (const readFields of this.#pending) readFields();
    return root;
  }

  /** Reads a schema. `name` is that of a record without a title. */
  #place(given: unknown, pointer: string, name: string): Place {
    if (given === true || given === undefined) this.#lacks(pointer, 'a value of any type');
    if (typeof given !== 'object' || given === null)
      this.#lacks(pointer, given === false ? 'a schema without values' : `the schema ${JSON.stringify(given)}`);
    const schema = given as JsonSchema;
    if (this.#open.has(schema)) this.#lacks(pointer, 'a schema that contains itself without an object in between');
    this.#open.add(schema);
    const place = this.#read(schema, pointer, name);
    this.#open.delete(schema);
    return place;
  }

  #read(schema: JsonSchema, pointer: string, name: string): Place {
    for (const keyword of JOINING) if (schema[keyword] !== undefined) this.#lacks(pointer, `the keyword ${keyword}`);
    if (typeof schema['$ref'] === 'string') {
      const [found, key] = this.#resolve(schema['$ref'], pointer);
      const { shape, isNullable } = this.#place(found, schema['$ref'], key ?? name);
      return { shape, isNullable, pointer };
    }
    const branches = schema['anyOf'] ?? schema['oneOf'];
    if (Array.isArray(branches)) {
      const keyword = schema['anyOf'] === undefined ? 'oneOf' : 'anyOf';
      return this.#union(
        branches.map((branch, index) => this.#place(branch, pointerTo(pointer, keyword, index), name)),
        pointer,
      );
    }
    const listed = schema['const'] === undefined ? schema['enum'] : [schema['const']];
    if (Array.isArray(listed)) {
      const ofType = (values: readonly unknown[]): Place[] =>
        values.map((value) => ({ shape: this.#literal(value, pointer), isNullable: false, pointer }));
      return this.#union(ofType(listed), pointer);
    }
    const types: readonly unknown[] = Array.isArray(schema['type']) ? schema['type'] : [schema['type']];
    return this.#union(
      types.map((type) => ({ shape: this.#typed(type, schema, pointer, name), isNullable: false, pointer })),
      pointer,
    );
  }

  #literal(value: unknown, pointer: string): Shape {
    if (value === null) return { kind: 'null' };
    switch (typeof value) {
      case 'string':
        return { kind: 'enum', symbols: [value] };
      case 'boolean':
        return { kind: 'boolean' };
      case 'number':
        return { kind: !Number.isInteger(value) ? 'number' : value === (value | 0) ? 'int32' : 'integer' };
      default:
        return this.#lacks(pointer, 'a constant object or array');
    }
  }

  #typed(type: unknown, schema: JsonSchema, pointer: string, name: string): Shape {
    switch (type) {
      case 'null':
      case 'boolean':
      case 'string':
      case 'number':
        return { kind: type };
      case 'integer':
        return { kind: isInt32(schema) ? 'int32' : 'integer' };
      case 'array':
        return { kind: 'array', items: this.#place(schema['items'], pointerTo(pointer, 'items'), name) };
      case 'object':
        return this.#object(schema, pointer, name);
      default:
        return this.#lacks(pointer, type === undefined ? 'a value of any type' : `the type ${JSON.stringify(type)}`);
    }
  }

  #object(schema: JsonSchema, pointer: string, name: string): Shape {
    const properties = (schema['properties'] ?? {}) as Readonly<Record<string, unknown>>;
    const keys = Object.keys(properties);
    const others = schema['additionalProperties'] ?? schema['unevaluatedProperties'];
    if (keys.length === 0 && others !== false) return { kind: 'map', values: this.#place(others, pointerTo(pointer, 'additionalProperties'), name) };
    if (others !== undefined && others !== false) this.#lacks(pointerTo(pointer, 'additionalProperties'), 'an object with both known and other keys');
    const known = this.#records.get(schema);
    if (known) return { kind: 'record', record: known };
    const required = new Set(Array.isArray(schema['required']) ? (schema['required'] as unknown[]) : []);
    const { title } = schema;
    const record: RecordShape = { name: unique(pascal(typeof title === 'string' ? title : name), this.#names), fields: new Map() };
    this.#records.set(schema, record);
    this.#pending.push(() => {
      for (const key of keys) {
        const place = this.#place(properties[key], pointerTo(pointer, 'properties', key), key);
        record.fields.set(key, { ...place, isRequired: required.has(key) });
      }
    });
    return { kind: 'record', record };
  }

  /** Joins shapes into one: shapes of one kind, and null. */
  #union(places: readonly Place[], pointer: string): Place {
    const shapes = places.map(({ shape }) => shape).filter(({ kind }) => kind !== 'null');
    const isNullable = shapes.length < places.length || places.some((place) => place.isNullable);
    const [first] = shapes;
    if (first === undefined) return { shape: { kind: 'null' }, isNullable: false, pointer };
    const kinds = new Set(shapes.map(({ kind }) => kind));
    const all = (...allowed: readonly Shape['kind'][]): boolean => [...kinds].every((kind) => allowed.includes(kind));
    let shape: Shape | undefined;
    if (shapes.length === 1) shape = first;
    else if (all('enum')) shape = { kind: 'enum', symbols: [...new Set(shapes.flatMap((each) => (each.kind === 'enum' ? each.symbols : [])))] };
    else if (all('string', 'enum')) shape = { kind: 'string' };
    else if (all('boolean')) shape = first;
    else if (all('int32', 'integer', 'number')) shape = { kind: kinds.has('number') ? 'number' : kinds.has('integer') ? 'integer' : 'int32' };
    else if (shapes.every((each) => each.kind === 'record' && first.kind === 'record' && each.record === first.record)) shape = first;
    if (shape === undefined) this.#lacks(pointer, `a union (${[...kinds].map(nameOf).join(', ')})`);
    return { shape, isNullable, pointer };
  }

  /** The schema that a reference names, and the last step of its pointer. */
  #resolve(reference: string, pointer: string): [schema: unknown, key: string | undefined] {
    if (!/^#(?:\/|$)/.test(reference))
      this.#lacks(pointer, `the reference ${JSON.stringify(reference.slice(0, 60))} to another document or an anchor`);
    let found: unknown = this.#root;
    const steps = reference.split('/').slice(1);
    let key: string | undefined;
    for (const step of steps) {
      key = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
      if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) {
        throw new SchemaError(`the reference ${JSON.stringify(reference.slice(0, 60))} names no part of the JSON Schema (at ${pointer})`);
      }
      found = (found as Record<string, unknown>)[key];
    }
    return [found, key];
  }

  #lacks(pointer: string, part: string): never {
    return refuse(pointer, this.#target, part);
  }
}

/** True if an integer fits 32 bits with a sign. */
function isInt32({ minimum, exclusiveMinimum, maximum, exclusiveMaximum }: JsonSchema): boolean {
  const isAbove = (bound: unknown, by: number): boolean => typeof bound === 'number' && bound + by >= MIN_INT32;
  const isBelow = (bound: unknown, by: number): boolean => typeof bound === 'number' && bound - by <= MAX_INT32;
  return (isAbove(minimum, 0) || isAbove(exclusiveMinimum, 1)) && (isBelow(maximum, 0) || isBelow(exclusiveMaximum, 1));
}

function nameOf(kind: Shape['kind']): string {
  return kind === 'record' || kind === 'map' ? 'object' : kind === 'enum' ? 'string' : kind === 'int32' ? 'integer' : kind;
}
