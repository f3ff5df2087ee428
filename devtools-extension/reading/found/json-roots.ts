import { ENUM, MESSAGE, TYPE_NAMES } from '../../../core/formats/protobuf/schema/schema.ts';
import type { ServiceMethod } from '../schemas/services.ts';
import type { Registry } from './registry.ts';
import { type AnyNode, nameOfProperty, type Script } from './script.ts';
import type { DraftField, DraftMessage } from './types.ts';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type JsonObject = { [key: string]: Json };

/** A type of a JSON root, by its full name. */
interface Known {
  message?: DraftMessage;
  values?: ReadonlyMap<number, string>;
}

/** Largest nesting of a JSON root. */
const MAX_DEPTH = 60;

/** Adds the types of protobuf.js's JSON (https://github.com/protobufjs/protobuf.js#using-json-descriptors). Returns the methods of its services. */
export function addJsonRoots(script: Script, registry: Registry): ServiceMethod[] {
  const methods: ServiceMethod[] = [];
  const done = new Set<AnyNode>();
  for (const { node, around } of script.nodes()) {
    if (around && done.has(around.node)) {
      done.add(node);
      continue;
    }
    const root = rootOf(script, node);
    if (!root) continue;
    done.add(node);
    for (const method of addRoot(script.url, root, registry)) methods.push(method);
  }
  return methods;
}

/** Namespace of a JSON root: `{ nested: { … } }`, or the argument of `addJSON`. */
function rootOf(script: Script, node: AnyNode): JsonObject | undefined {
  if (node.type === 'ObjectExpression') {
    const names = node.properties.map((property) => (property.type === 'Property' ? nameOfProperty(property.key) : undefined));
    if (!names.includes('nested')) return undefined;
    return objectOf(objectOf(literalOf(node, 0))?.['nested']);
  }
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression' || node.arguments.length !== 1) return undefined;
  const method = nameOfProperty(node.callee.property);
  const [argument] = node.arguments as AnyNode[];
  if (method === 'addJSON') return objectOf(literalOf(script.valueOf(argument)!, 0));
  const text = method === 'parse' ? script.textOf(argument) : undefined;
  if (text === undefined || !text.includes('"nested"')) return undefined;
  try {
    return objectOf(objectOf(JSON.parse(text) as Json)?.['nested']);
  } catch {
    return undefined;
  }
}

function objectOf(value: Json | undefined): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
}

/** Value of a literal; undefined for parts that are not literals. */
function literalOf(node: AnyNode, depth: number): Json | undefined {
  if (depth > MAX_DEPTH) return undefined;
  switch (node.type) {
    case 'Literal':
      return typeof node.value === 'string' || typeof node.value === 'number' || typeof node.value === 'boolean' ? node.value : null;
    case 'UnaryExpression': {
      const inner = literalOf(node.argument, depth + 1);
      return node.operator === '!' ? inner === 0 : node.operator === '-' && typeof inner === 'number' ? -inner : undefined;
    }
    case 'TemplateLiteral':
      return node.quasis.length === 1 ? (node.quasis[0]!.value.cooked ?? undefined) : undefined;
    case 'ArrayExpression':
      return node.elements.flatMap((element) => (element ? (literalOf(element as AnyNode, depth + 1) ?? []) : []));
    case 'ObjectExpression': {
      const entries = node.properties.flatMap((property) => {
        const name = property.type === 'Property' ? nameOfProperty(property.key) : undefined;
        const value = property.type === 'Property' ? literalOf(property.value, depth + 1) : undefined;
        return name === undefined || value === undefined ? [] : [[name, value] as const];
      });
      return Object.fromEntries(entries);
    }
    default:
      return undefined;
  }
}

function addRoot(where: string, root: JsonObject, registry: Registry): ServiceMethod[] {
  const known = new Map<string, Known>();
  const services: ServiceMethod[] = [];
  const resolve = (name: string, scope: string): Known | undefined => {
    if (name.startsWith('.')) return known.get(name.slice(1));
    for (let outer = scope; ; outer = outer.slice(0, Math.max(0, outer.lastIndexOf('.')))) {
      const found = known.get(outer === '' ? name : `${outer}.${name}`);
      if (found || outer === '') return found;
    }
  };
  const later: (() => void)[] = [];
  const visit = (nested: JsonObject, scope: string, depth: number): void => {
    for (const [own, value] of Object.entries(nested)) {
      const item = objectOf(value);
      // A scope with dots of its own would be resolved in many steps.
      if (!item || depth > MAX_DEPTH || own.includes('.')) continue;
      const name = scope === '' ? own : `${scope}.${own}`;
      const fields = objectOf(item['fields']);
      const values = objectOf(item['values']);
      const methods = objectOf(item['methods']);
      if (fields) {
        const message: DraftMessage = { name, fields: [], where, by: 'protobuf.js' };
        known.set(name, { message });
        later.push(() => {
          message.fields = Object.entries(fields).flatMap(
            ([field, about]) => fieldOf(field, objectOf(about) ?? {}, (type) => resolve(type, name)) ?? [],
          );
        });
      } else if (values) {
        const numbers = Object.entries(values).flatMap(([label, number]) => (typeof number === 'number' ? [[number, label] as const] : []));
        known.set(name, { values: new Map(numbers) });
      }
      for (const [method, about] of Object.entries(methods ?? {})) {
        const { requestType, responseType } = objectOf(about) ?? {};
        later.push(() => {
          const [request, response] = [requestType, responseType].map((type) =>
            typeof type === 'string' ? (resolve(type, name)?.message?.name ?? '') : '',
          );
          services.push({ path: `${name}/${method}`, request: request!, response: response! });
        });
      }
      const inner = objectOf(item['nested']);
      if (inner) visit(inner, name, depth + 1);
    }
  };
  visit(root, '', 0);
  for (const step of later) step();
  for (const { message } of known.values()) if (message) registry.add(message);
  return services;
}

function fieldOf(name: string, { type, id, rule, keyType }: JsonObject, resolve: (type: string) => Known | undefined): DraftField | undefined {
  if (typeof type !== 'string' || typeof id !== 'number') return undefined;
  const scalar = TYPE_NAMES.indexOf(type);
  const found = scalar > 0 ? undefined : resolve(type);
  const value = {
    name,
    number: id,
    type: scalar > 0 ? scalar : found?.values ? ENUM : MESSAGE,
    message: () => found?.message,
    values: found?.values,
  };
  const key = typeof keyType === 'string' ? TYPE_NAMES.indexOf(keyType) : 0;
  if (key > 0) return { name, number: id, type: MESSAGE, repeated: true, map: { key, value } };
  return { ...value, repeated: rule === 'repeated' };
}
