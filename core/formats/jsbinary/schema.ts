import { SchemaError } from '../../errors.ts';

/** Kinds of types. Those from STRING to REGEX begin with a length. */
export const UINT = 0;
export const INT = 1;
export const DATE = 2;
export const FLOAT = 3;
export const BOOLEAN = 4;
export const OID = 5;
export const STRING = 6;
export const BUFFER = 7;
export const JSON_TEXT = 8;
export const REGEX = 9;
export const ARRAY = 10;
export const OBJECT = 11;

const SCALARS: Readonly<Record<string, number>> = {
  uint: UINT,
  int: INT,
  date: DATE,
  float: FLOAT,
  boolean: BOOLEAN,
  oid: OID,
  string: STRING,
  Buffer: BUFFER,
  json: JSON_TEXT,
  regex: REGEX,
};

/** Nesting depth of types. */
const MAX_DEPTH = 1000;
/** Limit for the number of values without bytes in one value. */
const MAX_EMPTY = 2 ** 31;

/** A type as flat tables. Types are numbers; 0 is the root. */
export interface JsBinarySchema {
  /** Kind of each type. */
  kinds: number[];
  /** By type: for an array the type of its items, for an object its first field. */
  first: number[];
  /** By type: for an object the index after its last field. */
  last: number[];
  /** By type: the keys of an object. */
  keys: string[][];
  /** By type: how many values it contains if these take no bytes at all, or else 0. */
  empty: number[];
  /** Type of each field, and 1 if it is optional. */
  fieldTypes: number[];
  optional: number[];
}

/** `compileType` with the name of the schema in errors. */
export function compileJsBinarySchema(input: unknown, name?: string): JsBinarySchema {
  try {
    return compileType(input);
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error;
    throw new SchemaError(error.reason, name, { format: 'jsbinary' });
  }
}

/**
 * Compiles a type literal to tables. Throws a SchemaError that says what is wrong and where. An array or object that
 * occurs several times in the literal is one type.
 */
export function compileType(literal: unknown): JsBinarySchema {
  const schema: JsBinarySchema = { kinds: [], first: [], last: [], keys: [], empty: [], fieldTypes: [], optional: [] };
  addType(schema, literal, '', 0, new Map());
  return schema;
}

function addType(schema: JsBinarySchema, literal: unknown, path: string, depth: number, known: Map<unknown, number>): number {
  if (depth > MAX_DEPTH) fail('types are nested too deep', path);
  const same = known.get(literal);
  if (same !== undefined) return same;
  const type = schema.kinds.push(0) - 1;
  schema.first.push(0);
  schema.last.push(0);
  schema.keys.push([]);
  schema.empty.push(0);
  if (typeof literal === 'string') {
    if (!Object.hasOwn(SCALARS, literal)) fail(`unknown type ${JSON.stringify(literal)}`, path);
    schema.kinds[type] = SCALARS[literal]!;
  } else if (Array.isArray(literal)) {
    if (literal.length !== 1) fail('an array type must have exactly one element', path);
    schema.kinds[type] = ARRAY;
    schema.first[type] = addType(schema, literal[0], `${path}[]`, depth + 1, known);
  } else if (typeof literal === 'object' && literal !== null) {
    addObject(schema, type, literal as Record<string, unknown>, path, depth, known);
  } else {
    fail(`a type is a name, an array or an object, not ${String(literal)}`, path);
  }
  // A type that contains itself is not in `known` before its end, and so fails by its depth.
  if (typeof literal === 'object') known.set(literal, type);
  return type;
}

function addObject(
  schema: JsBinarySchema,
  type: number,
  literal: Record<string, unknown>,
  path: string,
  depth: number,
  known: Map<unknown, number>,
): void {
  const names = Object.keys(literal);
  const keys = names.map((name) => (name.endsWith('?') ? name.slice(0, -1) : name));
  const seen = new Set<string>();
  for (const key of keys) {
    if (seen.has(key)) fail(`duplicate field ${JSON.stringify(key)}`, path);
    seen.add(key);
  }
  // The fields of an object are consecutive, so they are reserved before those of nested types.
  const first = schema.fieldTypes.length;
  for (const name of names) {
    schema.fieldTypes.push(0);
    schema.optional.push(name.endsWith('?') ? 1 : 0);
  }
  schema.kinds[type] = OBJECT;
  schema.first[type] = first;
  schema.last[type] = first + names.length;
  schema.keys[type] = keys;
  let empty = 1;
  for (const [index, name] of names.entries()) {
    const field = addType(schema, literal[name], path === '' ? keys[index]! : `${path}.${keys[index]!}`, depth + 1, known);
    schema.fieldTypes[first + index] = field;
    empty = schema.empty[field]! > 0 && empty > 0 && schema.optional[first + index] === 0 ? empty + schema.empty[field]! : 0;
  }
  schema.empty[type] = Math.min(empty, MAX_EMPTY);
}

function fail(reason: string, path: string): never {
  throw new SchemaError(path === '' ? reason : `${reason} (at ${path})`);
}
