import { compileAvroSchema } from '../../../../core/formats/avro/compile-schema.ts';
import type { AvroSchemaInput } from '../../../../core/formats/avro/options.ts';
import { type AnyNode, methodOf, propertiesOf, type Script } from '../script.ts';
import { type CodeTypes, withoutParse } from './code-types.ts';
import { literalOf } from './literal.ts';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type JsonObject = { [key: string]: Json };

const PRIMITIVES = new Set(['null', 'boolean', 'int', 'long', 'float', 'double', 'bytes', 'string']);

/** A schema in a script, with the node that holds it. */
interface Candidate {
  script: Script;
  node: AnyNode;
  schema: Json;
}

/**
 * Adds the Avro schemas (https://avro.apache.org/docs/1.12.0/specification/#schema-declaration) in the scripts: literals of
 * records, JSON texts, and what avsc's `Type.forSchema` and `parse` are given. A name that a schema does not define is
 * taken from the others if these agree on it.
 */
export function addAvro(scripts: readonly Script[], types: CodeTypes): void {
  const found = scripts.flatMap((script) => [...recordsIn(script)]);
  const definitions = definitionsIn(found);
  const add = ({ script, node, schema }: Candidate): void => {
    const whole = complete(schema, definitions);
    if (compiles(whole)) types.add({ name: nameOf(whole), format: 'avro', input: whole, where: script.url, by: 'Avro' }, node);
  };
  for (const candidate of found) add(candidate);
  for (const script of scripts) {
    for (const { node } of script.nodes()) {
      const method = methodOf(node);
      if (node.type !== 'CallExpression' || (method !== 'forSchema' && method !== 'parse')) continue;
      const argument = withoutParse(script, script.valueOf(node.arguments[0]));
      const known = argument && types.typeOf(script, argument);
      if (known) types.alias(node, known);
      else if (argument) addCall(script, node, argument, add);
    }
  }
}

/** Adds a schema without a name of its own, such as a list of records. */
function addCall(script: Script, node: AnyNode, argument: AnyNode, add: (candidate: Candidate) => void): void {
  const schema = /^(?:Array|Object)Expression$/.test(argument.type) ? (literalOf(script, argument) as Json | undefined) : undefined;
  if (hasRecord(schema)) add({ script, node, schema });
}

/** True for a record, and for a list, map or union of one. */
function hasRecord(schema: Json | undefined): schema is Json {
  if (Array.isArray(schema)) return schema.some(hasRecord);
  return isRecord(schema) || (isObject(schema) && (hasRecord(schema['items']) || hasRecord(schema['values'])));
}

/** Records in a script, without those inside others. */
function* recordsIn(script: Script): Generator<Candidate> {
  let end = 0;
  for (const { node } of script.nodes()) {
    if (node.start < end) continue;
    const schema = node.type === 'ObjectExpression' ? recordLiteral(script, node) : jsonText(node);
    if (schema === undefined) continue;
    ({ end } = node);
    yield { script, node, schema };
  }
}

function recordLiteral(script: Script, node: AnyNode): Json | undefined {
  const properties = propertiesOf(node);
  if (!properties.has('name') || !properties.has('fields') || script.textOf(properties.get('type')) !== 'record') return undefined;
  const schema = literalOf(script, node) as Json | undefined;
  return isRecord(schema) ? schema : undefined;
}

/** Schema in a literal of text. */
function jsonText(node: AnyNode): Json | undefined {
  const text = node.type === 'Literal' ? node.value : node.type === 'TemplateLiteral' ? node.quasis[0]!.value.cooked : undefined;
  if (typeof text !== 'string' || !/^\s*[{[]/.test(text) || !text.includes('"record"')) return undefined;
  try {
    const schema = JSON.parse(text) as Json;
    return hasRecord(schema) ? schema : undefined;
  } catch {
    return undefined;
  }
}

function isRecord(schema: Json | undefined): schema is JsonObject {
  return (
    isObject(schema) &&
    schema['type'] === 'record' &&
    typeof schema['name'] === 'string' &&
    Array.isArray(schema['fields']) &&
    schema['fields'].length > 0
  );
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Name of a schema for display. */
function nameOf(schema: Json): string {
  if (Array.isArray(schema)) return schema.map(nameOf).join(' | ');
  if (!isObject(schema)) return String(schema);
  const { type, items, values } = schema;
  if (type === 'array' && items !== undefined) return `array of ${nameOf(items)}`;
  if (type === 'map' && values !== undefined) return `map of ${nameOf(values)}`;
  if (typeof schema['name'] !== 'string') return nameOf(type ?? null);
  return fullName(schema['name'], schema['namespace'], '');
}

function fullName(name: string, namespace: Json | undefined, scope: string): string {
  if (name.includes('.')) return name;
  const space = typeof namespace === 'string' ? namespace : scope;
  return space === '' ? name : `${space}.${name}`;
}

function scopeOf(name: string): string {
  return name.slice(0, Math.max(0, name.lastIndexOf('.')));
}

/** Definitions of all named types by their full names; null if schemas disagree. */
function definitionsIn(found: readonly Candidate[]): Map<string, Json | null> {
  const definitions = new Map<string, Json | null>();
  const visit = (schema: Json, scope: string): void => {
    if (Array.isArray(schema)) for (const branch of schema) visit(branch, scope);
    if (!isObject(schema)) return;
    const { name, type, items, values, fields } = schema;
    let inner = scope;
    if (typeof name === 'string' && typeof type === 'string' && /^(?:record|error|enum|fixed)$/.test(type)) {
      const full = fullName(name, schema['namespace'], scope);
      inner = scopeOf(full);
      const own = { ...schema, name: full };
      const known = definitions.get(full);
      definitions.set(full, known === undefined || JSON.stringify(known) === JSON.stringify(own) ? own : null);
    }
    if (isObject(type) || Array.isArray(type)) visit(type, inner);
    for (const part of [items, values]) if (part !== undefined) visit(part, inner);
    if (Array.isArray(fields)) for (const field of fields) if (isObject(field)) visit(field['type'] ?? null, inner);
  };
  for (const { schema } of found) visit(schema, '');
  return definitions;
}

/** The schema with definitions instead of the names that it does not define itself. */
function complete(schema: Json, definitions: ReadonlyMap<string, Json | null>): Json {
  const defined = new Set<string>();
  const visit = (part: Json, scope: string): Json => {
    if (Array.isArray(part)) return part.map((branch) => visit(branch, scope));
    if (typeof part === 'string') {
      const name = [fullName(part, undefined, scope), part].find((candidate) => defined.has(candidate) || definitions.get(candidate));
      if (PRIMITIVES.has(part) || name === undefined || defined.has(name)) return part;
      return visit(definitions.get(name)!, '');
    }
    if (!isObject(part)) return part;
    const { name, type, items, values, fields } = part;
    let inner = scope;
    if (typeof name === 'string' && (Array.isArray(fields) || type === 'enum' || type === 'fixed')) {
      const full = fullName(name, part['namespace'], scope);
      inner = scopeOf(full);
      defined.add(full);
    }
    return {
      ...part,
      ...((isObject(type) || Array.isArray(type)) && { type: visit(type, inner) }),
      ...(items !== undefined && { items: visit(items, inner) }),
      ...(values !== undefined && { values: visit(values, inner) }),
      ...(Array.isArray(fields) && {
        fields: fields.map((field) => (isObject(field) ? { ...field, type: visit(field['type'] ?? null, inner) } : field)),
      }),
    };
  };
  return visit(schema, '');
}

function compiles(schema: Json): boolean {
  try {
    compileAvroSchema(schema as AvroSchemaInput);
    return true;
  } catch {
    return false;
  }
}
