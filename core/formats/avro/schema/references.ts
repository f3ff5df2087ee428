import { SchemaError } from '../../../errors.ts';
import { checkDepth, NAMED, parseJson, qualify } from './parse.ts';

type Json = Record<string, unknown>;

/**
 * One schema of one that uses named types of others: the definition of each type stands where the type is first used, as in the
 * header of a container. The order of `references` is free, and they may refer to each other. Throws a SchemaError.
 */
export function withReferences(schema: unknown, references: unknown): unknown {
  if (!Array.isArray(references)) throw new SchemaError('the references of an Avro schema must be a list of schemas');
  const definitions = new Map<string, Json>();
  for (const reference of references) {
    visit(parseJson(reference), '', 0, (name, definition) => {
      const other = definitions.get(name);
      if (other) assertSame(name, other, definition);
      else definitions.set(name, definition);
    });
  }
  return inline(parseJson(schema), definitions);
}

function inline(schema: unknown, definitions: ReadonlyMap<string, Json>): unknown {
  const defined = new Map<string, Json>();
  const type = (json: unknown, namespace: string, depth: number): unknown => {
    checkDepth(depth);
    if (Array.isArray(json)) return json.map((branch) => type(branch, namespace, depth + 1));
    if (typeof json === 'string') {
      const name = [qualify(json, namespace), json].find((each) => defined.has(each) || definitions.has(each));
      if (name === undefined) return json;
      if (defined.has(name)) return name;
      return named(name, definitions.get(name)!, depth);
    }
    if (typeof json !== 'object' || json === null) return json;
    const name = fullName(json as Json, namespace);
    if (name === undefined) return children(json as Json, namespace, depth, type);
    const earlier = defined.get(name);
    if (!earlier) return named(name, json as Json, depth);
    assertSame(name, earlier, json as Json);
    return name;
  };
  /** A definition with its full name, so that it means the same in another namespace. */
  const named = (name: string, json: Json, depth: number): unknown => {
    defined.set(name, json);
    const inner = fullNamespace(name);
    return { ...children(json, inner, depth, type), name, ...(inner === '' && { namespace: '' }) };
  };
  return type(schema, '', 0);
}

/** Calls `found` for each named type of a schema. */
function visit(json: unknown, namespace: string, depth: number, found: (name: string, definition: Json) => void): void {
  checkDepth(depth);
  const each = (item: unknown, inner: string, at: number): unknown => {
    visit(item, inner, at, found);
    return item;
  };
  if (Array.isArray(json)) {
    for (const branch of json) visit(branch, namespace, depth + 1, found);
  } else if (typeof json === 'object' && json !== null) {
    const name = fullName(json as Json, namespace);
    if (name !== undefined) found(name, json as Json);
    children(json as Json, name === undefined ? namespace : fullNamespace(name), depth, each);
  }
}

/** A type in which other types replace those inside it. */
function children(json: Json, namespace: string, depth: number, type: (json: unknown, namespace: string, depth: number) => unknown): Json {
  const { type: kind, fields, items, values } = json;
  if (typeof kind === 'object') return { ...json, type: type(kind, namespace, depth + 1) };
  if (kind === 'array') return { ...json, items: type(items, namespace, depth + 1) };
  if (kind === 'map') return { ...json, values: type(values, namespace, depth + 1) };
  if (Array.isArray(fields) && fullName(json, namespace) !== undefined) {
    const field = (each: Json | null): unknown =>
      typeof each === 'object' && each !== null ? { ...each, type: type(each['type'], namespace, depth + 1) } : each;
    return { ...json, fields: fields.map(field) };
  }
  return NAMED.has(kind as string) || typeof kind !== 'string' ? json : { ...json, type: type(kind, namespace, depth + 1) };
}

/** The full name of a definition; undefined for other types. */
function fullName({ type, name, namespace: own }: Json, namespace: string): string | undefined {
  if (!NAMED.has(type as string) || typeof name !== 'string') return undefined;
  return qualify(name, typeof own === 'string' ? own : namespace);
}

function fullNamespace(name: string): string {
  return name.slice(0, Math.max(0, name.lastIndexOf('.')));
}

/** Throws if two schemas define a type differently. Tools write a copy of a type into each file that uses it. */
function assertSame(name: string, one: Json, other: Json): void {
  if (one !== other && JSON.stringify(one) !== JSON.stringify(other))
    throw new SchemaError(`the Avro type ${name} is defined twice, and differently`);
}
