import { SchemaError } from '../../../core/errors.ts';
import { Declarations, listType, objectType, type Property, quoted, unionType } from './declarations.ts';
import type { SchemaFile } from '../schema-file.ts';

type Schema = Readonly<Record<string, unknown>>;

/** Types of a JSON Schema (draft 2020-12): of the root, and of each schema in `$defs`. */
export function jsonSchemaTypes({ content, name: fileName }: SchemaFile, chosen: string | undefined): string {
  const root = parseJson(content);
  const definitions = new Map<unknown, string>();
  // Other parts that are referred to may contain themselves as well.
  for (const reference of referencesIn(root)) {
    const found = resolve(root, reference);
    if (found !== root) definitions.set(found, reference.slice(reference.lastIndexOf('/') + 1));
  }
  for (const keyword of ['$defs', 'definitions']) {
    for (const [name, schema] of Object.entries(objectOf(root[keyword]))) definitions.set(schema, name);
  }
  const names = [...definitions.values()];
  if (chosen !== undefined && !names.includes(chosen)) throw new SchemaError(`no type named ${chosen}; the schema has ${names.join(', ') || 'none'}`);
  const title = typeof root['title'] === 'string' ? root['title'] : fileName;
  // Before the first definition, so that it keeps its name.
  definitions.set(root, title);
  const declarations = new Declarations([title, ...names.map((name) => (name === title ? `${title}.${name}` : name))]);
  const fullName = (schema: unknown): string => {
    const name = definitions.get(schema)!;
    return name === title && schema !== root ? `${title}.${name}` : name;
  };

  const typeOf = (given: unknown): string => {
    if (given === false) return 'never';
    if (typeof given !== 'object' || given === null) return 'unknown';
    if (!definitions.has(given)) return plainTypeOf(given as Schema);
    declare(given as Schema);
    return declarations.name(fullName(given));
  };
  const declare = (schema: Schema): void => {
    const name = fullName(schema);
    const properties = isPlainObject(schema) ? schema : undefined;
    if (properties) declarations.object(name, () => propertiesOf(schema));
    else declarations.alias(name, () => plainTypeOf(schema));
  };
  const plainTypeOf = (schema: Schema): string => {
    const { $ref, allOf, type } = schema;
    const all = [
      ...(typeof $ref === 'string' ? [typeOf(resolve(root, $ref))] : []),
      ...(Array.isArray(allOf) ? allOf.map(typeOf) : []),
      ...['anyOf', 'oneOf'].flatMap((keyword) => (Array.isArray(schema[keyword]) ? [unionType((schema[keyword] as unknown[]).map(typeOf))] : [])),
    ];
    if ('const' in schema) return literalType(schema['const']);
    if (Array.isArray(schema['enum'])) return unionType(schema['enum'].map(literalType));
    const types: readonly unknown[] = Array.isArray(type) ? type : type === undefined ? [] : [type];
    const hasKeys = schema['properties'] !== undefined;
    const isDescribed = type === 'object' && !hasKeys && all.length > 0;
    if (types.length > 0 && !isDescribed) all.push(unionType(types.map((one) => typed(one, schema))));
    else if (types.length === 0 && hasKeys) all.push(objectType(propertiesOf(schema)));
    if (all.length === 0) return 'unknown';
    return all.length === 1 ? all[0]! : all.map((one) => (one.includes(' | ') ? `(${one})` : one)).join(' & ');
  };
  const typed = (type: unknown, schema: Schema): string => {
    switch (type) {
      case 'null':
      case 'boolean':
      case 'string':
      case 'number':
        return type;
      case 'integer':
        return 'number';
      case 'array': {
        const { prefixItems, items } = schema;
        if (!Array.isArray(prefixItems)) return listType(typeOf(items));
        const minimum = typeof schema['minItems'] === 'number' ? schema['minItems'] : 0;
        const fixed = prefixItems.map((item, index) => optionalItem(typeOf(item), index >= minimum));
        return `[${[...fixed, ...(items === false ? [] : [`...${listType(typeOf(items))}`])].join(', ')}]`;
      }
      case 'object': {
        const others = schema['additionalProperties'];
        if (Object.keys(objectOf(schema['properties'])).length > 0) return objectType(propertiesOf(schema));
        if (others === false) return 'Record<string, never>';
        const patterns = Object.values(objectOf(schema['patternProperties']));
        return `Record<string, ${patterns.length > 0 ? unionType(patterns.map(typeOf)) : typeOf(others)}>`;
      }
      default:
        throw new SchemaError(`unknown type ${String(type)} in the JSON Schema`);
    }
  };
  const propertiesOf = (schema: Schema): Property[] => {
    const required: readonly unknown[] = Array.isArray(schema['required']) ? schema['required'] : [];
    return Object.entries(objectOf(schema['properties'])).map(([name, property]) => ({
      name,
      type: typeOf(property),
      isOptional: !required.includes(name),
    }));
  };

  if (chosen === undefined) {
    declare(root);
    for (const schema of definitions.keys()) if (schema !== root) typeOf(schema);
  } else {
    for (const [schema, name] of definitions) if (name === chosen && schema !== root) typeOf(schema);
  }
  return declarations.text;
}

/** The references in a schema. */
function referencesIn(value: unknown): string[] {
  return Object.entries(objectOf(value)).flatMap(([key, item]) => (key === '$ref' && typeof item === 'string' ? [item] : referencesIn(item)));
}

/** True for an object with known keys that nothing joins with other schemas. */
function isPlainObject(schema: Schema): boolean {
  const joins = ['$ref', 'allOf', 'anyOf', 'oneOf', 'enum', 'const'].some((keyword) => keyword in schema);
  return !joins && schema['type'] === 'object' && Object.keys(objectOf(schema['properties'])).length > 0;
}

function optionalItem(type: string, isOptional: boolean): string {
  if (!isOptional) return type;
  return /^[\w.]+$/.test(type) ? `${type}?` : `(${type})?`;
}

function literalType(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  if (Array.isArray(value)) return `[${value.map(literalType).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  return objectType(Object.entries(value).map(([name, item]) => ({ name, type: literalType(item) })));
}

function resolve(root: Schema, reference: string): unknown {
  let found: unknown = root;
  for (const step of reference.split('/').slice(1)) {
    found = objectOf(found)[decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')];
  }
  if (!/^#(?:\/|$)/.test(reference) || found === undefined) throw new SchemaError(`the reference ${reference} names no part of the JSON Schema`);
  return found;
}

function objectOf(value: unknown): Schema {
  return typeof value === 'object' && value !== null ? (value as Schema) : {};
}

function parseJson(content: string | Uint8Array): Schema {
  try {
    const schema = JSON.parse(content as string) as unknown;
    if (typeof schema === 'object' && schema !== null && !Array.isArray(schema)) return schema as Schema;
  } catch (error) {
    throw new SchemaError(`the JSON Schema is not JSON: ${(error as Error).message}`);
  }
  throw new SchemaError('a JSON Schema is an object');
}
